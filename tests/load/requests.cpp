#include "tests/load/requests.h"

#include <string_view>

namespace notbad::load {
namespace {

constexpr const char* kSentence = "The movie was not bad";
constexpr std::string_view kHost = "Host: localhost\r\n";

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string inputs(const std::string& text, const std::string& options = "") {
  return R"({"inputs": ")" + text + '"' + options + "}";
}

std::string list_of(const std::string& text, int count) {
  std::string body = R"({"inputs": [)";
  for (int i = 0; i < count; ++i) body += (i == 0 ? "\"" : ", \"") + text + '"';
  return body + "]}";
}

// A POST to /v1/classify with these lines in its head instead of type and length.
Request raw(const std::string& head, const std::string& body, int expected) {
  return {"POST /v1/classify HTTP/1.1\r\n" + std::string(kHost) + head + "\r\n" + body, expected};
}

Request refused_body(const std::string& body, int expected) {
  Request request = post("/v1/classify", body);
  request.expected = expected;
  return request;
}

std::vector<Request> malformed_requests() {
  const std::string json = "Content-Type: application/json\r\n";
  return {
      refused_body("{", 400),
      refused_body(R"({"inputs": "a", "input": "a"})", 400),
      refused_body(inputs("\xC0\xAF"), 400),
      refused_body(repeated("[", 100'000), 400),
      refused_body(R"({"inputs": [7]})", 400),
      refused_body(inputs(" "), 422),
      refused_body(list_of(kSentence, 33), 422),
      refused_body(inputs("a", R"(, "attention": {"mode": "full", "layers": [99]})"), 422),
      raw("Content-Type: text/plain\r\nContent-Length: 2\r\n", "{}", 415),
      raw(json + "Content-Encoding: gzip\r\nContent-Length: 2\r\n", "{}", 415),
      raw(json + "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n", 411),
      raw(json, "", 411),
      raw(json + "Content-Length: abc\r\n", "", 400),
      raw(json + "Content-Length: 2\r\nContent-Length: 2\r\n", "{}", 400),
      raw(json + "Content-Length: 300000\r\n", repeated("a", 300'000), 413),
      raw(repeated("X: y\r\n", 65) + "Content-Length: 0\r\n", "", 431),
      {"GET /livez HTTP/1.1\r\n\r\n", 400},
      {"GET /livez HTTP/1.1\r\n" + std::string(kHost) + "no colon\r\n\r\n", 400},
      {"GET /" + repeated("a/", 1200) + " HTTP/1.1\r\n" + std::string(kHost) + "\r\n", 414},
      {"GET /nowhere HTTP/1.1\r\n" + std::string(kHost) + "\r\n", 404},
      {"DELETE / HTTP/1.1\r\n" + std::string(kHost) + "\r\n", 405},
  };
}

}  // namespace

Request post(const std::string& path, const std::string& body) {
  return {"POST " + path + " HTTP/1.1\r\n" + std::string(kHost) +
          "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
          "\r\n\r\n" + body};
}

Request get(const std::string& path) {
  return {"GET " + path + " HTTP/1.1\r\n" + std::string(kHost) + "\r\n"};
}

Request largest_maps() {
  return post("/v1/classify",
              inputs(repeated("not bad ", 57), R"(, "attention": {"mode": "full"})"));
}

RequestMix::RequestMix(Mix mix, double malformed, std::uint32_t seed)
    : bad_(malformed_requests()), malformed_(malformed), generator_(seed) {
  const auto add = [this](double share, Request request) {
    shares_.push_back(share);
    good_.push_back(std::move(request));
  };
  add(40, post("/v1/classify", inputs(kSentence)));
  if (mix == Mix::kShort) return;
  add(20, post("/v1/classify", inputs("I never enjoyed it", R"(, "return_tokens": true)")));
  add(10, post("/v1/classify", inputs(repeated("It was not the worst film. ", 5))));
  add(2, post("/v1/classify", inputs(repeated("nothing but good ", 200))));
  add(5, post("/v1/classify", list_of(kSentence, 4)));
  add(5, post("/v1/classify", inputs(kSentence, R"(, "attention": {"mode": "summary"})")));
  add(5, post("/v1/classify", inputs(kSentence, R"(, "attention": {"mode": "full"})")));
  add(8, post("/predict", list_of("without charm", 2)));
  add(0.3, post("/v1/explain", R"({"input": "The movie was not bad"})"));
  add(2, get("/"));
  add(2, get("/v1/info"));
  add(1, get("/metrics"));
}

const Request& RequestMix::next() {
  if (std::bernoulli_distribution(malformed_)(generator_))
    return bad_[std::uniform_int_distribution<std::size_t>(0, bad_.size() - 1)(generator_)];
  return good_[std::discrete_distribution<std::size_t>(shares_.begin(), shares_.end())(generator_)];
}

}  // namespace notbad::load
