#pragma once

#include <httplib.h>

#include <functional>
#include <string>
#include <string_view>

#include "server/http/connection.h"

// All that differs between the versions of cpp-httplib that Debian 12 (0.11.4) and Debian 13
// (0.18.7) bring, and nothing else. The header must be compiled with the options that the library
// was built with: members of its structs depend on them.

namespace notbad::http {

using SetUpRequest = std::function<void(httplib::Request&)>;

// What the library sees of a connection: the text of one request to read, and where to write.
class ConnectionStream : public httplib::Stream {
 public:
  ConnectionStream(Connection& connection, std::string_view request)
      : connection_(connection), request_(request) {}

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* bytes, size_t size) override {
    const std::size_t count = request_.copy(bytes, size);
    request_.remove_prefix(count);
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* bytes, size_t size) override {
    return connection_.write(bytes, size) ? static_cast<ssize_t>(size) : -1;
  }
  void get_remote_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  void get_local_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  socket_t socket() const override { return INVALID_SOCKET; }

 private:
  Connection& connection_;
  std::string_view request_;  // the rest of it
};

// Opens the library's parser of one request to a loop of one's own.
class HttplibServer : public httplib::Server {
 protected:
  // Parses, asks the handler and writes the answer. False where that failed. What `set_up` throws
  // passes through.
  bool process_one(httplib::Stream& stream, const SetUpRequest& set_up) {
    return call(&HttplibServer::process_request, stream, set_up);
  }

 private:
  using Process = bool (httplib::Server::*)(httplib::Stream&, bool, bool&, const SetUpRequest&);
  using ProcessWithAddresses = bool (httplib::Server::*)(httplib::Stream&, const std::string&, int,
                                                         const std::string&, int, bool, bool&,
                                                         const SetUpRequest&);

  bool call(Process process, httplib::Stream& stream, const SetUpRequest& set_up) {
    bool is_closing = false;
    return (this->*process)(stream, false, is_closing, set_up);
  }
  bool call(ProcessWithAddresses process, httplib::Stream& stream, const SetUpRequest& set_up) {
    bool is_closing = false;
    return (this->*process)(stream, "", 0, "", 0, false, is_closing, set_up);
  }
};

}  // namespace notbad::http
