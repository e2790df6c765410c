#pragma once

#include <cstddef>
#include <istream>
#include <string>

namespace notbad::cli {

// One line of input without its end. Of a line over the reader's limit only the start is kept.
struct Line {
  std::string text;
  bool is_cut = false;
  std::size_t bytes = 0;  // consumed from the stream, line end included
};

// Reads lines in bounded memory, whatever the input holds; a final "\r" is dropped. The stream must
// outlive the reader.
class LineReader {
 public:
  LineReader(std::istream& input, std::size_t max_bytes) : input_(input), max_bytes_(max_bytes) {}

  // False at the end of the input; a last line without "\n" counts.
  bool next(Line& line);

 private:
  std::istream& input_;
  std::size_t max_bytes_;
};

}  // namespace notbad::cli
