#pragma once

#include <string>

namespace notbad {

// Every expected failure of the project, by what the caller can do about it. The HTTP status of
// each stands in server/api; a bug is no Error but a std::logic_error, see check.h.
enum class ErrorCode {
  kBadModelFile,        // weights, config, labels or tokenizer missing, corrupt or not matching
  kInvalidArgument,     // a value that this model or build cannot serve
  kInvalidUtf8,         // text that is not UTF-8
  kEmptyInput,          // no token left after normalisation
  kTextTooLong,         // more tokens or characters than the limit, and the caller asked not to cut
  kBatchTooLarge,       // more inputs than one request may hold
  kAttentionTooLarge,   // more attention values than one answer may hold
  kUnsupportedByModel,  // asks for what the loaded model does not have
  kOverloaded,          // the queue is full; try again later
  kNotReady,            // still loading or warming up
  kDraining,            // shutting down; another replica will answer
  kDeadlineExceeded,    // the caller's time ran out before the answer
  kNonFinite,           // the model produced NaN or infinity
  kInternal,            // a bug, logged whole on our side
};

// `message` is safe to show to a client: it names the thing and the remedy, never input bytes.
struct Error {
  ErrorCode code;
  std::string message;
};

}  // namespace notbad
