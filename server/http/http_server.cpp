#include "server/http/http_server.h"

#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/check.h"
#include "server/http/connection.h"
#include "server/http/framing.h"
#include "server/http/httplib_compat.h"
#include "server/http/listen_socket.h"

namespace notbad::http {
namespace {

constexpr std::size_t kRequestsPerConnection = 1000;  // then a balancer may spread them anew

// Headers of no client: the library adds them.
constexpr std::array<std::string_view, 4> kAddedHeaders = {"REMOTE_ADDR", "REMOTE_PORT",
                                                           "LOCAL_ADDR", "LOCAL_PORT"};

api::Request to_api(const httplib::Request& request) {
  api::Request converted{request.method, request.path, {}, request.body};
  for (const auto& [name, value] : request.headers) {
    if (std::ranges::find(kAddedHeaders, name) == kAddedHeaders.end())
      converted.headers.push_back({name, value});
  }
  return converted;
}

void to_httplib(api::Response&& response, httplib::Response& converted) {
  converted.status = response.status;
  converted.body = std::move(response.body);
  converted.set_header("Content-Type", response.content_type);
  converted.set_header("Accept-Ranges", "none");  // the library claims otherwise for HEAD
  for (const api::Header& header : response.headers)
    converted.set_header(header.name, header.value);
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

// The library accepts, parses heads and writes answers; the loop over a connection, its deadlines
// and the reading of bodies are ours, through the one virtual function that it calls a connection.
class HttpServer::Impl : public HttplibServer {
 public:
  Impl(int listen_socket, const HttpOptions& options, api::Router& router)
      : options_(options),
        router_(router),
        port_(local_port(listen_socket)),
        stop_event_(eventfd(0, EFD_CLOEXEC)) {
    check(stop_event_ >= 0, "HttpServer: no eventfd");
    svr_sock_ = listen_socket;
    const auto threads = static_cast<std::size_t>(options.connections);
    new_task_queue = [threads] { return new httplib::ThreadPool(threads); };
    set_keep_alive_max_count(kRequestsPerConnection);
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      serve(request, response);
      return HandlerResponse::Handled;
    });
    set_error_handler(HandlerWithResponse(
        [](const httplib::Request&, httplib::Response& response) { return explain(response); }));
    thread_ = std::thread([this] { listen_after_bind(); });
  }

  ~Impl() override {
    stop();
    close(stop_event_);
  }

  const std::string& host() const { return options_.host; }
  std::uint16_t port() const { return port_; }

  void stop() {
    if (is_stopping_.exchange(true)) return;
    eventfd_write(stop_event_, 1);
    const int listen_socket = svr_sock_.exchange(INVALID_SOCKET);
    shutdown(listen_socket, SHUT_RDWR);  // refuses new connections, wakes the thread that accepts
    thread_.join();
    close(listen_socket);
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    Connection connection(socket, stop_event_, options_);
    std::size_t served = 0;
    while (connection.wait_for_request() && process(connection, ++served)) {
    }
    return true;
  }

  // One request. False where the connection has to end.
  bool process(Connection& connection, std::size_t served) {
    thread_connection = &connection;
    connection.begin_head();
    ConnectionStream stream(connection);
    const bool close_after = is_stopping_ || served == kRequestsPerConnection;
    bool is_closing = false;
    api::Request head;
    try {
      const bool is_usable =
          process_one(stream, close_after, is_closing,
                      [&](httplib::Request& request) { receive(request, connection, head); });
      return connection.flush() && is_usable && !is_closing && !close_after;
    } catch (const Refusal& refusal) {
      refuse(connection, head, refusal.problem);
    } catch (const Hangup&) {
      spdlog::debug("a client left in the middle of its request");
    } catch (const std::exception& bug) {
      spdlog::error("a connection ended by a bug: {}", bug.what());
    }
    return false;
  }

  // The library has read the head; after this the request is whole, so that nothing unread is left
  // on the connection whatever becomes of the request.
  void receive(httplib::Request& request, Connection& connection, api::Request& head) const {
    head = to_api(request);
    // Ranges and compression would change bodies behind the router's back.
    request.ranges.clear();
    request.headers.erase("Range");
    request.headers.erase("Accept-Encoding");
    const auto length = check_framing(head, {request.version, request.target}, options_);
    if (!length) throw Refusal{length.error()};
    if (*length > 0) {
      if (auto problem = router_.check_head(head)) throw Refusal{std::move(*problem)};
    }
    meet_expectation(request, connection);
    connection.begin_body();
    request.body.resize(static_cast<std::size_t>(*length));
    for (std::size_t done = 0; done < request.body.size();) {
      const std::size_t count =
          connection.read(request.body.data() + done, request.body.size() - done);
      if (count == 0) throw Hangup{};
      done += count;
    }
  }

  static void meet_expectation(httplib::Request& request, Connection& connection) {
    const auto expectation = request.headers.find("Expect");
    if (expectation == request.headers.end()) return;
    if (expectation->second != "100-continue")
      throw Refusal{{api::ProblemCode::kExpectationFailed, "only 100-continue can be expected"}};
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    connection.begin_answer();
    connection.write(kContinue.data(), kContinue.size());
    if (!connection.flush()) throw Hangup{};
    request.headers.erase("Expect");  // else the library would answer it once more
  }

  void serve(const httplib::Request& request, httplib::Response& response) {
    to_httplib(router_.handle(to_api(request)), response);
    thread_connection->begin_answer();
  }

  // What the library refuses by itself comes without a body. Where it lost its way in the bytes,
  // what follows cannot be told apart from a request.
  static HandlerResponse explain(const httplib::Response& response) {
    if (!response.body.empty()) return HandlerResponse::Unhandled;
    if (response.status == 414)
      throw Refusal{{api::ProblemCode::kUriTooLong, "the address is too long"}};
    throw Refusal{{api::ProblemCode::kBadFraming, "the request is not well-formed HTTP/1.1"}};
  }

  void refuse(Connection& connection, const api::Request& head, const api::Problem& problem) {
    const char* reason = api::kind_of(problem.code).title;
    const std::string text = to_text(router_.refuse(head, problem), reason, head.method != "HEAD");
    connection.begin_answer();
    connection.write(text.data(), text.size());
    if (connection.flush()) connection.linger();
  }

  // The library's callbacks do not say which connection they are for; a thread serves one.
  static inline thread_local Connection* thread_connection = nullptr;

  const HttpOptions options_;
  api::Router& router_;
  const std::uint16_t port_;
  const int stop_event_;  // readable from stop() on
  std::atomic<bool> is_stopping_ = false;
  std::thread thread_;  // accepts; the library's pool runs the connections
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpOptions& options,
                                                      api::Router& router) {
  const Result<int> listen_socket = open_listen_socket(options.host, options.port);
  if (!listen_socket) return tl::unexpected(listen_socket.error());
  return std::unique_ptr<HttpServer>(
      new HttpServer(std::make_unique<Impl>(*listen_socket, options, router)));
}

std::uint16_t HttpServer::port() const { return impl_->port(); }

std::string HttpServer::url() const { return to_url(impl_->host(), impl_->port()); }

void HttpServer::stop() { impl_->stop(); }

}  // namespace notbad::http
