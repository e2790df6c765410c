#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace notbad::http {

// Binds and listens, and returns the descriptor. A second server on the port fails: SO_REUSEPORT
// is not set. `host` is an IP address or localhost; nothing is ever looked up. Fails with
// kInvalidArgument naming address, reason and remedy.
Result<int> open_listen_socket(const std::string& host, std::uint16_t port);

// Has the kernel take no more connections, so that whoever waits can be accepted to the last and
// none is reset when the socket is closed; the others try again and are refused then.
void hold_off_connections(int socket);

// The port of a bound socket.
std::uint16_t local_port(int socket);

// The address, without its port, at the other end of a connected socket; "-" where it has none.
std::string peer_address(int socket);

// What a browser can open: IPv6 addresses stand in brackets.
std::string to_url(const std::string& host, std::uint16_t port);

}  // namespace notbad::http
