#include "server/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "server/config/manual.h"
#include "server/service/dtype_choice.h"

namespace notbad::cli {
namespace {

using config::Manual;

std::vector<Manual::Entry> exit_codes() {
  return {{"0", "all went well"},
          {"1", "a text failed, the output could not be written, or a bug"},
          {"2", "the command line is wrong, or the file cannot be read"},
          {"3", "the model is missing or damaged; the message names the file"}};
}

std::vector<Manual::Entry> variables_of_show() {
  return {{"NO_COLOR", "not empty: no colour, shades as characters"},
          {"TERM", "unset or dumb: likewise"},
          {"COLUMNS", "the width, where the output is not a terminal"}};
}

// Says nothing of itself in the manual, where the option has a name for its value.
CLI::Validator range(int least, int most) { return CLI::Range(least, most).description(""); }

ops::Dtype dtype_of(const std::string& word) {
  const auto dtype = service::choose_dtype(word);
  if (!dtype) throw CLI::ValidationError(dtype.error().message);
  return *dtype;
}

CLI::App& add_command(CLI::App& app, const char* name, const char* summary, Manual manual,
                      ModelArguments& model) {
  CLI::App& command = *app.add_subcommand(name, summary);
  manual.exit_codes = exit_codes();
  config::set_manual(command, std::move(manual));
  command.set_help_flag("-h,--help", "print this page and exit");
  command.add_option("--model", model.folder, "folder of the model; default: the one shipped")
      ->type_name("FOLDER");
  command
      .add_option("--workers", model.workers, "threads that compute; default: one a usable core")
      ->check(range(1, 1024))
      ->type_name("N");
  command
      .add_option_function<std::string>(
          "--dtype", [&model](const std::string& text) { model.dtype = dtype_of(text); },
          "f32, bf16, int8, or auto: the fastest to be had [f32]")
      ->type_name("TYPE");
  return command;
}

CLI::App& add_classify(CLI::App& app, ClassifyArguments& arguments) {
  CLI::App& command = add_command(
      app, "classify", "label each line of a text",
      {.description =
           "Reads a text a line and writes a JSON line for each, in the same order: label, score, "
           "and the probability of every label. A line that fails has an \"error\" in its place, "
           "and the others are not touched by it. Any number of lines runs in bounded memory.",
       .environment = {},
       .exit_codes = {},
       .examples = {{"notbad classify reviews.txt > labels.jsonl", "label a file"},
                    {"echo 'The movie was not bad' | notbad classify", "label a sentence"}}},
      arguments.model);
  command.add_option("file", arguments.file, "the texts; default: -, standard input")
      ->type_name("FILE");
  return command;
}

CLI::App& add_evaluate(CLI::App& app, EvaluateArguments& arguments) {
  CLI::App& command = add_command(
      app, "evaluate", "measure the model on labelled rows",
      {.description =
           "Prints the accuracy, that of the rows with a negation word apart, the confusion of the "
           "labels and how well the probabilities hold. The first row names the columns; those "
           "called sentence and label are read, labels by name or by number.",
       .environment = {},
       .exit_codes = {},
       .examples = {{"notbad evaluate rows.tsv", "measure the shipped model"},
                    {"notbad evaluate --model export rows.tsv", "measure another one"}}},
      arguments.model);
  command.add_option("file", arguments.file, "the rows, separated by tabs")
      ->required()
      ->type_name("FILE");
  return command;
}

CLI::App& add_show(CLI::App& app, ShowArguments& arguments) {
  CLI::App& command = add_command(
      app, "show", "draw how the heads read a sentence",
      {.description =
           "Prints the sentence, its label and its strongest heads, a row for each token that "
           "looks and a column for each that is looked at. Where the sentence holds a negation "
           "word, the strongest heads are those in which the word that it negates looks at it "
           "most; elsewhere those that look most sharply.",
       .environment = variables_of_show(),
       .exit_codes = {},
       .examples = {{"notbad show 'The movie was not bad'", "draw the two strongest heads"},
                    {"notbad show --heads 0 'Fine'", "draw the sentence and its label only"}}},
      arguments.model);
  command.add_option("text", arguments.text, "the sentence, in quotes")
      ->required()
      ->type_name("TEXT");
  command.add_option("--heads", arguments.heads, "heads to draw [2]")
      ->check(range(0, 1024))
      ->type_name("N");
  return command;
}

void describe(CLI::App& app) {
  config::set_manual(
      app,
      {.description =
           "The model of notbad-server without a server. Each command has a manual of its own; "
           "the variables matter to show only.",
       .environment = variables_of_show(),
       .exit_codes = exit_codes(),
       .examples = {{"notbad show 'The movie was not bad'", "draw a sentence"},
                    {"notbad classify --help", "read how to label a file"}}});
  app.set_help_flag("-h,--help", "print this page and exit");
  app.set_version_flag("--version", NOTBAD_VERSION, "print the version and exit");
  app.require_subcommand(1);
}

tl::unexpected<Error> no_command(const std::vector<std::string>& arguments) {
  const std::string found = arguments.empty() ? "nothing" : '\'' + arguments.front() + '\'';
  return fail(ErrorCode::kInvalidArgument,
              "expected classify, evaluate or show, found " + found + " - see --help");
}

}  // namespace

Result<Command> parse_command_line(const std::vector<std::string>& arguments) {
  CLI::App app("the sentiment of English sentences, negation included", "notbad");
  describe(app);
  ClassifyArguments classify;
  EvaluateArguments evaluate;
  ShowArguments show;
  const CLI::App& classify_command = add_classify(app, classify);
  const CLI::App& evaluate_command = add_evaluate(app, evaluate);
  add_show(app, show);
  try {
    // CLI11 takes them from the back.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return PrintText{app.help()};
  } catch (const CLI::CallForVersion& version) {
    return PrintText{std::string(version.what()) + '\n'};
  } catch (const CLI::ParseError& error) {
    if (app.get_subcommands().empty()) return no_command(arguments);
    return fail(ErrorCode::kInvalidArgument, std::string(error.what()) + " - see --help");
  }
  if (classify_command.parsed()) return classify;
  if (evaluate_command.parsed()) return evaluate;
  return show;
}

}  // namespace notbad::cli
