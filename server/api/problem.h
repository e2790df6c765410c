#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "server/api/message.h"

namespace notbad::api {

// Every way in which this service says no; the name without its k, in snake case, is the `code`.
enum class ProblemCode {
  kInvalidJson,
  kInvalidUtf8,
  kJsonTooDeep,
  kDuplicateMember,
  kUnknownMember,
  kBadRequest,
  kBadFraming,
  kHostNotAllowed,
  kNotFound,
  kMethodNotAllowed,
  kNotAcceptable,
  kRequestTimeout,
  kLengthRequired,
  kBodyTooLarge,
  kUriTooLong,
  kHeadersTooLarge,
  kUnsupportedMediaType,
  kUnsupportedEncoding,
  kExpectationFailed,
  kEmptyInput,
  kInputTooLong,
  kBatchTooLarge,
  kInvalidOption,
  kAttentionTooLarge,
  kUnsupportedByModel,
  kInternal,
  kNonFinite,
  kOverloaded,
  kNotReady,
  kDraining,
  kDeadlineExceeded,
  kHttpVersion,
};

struct ProblemKind {
  int status;
  const char* code;
  const char* title;
};

// The one table of codes and statuses.
ProblemKind kind_of(ProblemCode code);

// What an expected failure of the layers below is to a client.
ProblemCode problem_of(ErrorCode code);

// One culprit inside the body, by JSON pointer (RFC 6901).
struct ProblemItem {
  ProblemCode code;
  std::string pointer;
  std::string detail;
};

// `detail` is text of ours with numbers in it, never bytes of the request.
struct Problem {
  ProblemCode code;
  std::string detail;
  std::vector<ProblemItem> items{};
  std::vector<Header> headers{};  // that the answer needs, such as Allow
};

Problem to_problem(const Error& error);

// As application/problem+json (RFC 9457). Lists the first kMaxProblemItems items.
inline constexpr std::size_t kMaxProblemItems = 16;
Response to_response(const Problem& problem, std::string_view request_id);

}  // namespace notbad::api
