#pragma once

#include <span>
#include <string_view>

namespace notbad::http {

// One file of the page, inside the program. Everything lives as long as the program does.
struct EmbeddedFile {
  std::string_view path;          // of its URL
  std::string_view content_type;  // with the charset
  std::string_view etag;          // quoted, of the content's SHA-256
  std::string_view content;
  std::string_view gzip = {};  // the content compressed; empty where it goes out as it is
};

// Written at build time by embed_files.cmake.
std::span<const EmbeddedFile> embedded_files();

}  // namespace notbad::http
