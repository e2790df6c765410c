#include "server/api/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "server/api/batch_metrics.h"
#include "tests/server/support/metric_values.h"
#include "tests/server/support/scripted_service.h"

namespace notbad::api {
namespace {

using nlohmann::json;
using service::ScriptedService;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Everything between the socket and the numbers.
class ApiTest : public testing::Test {
 protected:
  ApiTest() { api_.add_routes(router_); }

  Response post(const std::string& body, std::vector<Header> headers = {}) {
    headers.push_back({"Content-Type", "application/json"});
    return router_.handle({"POST", "/v1/classify", std::move(headers), body});
  }
  Response get(const std::string& path) { return router_.handle({"GET", path, {}, ""}); }

  // Posts what must succeed.
  json answer_to(const json& body) {
    const Response response = post(body.dump());
    EXPECT_EQ(response.status, 200) << response.body;
    EXPECT_EQ(response.content_type, "application/json");
    return json::parse(response.body);
  }

  void expect_problem(const Response& response, int status, const std::string& code,
                      const std::string& pointer = "") {
    EXPECT_EQ(response.status, status) << response.body;
    EXPECT_EQ(response.content_type, "application/problem+json");
    const json problem = json::parse(response.body);
    EXPECT_EQ(problem.at("code"), code);
    EXPECT_EQ(problem.at("status"), status);
    if (!pointer.empty()) {
      EXPECT_EQ(problem.at("errors").at(0).at("pointer"), pointer);
    }
  }

  metrics::Metrics metrics_;
  Router router_{{.max_concurrent = 128}, metrics_};
  Api api_{{{}, {"oneDNN", "1.2.3"}}, metrics_};
};

class ReadyApiTest : public ApiTest {
 protected:
  ReadyApiTest() { api_.publish(scripted_.service); }
  ScriptedService scripted_;
};

TEST_F(ReadyApiTest, AnswersOneText) {
  const json answer = answer_to({{"inputs", "The movie was not bad"}});

  EXPECT_EQ(answer.at("model"),
            json({{"id", "scripted"}, {"version", "1.2.3"}, {"sha256", std::string(64, 'a')}}));
  ASSERT_EQ(answer.at("results").size(), 1U);
  const json& result = answer.at("results").at(0);
  EXPECT_EQ(result.at("index"), 0);
  EXPECT_EQ(result.at("label"), "positive");
  EXPECT_NEAR(result.at("score").get<double>(), 0.880797, 1e-5);
  EXPECT_EQ(result.at("score"), result.at("probabilities").at("positive"));
  EXPECT_EQ(result.at("logits"), json({{"negative", -1.0}, {"positive", 1.0}}));
  EXPECT_EQ(result.at("truncated"), false);
  EXPECT_EQ(result.at("token_count"), result.at("token_count_total"));
  EXPECT_EQ(answer.at("usage"),
            json({{"inputs", 1}, {"tokens", result.at("token_count").get<int>()}}));
  for (const char* stage : {"tokenize", "queue", "compute", "total"})
    EXPECT_GE(answer.at("timings_us").at(stage).get<int>(), 0) << stage;
}

TEST_F(ReadyApiTest, GivesPartsOnlyWhereAskedFor) {
  const json plain = answer_to({{"inputs", "not bad"}});
  const json silent = answer_to({{"inputs", "not bad"}, {"negation", "none"}});

  const json& result = plain.at("results").at(0);
  EXPECT_FALSE(result.contains("tokens"));
  EXPECT_FALSE(result.contains("attention"));
  EXPECT_EQ(result.at("negation"),
            json::parse(R"({"source": "list", "cues": [{"words": [0], "text": "not"}]})"));
  EXPECT_FALSE(silent.at("results").at(0).contains("negation"));
}

TEST_F(ReadyApiTest, ShowsCuesAndScopesThatTheModelFinds) {
  scripted_.script.tags = [](std::int64_t tokens) {
    model::NegationTags tags{Tensor({tokens, model::kNumCueClasses}), Tensor({tokens, tokens})};
    tags.cue.matrix().row(1)[1] = 1.0F;
    tags.scope.matrix().row(2)[1] = 1.0F;
    return tags;
  };

  const json answer = answer_to({{"inputs", "not bad"}});

  EXPECT_EQ(answer.at("results").at(0).at("negation"), json::parse(R"({"source": "model",
            "cues": [{"words": [0], "text": "not", "scope": [1]}]})"));
}

TEST_F(ReadyApiTest, ShowsWhatCuesAndHeadsDoToTheAnswer) {
  const json answer = answer_to({{"inputs", {"It was not bad", "never"}}, {"negation", "effects"}});

  const json& negation = answer.at("results").at(0).at("negation");
  const json& cue = negation.at("cues").at(0);
  EXPECT_EQ(cue.at("without").at("label"), "positive");
  EXPECT_NEAR(cue.at("without").at("score").get<double>(), 0.880797, 1e-5);
  EXPECT_EQ(cue.at("flips"), false);
  ASSERT_EQ(negation.at("heads").size(), 6U);
  for (const char* member : {"layer", "head", "attention", "baseline", "effect"})
    EXPECT_TRUE(negation.at("heads").at(0).at(member).is_number()) << member;
  const json& alone = answer.at("results").at(1).at("negation");
  EXPECT_TRUE(alone.at("cues").at(0).at("without").is_null());
  EXPECT_EQ(alone.at("cues").at(0).at("flips"), false);
  EXPECT_EQ(alone.at("heads"), json::array());
}

TEST_F(ReadyApiTest, RefusesEffectsOfTextsTooLongWithTheNumbers) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "not good ";  // a pass without each "not"
  const json body = {{"inputs", std::vector<std::string>(8, text)}, {"negation", "effects"}};

  const Response response = post(body.dump());

  expect_problem(response, 422, "input_too_long");
  EXPECT_THAT(response.body, HasSubstr("32768"));
}

TEST_F(ReadyApiTest, ShowsTokensWithSpansOfTheTextAsSent) {
  const json answer = answer_to({{"inputs",
                                  "A\xF0\x9F\x98\x80"
                                  "B was great"},
                                 {"return_tokens", true}});

  const json& tokens = answer.at("results").at(0).at("tokens");
  EXPECT_TRUE(tokens.front().at("special").get<bool>());
  EXPECT_TRUE(tokens.front().at("word").is_null());
  EXPECT_TRUE(tokens.front().at("bytes").is_null());
  EXPECT_TRUE(tokens.front().at("utf16").is_null());
  const json& last_word = tokens.at(tokens.size() - 2);
  EXPECT_EQ(last_word.at("text"), "great");
  EXPECT_EQ(last_word.at("special"), false);
  EXPECT_EQ(last_word.at("bytes"), json({11, 16}));
  EXPECT_EQ(last_word.at("utf16"), json({9, 14}));
}

TEST_F(ReadyApiTest, NestsMapsByLayerHeadFromAndTo) {
  const json answer = answer_to({{"inputs", std::string(120, 'a') + " was not bad at all"},
                                 {"attention", {{"mode", "full"}, {"heads", {2, 0}}}}});

  const json& result = answer.at("results").at(0);
  const json& attention = result.at("attention");
  const auto tokens = result.at("token_count").get<std::size_t>();
  const Tensor maps = service::ScriptedRunner::random_maps(2, 2, static_cast<std::int64_t>(tokens));
  EXPECT_EQ(attention.at("layers"), json({0, 1}));
  EXPECT_EQ(attention.at("heads"), json({2, 0}));
  std::size_t next = 0;
  ASSERT_EQ(attention.at("weights").size(), 2U);
  for (const json& layer : attention.at("weights")) {
    ASSERT_EQ(layer.size(), 2U);
    for (const json& head : layer) {
      ASSERT_EQ(head.size(), tokens);
      for (const json& row : head) {
        ASSERT_EQ(row.size(), tokens);
        double sum = 0.0;
        for (const json& weight : row) {
          sum += weight.get<double>();
          EXPECT_NEAR(weight.get<float>(), maps.values()[next], 1e-5F) << next;
          ++next;
        }
        EXPECT_NEAR(sum, 1.0, 1e-3);
      }
    }
  }
}

TEST_F(ReadyApiTest, SummarisesTheLastLayer) {
  const json answer = answer_to({{"inputs", "not bad"}, {"attention", {{"mode", "summary"}}}});

  const json& attention = answer.at("results").at(0).at("attention");
  EXPECT_EQ(attention.at("mode"), "summary");
  EXPECT_EQ(attention.at("layer"), 1);
  EXPECT_EQ(attention.at("heads"), json({0, 1, 2}));
  ASSERT_EQ(attention.at("received").size(), 3U);
  EXPECT_EQ(attention.at("received").at(0).size(), 4U);
}

TEST_F(ReadyApiTest, AnswersAListInOrder) {
  json inputs = json::array();
  for (int i = 0; i < 32; ++i) inputs.push_back(std::string(static_cast<std::size_t>(i + 1), 'a'));

  const json answer = answer_to({{"inputs", inputs}, {"return_tokens", true}});

  ASSERT_EQ(answer.at("results").size(), 32U);
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(answer.at("results").at(i).at("index"), i);
    EXPECT_EQ(answer.at("results").at(i).at("tokens").at(1).at("text").get<std::string>().front(),
              'a');
  }
  EXPECT_EQ(answer.at("usage").at("inputs"), 32);
}

TEST_F(ReadyApiTest, SaysThatATextWasCut) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "good ";

  const json result = answer_to({{"inputs", text}}).at("results").at(0);

  EXPECT_EQ(result.at("truncated"), true);
  EXPECT_EQ(result.at("token_count"), 128);
  EXPECT_EQ(result.at("token_count_total"), 202);
  expect_problem(post(json({{"inputs", text}, {"truncate", "error"}}).dump()), 422,
                 "input_too_long", "/inputs");
}

TEST_F(ReadyApiTest, PassesInterventionsOn) {
  answer_to({{"inputs", "not bad"},
             {"interventions", json::parse(R"([{"kind": "head_off", "layer": 1, "head": 2}])")}});

  const auto& seen = scripted_.script.options.back().interventions;
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(std::get<model::HeadOff>(seen.front()).layer, 1);
}

TEST_F(ReadyApiTest, PointsAtEveryBadInput) {
  const Response response = post(R"({"inputs": ["good", "", "  "]})");

  expect_problem(response, 422, "empty_input", "/inputs/1");
  const json errors = json::parse(response.body).at("errors");
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors.at(1).at("pointer"), "/inputs/2");
  expect_problem(post(R"({"inputs": ""})"), 422, "empty_input", "/inputs");
}

TEST_F(ReadyApiTest, ListsSixteenBadInputsAtMost) {
  const Response response = post(json({{"inputs", std::vector<std::string>(32, "")}}).dump());

  const json problem = json::parse(response.body);
  EXPECT_EQ(problem.at("errors").size(), 16U);
  EXPECT_THAT(problem.at("detail").get<std::string>(), HasSubstr("32 problems"));
}

TEST_F(ReadyApiTest, AnswersEachKindOfBadRequest) {
  expect_problem(post(""), 400, "invalid_json");
  expect_problem(post("{\"inputs\": \"\xFF\"}"), 400, "invalid_utf8");
  expect_problem(post(std::string(65, '[')), 400, "json_too_deep");
  expect_problem(post(R"({"inputs": "a", "inputs": "b"})"), 400, "duplicate_member", "/inputs");
  expect_problem(post(R"({"inputs": "a", "input": "b"})"), 400, "unknown_member");
  expect_problem(post("[]"), 400, "bad_request");
  expect_problem(post(json({{"inputs", std::vector<std::string>(33, "a")}}).dump()), 422,
                 "batch_too_large", "/inputs");
  expect_problem(post(json({{"inputs", std::string(8193, 'a')}}).dump()), 422, "input_too_long",
                 "/inputs");
  expect_problem(post(R"({"inputs": "a", "attention": {"layers": [2]}})"), 422, "invalid_option",
                 "/attention/layers/0");
  expect_problem(post(R"({"inputs": "a", "interventions":
               [{"kind": "cut", "layer": 0, "head": 0, "from": 1, "to": 50}]})"),
                 422, "invalid_option", "/interventions/0/to");
}

TEST_F(ReadyApiTest, RefusesMapsBeyondTheBoundWithTheNumbers) {
  std::string text;
  for (int i = 0; i < 126; ++i) text += "good ";
  const json body = {{"inputs", std::vector<std::string>(11, text)},
                     {"attention", {{"mode", "full"}}}};

  const Response response = post(body.dump());

  expect_problem(response, 422, "attention_too_large");
  EXPECT_THAT(response.body, HasSubstr("1081344"));
  EXPECT_THAT(response.body, HasSubstr("1048576"));
}

TEST_F(ReadyApiTest, NeverRepeatsWhatTheClientSent) {
  for (const char* body :
       {"zebra", "{\"zebra\": 1, \"inputs\": \"zebra\"}", "{\"inputs\": [\"zebra\", \"\"]}",
        "{\"inputs\": \"zebra\", \"truncate\": \"zebra\"}",
        "{\"inputs\": \"zebra\", \"attention\": {\"zebra\": 1, \"mode\": \"zebra\"}}",
        "{\"inputs\": \"zebra\", \"interventions\": [{\"kind\": \"zebra\"}]}"}) {
    const Response response = post(body);
    EXPECT_GE(response.status, 400) << body;
    EXPECT_THAT(response.body, Not(HasSubstr("zebra"))) << body;
  }
}

TEST_F(ReadyApiTest, HonoursTheTimeOfTheClient) {
  expect_problem(post(R"({"inputs": "a"})", {{"X-Timeout-Ms", "0"}}), 422, "invalid_option");
  expect_problem(post(R"({"inputs": "a"})", {{"X-Timeout-Ms", "-5"}}), 422, "invalid_option");
  expect_problem(post(R"({"inputs": "a"})", {{"X-Timeout-Ms", "abc"}}), 422, "invalid_option");
  expect_problem(post(R"({"inputs": "a"})", {{"X-Timeout-Ms", "5001"}}), 422, "invalid_option");
  EXPECT_EQ(post(R"({"inputs": "a"})", {{"X-Timeout-Ms", "5000"}}).status, 200);

  const auto gate = std::make_shared<service::Gate>();
  scripted_.script.before_run = [gate](auto) { gate->pass(); };
  const Response late = post(R"({"inputs": "a"})", {{"X-Timeout-Ms", "20"}});
  gate->open();

  expect_problem(late, 504, "deadline_exceeded");
}

TEST_F(ReadyApiTest, AnswersFaultsOfTheModel) {
  scripted_.script.logits = {0.0F, std::numeric_limits<float>::infinity()};
  expect_problem(post(R"({"inputs": "a"})"), 500, "non_finite");

  scripted_.script.before_run = [](auto) { throw std::runtime_error("zebra"); };
  const Response response = post(R"({"inputs": "a"})");
  expect_problem(response, 500, "internal");
  EXPECT_THAT(response.body, Not(HasSubstr("zebra")));
}

TEST_F(ApiTest, SaysWhenTheQueueIsFull) {
  ScriptedService scripted(service::scripted_bundle(),
                           {.workers = 1, .batch_tokens = 128, .queue_tokens = 4});
  api_.publish(scripted.service);
  const auto gate = std::make_shared<service::Gate>();
  scripted.script.before_run = [gate](auto) { gate->pass(); };
  auto held = scripted.batcher.submit({{{1}}, {}});
  gate->await_worker();
  auto waiting = scripted.batcher.submit({{{1, 2}}, {}});

  const Response response = post(R"({"inputs": "good"})");
  gate->open();

  expect_problem(response, 503, "overloaded");
  EXPECT_THAT(response.headers, testing::Contains(testing::Field(&Header::name, "Retry-After")));
}

TEST_F(ApiTest, RefusesNegationForOtherLabelsThanTwo) {
  ScriptedService scripted(service::scripted_bundle({"bad", "fine", "good"}));
  scripted.script.logits = {0.0F, 2.0F, 1.0F};
  api_.publish(scripted.service);

  expect_problem(post(R"({"inputs": "a", "negation": "cues"})"), 422, "unsupported_by_model",
                 "/negation");
  const json answer = answer_to({{"inputs", "not bad"}});
  EXPECT_EQ(answer.at("results").at(0).at("label"), "fine");
  EXPECT_FALSE(answer.at("results").at(0).contains("negation"));
}

TEST_F(ApiTest, IsAliveBeforeItIsReady) {
  EXPECT_EQ(get("/livez").status, 200);
  for (const char* path : {"/readyz", "/health", "/v1/info"})
    expect_problem(get(path), 503, "not_ready");
  expect_problem(post(R"({"inputs": "a"})"), 503, "not_ready");
}

TEST_F(ReadyApiTest, IsReadyUntilItDrains) {
  EXPECT_EQ(get("/readyz").status, 200);

  api_.drain();

  expect_problem(get("/readyz"), 503, "draining");
  EXPECT_EQ(get("/livez").status, 200);
  EXPECT_EQ(post(R"({"inputs": "a"})").status, 200);
}

TEST_F(ReadyApiTest, ExplainsOneSentence) {
  const auto explain = [this](const json& body) {
    return router_.handle(
        {"POST", "/v1/explain", {{"Content-Type", "application/json"}}, body.dump()});
  };

  const Response response = explain({{"input", "The movie was not bad"}});

  ASSERT_EQ(response.status, 200) << response.body;
  const json answer = json::parse(response.body);
  EXPECT_EQ(answer.at("result").at("label"), "positive");
  EXPECT_EQ(answer.at("result").at("tokens").size(), 7U);
  EXPECT_EQ(answer.at("negation").at("cues").at(0).at("target").at("text"), "bad");
  EXPECT_EQ(answer.at("negation").at("cues").at(0).at("interaction"), 0.0);
  EXPECT_EQ(answer.at("words").size(), 5U);
  EXPECT_EQ(answer.at("heads").size(), 6U);
  ASSERT_TRUE(response.figures);
  EXPECT_EQ(response.figures->tokens, answer.at("usage").at("tokens"));
  expect_problem(explain({{"input", " "}}), 422, "empty_input", "/input");
  expect_problem(explain({{"input", std::string(300, '!')}}), 422, "input_too_long", "/input");
  expect_problem(explain({{"inputs", "good"}}), 400, "unknown_member");
  const json cut = {{"kind", "cut"}, {"layer", 0}, {"head", 0}, {"from", 9}, {"to", 0}};
  expect_problem(explain({{"input", "good"}, {"interventions", {cut}}}), 422, "invalid_option",
                 "/interventions/0/from");
  EXPECT_EQ(metrics::MetricValues(get("/metrics").body)
                .at(R"(notbad_predictions_total{label="positive"})"),
            1.0);
}

// 21 passes, three to a batch, of which each lasts longer than a client has to be there.
TEST_F(ApiTest, StopsAnExplanationWhoseClientHasLeft) {
  ScriptedService scripted(service::scripted_bundle(), {.batch_tokens = 24});
  api_.publish(scripted.service);
  scripted.script.before_run = [](auto) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the length of a batch
  };
  Request request{"POST",
                  "/v1/explain",
                  {{"Content-Type", "application/json"}},
                  R"({"input": "The movie was not bad"})"};
  request.has_client_left = [] { return true; };

  const Response response = router_.handle(request);

  EXPECT_EQ(response.status, 504);
  EXPECT_LT(scripted.script.seen().size(), 5U);
}

TEST_F(ReadyApiTest, AnswersPredictAsItsClientsExpect) {
  const auto predict = [this](const std::string& body) {
    return router_.handle({"POST", "/predict", {{"Content-Type", "application/json"}}, body});
  };

  const Response one = predict(R"({"inputs": "good", "unknown": 1})");
  const Response two = predict(R"({"inputs": ["good", "bad"], "parameters": {"top_k": 1}})");

  EXPECT_EQ(one.status, 200);
  const json labels = json::parse(one.body);
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(labels.at(0).at("label"), "positive");
  EXPECT_NEAR(labels.at(0).at("score").get<double>(), 0.880797, 1e-5);
  EXPECT_EQ(labels.at(1).at("label"), "negative");
  ASSERT_EQ(json::parse(two.body).size(), 2U);
  EXPECT_EQ(json::parse(two.body).at(1).size(), 1U);
  expect_problem(predict(R"({"inputs": ["good", ""]})"), 422, "empty_input", "/inputs/1");
  expect_problem(predict(R"({"inputs": ""})"), 422, "empty_input", "/inputs");
  expect_problem(predict("{"), 400, "invalid_json");
}

TEST_F(ReadyApiTest, AnswersOnlyInJsonWhereItAnswersInJson) {
  expect_problem(post(R"({"inputs": "a"})", {{"Accept", "text/html"}}), 406, "not_acceptable");
  EXPECT_EQ(post(R"({"inputs": "a"})", {{"Accept", "*/*"}}).status, 200);
  expect_problem(router_.handle({"GET", "/v1/info", {{"Accept", "text/html"}}, ""}), 406,
                 "not_acceptable");
  EXPECT_EQ(router_.handle({"GET", "/livez", {{"Accept", "text/html"}}, ""}).status, 200);
}

TEST_F(ReadyApiTest, CountsTextsByTheirLabelAndWhereTheirTimeWent) {
  post(R"({"inputs": ["good", "better"]})");
  scripted_.script.logits = {1.0F, -1.0F};
  router_.handle(
      {"POST", "/predict", {{"Content-Type", "application/json"}}, R"({"inputs": "a"})"});
  post(R"({"inputs": ""})");

  const Response response = get("/metrics");

  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "text/plain; version=0.0.4; charset=utf-8");
  const metrics::MetricValues values(response.body);
  EXPECT_EQ(values.at(R"(notbad_predictions_total{label="positive"})"), 2.0);
  EXPECT_EQ(values.at(R"(notbad_predictions_total{label="negative"})"), 1.0);
  for (const char* stage : {"tokenize", "queue", "compute", "serialize"})
    EXPECT_EQ(
        values.at("notbad_stage_duration_seconds_count{stage=\"" + std::string(stage) + "\"}"),
        2.0);
  EXPECT_EQ(values.at(R"(notbad_rejections_total{reason="empty_input"})"), 1.0);
  EXPECT_EQ(values.sum("notbad_model_info", "id=\"scripted\""), 1.0);
  EXPECT_EQ(values.sum("notbad_build_info"), 1.0);
}

TEST_F(ApiTest, ShowsHowManyTokensWait) {
  ScriptedService scripted(service::scripted_bundle(), {.workers = 1});
  api_.publish(scripted.service);
  const auto gate = std::make_shared<service::Gate>();
  scripted.script.before_run = [gate](auto) { gate->pass(); };
  const auto queue = [this] {
    return metrics::MetricValues(get("/metrics").body).at("notbad_queue_tokens");
  };
  const double before = queue();
  auto held = scripted.batcher.submit({{{1}}, {}});
  gate->await_worker();
  auto waiting = scripted.batcher.submit({{{1, 2}, {3}}, {}});

  const double during = queue();
  gate->open();
  const bool is_answered = held->wait() && waiting->wait();

  EXPECT_EQ(before, 0.0);
  EXPECT_EQ(during, 3.0);
  EXPECT_TRUE(is_answered);
  EXPECT_EQ(queue(), 0.0);
}

TEST_F(ApiTest, CountsBatchesAndWhatIsDropped) {
  ScriptedService scripted(service::scripted_bundle(),
                           {.workers = 1, .events = count_batches(metrics_)});
  api_.publish(scripted.service);
  const auto gate = std::make_shared<service::Gate>();
  scripted.script.before_run = [gate](auto) { gate->pass(); };
  auto held = scripted.batcher.submit({{{1, 2, 3}}, {}});
  gate->await_worker();
  {
    const auto abandoned = scripted.batcher.submit({{{1}}, {}});
  }
  const Response late = post(R"({"inputs": "good"})", {{"X-Timeout-Ms", "1"}});
  gate->open();
  ASSERT_TRUE(held->wait());
  post(R"({"inputs": "good"})");

  const metrics::MetricValues values(get("/metrics").body);

  expect_problem(late, 504, "deadline_exceeded");
  EXPECT_EQ(values.at("notbad_batch_tokens_count"), 2.0);
  EXPECT_EQ(values.at("notbad_batch_tokens_sum"), 6.0);
  EXPECT_EQ(values.at(R"(notbad_dropped_sequences_total{reason="abandoned"})"), 1.0);
  EXPECT_EQ(values.at(R"(notbad_dropped_sequences_total{reason="deadline"})"), 1.0);
}

TEST_F(ApiTest, IsNotReadyAndThenNotAliveWhileAWorkerIsStuck) {
  ScriptedService scripted(service::scripted_bundle(), {.workers = 1});
  Router router({}, metrics_);
  Api api(
      {.unready_after = std::chrono::milliseconds(30), .dead_after = std::chrono::milliseconds(90)},
      metrics_);
  api.add_routes(router);
  api.publish(scripted.service);
  const auto status_of = [&router](const char* path) {
    return router.handle({"GET", path, {}, ""}).status;
  };
  const auto gate = std::make_shared<service::Gate>();
  scripted.script.before_run = [gate](auto) { gate->pass(); };
  const auto start = Clock::now();
  auto stuck = scripted.batcher.submit({{{1}}, {}});
  gate->await_worker();

  const Response late =
      router.handle({"POST",
                     "/v1/classify",
                     {{"Content-Type", "application/json"}, {"X-Timeout-Ms", "40"}},
                     R"({"inputs": "good"})"});
  const int ready = status_of("/readyz");
  std::this_thread::sleep_until(start + std::chrono::milliseconds(150));
  const int alive = status_of("/livez");
  gate->open();

  expect_problem(late, 504, "deadline_exceeded");
  EXPECT_EQ(ready, 503);
  EXPECT_EQ(alive, 503);
  EXPECT_TRUE(stuck->wait());
  // The worker has to come for more before it counts as free.
  for (int i = 0; i < 1000 && status_of("/livez") != 200; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // nothing tells when it does
  EXPECT_EQ(status_of("/livez"), 200);
  EXPECT_EQ(status_of("/readyz"), 200);
}

TEST_F(ReadyApiTest, TellsModelLimitsEngineAndBuild) {
  const Response response = get("/v1/info");

  ASSERT_EQ(response.status, 200);
  const json info = json::parse(response.body);
  EXPECT_EQ(info.at("model").at("id"), "scripted");
  EXPECT_EQ(info.at("config").at("num_layers"), 2);
  EXPECT_EQ(info.at("config").at("num_heads"), 3);
  EXPECT_EQ(info.at("labels"), json({"negative", "positive"}));
  EXPECT_EQ(info.at("limits").at("tokens"), 128);
  EXPECT_EQ(info.at("limits").at("inputs"), 32);
  EXPECT_EQ(info.at("limits").at("attention_values"), 1'048'576);
  EXPECT_EQ(info.at("limits").at("body_bytes"), 262'144);
  EXPECT_EQ(info.at("dtype"), "f32");
  EXPECT_EQ(info.at("engine"),
            json({{"name", "oneDNN"}, {"version", "1.2.3"}, {"kernels", {"scripted"}}}));
  EXPECT_FALSE(info.at("build").at("compiler").get<std::string>().empty());
}

TEST_F(ReadyApiTest, TellsWhetherTheModelHasNegationHeadAndTagger) {
  const json without = json::parse(get("/v1/info").body);
  service::ModelBundle bundle = service::scripted_bundle();
  bundle.config.negation_head = {.layer = 1, .head = 2};
  bundle.config.tagger = {.layer = 1, .rank = 8};
  const ScriptedService tagged(std::move(bundle));
  api_.publish(tagged.service);
  const json with = json::parse(get("/v1/info").body);

  EXPECT_TRUE(without.at("negation_head").is_null());
  EXPECT_EQ(without.at("tagger"), false);
  EXPECT_EQ(with.at("negation_head"), json({{"layer", 1}, {"head", 2}}));
  EXPECT_EQ(with.at("tagger"), true);
}

}  // namespace
}  // namespace notbad::api
