#include "server/api/request_id.h"

#include <cstdint>
#include <random>

namespace notbad::api {
namespace {

constexpr std::size_t kMaxLength = 64;
constexpr std::string_view kAllowed =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

std::string random_id() {
  // Not a secret: it only has to differ from the others in a log.
  thread_local std::mt19937_64 generator{std::random_device{}()};
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string id;
  std::uint64_t bits = generator();
  for (int i = 0; i < 16; ++i, bits >>= 4U) id += kHex[bits & 15U];
  return id;
}

}  // namespace

std::string request_id(const Request& request) {
  const std::string* id = request.find_header("X-Request-Id");
  const bool is_well_formed = id != nullptr && !id->empty() && id->size() <= kMaxLength &&
                              id->find_first_not_of(kAllowed) == std::string::npos;
  return is_well_formed ? *id : random_id();
}

}  // namespace notbad::api
