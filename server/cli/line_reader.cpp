#include "server/cli/line_reader.h"

namespace notbad::cli {

bool LineReader::next(Line& line) {
  line = {};
  constexpr int kEnd = std::istream::traits_type::eof();
  std::streambuf& buffer = *input_.rdbuf();
  for (int c = buffer.sbumpc(); c != kEnd; c = buffer.sbumpc()) {
    line.bytes += 1;
    if (c == '\n') break;
    if (line.text.size() < max_bytes_) {
      line.text.push_back(static_cast<char>(c));
    } else {
      line.is_cut = true;
    }
  }
  if (!line.is_cut && line.text.ends_with('\r')) line.text.pop_back();
  return line.bytes > 0;
}

}  // namespace notbad::cli
