#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace notbad::config {

// What --help says beyond the options and arguments that the CLI::App declares itself. The name and
// the line of summary are the app's own, too.
struct Manual {
  struct Entry {
    std::string term;
    std::string meaning;
  };

  std::string description;  // one paragraph
  std::vector<Entry> environment;
  std::vector<Entry> exit_codes;
  std::vector<Entry> examples;  // the command, then what it does
};

// Makes the app's --help a page in the manner of man(1), at most 80 columns wide: NAME, SYNOPSIS,
// DESCRIPTION, COMMANDS where it has some, OPTIONS, ENVIRONMENT, EXIT STATUS, EXAMPLES.
void set_manual(CLI::App& app, Manual manual);

}  // namespace notbad::config
