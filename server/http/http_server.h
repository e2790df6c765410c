#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "server/api/router.h"
#include "server/http/http_options.h"
#include "server/metrics/metrics.h"

namespace notbad::http {

// Takes connections and hands their requests to a router: sockets, limits and framing live here,
// what is served does not. A thread a connection, at most HttpOptions::connections of them.
class HttpServer {
 public:
  // Listens and serves from now on. `router` and `metrics`, which counts the connections, must
  // outlive this. Fails with kInvalidArgument where the address cannot be had, naming it.
  static Result<std::unique_ptr<HttpServer>> start(const HttpOptions& options, api::Router& router,
                                                   metrics::Metrics& metrics);
  ~HttpServer();  // stops, and waits for running requests however long they take

  // The port in use, which the system chose where the options say 0.
  std::uint16_t port() const;

  // What a browser opens.
  std::string url() const;

  // From now on each connection ends with its next answer, which says so; new ones are served.
  void drain();

  // Takes no new connection, closes those that wait for a request, lets running requests end. Those
  // that still run after `patience` are answered 503 draining. Returns their number; if it is not
  // 0, the threads of some may still be in their handlers.
  std::int64_t stop(std::chrono::milliseconds patience);

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace notbad::http
