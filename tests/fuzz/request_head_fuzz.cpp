// First bytes of a connection: a head is read the same whether it comes at once or piece by piece,
// holds nothing that a second parser could read differently, and is refused by a client's error.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/http/framing.h"
#include "server/http/request_head.h"
#include "tests/fuzz/memory_file.h"

using namespace notbad;
using fuzzing::require;

namespace {

void check_problem(const api::Problem& problem) {
  const int status = api::kind_of(problem.code).status;
  require((status >= 400 && status < 500) || status == 505);
}

bool is_line(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

bool are_equal(const http::RequestHead& left, const http::RequestHead& right) {
  const auto same = [](const api::Header& a, const api::Header& b) {
    return a.name == b.name && a.value == b.value;
  };
  return left.method == right.method && left.target == right.target &&
         left.version == right.version && std::ranges::equal(left.headers, right.headers, same);
}

std::string written(const http::RequestHead& head) {
  std::string text = head.method + " " + head.target + " " + head.version + "\r\n";
  for (const api::Header& header : head.headers) text += header.name + ": " + header.value + "\r\n";
  return text + "\r\n";
}

void check_whole(std::string_view text, const http::RequestHead& head) {
  static const http::HttpOptions options;
  require(head.size <= static_cast<std::size_t>(options.max_head_bytes));
  require(head.headers.size() <= static_cast<std::size_t>(options.max_fields));
  for (const api::Header& header : head.headers)
    require(is_line(header.name) && is_line(header.value));
  const auto again = http::parse_head(text, options);
  require(again && are_equal(*again, head));
  if (written(head).size() <= static_cast<std::size_t>(options.max_head_bytes)) {
    const auto rewritten = http::parse_head(written(head), options);
    require(rewritten && are_equal(*rewritten, head));
  }
  http::is_last_request(head);
  const auto length = http::check_framing(head, options);
  if (!length) check_problem(length.error());
  require(!length || (*length >= 0 && *length <= options.max_body_bytes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const http::HttpOptions options;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto head = http::parse_head(bytes, options);
  if (!head) check_problem(head.error());
  if (head && head->is_whole()) {
    check_whole(bytes.substr(0, head->size), *head);
    const auto cut = http::parse_head(bytes.substr(0, head->size - 1), options);
    require(cut && !cut->is_whole());
  }
  // What is refused already stays so, whatever follows.
  const auto half = http::parse_head(bytes.substr(0, size / 2), options);
  require(half || !head);
  return 0;
}
