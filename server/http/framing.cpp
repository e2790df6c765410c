#include "server/http/framing.h"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace notbad::http {
namespace {

using api::Problem;
using api::ProblemCode;

tl::unexpected<Problem> refused(ProblemCode code, std::string detail) {
  return tl::unexpected(Problem{code, std::move(detail)});
}

std::int64_t count_of(const api::Request& head, const char* name) {
  return std::ranges::count_if(head.headers, [&](const api::Header& header) {
    return strcasecmp(header.name.c_str(), name) == 0;
  });
}

// Digits only: no sign, no list, no blank; longer than any body could be is no number either.
bool parse_length(const std::string& text, std::int64_t& length) {
  const bool is_digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const char* end = text.data() + text.size();
  return is_digits && std::from_chars(text.data(), end, length).ec == std::errc();
}

tl::expected<void, Problem> check_head(const api::Request& head, const RequestLine& line,
                                       const HttpOptions& options) {
  if (std::cmp_greater(line.target.size(), options.max_uri_bytes))
    return refused(ProblemCode::kUriTooLong,
                   "the address exceeds " + std::to_string(options.max_uri_bytes) + " bytes");
  if (std::cmp_greater(head.headers.size(), options.max_fields))
    return refused(ProblemCode::kHeadersTooLarge,
                   "there are more than " + std::to_string(options.max_fields) + " headers");
  const std::int64_t hosts = count_of(head, "Host");
  if (hosts > 1 || (hosts == 0 && line.version == "HTTP/1.1"))
    return refused(ProblemCode::kBadFraming, "there must be one header Host");
  if (count_of(head, "Transfer-Encoding") > 0)
    return refused(ProblemCode::kLengthRequired,
                   "send the body whole with Content-Length, without Transfer-Encoding");
  if (count_of(head, "Content-Length") > 1)
    return refused(ProblemCode::kBadFraming, "the header Content-Length stands twice");
  return {};
}

}  // namespace

tl::expected<std::int64_t, Problem> check_framing(const api::Request& head, const RequestLine& line,
                                                  const HttpOptions& options) {
  if (const auto head_is_fine = check_head(head, line, options); !head_is_fine)
    return tl::unexpected(head_is_fine.error());
  const std::string* text = head.find_header("Content-Length");
  const bool takes_body = head.method != "GET" && head.method != "HEAD";
  if (text == nullptr) {
    if (head.method == "POST")
      return refused(ProblemCode::kLengthRequired, "the header Content-Length is missing");
    return 0;
  }
  std::int64_t length = 0;
  if (!parse_length(*text, length))
    return refused(ProblemCode::kBadFraming, "Content-Length is not a number of bytes");
  if (length > options.max_body_bytes)
    return refused(
        ProblemCode::kBodyTooLarge,
        "the body exceeds " + std::to_string(options.max_body_bytes) + " bytes: split the request");
  if (length > 0 && !takes_body)
    return refused(ProblemCode::kBadFraming, "this method takes no body");
  return length;
}

}  // namespace notbad::http
