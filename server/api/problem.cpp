#include "server/api/problem.h"

#include <algorithm>
#include <stdexcept>

#include "server/api/json_writer.h"

namespace notbad::api {
namespace {

constexpr const char* kRetryAfterSeconds = "1";

bool may_be_retried(int status) { return status == 503; }

}  // namespace

// No default: a code without a row here does not compile cleanly.
ProblemKind kind_of(ProblemCode code) {
  switch (code) {
    case ProblemCode::kInvalidJson:
      return {400, "invalid_json", "The body is not JSON"};
    case ProblemCode::kInvalidUtf8:
      return {400, "invalid_utf8", "The body is not UTF-8"};
    case ProblemCode::kJsonTooDeep:
      return {400, "json_too_deep", "The JSON is nested too deeply"};
    case ProblemCode::kDuplicateMember:
      return {400, "duplicate_member", "A member stands twice"};
    case ProblemCode::kUnknownMember:
      return {400, "unknown_member", "A member is unknown"};
    case ProblemCode::kBadRequest:
      return {400, "bad_request", "The request has the wrong form"};
    case ProblemCode::kBadFraming:
      return {400, "bad_framing", "The request breaks HTTP"};
    case ProblemCode::kHostNotAllowed:
      return {403, "host_not_allowed", "This host is not served"};
    case ProblemCode::kNotFound:
      return {404, "not_found", "There is nothing at this path"};
    case ProblemCode::kMethodNotAllowed:
      return {405, "method_not_allowed", "This path does not take this method"};
    case ProblemCode::kNotAcceptable:
      return {406, "not_acceptable", "There is no answer of this type"};
    case ProblemCode::kRequestTimeout:
      return {408, "request_timeout", "The request took too long to arrive"};
    case ProblemCode::kLengthRequired:
      return {411, "length_required", "The length of the body is missing"};
    case ProblemCode::kBodyTooLarge:
      return {413, "body_too_large", "The body is too large"};
    case ProblemCode::kUriTooLong:
      return {414, "uri_too_long", "The address is too long"};
    case ProblemCode::kHeadersTooLarge:
      return {431, "headers_too_large", "The headers are too large"};
    case ProblemCode::kUnsupportedMediaType:
      return {415, "unsupported_media_type", "The body must be JSON"};
    case ProblemCode::kUnsupportedEncoding:
      return {415, "unsupported_encoding", "The body must not be compressed"};
    case ProblemCode::kExpectationFailed:
      return {417, "expectation_failed", "This expectation cannot be met"};
    case ProblemCode::kEmptyInput:
      return {422, "empty_input", "There is nothing to read"};
    case ProblemCode::kInputTooLong:
      return {422, "input_too_long", "A text is too long"};
    case ProblemCode::kBatchTooLarge:
      return {422, "batch_too_large", "There are too many texts"};
    case ProblemCode::kInvalidOption:
      return {422, "invalid_option", "An option has an impossible value"};
    case ProblemCode::kAttentionTooLarge:
      return {422, "attention_too_large", "The attention maps are too large"};
    case ProblemCode::kUnsupportedByModel:
      return {422, "unsupported_by_model", "The loaded model does not have this"};
    case ProblemCode::kInternal:
      return {500, "internal", "The server failed"};
    case ProblemCode::kNonFinite:
      return {500, "non_finite", "The model failed"};
    case ProblemCode::kOverloaded:
      return {503, "overloaded", "The server is busy"};
    case ProblemCode::kNotReady:
      return {503, "not_ready", "The server is starting"};
    case ProblemCode::kDraining:
      return {503, "draining", "The server is shutting down"};
    case ProblemCode::kDeadlineExceeded:
      return {504, "deadline_exceeded", "The answer took too long"};
    case ProblemCode::kHttpVersion:
      return {505, "http_version", "This version of HTTP is not spoken here"};
  }
  throw std::logic_error("kind_of: no such problem code");
}

ProblemCode problem_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return ProblemCode::kInvalidOption;
    case ErrorCode::kInvalidUtf8:
      return ProblemCode::kInvalidUtf8;
    case ErrorCode::kEmptyInput:
      return ProblemCode::kEmptyInput;
    case ErrorCode::kTextTooLong:
      return ProblemCode::kInputTooLong;
    case ErrorCode::kBatchTooLarge:
      return ProblemCode::kBatchTooLarge;
    case ErrorCode::kAttentionTooLarge:
      return ProblemCode::kAttentionTooLarge;
    case ErrorCode::kUnsupportedByModel:
      return ProblemCode::kUnsupportedByModel;
    case ErrorCode::kOverloaded:
      return ProblemCode::kOverloaded;
    case ErrorCode::kNotReady:
      return ProblemCode::kNotReady;
    case ErrorCode::kDraining:
      return ProblemCode::kDraining;
    case ErrorCode::kDeadlineExceeded:
      return ProblemCode::kDeadlineExceeded;
    case ErrorCode::kNonFinite:
      return ProblemCode::kNonFinite;
    case ErrorCode::kBadModelFile:  // stops the start and never reaches a request
    case ErrorCode::kInternal:
      return ProblemCode::kInternal;
  }
  throw std::logic_error("problem_of: no such error code");
}

Problem to_problem(const Error& error) { return {problem_of(error.code), error.message}; }

Response to_response(const Problem& problem, std::string_view request_id) {
  const ProblemKind kind = kind_of(problem.code);
  JsonWriter json;
  json.begin_object();
  json.key("type").string(std::string("urn:notbad:problem:") + kind.code);
  json.key("title").string(kind.title);
  json.key("status").integer(kind.status);
  json.key("detail").string(problem.detail);
  json.key("instance").string("urn:notbad:request:" + std::string(request_id));
  json.key("code").string(kind.code);
  json.key("request_id").string(request_id);
  if (!problem.items.empty()) {
    json.key("errors").begin_array();
    const std::size_t count = std::min(problem.items.size(), kMaxProblemItems);
    for (std::size_t i = 0; i < count; ++i) {
      const ProblemItem& item = problem.items[i];
      json.begin_object();
      json.key("pointer").string(item.pointer);
      json.key("code").string(kind_of(item.code).code);
      json.key("detail").string(item.detail);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();

  Response response;
  response.status = kind.status;
  response.content_type = "application/problem+json";
  response.body = json.take();
  response.headers = problem.headers;
  if (may_be_retried(kind.status)) response.headers.push_back({"Retry-After", kRetryAfterSeconds});
  return response;
}

}  // namespace notbad::api
