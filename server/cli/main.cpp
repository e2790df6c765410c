// notbad: the model on the command line, without a server.

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numeric>
#include <string>
#include <system_error>
#include <variant>

#include "server/cli/classify_command.h"
#include "server/cli/command_line.h"
#include "server/cli/engine.h"
#include "server/cli/evaluate_command.h"
#include "server/cli/show_command.h"
#include "server/cli/terminal.h"
#include "server/config/cpu_budget.h"
#include "server/config/model_directory.h"

namespace {

using notbad::Result;
using notbad::cli::BulkOptions;
using notbad::cli::Engine;
using notbad::cli::ProgressBar;

enum ExitCode { kOk = 0, kFailed = 1, kUsage = 2, kNoModel = 3 };

int report(int exit_code, const std::string& message) {
  std::cerr << "notbad: " << message << '\n';
  return exit_code;
}

Result<Engine> load_engine(const notbad::cli::ModelArguments& model) {
  const auto directory = notbad::config::find_model_directory(model.folder);
  if (!directory) return tl::unexpected(directory.error());
  const std::int64_t workers = model.workers > 0 ? model.workers : notbad::config::usable_cores();
  return Engine::load(*directory, workers, model.dtype);
}

BulkOptions bulk_options(const Engine& engine) {
  return {.chunk = Engine::kChunk, .chunks_in_flight = engine.workers() + 1, .classify = {}};
}

std::string unreadable(const std::string& file, const std::string& remedy) {
  return file + ": cannot be opened for reading (" + std::generic_category().message(errno) +
         "): " + remedy;
}

// Opens `file` and reports its size in bytes, 0 where it has none (a pipe). Opening comes last, so
// that errno tells why it failed.
std::int64_t open_input(const std::string& file, std::ifstream& stream) {
  std::error_code no_size;
  const auto size = std::filesystem::file_size(file, no_size);
  stream.open(file, std::ios::binary);
  return no_size ? 0 : static_cast<std::int64_t>(size);
}

notbad::model::AttentionSelection all_heads(const notbad::model::ModelConfig& config) {
  notbad::model::AttentionSelection maps;
  maps.layers.resize(static_cast<std::size_t>(config.num_layers));
  maps.heads.resize(static_cast<std::size_t>(config.num_heads));
  std::iota(maps.layers.begin(), maps.layers.end(), 0);
  std::iota(maps.heads.begin(), maps.heads.end(), 0);
  return maps;
}

int run(const notbad::cli::ClassifyArguments& arguments) {
  std::ifstream file;
  std::int64_t size = 0;
  if (arguments.file != "-") size = open_input(arguments.file, file);
  if (!file)
    return report(kUsage, unreadable(arguments.file,
                                     "classify takes a file with a text a line, or - for standard "
                                     "input; notbad show TEXT takes one text"));
  auto engine = load_engine(arguments.model);
  if (!engine) return report(kNoModel, engine.error().message);

  std::istream& input = arguments.file == "-" ? std::cin : file;
  notbad::cli::StreamCount count;
  {
    ProgressBar progress(size);
    count = classify_stream(input, std::cout, engine->service(), bulk_options(*engine), progress);
  }
  if (!std::cout.flush()) return report(kFailed, "the output could not be written");
  if (input.bad()) return report(kFailed, arguments.file + ": reading failed");
  if (count.failed == 0) return kOk;
  return report(kFailed, std::to_string(count.failed) + " of " + std::to_string(count.lines) +
                             " lines failed; each has an \"error\" in its place");
}

int run(const notbad::cli::EvaluateArguments& arguments) {
  std::ifstream file;
  open_input(arguments.file, file);
  if (!file)
    return report(kUsage,
                  unreadable(arguments.file, "evaluate takes a file of rows sentence<TAB>label"));
  auto engine = load_engine(arguments.model);
  if (!engine) return report(kNoModel, engine.error().message);

  const std::vector<std::string>& labels = engine->service().bundle().labels;
  const auto rows = notbad::cli::read_labelled_rows(file, labels);
  if (!rows) return report(kUsage, arguments.file + ": " + rows.error().message);
  ProgressBar progress(static_cast<std::int64_t>(rows->size()));
  const auto evaluation = evaluate_rows(*rows, engine->service(), bulk_options(*engine), progress);
  if (!evaluation) return report(kFailed, arguments.file + ": " + evaluation.error().message);
  std::cout << format_evaluation(*evaluation, labels);
  return kOk;
}

int run(const notbad::cli::ShowArguments& arguments) {
  auto engine = load_engine(arguments.model);
  if (!engine) return report(kNoModel, engine.error().message);

  const notbad::service::ModelBundle& bundle = engine->service().bundle();
  notbad::service::ClassifyRequest request{.inputs = {arguments.text}, .options = {}};
  request.options.truncate = notbad::service::Truncate::kError;
  request.options.negation = notbad::service::Negation::kCues;
  request.options.attention = notbad::service::AttentionMode::kFull;
  request.options.maps = all_heads(bundle.config);
  const auto answer = engine->service().classify(request);
  if (!answer) return report(kFailed, answer.error().error.message);
  std::cout << draw_sentiment(arguments.text, answer->results.front(), bundle.labels,
                              {arguments.heads, bundle.config.negation_head},
                              notbad::cli::Terminal::detect());
  return kOk;
}

int run(const notbad::cli::PrintText& print) {
  return std::cout << print.text << std::flush ? kOk : kFailed;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto command = notbad::cli::parse_command_line({argv + 1, argv + argc});
  if (!command) return report(kUsage, command.error().message);
  return std::visit([](const auto& arguments) { return run(arguments); }, *command);
} catch (const std::exception& bug) {
  return report(kFailed, bug.what());
}
