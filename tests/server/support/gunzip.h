#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace notbad::api {

// What a gzip frame holds; fails where it is broken or something follows it.
inline std::string gunzip(std::string_view compressed) {
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) throw std::runtime_error("no memory");
  std::string text;
  std::string part(64 * 1024, '\0');
  std::string input(compressed);
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(part, 0, part.size() - stream.avail_out);
  }
  const bool is_whole = status == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!is_whole) throw std::runtime_error("no whole gzip frame");
  return text;
}

}  // namespace notbad::api
