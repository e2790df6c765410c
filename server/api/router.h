#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "server/api/message.h"
#include "server/api/problem.h"
#include "server/metrics/metrics.h"

namespace notbad::api {

using Clock = std::chrono::steady_clock;

// One request on its way through a handler.
struct Exchange {
  std::string id;  // the client's X-Request-Id where it is well formed, else a fresh one
  Clock::time_point start;
};

using Answer = tl::expected<Response, Problem>;
using Handler = std::function<Answer(const Request&, const Exchange&)>;

// What a route is for decides what wraps it.
enum class RouteKind {
  kProbe,  // GET; never limited, whatever its Host, logged at debug level only
  kPage,   // GET; never limited
  kJson,   // POST of JSON; counted against the limit of concurrent requests
};

struct Route {
  RouteKind kind;
  std::string path;  // matched whole and literally
  Handler handler;
  std::string media_type = "";  // of its answer, held against Accept; empty: never refused
};

struct RouterOptions {
  std::int64_t max_concurrent = 128;  // requests inside a kJson handler
  std::string cors_origin{};          // whose pages may read answers; empty: only our own
  std::string allowed_hosts{};        // that a Host header may name, commas between; empty: any
};

// Finds the handler of a request and wraps it: request id, limits, timing, exceptions, common
// headers, metrics and the log line stand here once for all routes. Routes are added before the
// first request; after that any thread may call the rest. `metrics` must outlive this.
class Router {
 public:
  Router(RouterOptions options, metrics::Metrics& metrics);

  void add(Route route);

  // Never throws: a handler's exception is logged whole and answered as a bare 500.
  Response handle(const Request& request);

  // What method, path and headers alone already forbid, so that no body need be read for it.
  std::optional<Problem> check_head(const Request& head) const;

  // The answer to a request that no handler shall see.
  Response refuse(const Request& head, const Problem& problem);

 private:
  const Route* find(const Request& request) const;
  Answer run(const Request& request, const Exchange& exchange);
  Answer run_limited(const Route& route, const Request& request, const Exchange& exchange);
  Response finish(const Request& request, const Exchange& exchange, Answer answer) const;
  void count(const Route* route, const Request& request, const Response& response,
             std::chrono::nanoseconds total) const;

  const RouterOptions options_;
  metrics::Metrics& metrics_;
  std::atomic<std::int64_t> running_ = 0;  // requests inside a kJson handler
  std::vector<Route> routes_;
};

}  // namespace notbad::api
