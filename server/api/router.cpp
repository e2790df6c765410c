#include "server/api/router.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string_view>
#include <utility>

#include "server/api/content_coding.h"
#include "server/api/cors.h"
#include "server/api/host.h"
#include "server/api/media_type.h"
#include "server/api/request_id.h"

namespace notbad::api {
namespace {

double to_ms(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

constexpr const char* kOptions = "OPTIONS";
constexpr const char* kNoRoute = "-";  // in the log and in metrics

bool takes(const Route& route, const std::string& method) {
  if (method == kOptions) return true;
  if (route.kind == RouteKind::kJson) return method == "POST";
  return method == "GET" || method == "HEAD";
}

std::string allow_of(const Route& route) {
  return route.kind == RouteKind::kJson ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
}

// A client may invent methods; a metric must not grow with them.
std::string_view known_method(std::string_view method) {
  constexpr std::array<std::string_view, 7> kKnown = {"GET",    "HEAD",  "POST", "OPTIONS",
                                                      "DELETE", "PATCH", "PUT"};
  return std::ranges::find(kKnown, method) == kKnown.end() ? "other" : method;
}

bool has_header(const Response& response, std::string_view name) {
  return std::ranges::find(response.headers, name, &Header::name) != response.headers.end();
}

std::string server_timing(const Response& response, std::chrono::nanoseconds total) {
  std::string text;
  if (response.figures)
    text = fmt::format(
        "tokenize;dur={:.3f}, queue;dur={:.3f}, compute;dur={:.3f}, serialize;dur={:.3f}, ",
        to_ms(response.figures->tokenize), to_ms(response.figures->queue),
        to_ms(response.figures->compute), to_ms(response.figures->serialize));
  return text + fmt::format("total;dur={:.3f}", to_ms(total));
}

// Numbers and names of ours, and the socket's address: neither text nor path nor header of the
// client reaches the log.
void log(const std::string& client, const Route* route, const Exchange& exchange,
         const Response& response, std::chrono::nanoseconds total) {
  auto level = spdlog::level::info;
  if (response.status == 500) level = spdlog::level::err;
  if (response.status < 400 && route != nullptr && route->kind == RouteKind::kProbe)
    level = spdlog::level::debug;
  const std::string_view path = route == nullptr ? kNoRoute : std::string_view(route->path);
  if (!response.figures) {
    spdlog::log(level, "id={} client={} status={} route={} total_ms={:.3f}", exchange.id, client,
                response.status, path, to_ms(total));
    return;
  }
  const RequestFigures& figures = *response.figures;
  spdlog::log(level,
              "id={} client={} status={} route={} tokens={} tokenize_ms={:.3f} queue_ms={:.3f} "
              "infer_ms={:.3f} total_ms={:.3f}",
              exchange.id, client, response.status, path, figures.tokens, to_ms(figures.tokenize),
              to_ms(figures.queue), to_ms(figures.compute), to_ms(total));
}

Problem method_not_allowed(const Route& route) {
  const std::string allow = allow_of(route);
  return {ProblemCode::kMethodNotAllowed, "this path takes " + allow, {}, {{"Allow", allow}}};
}

Problem internal() {
  return {ProblemCode::kInternal, "the server's log says why, under this request's id"};
}

std::optional<Problem> check_accept(const Route& route, const Request& head) {
  const std::string accept = head.list_header("Accept");
  if (route.media_type.empty() || accept.empty() || accepts(accept, route.media_type))
    return std::nullopt;
  return Problem{ProblemCode::kNotAcceptable,
                 "this path answers with " + route.media_type + " only, which Accept rules out"};
}

std::optional<Problem> check_content(const Request& head) {
  if (const std::string* encoding = head.find_header("Content-Encoding");
      encoding != nullptr && *encoding != "identity")
    return Problem{ProblemCode::kUnsupportedEncoding,
                   "send the body as it is, without Content-Encoding"};
  const std::string* type = head.find_header("Content-Type");
  if (type == nullptr || !is_json_utf8(*type))
    return Problem{ProblemCode::kUnsupportedMediaType,
                   "send Content-Type: application/json, and the body in UTF-8"};
  return std::nullopt;
}

Response no_content(const Route& route) {
  Response response;
  response.status = 204;
  response.headers = {{"Allow", allow_of(route)}};
  return response;
}

}  // namespace

Router::Router(RouterOptions options, metrics::Metrics& metrics)
    : options_(std::move(options)), metrics_(metrics) {}

void Router::add(Route route) { routes_.push_back(std::move(route)); }

const Route* Router::find(const Request& request) const {
  const auto found = std::ranges::find(routes_, request.path, &Route::path);
  return found == routes_.end() ? nullptr : &*found;
}

std::optional<Problem> Router::check_head(const Request& head) const {
  const Route* route = find(head);
  const std::string* host = head.find_header("Host");
  if ((route == nullptr || route->kind != RouteKind::kProbe) &&
      !is_allowed_host(host == nullptr ? "" : *host, options_.allowed_hosts))
    return Problem{ProblemCode::kHostNotAllowed, "this server is not asked under this name"};
  if (route == nullptr) return Problem{ProblemCode::kNotFound, "nothing is served at this path"};
  if (!takes(*route, head.method)) return method_not_allowed(*route);
  if (head.method == kOptions) return std::nullopt;
  if (auto problem = check_accept(*route, head)) return problem;
  return route->kind == RouteKind::kJson ? check_content(head) : std::nullopt;
}

Response Router::handle(const Request& request) {
  const Exchange exchange{request_id(request), Clock::now()};
  try {
    return finish(request, exchange, run(request, exchange));
  } catch (const std::exception& bug) {
    spdlog::error("id={} bug: {}", exchange.id, bug.what());
  } catch (...) {
    spdlog::error("id={} bug: an unknown exception", exchange.id);
  }
  return finish(request, exchange, tl::unexpected(internal()));
}

Response Router::refuse(const Request& head, const Problem& problem) {
  return finish(head, {request_id(head), Clock::now()}, tl::unexpected(problem));
}

Answer Router::run(const Request& request, const Exchange& exchange) {
  if (auto problem = check_head(request)) return tl::unexpected(std::move(*problem));
  const Route& route = *find(request);
  if (request.method == kOptions) return no_content(route);
  if (route.kind == RouteKind::kJson) return run_limited(route, request, exchange);
  return route.handler(request, exchange);
}

Answer Router::run_limited(const Route& route, const Request& request, const Exchange& exchange) {
  struct Leave {
    std::atomic<std::int64_t>& running;
    ~Leave() { --running; }
  };
  const std::int64_t others = running_++;
  const Leave leave{running_};
  if (others >= options_.max_concurrent)
    return tl::unexpected(Problem{ProblemCode::kOverloaded,
                                  std::to_string(options_.max_concurrent) +
                                      " requests are in work already: try again after a pause"});
  Answer answer = route.handler(request, exchange);
  if (answer) compress(request, *answer);
  return answer;
}

Response Router::finish(const Request& request, const Exchange& exchange, Answer answer) const {
  if (!answer) metrics_.count_rejection(kind_of(answer.error().code).code);
  Response response = answer ? std::move(*answer) : to_response(answer.error(), exchange.id);
  const Route* route = find(request);
  const auto total = Clock::now() - exchange.start;
  response.headers.push_back({"X-Request-Id", exchange.id});
  response.headers.push_back({"Server-Timing", server_timing(response, total)});
  response.headers.push_back({"X-Content-Type-Options", "nosniff"});
  if (!has_header(response, "Cache-Control"))
    response.headers.push_back({"Cache-Control", "no-store"});
  for (Header& header :
       cors_headers(request, options_.cors_origin, route == nullptr ? kOptions : allow_of(*route)))
    response.headers.push_back(std::move(header));
  count(route, request, response, total);
  log(request.client, route, exchange, response, total);
  return response;
}

void Router::count(const Route* route, const Request& request, const Response& response,
                   std::chrono::nanoseconds total) const {
  metrics_.count_request(route == nullptr ? kNoRoute : std::string_view(route->path),
                         known_method(request.method), response.status, total);
  if (!response.figures) return;
  const RequestFigures& figures = *response.figures;
  metrics_.observe_stages({figures.tokenize, figures.queue, figures.compute, figures.serialize});
}

}  // namespace notbad::api
