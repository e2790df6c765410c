#include "server/http/http_server.h"

#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "server/http/connection.h"
#include "server/http/connection_threads.h"
#include "server/http/framing.h"
#include "server/http/httplib_compat.h"
#include "server/http/listen_socket.h"
#include "server/http/refused_connections.h"

namespace notbad::http {
namespace {

using metrics::ConnectionEnd;
using std::chrono::milliseconds;

constexpr std::size_t kRequestsPerConnection = 1000;  // then a balancer may spread them anew
constexpr int kAcceptedAtOnce = 64;
constexpr milliseconds kPauseWithoutDescriptors{10};
constexpr milliseconds kTimeToLeave{300};  // of threads whose connection was cut off
constexpr std::chrono::hours kHoweverLong{24};

// One request between the callbacks of the library.
struct Exchange {
  Connection& connection;
  bool is_last;
  RequestHead head{};
  httplib::Request* request = nullptr;  // the library's own, from its parser until its answer
  std::shared_ptr<const void> holds{};  // see api::Response
};

api::Request head_of(const Exchange& exchange) {
  const std::string& target = exchange.head.target;
  return {exchange.head.method,         target.substr(0, target.find('?')),
          exchange.head.headers,        "",
          exchange.connection.client(), exchange.connection.departure()};
}

void to_httplib(api::Response&& response, httplib::Response& converted) {
  converted.status = response.status;
  converted.body = std::move(response.body);
  converted.set_header("Content-Type", response.content_type);
  converted.set_header("Accept-Ranges", "none");  // the library claims otherwise for HEAD
  for (const api::Header& header : response.headers)
    converted.set_header(header.name, header.value);
}

// All that the library gets to see of a request: it decodes the path.
std::string first_line(const RequestHead& head) {
  return head.method + " " + head.target.substr(0, head.target.find('?')) + " HTTP/1.1\r\n\r\n";
}

// For refusals, which leave the library by exception and so without its writer.
std::string to_text(const api::Response& response, const char* reason, bool has_body) {
  std::string text = "HTTP/1.1 " + std::to_string(response.status) + " " + reason + "\r\n";
  const auto add = [&text](const std::string& name, const std::string& value) {
    text += name + ": " + value + "\r\n";
  };
  for (const api::Header& header : response.headers) add(header.name, header.value);
  add("Content-Type", response.content_type);
  add("Content-Length", std::to_string(response.body.size()));
  add("Connection", "close");
  return text + "\r\n" + (has_body ? response.body : "");
}

}  // namespace

// The library decodes the path of a request and writes answers; accepting, the loop over a
// connection, its deadlines, and what of a request counts as head and body are ours.
class HttpServer::Impl : public HttplibServer {
 public:
  Impl(int listen_socket, const HttpOptions& options, api::Router& router,
       metrics::Metrics& metrics)
      : options_(options),
        router_(router),
        metrics_(metrics),
        port_(local_port(listen_socket)),
        listen_socket_(listen_socket),
        stop_event_(eventfd(0, EFD_CLOEXEC)),
        threads_(options.connections, [this](int socket) { serve_connection(socket); }) {
    check(stop_event_ >= 0, "HttpServer: no eventfd");
    set_keep_alive_max_count(kRequestsPerConnection);
    set_keep_alive_timeout(std::chrono::ceil<std::chrono::seconds>(options.idle_timeout).count());
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
      return HandlerResponse::Handled;
    });
    set_error_handler(HandlerWithResponse(
        [](const httplib::Request&, httplib::Response& response) { return explain(response); }));
    acceptor_ = std::thread([this] { accept_connections(); });
  }

  ~Impl() override {
    stop(kHoweverLong);
    close(stop_event_);
  }

  const std::string& host() const { return options_.host; }
  std::uint16_t port() const { return port_; }

  void drain() { is_draining_ = true; }

  std::int64_t stop(milliseconds patience) {
    if (is_stopping_.exchange(true)) return 0;
    drain();
    eventfd_write(stop_event_, 1);
    acceptor_.join();
    close(listen_socket_);
    const auto now = std::chrono::steady_clock::now();
    if (threads_.wait_until_idle(now + patience)) return 0;
    const std::int64_t count = cut_off_connections();
    threads_.wait_until_idle(now + patience + kTimeToLeave);
    return count;
  }

 private:
  void accept_connections() {
    RefusedConnections refused([this](int socket) { return refuse_connection(socket); });
    std::vector<pollfd> polled;
    while (true) {
      polled = {{listen_socket_, POLLIN, 0}, {stop_event_, POLLIN, 0}};
      refused.append_to(polled);
      poll(polled.data(), polled.size(), refused.milliseconds_left());
      // Read before the last connections are taken: who came before the end is served.
      const bool is_end = is_stopping_;
      if (is_end) hold_off_connections(listen_socket_);
      refused.attend();
      int count = 0;
      while (accept_one(refused) && (is_end || ++count < kAcceptedAtOnce)) {
      }
      if (is_end) return;
    }
  }

  // False where no connection waits.
  bool accept_one(RefusedConnections& refused) {
    const int socket = accept4(listen_socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) {
      // The connection stays acceptable, so that without a pause this loop would spin.
      if (errno == EMFILE || errno == ENFILE) std::this_thread::sleep_for(kPauseWithoutDescriptors);
      return errno == ECONNABORTED || errno == EINTR;
    }
    if (!threads_.take(socket)) {
      metrics_.refuse_connection();
      refused.add(socket);
    }
    return true;
  }

  void serve_connection(int socket) {
    Connection connection(socket, stop_event_, options_);
    {
      const std::lock_guard lock(mutex_);
      connections_.insert(&connection);
    }
    metrics_.open_connection();
    metrics_.close_connection(serve_requests(connection));
    const std::lock_guard lock(mutex_);
    connections_.erase(&connection);
  }

  ConnectionEnd serve_requests(Connection& connection) {
    std::optional<ConnectionEnd> end;
    for (std::size_t served = 1; !end; ++served) {
      if (!connection.wait_for_request())
        return is_draining_ ? ConnectionEnd::kOrderly : ConnectionEnd::kIdle;
      end = process(connection, served == kRequestsPerConnection);
    }
    return *end;
  }

  // One request. Empty where another may follow.
  std::optional<ConnectionEnd> process(Connection& connection, bool is_last) {
    Exchange exchange{connection, is_last};
    thread_exchange = &exchange;
    try {
      exchange.head = connection.read_head();
      exchange.is_last |= is_last_request(exchange.head);
      const std::string line = first_line(exchange.head);
      ConnectionStream stream(connection, line);
      const bool is_answered =
          process_one(stream, [&](httplib::Request& request) { receive(request, exchange); });
      if (!connection.flush() || !is_answered)
        return connection.is_late() ? ConnectionEnd::kTimeout : ConnectionEnd::kClientLeft;
      if (!exchange.is_last) return std::nullopt;
      connection.linger();
      return ConnectionEnd::kOrderly;
    } catch (const Refusal& refusal) {
      refuse(exchange, refusal.problem);
      const bool is_timeout = refusal.problem.code == api::ProblemCode::kRequestTimeout;
      return is_timeout ? ConnectionEnd::kTimeout : ConnectionEnd::kRefusal;
    } catch (const Hangup& hangup) {
      return hangup.is_between_requests ? ConnectionEnd::kOrderly : ConnectionEnd::kClientLeft;
    } catch (const std::exception& bug) {
      spdlog::error("a connection ended by a bug: {}", bug.what());
      return ConnectionEnd::kRefusal;
    }
  }

  // The library knows method and path now; after this the request is whole, so that nothing unread
  // is left on the connection whatever becomes of the request.
  void receive(httplib::Request& request, Exchange& exchange) const {
    exchange.request = &request;
    const auto length = check_framing(exchange.head, options_);
    if (!length) throw Refusal{length.error()};
    api::Request head = head_of(exchange);
    head.path = request.path;
    if (*length > 0) {
      if (auto problem = router_.check_head(head)) throw Refusal{std::move(*problem)};
    }
    meet_expectation(head, exchange.connection);
    request.body = exchange.connection.read_body(static_cast<std::size_t>(*length));
  }

  static void meet_expectation(const api::Request& head, Connection& connection) {
    const std::string* expectation = head.find_header("Expect");
    if (expectation == nullptr) return;
    if (!api::equal_but_case(*expectation, "100-continue"))
      throw Refusal{{api::ProblemCode::kExpectationFailed, "only 100-continue can be expected"}};
    if (!connection.send_interim("HTTP/1.1 100 Continue\r\n\r\n")) throw Hangup{};
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    Exchange& exchange = *thread_exchange;
    api::Request converted = head_of(exchange);
    converted.path = request.path;
    converted.body = std::move(exchange.request->body);
    api::Response answer = router_.handle(converted);
    exchange.holds = std::move(answer.holds);
    to_httplib(std::move(answer), response);
    exchange.is_last |= is_draining_;
    if (exchange.is_last) exchange.request->set_header("Connection", "close");
    exchange.connection.begin_answer();
  }

  // What the library refuses by itself comes without a body.
  static HandlerResponse explain(const httplib::Response& response) {
    if (!response.body.empty()) return HandlerResponse::Unhandled;
    throw Refusal{{api::ProblemCode::kBadFraming, "the request is not well-formed HTTP/1.1"}};
  }

  std::string refusal(const api::Request& head, const api::Problem& problem) {
    const char* reason = api::kind_of(problem.code).title;
    return to_text(router_.refuse(head, problem), reason, head.method != "HEAD");
  }

  void refuse(const Exchange& exchange, const api::Problem& problem) {
    const std::string text = refusal(head_of(exchange), problem);
    Connection& connection = exchange.connection;
    connection.begin_answer();
    connection.write(text.data(), text.size());
    if (connection.flush()) connection.linger();
  }

  std::string refuse_connection(int socket) {
    api::Request unread;
    unread.client = peer_address(socket);
    return refusal(unread, {api::ProblemCode::kOverloaded,
                            "all " + std::to_string(options_.connections) +
                                " connections are taken: try again after a pause"});
  }

  std::int64_t cut_off_connections() {
    const std::lock_guard lock(mutex_);
    std::int64_t count = 0;
    for (Connection* connection : connections_) {
      api::Request unfinished;
      unfinished.client = connection->client();
      const std::string text =
          refusal(unfinished, {api::ProblemCode::kDraining,
                               "this server had to end before the answer: ask another one"});
      if (connection->cut_off(text)) ++count;
    }
    return count;
  }

  // The library's callbacks do not say which request they are for; a thread serves one at a time.
  static inline thread_local Exchange* thread_exchange = nullptr;

  const HttpOptions options_;
  api::Router& router_;
  metrics::Metrics& metrics_;
  const std::uint16_t port_;
  const int listen_socket_;
  const int stop_event_;  // readable from stop() on
  std::atomic<bool> is_draining_ = false;
  std::atomic<bool> is_stopping_ = false;
  std::mutex mutex_;  // guards connections_
  std::set<Connection*> connections_;
  ConnectionThreads threads_;
  std::thread acceptor_;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpOptions& options,
                                                      api::Router& router,
                                                      metrics::Metrics& metrics) {
  const Result<int> listen_socket = open_listen_socket(options.host, options.port);
  if (!listen_socket) return tl::unexpected(listen_socket.error());
  return std::unique_ptr<HttpServer>(
      new HttpServer(std::make_unique<Impl>(*listen_socket, options, router, metrics)));
}

std::uint16_t HttpServer::port() const { return impl_->port(); }

std::string HttpServer::url() const { return to_url(impl_->host(), impl_->port()); }

void HttpServer::drain() { impl_->drain(); }

std::int64_t HttpServer::stop(std::chrono::milliseconds patience) { return impl_->stop(patience); }

}  // namespace notbad::http
