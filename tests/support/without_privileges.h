#pragma once

#include <unistd.h>

#include <stdexcept>

namespace notbad::testing {

// Gives up root's rights while it lives, where the test runs as root: only then does a file without
// permissions refuse to open. The effective user is that of the whole process.
class WithoutPrivileges {
 public:
  WithoutPrivileges() : was_root_(::geteuid() == 0) {
    if (was_root_ && ::seteuid(kNobody) != 0) throw std::runtime_error("seteuid failed");
  }
  ~WithoutPrivileges() {
    if (was_root_ && ::seteuid(0) != 0) ::_exit(1);  // no other test may run in this state
  }
  WithoutPrivileges(const WithoutPrivileges&) = delete;
  WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;
  bool was_root_;
};

}  // namespace notbad::testing
