#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "server/api/router.h"
#include "server/http/http_options.h"

namespace notbad::http {

// Takes connections and hands their requests to a router: sockets, limits and framing live here,
// what is served does not. A thread a connection, HttpOptions::connections of them.
class HttpServer {
 public:
  // Listens and serves from now on. `router` must outlive this. Fails with kInvalidArgument where
  // the address cannot be had, naming it.
  static Result<std::unique_ptr<HttpServer>> start(const HttpOptions& options, api::Router& router);
  ~HttpServer();  // stop()

  // The port in use, which the system chose where the options say 0.
  std::uint16_t port() const;

  // What a browser opens.
  std::string url() const;

  // Takes no new connection, closes those that wait for a request, lets running requests end.
  void stop();

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace notbad::http
