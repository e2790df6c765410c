#include "server/http/listen_socket.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace notbad::http {
namespace {

constexpr int kBacklog = 1024;  // connections that the kernel holds until a thread takes them

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;
};

bool parse_address(const std::string& host, std::uint16_t port, Address& address) {
  const std::string numeric = host == "localhost" ? "127.0.0.1" : host;
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(port);
  if (inet_pton(AF_INET, numeric.c_str(), &v4.sin_addr) == 1) {
    std::memcpy(&address.storage, &v4, sizeof(v4));
    address.length = sizeof(v4);
    return true;
  }
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  if (inet_pton(AF_INET6, numeric.c_str(), &v6.sin6_addr) != 1) return false;
  std::memcpy(&address.storage, &v6, sizeof(v6));
  address.length = sizeof(v6);
  return true;
}

tl::unexpected<Error> cannot_listen(const std::string& host, std::uint16_t port, int reason) {
  const char* remedy = "choose another address";
  if (reason == EADDRINUSE) remedy = "end the other program or choose another --port";
  if (reason == EACCES) remedy = "choose a --port from 1024 on or run with the right to bind it";
  return fail(ErrorCode::kInvalidArgument, "cannot listen on " + to_url(host, port) + ": " +
                                               std::generic_category().message(reason) + " - " +
                                               remedy);
}

}  // namespace

Result<int> open_listen_socket(const std::string& host, std::uint16_t port) {
  Address address;
  if (!parse_address(host, port, address)) return cannot_listen(host, port, EINVAL);
  const int socket =
      ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return cannot_listen(host, port, errno);
  const int yes = 1;
  // Without it a restart would have to wait for the old connections to time out.
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  const auto* generic = reinterpret_cast<const sockaddr*>(&address.storage);
  if (bind(socket, generic, address.length) != 0 || listen(socket, kBacklog) != 0) {
    const int reason = errno;
    close(socket);
    return cannot_listen(host, port, reason);
  }
  return socket;
}

// Closing a listening socket resets the connections that the kernel has made and nobody has
// accepted. A filter that keeps nothing of a packet lets no new ones come into being. Where a
// sandbox forbids filters, the shortest queue holds them off but for one while nobody waits.
void hold_off_connections(int socket) {
  sock_filter keep_nothing = BPF_STMT(BPF_RET | BPF_K, 0);
  const sock_fprog program{1, &keep_nothing};
  if (setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)) != 0)
    listen(socket, 0);
}

std::uint16_t local_port(int socket) {
  sockaddr_storage storage{};
  socklen_t length = sizeof(storage);
  getsockname(socket, reinterpret_cast<sockaddr*>(&storage), &length);
  if (storage.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
}

std::string peer_address(int socket) {
  sockaddr_storage storage{};
  socklen_t length = sizeof(storage);
  getpeername(socket, reinterpret_cast<sockaddr*>(&storage), &length);
  const void* address = &reinterpret_cast<const sockaddr_in*>(&storage)->sin_addr;
  if (storage.ss_family == AF_INET6)
    address = &reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_addr;
  std::array<char, INET6_ADDRSTRLEN> text{};
  const char* written = inet_ntop(storage.ss_family, address, text.data(), text.size());
  return written == nullptr ? "-" : written;
}

std::string to_url(const std::string& host, std::uint16_t port) {
  const bool is_v6 = host.find(':') != std::string::npos;
  return "http://" + (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace notbad::http
