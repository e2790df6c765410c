#include "server/http/request_head.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <ranges>
#include <utility>

namespace notbad::http {
namespace {

using api::Problem;
using api::ProblemCode;

std::optional<Problem> malformed(const char* detail) {
  return Problem{ProblemCode::kBadFraming, detail};
}

std::optional<Problem> too_long(ProblemCode code, const char* what, std::int64_t limit,
                                const char* unit) {
  return Problem{code, std::string(what) + " exceeds " + std::to_string(limit) + " " + unit};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// RFC 9110: what methods and the names of headers are made of.
bool is_token(std::string_view text) {
  static constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || kMarks.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// Neither NUL nor any other control character but the tab.
bool is_printable(std::string_view text) {
  return std::ranges::none_of(text,
                              [](unsigned char c) { return (c < ' ' && c != '\t') || c == 0x7F; });
}

bool is_hex(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

// Visible ASCII with well-formed escapes, none of which stands for NUL.
bool is_address(std::string_view text) {
  if (!text.starts_with('/')) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] <= ' ' || text[i] > '~' || text[i] == '#') return false;
    if (text[i] != '%') continue;
    const std::string_view code = text.substr(i + 1, 2);
    if (code.size() < 2 || !is_hex(code) || code == "00") return false;
  }
  return true;
}

bool is_version(std::string_view text) {
  return text.size() == 8 && text.starts_with("HTTP/") && is_digit(text[5]) && text[6] == '.' &&
         is_digit(text[7]);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::optional<Problem> read_request_line(std::string_view line, const HttpOptions& options,
                                         RequestHead& head) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == last) return malformed("the first line is not METHOD ADDRESS HTTP/1.1");
  head.method = line.substr(0, first);
  head.target = line.substr(first + 1, last - first - 1);
  head.version = line.substr(last + 1);
  if (std::cmp_greater(head.target.size(), options.max_uri_bytes))
    return too_long(ProblemCode::kUriTooLong, "the address", options.max_uri_bytes, "bytes");
  if (!is_token(head.method) || !is_version(head.version))
    return malformed("the first line is not METHOD ADDRESS HTTP/1.1");
  if (!is_address(head.target))
    return malformed("the address must begin with / and hold visible ASCII and whole escapes only");
  if (head.version != "HTTP/1.1" && head.version != "HTTP/1.0")
    return Problem{ProblemCode::kHttpVersion, "this server speaks HTTP/1.1"};
  return std::nullopt;
}

std::optional<Problem> read_field(std::string_view line, const HttpOptions& options,
                                  RequestHead& head) {
  if (line.size() > kMaxFieldBytes)
    return too_long(ProblemCode::kHeadersTooLarge, "a header", kMaxFieldBytes, "bytes");
  if (std::cmp_equal(head.headers.size(), options.max_fields))
    return too_long(ProblemCode::kHeadersTooLarge, "the head", options.max_fields, "headers");
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return malformed("a header has no colon");
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (!is_token(name)) return malformed("the name of a header is not a token");
  if (!is_printable(value)) return malformed("a header holds control characters");
  head.headers.push_back({std::string(name), std::string(value)});
  return std::nullopt;
}

std::optional<Problem> check_size(std::size_t size, bool has_request_line,
                                  const HttpOptions& options) {
  if (!std::cmp_greater(size, options.max_head_bytes)) return std::nullopt;
  return has_request_line
             ? too_long(ProblemCode::kHeadersTooLarge, "the head of the request",
                        options.max_head_bytes, "bytes")
             : too_long(ProblemCode::kUriTooLong, "the address", options.max_uri_bytes, "bytes");
}

}  // namespace

tl::expected<RequestHead, Problem> parse_head(std::string_view bytes, const HttpOptions& options) {
  constexpr std::string_view kEndOfLine = "\r\n";
  RequestHead head;
  std::optional<Problem> problem;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = bytes.find(kEndOfLine, begin)) != std::string_view::npos;) {
    const std::string_view line = bytes.substr(begin, end - begin);
    const bool is_first = begin == 0;
    begin = end + kEndOfLine.size();
    problem = check_size(begin, !is_first, options);
    if (!problem && line.empty() && !is_first) {
      head.size = begin;
      return head;
    }
    if (!problem)
      problem = is_first ? read_request_line(line, options, head) : read_field(line, options, head);
    if (problem) return tl::unexpected(std::move(*problem));
  }
  std::string_view rest = bytes.substr(begin);
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  problem = check_size(bytes.size(), begin > 0, options);
  if (!problem && !is_printable(rest))
    problem = malformed("the head holds control characters, or lines that do not end with CR LF");
  if (problem) return tl::unexpected(std::move(*problem));
  return head;
}

bool is_last_request(const RequestHead& head) {
  bool says_close = false;
  bool says_keep_alive = false;
  for (const api::Header& header : head.headers) {
    if (!api::equal_but_case(header.name, "Connection")) continue;
    for (const auto word : std::views::split(std::string_view(header.value), ',')) {
      const std::string_view option = trimmed({word.begin(), word.end()});
      says_close |= api::equal_but_case(option, "close");
      says_keep_alive |= api::equal_but_case(option, "keep-alive");
    }
  }
  return says_close || (head.version == "HTTP/1.0" && !says_keep_alive);
}

}  // namespace notbad::http
