#include "server/config/manual.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <utility>

namespace notbad::config {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kIndent = 7;          // of text, as man(1) has it
constexpr std::size_t kMeaningIndent = 14;  // of what stands below a term
constexpr std::size_t kGap = 2;             // between the columns of a table

// The words in lines of at most kWidth columns; a longer word stands alone.
std::string wrap(const std::string& text, std::size_t indent) {
  std::string lines;
  std::string line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > kWidth) {
      lines += std::string(indent, ' ') + line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + std::string(indent, ' ') + line + '\n';
}

std::string section(const char* title, const std::string& body) {
  return body.empty() ? "" : std::string(title) + '\n' + body + '\n';
}

std::string paragraph(const std::string& text) { return text.empty() ? "" : wrap(text, kIndent); }

// In two columns where every entry fits on a line; else the meaning stands below its term, or
// beside one that is short enough.
std::string list(const std::vector<Manual::Entry>& entries) {
  std::size_t column = kMeaningIndent;
  for (const auto& [term, meaning] : entries)
    column = std::max(column, kIndent + term.size() + kGap);
  const bool is_table = std::ranges::all_of(
      entries, [&](const auto& entry) { return column + entry.meaning.size() <= kWidth; });
  if (!is_table) column = kMeaningIndent;

  std::string lines;
  for (const auto& [term, meaning] : entries) {
    const std::string left = std::string(kIndent, ' ') + term;
    const std::string right = wrap(meaning, column);
    lines += left;
    lines += left.size() < column ? right.substr(left.size()) : '\n' + right;
  }
  return lines;
}

// An argument as the synopsis has it: in brackets where it may be left out.
std::string argument_of(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  return option.get_required() ? name : '[' + name + ']';
}

std::string synopsis_of(const CLI::App& app, const std::string& name) {
  std::string line = name + " [OPTION...]";
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) line += ' ' + argument_of(*option);
  }
  return std::string(kIndent, ' ') + line + '\n';
}

using Subcommands = std::vector<const CLI::App*>;

Subcommands subcommands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string synopsis(const CLI::App& app, const std::string& name) {
  const Subcommands subcommands = subcommands_of(app);
  const bool is_enough_alone = app.get_require_subcommand_min() == 0;
  std::string lines = is_enough_alone ? synopsis_of(app, name) : "";
  if (subcommands.empty()) return lines;
  for (const CLI::App* subcommand : subcommands) {
    lines += synopsis_of(*subcommand, name + ' ' + subcommand->get_name());
  }
  return lines + std::string(kIndent, ' ') + name + " --help | --version\n";
}

// `-h, --help` or `--port N`.
std::string term_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_type_name();
  std::string term;
  for (const std::string& name : option.get_snames()) term += (term.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) term += (term.empty() ? "--" : ", --") + name;
  const bool takes_value = option.get_items_expected_max() > 0;
  return takes_value ? term + ' ' + option.get_type_name() : term;
}

// The arguments, then the options.
std::vector<Manual::Entry> options_of(const CLI::App& app) {
  std::vector<Manual::Entry> entries;
  for (const bool is_argument : {true, false}) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() != is_argument) continue;
      entries.push_back({term_of(*option), option->get_description()});
    }
  }
  return entries;
}

std::vector<Manual::Entry> commands_of(const CLI::App& app) {
  std::vector<Manual::Entry> entries;
  for (const CLI::App* subcommand : subcommands_of(app)) {
    entries.push_back({subcommand->get_name(), subcommand->get_description()});
  }
  const bool have_manuals = std::ranges::any_of(subcommands_of(app), [](const CLI::App* command) {
    return command->get_help_ptr() != nullptr;
  });
  if (have_manuals) entries.push_back({"COMMAND --help", "the manual of that command"});
  return entries;
}

std::string page_of(const CLI::App& app, const std::string& name, const Manual& manual) {
  const std::string page =
      section("NAME", paragraph(name + " - " + app.get_description())) +
      section("SYNOPSIS", synopsis(app, name)) +
      section("DESCRIPTION", paragraph(manual.description)) +
      section("COMMANDS", list(commands_of(app))) + section("OPTIONS", list(options_of(app))) +
      section("ENVIRONMENT", list(manual.environment)) +
      section("EXIT STATUS", list(manual.exit_codes)) + section("EXAMPLES", list(manual.examples));
  return page.substr(0, page.size() - 1);  // no blank line at the end
}

}  // namespace

void set_manual(CLI::App& app, Manual manual) {
  app.formatter_fn(
      [manual = std::move(manual)](const CLI::App* page, const std::string& name,
                                   CLI::AppFormatMode) { return page_of(*page, name, manual); });
}

}  // namespace notbad::config
