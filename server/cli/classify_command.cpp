#include "server/cli/classify_command.h"

#include <utility>

#include "server/api/json_writer.h"
#include "server/api/problem.h"
#include "server/cli/line_reader.h"

namespace notbad::cli {
namespace {

// Far above what the service accepts, so that its own error is the one that users see.
constexpr std::size_t kMaxLineBytes = 1 << 20;

BulkInput as_input(Line line) {
  if (!line.is_cut) return std::move(line.text);
  return fail(ErrorCode::kTextTooLong,
              "the line is longer than " + std::to_string(kMaxLineBytes) + " bytes: split it");
}

}  // namespace

std::string format_outcome(const BulkOutcome& outcome, const std::vector<std::string>& labels) {
  api::JsonWriter json;
  json.begin_object();
  if (!outcome) {
    const Error& error = outcome.error();
    json.key("error").begin_object();
    json.key("code").string(api::kind_of(api::problem_of(error.code)).code);
    json.key("message").string(error.message).end_object().end_object();
    return json.take();
  }
  const auto label = static_cast<std::size_t>(outcome->label);
  json.key("label").string(labels[label]);
  json.key("score").number(outcome->probabilities[label]);
  json.key("probabilities").begin_object();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    json.key(labels[i]).number(outcome->probabilities[i]);
  }
  json.end_object();
  if (outcome->encoding.is_truncated()) json.key("truncated").boolean(true);
  json.end_object();
  return json.take();
}

StreamCount classify_stream(std::istream& input, std::ostream& output,
                            const service::SentimentService& service, const BulkOptions& options,
                            ProgressBar& progress) {
  StreamCount count;
  std::int64_t bytes_read = 0;
  const std::vector<std::string>& labels = service.bundle().labels;
  BulkClassifier classifier(service, options, [&](const BulkOutcome& outcome) {
    count.lines += 1;
    count.failed += outcome ? 0 : 1;
    output << format_outcome(outcome, labels) << '\n';
    progress.update(bytes_read, count.lines);
  });
  LineReader reader(input, kMaxLineBytes);
  for (Line line; output && reader.next(line);) {
    bytes_read += static_cast<std::int64_t>(line.bytes);
    classifier.push(as_input(std::move(line)));
  }
  classifier.finish();
  return count;
}

}  // namespace notbad::cli
