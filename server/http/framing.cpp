#include "server/http/framing.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace notbad::http {
namespace {

using api::Problem;
using api::ProblemCode;

tl::unexpected<Problem> refused(ProblemCode code, std::string detail) {
  return tl::unexpected(Problem{code, std::move(detail)});
}

std::vector<std::string_view> values_of(const RequestHead& head, const char* name) {
  std::vector<std::string_view> values;
  for (const api::Header& header : head.headers) {
    if (api::equal_but_case(header.name, name)) values.emplace_back(header.value);
  }
  return values;
}

// Digits only: no sign, no list, no blank; longer than any body could be is no number either.
bool parse_length(std::string_view text, std::int64_t& length) {
  const bool is_digits =
      !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  return is_digits &&
         std::from_chars(text.data(), text.data() + text.size(), length).ec == std::errc();
}

// A name or an address with or without a port: no user, no path, no blank.
bool is_host(std::string_view text) {
  static constexpr std::string_view kMarks = ".-_:[]";
  return std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || kMarks.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

tl::expected<void, Problem> check_host(const RequestHead& head) {
  const auto hosts = values_of(head, "Host");
  if (hosts.size() > 1 || (hosts.empty() && head.version == "HTTP/1.1"))
    return refused(ProblemCode::kBadFraming, "there must be one header Host");
  if (!hosts.empty() && !is_host(hosts.front()))
    return refused(ProblemCode::kBadFraming, "the header Host is not a host with or without port");
  return {};
}

}  // namespace

tl::expected<std::int64_t, Problem> check_framing(const RequestHead& head,
                                                  const HttpOptions& options) {
  if (const auto host = check_host(head); !host) return tl::unexpected(host.error());
  const auto lengths = values_of(head, "Content-Length");
  if (const auto encodings = values_of(head, "Transfer-Encoding"); !encodings.empty()) {
    if (!lengths.empty())
      return refused(ProblemCode::kBadFraming,
                     "Content-Length and Transfer-Encoding contradict each other");
    return refused(ProblemCode::kLengthRequired,
                   "send the body whole with Content-Length, without Transfer-Encoding");
  }
  if (lengths.size() > 1)
    return refused(ProblemCode::kBadFraming, "the header Content-Length stands twice");
  if (lengths.empty()) {
    if (head.method == "POST")
      return refused(ProblemCode::kLengthRequired, "the header Content-Length is missing");
    return 0;
  }
  std::int64_t length = 0;
  if (!parse_length(lengths.front(), length))
    return refused(ProblemCode::kBadFraming, "Content-Length is not a number of bytes");
  if (length > options.max_body_bytes)
    return refused(
        ProblemCode::kBodyTooLarge,
        "the body exceeds " + std::to_string(options.max_body_bytes) + " bytes: split the request");
  const bool takes_body = head.method != "GET" && head.method != "HEAD";
  if (length > 0 && !takes_body)
    return refused(ProblemCode::kBadFraming, "this method takes no body");
  return length;
}

}  // namespace notbad::http
