#pragma once

#include <stdexcept>
#include <string>

namespace notbad {

// Guards an invariant: a false `condition` is a bug of ours, thrown as std::logic_error and caught
// only where a worker or a request ends. Say who, what was expected and what was found.
inline void check(bool condition, const char* message) {
  if (!condition) throw std::logic_error(message);
}

// For messages with numbers in them: `message` is a callable, so a check that holds builds no
// string.
template <class MessageFunction>
  requires requires(MessageFunction message) { std::string(message()); }
void check(bool condition, MessageFunction&& message) {
  if (!condition) throw std::logic_error(std::string(message()));
}

}  // namespace notbad
