#include "server/http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <ostream>
#include <thread>
#include <utility>
#include <vector>

#include "server/http/descriptor_limit.h"
#include "tests/server/support/gunzip.h"
#include "tests/server/support/raw_client.h"
#include "tests/server/support/scripted_runner.h"

namespace notbad::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::StartsWith;

constexpr milliseconds kPatience{10'000};
constexpr std::size_t kLargeBytes =
    32'000'000;  // more than the kernel takes for a client that waits

std::string many(const std::string& text, int count) {
  std::string repeated;
  for (int i = 0; i < count; ++i) repeated += text;
  return repeated;
}

// A server on a free port, with a handler that answers what it was sent.
class HttpServerTest : public testing::Test {
 protected:
  HttpServerTest() {
    router_.add({api::RouteKind::kPage, "/page", [this](auto&, auto&) {
                   gate_->pass();
                   api::Response response;
                   response.body = "page";
                   return api::Answer(response);
                 }});
    router_.add({api::RouteKind::kJson, "/echo", [](auto& request, auto&) {
                   api::Response response;
                   response.body = request.body;
                   return api::Answer(response);
                 }});
    router_.add({api::RouteKind::kPage, "/client", [](auto& request, auto&) {
                   api::Response response;
                   response.body = request.client;
                   return api::Answer(response);
                 }});
    router_.add({api::RouteKind::kPage, "/large", [this](auto&, auto&) {
                   api::Response response;
                   response.body = std::string(kLargeBytes, 'x');
                   response.holds = std::exchange(held_, nullptr);
                   return api::Answer(response);
                 }});
    gate_->open();
  }

  HttpServer& start(HttpOptions options = {}) {
    options.port = 0;
    auto started = HttpServer::start(options, router_, metrics_);
    if (!started) throw std::runtime_error(started.error().message);
    server_ = std::move(*started);
    return *server_;
  }

  static std::string post(const std::string& body, const std::string& headers = "") {
    return "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

  // Whether the metrics come to say so.
  bool await(const std::string& line) {
    const auto deadline = steady_clock::now() + kPatience;
    while (metrics_.text().find("\n" + line + "\n") == std::string::npos) {
      if (steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(milliseconds(5));  // nothing tells when they change
    }
    return true;
  }

  static constexpr const char* kGet = "GET /page HTTP/1.1\r\nHost: x\r\n\r\n";

  std::shared_ptr<service::Gate> gate_ = std::make_shared<service::Gate>();
  std::shared_ptr<const void> held_;  // by the next large answer
  metrics::Metrics metrics_;
  api::Router router_{{.max_concurrent = 8}, metrics_};
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, ServesManyRequestsOnOneConnection) {
  RawClient client(start().port());

  for (const char* body : {"{}", "[1, 2]", ""}) {
    client.send(post(body, "X-Request-Id: a-b\r\n"));
    const std::string answer = client.answer();
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 "));
    EXPECT_EQ(RawClient::header(answer, "X-Request-Id"), "a-b");
    EXPECT_EQ(RawClient::header(answer, "Content-Type"), "application/json");
    EXPECT_THAT(answer, testing::EndsWith(std::string("\r\n\r\n") + body));
  }
}

TEST_F(HttpServerTest, ServesPipelinedRequestsInOrder) {
  RawClient client(start().port());

  client.send(post("first") + post("second") + kGet);

  EXPECT_THAT(client.answer(), testing::EndsWith("first"));
  EXPECT_THAT(client.answer(), testing::EndsWith("second"));
  EXPECT_THAT(client.answer(), testing::EndsWith("page"));
}

TEST_F(HttpServerTest, AnswersHeadWithoutABody) {
  RawClient client(start().port());

  client.send("HEAD /page HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::string head = client.answer(false);
  client.send(kGet);

  EXPECT_EQ(RawClient::header(head, "Content-Length"), "4");
  EXPECT_THAT(client.answer(), testing::EndsWith("page"));
}

TEST_F(HttpServerTest, ReadsABodyThatComesInPieces) {
  RawClient client(start().port());
  const std::string body(10'000, 'x');
  const std::string request = post(body);

  for (std::size_t i = 0; i < request.size(); i += 1000) client.send(request.substr(i, 1000));

  EXPECT_THAT(client.answer(), testing::EndsWith(body));
}

TEST_F(HttpServerTest, KeepsTheConnectionAfterARefusalWithoutABody) {
  RawClient client(start().port());

  client.send("GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::string lost = client.answer();
  client.send(kGet);

  EXPECT_THAT(lost, StartsWith("HTTP/1.1 404 "));
  EXPECT_EQ(RawClient::header(lost, "Content-Type"), "application/problem+json");
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, IgnoresRangesAndCompression) {
  RawClient client(start().port());

  client.send("GET /page HTTP/1.1\r\nHost: x\r\nRange: bytes=1-2\r\nAccept-Encoding: gzip\r\n\r\n");
  const std::string answer = client.answer();

  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(answer, testing::EndsWith("page"));
}

TEST_F(HttpServerTest, DeliversACompressedAnswerWhole) {
  RawClient client(start().port());
  const std::string body = many("[0.25, 0.75], ", 1000);

  client.send(post(body, "Accept-Encoding: gzip\r\n") + kGet);
  const std::string answer = client.answer();

  EXPECT_EQ(RawClient::header(answer, "Content-Encoding"), "gzip");
  EXPECT_EQ(api::gunzip(answer.substr(answer.find("\r\n\r\n") + 4)), body);
  EXPECT_THAT(client.answer(), testing::EndsWith("page"));
}

// The library matches ranges by a regular expression, one stack frame and more for each character.
TEST_F(HttpServerTest, KeepsRangesFromTheLibrary) {
  RawClient client(start().port());

  for (const std::string& ranges : {many("1-1,", 2000) + "1-1", std::string("nonsense")}) {
    client.send("GET /page HTTP/1.1\r\nHost: x\r\nRange: bytes=" + ranges + "\r\n\r\n");
    EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 "));
  }
}

TEST_F(HttpServerTest, InvitesTheBodyOfWhoAsksFirst) {
  RawClient client(start().port());
  const std::string request = post("{}", "Expect: 100-continue\r\n");

  client.send(request.substr(0, request.size() - 2));
  const std::string invitation = client.answer();
  client.send("{}");

  EXPECT_EQ(invitation, "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_THAT(client.answer(), testing::EndsWith("{}"));
}

struct Refused {
  const char* name;
  std::string request;
  int status;
  const char* code;
};

std::ostream& operator<<(std::ostream& stream, const Refused& refused) {
  return stream << refused.name;
}

class RefusedRequestTest : public HttpServerTest, public testing::WithParamInterface<Refused> {};

// Whatever follows on such a connection could be the rest of a body, so it must not be answered.
TEST_P(RefusedRequestTest, IsAnsweredAtOnceAndEndsTheConnection) {
  RawClient client(start().port());

  const auto begin = steady_clock::now();
  client.send(GetParam().request + kGet);
  const std::string answer = client.answer();

  EXPECT_THAT(answer, StartsWith("HTTP/1.1 " + std::to_string(GetParam().status) + " "));
  EXPECT_EQ(RawClient::header(answer, "Content-Type"), "application/problem+json");
  EXPECT_EQ(RawClient::header(answer, "Connection"), "close");
  EXPECT_NE(RawClient::header(answer, "X-Request-Id"), "");
  EXPECT_THAT(answer, HasSubstr(std::string(R"("code":")") + GetParam().code + "\""));
  EXPECT_TRUE(client.is_closed());
  EXPECT_LT(steady_clock::now() - begin, milliseconds(2000));
}

constexpr const char* kPostHead =
    "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

INSTANTIATE_TEST_SUITE_P(
    HttpServerTest, RefusedRequestTest,
    testing::Values(
        Refused{"NoLength", std::string(kPostHead) + "\r\n", 411, "length_required"},
        Refused{"LengthAndChunked",
                std::string(kPostHead) +
                    "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
                400, "bad_framing"},
        Refused{"EscapedLength", std::string(kPostHead) + "Content-Length: %32\r\n\r\n{}", 400,
                "bad_framing"},
        Refused{"EscapedType",
                "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application%2Fjson\r\n"
                "Content-Length: 2\r\n\r\n{}",
                415, "unsupported_media_type"},
        Refused{"HeaderWithoutColon", "GET /page HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n", 400,
                "bad_framing"},
        Refused{"FoldedHeader", "GET /page HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", 400,
                "bad_framing"},
        Refused{"BareLineFeeds", "GET /page HTTP/1.1\nHost: x\n\n", 400, "bad_framing"},
        Refused{"NulInHeader", std::string("GET /page HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n", 37),
                400, "bad_framing"},
        Refused{"ManyHeaders",
                std::string("GET /page HTTP/1.1\r\nHost: x\r\n") + many("A: b\r\n", 64) + "\r\n",
                431, "headers_too_large"},
        Refused{"LongHeader",
                "GET /page HTTP/1.1\r\nHost: x\r\nA: " + std::string(9216, 'b') + "\r\n\r\n", 431,
                "headers_too_large"},
        Refused{"EscapedNul", "GET /page%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_framing"},
        Refused{"AbsoluteAddress", "GET http://x/page HTTP/1.1\r\nHost: x\r\n\r\n", 400,
                "bad_framing"},
        Refused{"UserInHost", "GET /page HTTP/1.1\r\nHost: me@x\r\n\r\n", 400, "bad_framing"},
        Refused{"UnknownMethod", "BREW /page HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_framing"},
        Refused{"DeepAddress", "GET " + many("/a", 5000) + " HTTP/1.1\r\nHost: x\r\n\r\n", 414,
                "uri_too_long"},
        Refused{"Version09", "GET /page\r\n", 400, "bad_framing"},
        Refused{"Version20", "GET /page HTTP/2.0\r\n\r\n", 505, "http_version"},
        Refused{"Preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "bad_framing"},
        Refused{"TransportSecurity", std::string("\x16\x03\x01\x02\0\x01", 6), 400, "bad_framing"},
        Refused{"EmptyLines", "\r\n\r\n", 400, "bad_framing"},
        Refused{"Chunked", std::string(kPostHead) + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
                411, "length_required"},
        Refused{"TooLarge", std::string(kPostHead) + "Content-Length: 262145\r\n\r\n", 413,
                "body_too_large"},
        Refused{"LengthIsNoNumber", std::string(kPostHead) + "Content-Length: abc\r\n\r\n", 400,
                "bad_framing"},
        Refused{"TwoLengths",
                std::string(kPostHead) + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", 400,
                "bad_framing"},
        Refused{"Compressed",
                std::string(kPostHead) + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
                415, "unsupported_encoding"},
        Refused{"NoType", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 415,
                "unsupported_media_type"},
        Refused{"BodyForNoPath", "POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
                404, "not_found"},
        Refused{"BodyForAnotherMethod",
                "PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 405,
                "method_not_allowed"},
        Refused{"BodyOfAGet", "GET /page HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 400,
                "bad_framing"},
        Refused{"UnknownExpectation",
                std::string(kPostHead) + "Expect: foo\r\nContent-Length: 2\r\n\r\n{}", 417,
                "expectation_failed"},
        Refused{"LongAddress", "GET /" + std::string(2048, 'a') + " HTTP/1.1\r\nHost: x\r\n\r\n",
                414, "uri_too_long"},
        Refused{"NoHost", "GET /page HTTP/1.1\r\n\r\n", 400, "bad_framing"}),
    [](const auto& row) { return row.param.name; });

TEST_F(HttpServerTest, NamesTheMethodsOfAPathWithABodyToo) {
  RawClient client(start().port());

  client.send("PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}");

  EXPECT_EQ(RawClient::header(client.answer(), "Allow"), "POST, OPTIONS");
}

// Closing with unread bytes makes the kernel reset the connection; the answer may be lost by it.
TEST_F(HttpServerTest, ShowsItsRefusalToWhoIsStillSending) {
  RawClient client(start().port());

  client.send(std::string(kPostHead) + "Content-Length: 300000\r\n\r\n" +
              std::string(200'000, 'x'));

  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 413 "));
  EXPECT_TRUE(client.is_closed());
}

TEST_F(HttpServerTest, LooksUpNoFile) {
  RawClient client(start().port());

  for (const char* path : {"/..%2f..%2fetc/passwd", "//etc/passwd", "/../page", "/%70age/"}) {
    client.send(std::string("GET ") + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 404 ")) << path;
  }
}

TEST_F(HttpServerTest, EndsAConnectionOfHttp10UnlessToldOtherwise) {
  const std::uint16_t port = start().port();
  RawClient brief(port);
  RawClient lasting(port);

  brief.send("GET /page HTTP/1.0\r\n\r\n");
  lasting.send("GET /page HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const std::string last = brief.answer();

  EXPECT_THAT(last, StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(RawClient::header(last, "Connection"), "close");
  EXPECT_TRUE(brief.is_closed());
  EXPECT_THAT(lasting.answer(), StartsWith("HTTP/1.1 200 "));
  lasting.send(kGet);
  EXPECT_THAT(lasting.answer(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, EndsAConnectionWhereTheClientAsksForIt) {
  RawClient client(start().port());

  client.send("GET /page HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n" + many(kGet, 1000));

  EXPECT_EQ(RawClient::header(client.answer(), "Connection"), "close");
  EXPECT_TRUE(client.is_closed());
}

// A header of that name once shadowed the socket's address (CVE-2025-66570).
TEST_F(HttpServerTest, BelievesTheSocketAboutTheClient) {
  RawClient client(start().port());

  client.send(
      "GET /client HTTP/1.1\r\nHost: x\r\nREMOTE_ADDR: 6.6.6.6\r\nX-Forwarded-For: ,\r\n\r\n");

  EXPECT_THAT(client.answer(), testing::EndsWith("\r\n\r\n127.0.0.1"));
}

TEST_F(HttpServerTest, CutsOffWhoSendsAHeadTooSlowly) {
  HttpOptions options;
  options.head_timeout = milliseconds(50);
  RawClient client(start(options).port());

  client.send("GET /page HT");

  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 408 "));
  EXPECT_TRUE(client.is_closed());
}

TEST_F(HttpServerTest, CutsOffWhoSendsABodyTooSlowly) {
  HttpOptions options;
  options.body_timeout = milliseconds(50);
  RawClient client(start(options).port());

  client.send(std::string(kPostHead) + "Content-Length: 10\r\n\r\n{");

  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 408 "));
  EXPECT_TRUE(client.is_closed());
}

TEST_F(HttpServerTest, BoundsTheHeadOfARequest) {
  RawClient client(start().port());

  std::string head = "GET /page HTTP/1.1\r\nHost: x\r\n";
  for (int i = 0; i < 20; ++i) head += "X-Filler: " + std::string(1000, 'y') + "\r\n";
  client.send(head);

  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 431 "));
  EXPECT_TRUE(client.is_closed());
}

// The bytes come faster than the timeout of a single read could notice.
TEST_F(HttpServerTest, CutsOffATricklerAtTheSameTime) {
  HttpOptions options;
  options.head_timeout = milliseconds(200);
  RawClient client(start(options).port());

  const auto begin = steady_clock::now();
  for (int i = 0; i < 200 && steady_clock::now() - begin < milliseconds(400); ++i) {
    client.send("G");
    std::this_thread::sleep_for(milliseconds(5));  // the trickle that is tested
  }

  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 408 "));
  EXPECT_LT(steady_clock::now() - begin, milliseconds(2000));
}

TEST_F(HttpServerTest, CutsOffWhoDoesNotTakeTheAnswer) {
  HttpOptions options;
  options.write_timeout = milliseconds(100);
  RawClient client(start(options).port());

  client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");

  EXPECT_TRUE(await("notbad_connections_closed_total{reason=\"timeout\"} 1"));
  EXPECT_TRUE(client.is_reset());
}

TEST_F(HttpServerTest, HoldsWhatAnAnswerHoldsUntilItIsSent) {
  RawClient client(start().port());
  held_ = std::make_shared<int>();
  const std::weak_ptr<const void> watched = held_;

  client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::string head = client.answer(false);
  const bool was_held = !watched.expired();
  client.bytes(kLargeBytes);
  client.send(kGet);  // answered once the exchange before it is over
  client.answer();

  EXPECT_THAT(head, StartsWith("HTTP/1.1 200 "));
  EXPECT_TRUE(was_held);
  EXPECT_TRUE(watched.expired());
}

TEST_F(HttpServerTest, ClosesAnIdleConnection) {
  HttpOptions options;
  options.idle_timeout = milliseconds(50);
  RawClient client(start(options).port());

  client.send(kGet);
  client.answer();

  EXPECT_TRUE(client.is_closed());
}

TEST_F(HttpServerTest, SurvivesAClientThatLeavesInTheMiddle) {
  const std::uint16_t port = start().port();
  {
    RawClient(port).send(std::string(kPostHead) + "Content-Length: 10\r\n\r\n{");
  }
  EXPECT_TRUE(await("notbad_connections_closed_total{reason=\"client_left\"} 1"));

  RawClient client(port);
  client.send(kGet);

  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, TellsAHandlerThatItsClientHasLeft) {
  std::atomic<bool> was_there = false;
  std::atomic<bool> has_left = false;
  router_.add({api::RouteKind::kPage, "/patient", [&](auto& request, auto&) {
                 was_there = !request.has_client_left();
                 gate_->pass();
                 has_left = request.has_client_left();
                 return api::Answer(api::Response{});
               }});
  gate_ = std::make_shared<service::Gate>();
  HttpServer& server = start();
  {
    RawClient client(server.port());
    client.send("GET /patient HTTP/1.1\r\nHost: x\r\n\r\n");
    gate_->await_worker();
  }
  gate_->open();

  EXPECT_TRUE(await("notbad_connections 0"));
  EXPECT_TRUE(was_there);
  EXPECT_TRUE(has_left);
}

TEST_F(HttpServerTest, IsNotBlockedByIdleConnections) {
  const std::uint16_t port = start().port();
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 32; ++i) idle.push_back(std::make_unique<RawClient>(port));

  RawClient client(port);
  client.send(kGet);

  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, TellsWhoComesBeyondTheLimitToComeBack) {
  HttpOptions options;
  options.connections = 2;
  const std::uint16_t port = start(options).port();
  auto first = std::make_unique<RawClient>(port);
  RawClient second(port);
  for (RawClient* client : {first.get(), &second}) {
    client->send(kGet);
    client->answer();
  }

  RawClient third(port);
  third.send(post("{}"));
  const std::string refusal = third.answer();
  EXPECT_THAT(refusal, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(refusal, HasSubstr(R"("code":"overloaded")"));
  EXPECT_EQ(RawClient::header(refusal, "Retry-After"), "1");
  EXPECT_EQ(RawClient::header(refusal, "Connection"), "close");
  EXPECT_TRUE(third.is_closed());
  EXPECT_TRUE(await("notbad_connections_refused_total 1"));

  first.reset();
  EXPECT_TRUE(await("notbad_connections 1"));
  RawClient fourth(port);
  fourth.send(kGet);
  EXPECT_THAT(fourth.answer(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, AnswersThousandIdleConnectionsAndOneThatAsks) {
  // Both ends are of this process, which may begin with a soft limit of 1,024 descriptors.
  if (connections_within_descriptors(2100) < 2100) GTEST_SKIP() << "too few open files allowed";
  const std::uint16_t port = start().port();
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 1000; ++i) idle.push_back(std::make_unique<RawClient>(port));

  RawClient client(port);
  client.send(kGet);
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 "));
  idle.front()->send(kGet);
  EXPECT_THAT(idle.front()->answer(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, StillServesWhileItDrainsButSaysThatItIsTheLastTime) {
  HttpServer& server = start();
  RawClient old(server.port());
  old.send(kGet);
  EXPECT_EQ(RawClient::header(old.answer(), "Connection"), "");

  server.drain();
  RawClient fresh(server.port());
  for (RawClient* client : {&old, &fresh}) {
    client->send(kGet);
    const std::string answer = client->answer();
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 "));
    EXPECT_EQ(RawClient::header(answer, "Connection"), "close");
    EXPECT_TRUE(client->is_closed());
  }
}

TEST_F(HttpServerTest, ServesWhoCameBeforeItStopped) {
  HttpServer& server = start();
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 32; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->send(kGet);
  }

  EXPECT_EQ(server.stop(kPatience), 0);

  for (auto& client : clients) EXPECT_THAT(client->answer(), StartsWith("HTTP/1.1 200 "));
}

// Under load, some had connected but not yet sent their request when the server stopped.
TEST_F(HttpServerTest, ServesTheFirstRequestOfWhoHasJustConnected) {
  HttpServer& server = start();
  RawClient client(server.port());
  EXPECT_TRUE(await("notbad_connections 1"));

  auto stopped = std::async(std::launch::async, [&server] { return server.stop(kPatience); });
  std::this_thread::sleep_for(milliseconds(10));  // until it has stopped waiting: nothing tells
  client.send(kGet);

  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(stopped.get(), 0);
}

TEST_F(HttpServerTest, TellsUnfinishedRequestsWhenItsPatienceEnds) {
  gate_ = std::make_shared<service::Gate>();
  HttpServer& server = start();
  RawClient stuck(server.port());
  stuck.send(kGet);
  gate_->await_worker();
  RawClient half(server.port());
  half.send("GET /page HT");
  RawClient idle(server.port());
  EXPECT_TRUE(await("notbad_connections 3"));
  std::this_thread::sleep_for(milliseconds(50));  // until the half request has been seen

  EXPECT_EQ(server.stop(milliseconds(50)), 2);

  for (RawClient* client : {&stuck, &half}) {
    const std::string answer = client->answer();
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 503 "));
    EXPECT_THAT(answer, HasSubstr(R"("code":"draining")"));
    EXPECT_TRUE(client->is_closed());
  }
  EXPECT_TRUE(idle.is_closed());
  gate_->open();
}

TEST_F(HttpServerTest, FinishesARunningRequestWhenItStops) {
  gate_ = std::make_shared<service::Gate>();
  HttpServer& server = start();
  RawClient client(server.port());
  client.send(kGet);
  gate_->await_worker();

  auto stopped = std::async(std::launch::async, [&server] { server.stop(kPatience); });
  EXPECT_EQ(stopped.wait_for(milliseconds(50)), std::future_status::timeout);
  gate_->open();

  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 "));
  EXPECT_TRUE(client.is_closed());
  stopped.get();
}

TEST_F(HttpServerTest, StopsAtOnceInSpiteOfIdleConnections) {
  HttpServer& server = start();
  RawClient idle(server.port());
  RawClient used(server.port());
  used.send(kGet);
  used.answer();

  const auto begin = steady_clock::now();
  server.stop(kPatience);

  EXPECT_LT(steady_clock::now() - begin, milliseconds(1000));
  EXPECT_TRUE(used.is_closed());
  EXPECT_THROW(RawClient{server.port()}, std::runtime_error);
}

TEST_F(HttpServerTest, NamesThePortThatIsTaken) {
  HttpOptions options;
  options.port = start().port();

  const auto second = HttpServer::start(options, router_, metrics_);

  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr(std::to_string(options.port)));
  EXPECT_THAT(second.error().message, HasSubstr("--port"));
}

}  // namespace
}  // namespace notbad::http
