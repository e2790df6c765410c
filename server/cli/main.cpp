// notbad: the model on the command line, without a server.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numeric>
#include <string>

#include "server/cli/classify_command.h"
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

struct Arguments {
  std::string model;
  std::int64_t workers = 0;  // 0: as many as cores may be used
  std::string file = "-";
  std::string text;
  std::int64_t heads = 2;
};

int report(int exit_code, const std::string& message) {
  std::cerr << "notbad: " << message << '\n';
  return exit_code;
}

Result<Engine> load_engine(const Arguments& arguments) {
  const auto directory = notbad::config::find_model_directory(arguments.model);
  if (!directory) return tl::unexpected(directory.error());
  const std::int64_t workers =
      arguments.workers > 0 ? arguments.workers : notbad::config::usable_cores();
  return Engine::load(*directory, workers);
}

BulkOptions bulk_options(const Engine& engine) {
  return {.chunk = Engine::kChunk, .chunks_in_flight = engine.workers() + 1, .classify = {}};
}

// Opens `file` and reports its size in bytes, 0 where it has none (a pipe).
std::int64_t open_input(const std::string& file, std::ifstream& stream) {
  stream.open(file, std::ios::binary);
  std::error_code no_size;
  const auto size = std::filesystem::file_size(file, no_size);
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

int classify(const Arguments& arguments) {
  std::ifstream file;
  std::int64_t size = 0;
  if (arguments.file != "-") size = open_input(arguments.file, file);
  if (!file) return report(kUsage, arguments.file + ": cannot be opened for reading");
  auto engine = load_engine(arguments);
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

int evaluate(const Arguments& arguments) {
  std::ifstream file;
  open_input(arguments.file, file);
  if (!file) return report(kUsage, arguments.file + ": cannot be opened for reading");
  auto engine = load_engine(arguments);
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

int show(const Arguments& arguments) {
  auto engine = load_engine(arguments);
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
                              arguments.heads, notbad::cli::Terminal::detect());
  return kOk;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Sentiment of English sentences, negation included.", "notbad");
  app.set_version_flag("--version", std::string(NOTBAD_VERSION));
  app.require_subcommand(1);
  Arguments arguments;
  const auto add_common = [&arguments](CLI::App& command) {
    command.add_option("--model", arguments.model,
                       "Folder of the model (default: the one shipped)");
    command.add_option("--workers", arguments.workers, "Threads (default: all cores it may use)")
        ->check(CLI::Range(1, 1024));
  };

  CLI::App& classify_command = *app.add_subcommand(
      "classify", "A text a line in, a JSON line out, in order. Exit code 1 where a line failed.");
  classify_command.add_option("file", arguments.file, "Input, - for standard input (default)");
  add_common(classify_command);
  CLI::App& evaluate_command = *app.add_subcommand(
      "evaluate", "Accuracy, negated rows apart, confusion and calibration on labelled rows.");
  evaluate_command
      .add_option("file", arguments.file, "Tab-separated, with the columns sentence and label")
      ->required();
  add_common(evaluate_command);

  CLI::App& show_command = *app.add_subcommand(
      "show", "One sentence with its label and its strongest heads, drawn in the terminal.");
  show_command.add_option("text", arguments.text, "The sentence, in quotes")->required();
  show_command.add_option("--heads", arguments.heads, "Heads to draw [2]")
      ->check(CLI::Range(0, 1024));
  add_common(show_command);

  try {
    app.parse(argc, argv);
    if (show_command.parsed()) return show(arguments);
    return classify_command.parsed() ? classify(arguments) : evaluate(arguments);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? kOk : kUsage;
  } catch (const std::exception& error) {
    return report(kFailed, error.what());
  }
}
