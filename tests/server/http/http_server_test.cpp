#include "server/http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <ostream>
#include <thread>
#include <vector>

#include "tests/server/support/raw_client.h"
#include "tests/server/support/scripted_runner.h"

namespace notbad::http {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::StartsWith;

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
    gate_->open();
  }

  HttpServer& start(HttpOptions options = {}) {
    options.port = 0;
    auto started = HttpServer::start(options, router_);
    if (!started) throw std::runtime_error(started.error().message);
    server_ = std::move(*started);
    return *server_;
  }

  static std::string post(const std::string& body, const std::string& headers = "") {
    return "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

  static constexpr const char* kGet = "GET /page HTTP/1.1\r\nHost: x\r\n\r\n";

  std::shared_ptr<service::Gate> gate_ = std::make_shared<service::Gate>();
  api::Router router_{8};
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

  const auto begin = std::chrono::steady_clock::now();
  client.send(GetParam().request + kGet);
  const std::string answer = client.answer();

  EXPECT_THAT(answer, StartsWith("HTTP/1.1 " + std::to_string(GetParam().status) + " "));
  EXPECT_EQ(RawClient::header(answer, "Content-Type"), "application/problem+json");
  EXPECT_EQ(RawClient::header(answer, "Connection"), "close");
  EXPECT_NE(RawClient::header(answer, "X-Request-Id"), "");
  EXPECT_THAT(answer, HasSubstr(std::string(R"("code":")") + GetParam().code + "\""));
  EXPECT_TRUE(client.is_closed());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(2000));
}

constexpr const char* kPostHead =
    "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

INSTANTIATE_TEST_SUITE_P(
    HttpServerTest, RefusedRequestTest,
    testing::Values(
        Refused{"NoLength", std::string(kPostHead) + "\r\n", 411, "length_required"},
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

  EXPECT_EQ(RawClient::header(client.answer(), "Allow"), "POST");
}

// Closing with unread bytes makes the kernel reset the connection; the answer may be lost by it.
TEST_F(HttpServerTest, ShowsItsRefusalToWhoIsStillSending) {
  RawClient client(start().port());

  client.send(std::string(kPostHead) + "Content-Length: 300000\r\n\r\n" +
              std::string(200'000, 'x'));

  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 413 "));
  EXPECT_TRUE(client.is_closed());
}

// What follows must not be answered: the first line of another protocol once got four answers.
TEST_F(HttpServerTest, EndsAConnectionThatDoesNotSpeakHttp11) {
  const std::uint16_t port = start().port();
  for (const char* bytes : {"NONSENSE\r\n\r\n", "GET /page\r\n\r\n", "GET /page HTTP/2.0\r\n\r\n",
                            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\r\n\r\n"}) {
    RawClient client(port);

    client.send(std::string(bytes) + kGet);
    const std::string answer = client.answer();

    EXPECT_THAT(answer, StartsWith("HTTP/1.1 400 ")) << bytes;
    EXPECT_EQ(RawClient::header(answer, "Connection"), "close") << bytes;
    EXPECT_THAT(answer, HasSubstr(R"("code":"bad_framing")")) << bytes;
    EXPECT_TRUE(client.is_closed()) << bytes;
  }
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

  RawClient client(port);
  client.send(kGet);

  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, IsNotBlockedByIdleConnections) {
  const std::uint16_t port = start().port();
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 32; ++i) idle.push_back(std::make_unique<RawClient>(port));

  RawClient client(port);
  client.send(kGet);

  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, FinishesARunningRequestWhenItStops) {
  gate_ = std::make_shared<service::Gate>();
  HttpServer& server = start();
  RawClient client(server.port());
  client.send(kGet);
  gate_->await_worker();

  auto stopped = std::async(std::launch::async, [&server] { server.stop(); });
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

  const auto begin = std::chrono::steady_clock::now();
  server.stop();

  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(1000));
  EXPECT_TRUE(used.is_closed());
  EXPECT_THROW(RawClient{server.port()}, std::runtime_error);
}

TEST_F(HttpServerTest, NamesThePortThatIsTaken) {
  HttpOptions options;
  options.port = start().port();

  const auto second = HttpServer::start(options, router_);

  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr(std::to_string(options.port)));
  EXPECT_THAT(second.error().message, HasSubstr("--port"));
}

}  // namespace
}  // namespace notbad::http
