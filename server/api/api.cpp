#include "server/api/api.h"

#include <charconv>
#include <stdexcept>
#include <string>
#include <utility>

#include "server/api/classify_encoder.h"
#include "server/api/explain_decoder.h"
#include "server/api/explain_encoder.h"
#include "server/api/json_object.h"
#include "server/api/predict_decoder.h"
#include "server/api/predict_encoder.h"

namespace notbad::api {
namespace {

// `input` points to the text or the texts of the request.
std::string pointer_of(const service::PartError& part, const std::string& input, bool is_list) {
  const std::string index = std::to_string(part.index);
  switch (part.part) {
    case service::RequestPart::kInput:
      return is_list ? input + "/" + index : input;
    case service::RequestPart::kCutFrom:
      return "/interventions/" + index + "/from";
    case service::RequestPart::kCutTo:
      return "/interventions/" + index + "/to";
  }
  throw std::logic_error("pointer_of: no such part of a request");
}

Problem to_problem(const service::ClassifyFailure& failure, const std::string& input,
                   bool is_list) {
  Complaints complaints;
  for (const service::PartError& part : failure.parts)
    complaints.add(problem_of(part.error.code), pointer_of(part, input, is_list),
                   part.error.message);
  return complaints.is_empty() ? api::to_problem(failure.error) : complaints.to_problem();
}

constexpr const char* kJson = "application/json";

ClassifyBounds bounds_of(const service::SentimentService& service) {
  const model::ModelConfig& config = service.bundle().config;
  const service::ServiceLimits& limits = service.limits();
  constexpr std::size_t kLabelsOfNegation = 2;
  return {config.num_layers, config.num_heads, limits.tokens, limits.inputs,
          service.bundle().labels.size() == kLabelsOfNegation};
}

// Only once the body is there is its time known.
Response response_of(std::string body, std::int64_t tokens, const service::Timings& timings,
                     Clock::time_point encode_start) {
  Response response;
  response.body = std::move(body);
  response.figures = {tokens, timings.tokenize, timings.queue, timings.compute,
                      Clock::now() - encode_start};
  return response;
}

Response ok() {
  Response response;
  response.body = R"({"status":"ok"})";
  return response;
}

}  // namespace

Api::Api(ApiOptions options, metrics::Metrics& metrics)
    : options_(std::move(options)), metrics_(metrics) {
  metrics_.set_build(NOTBAD_VERSION, NOTBAD_COMPILER);
}

void Api::add_routes(Router& router) {
  const auto add_json = [&](const char* path, auto method) {
    router.add({RouteKind::kJson, path,
                [this, method](const Request& request, const Exchange& exchange) {
                  return (this->*method)(request, exchange);
                },
                kJson});
  };
  router.add({RouteKind::kProbe, "/livez", [this](auto&, auto&) { return livez(); }});
  for (const char* path : {"/readyz", "/health"})
    router.add({RouteKind::kProbe, path, [this](auto&, auto&) { return readyz(); }});
  router.add({RouteKind::kPage, "/v1/info", [this](auto&, auto&) { return info(); }, kJson});
  router.add(
      {RouteKind::kPage, "/metrics", [this](auto&, auto&) { return scrape(); }, "text/plain"});
  add_json("/v1/classify", &Api::classify);
  add_json("/v1/explain", &Api::explain);
  add_json("/predict", &Api::predict);
}

void Api::publish(const service::SentimentService& service) {
  const model::ModelConfig& config = service.bundle().config;
  metrics_.set_model(config.model_id, config.model_version, service.bundle().sha256);
  service_ = &service;
}

void Api::drain() { is_draining_ = true; }

Answer Api::livez() const {
  if (is_stuck_for(options_.dead_after))
    return tl::unexpected(
        Problem{ProblemCode::kNotReady, "a worker does not come back: start this server anew"});
  return ok();
}

Answer Api::readyz() const {
  if (is_draining_)
    return tl::unexpected(
        Problem{ProblemCode::kDraining, "this server finishes its work and ends"});
  if (is_stuck_for(options_.unready_after))
    return tl::unexpected(
        Problem{ProblemCode::kNotReady, "a worker is stuck in its batch: ask another server"});
  return ready_service().map([](const auto*) { return ok(); });
}

bool Api::is_stuck_for(std::chrono::milliseconds time) const {
  const service::SentimentService* service = service_;
  return service != nullptr && service->longest_batch() >= time;
}

Answer Api::info() const {
  return ready_service().map([this](const service::SentimentService* service) {
    Response response;
    response.body = encode_info(*service, options_.limits, options_.engine);
    return response;
  });
}

Answer Api::scrape() const {
  if (const service::SentimentService* service = service_)
    metrics_.set_queue(service->queued_tokens());
  Response response;
  response.content_type = metrics::kTextType;
  response.body = metrics_.text();
  return response;
}

Answer Api::classify(const Request& request, const Exchange& exchange) const {
  const auto service = ready_service();
  if (!service) return tl::unexpected(service.error());
  const service::SentimentService& sentiment = **service;
  const auto deadline = deadline_of(request, exchange);
  if (!deadline) return tl::unexpected(deadline.error());
  auto call = decode_classify(request.body, bounds_of(sentiment));
  if (!call) return tl::unexpected(std::move(call.error()));
  call->request.options.deadline = *deadline;
  call->request.options.has_caller_left = request.has_client_left;
  const auto outcome = sentiment.classify(call->request);
  if (!outcome) return tl::unexpected(to_problem(outcome.error(), "/inputs", call->is_list));

  const auto start = Clock::now();
  return respond(
      *outcome,
      encode_classify(*call, *outcome, sentiment.bundle(), {exchange.id, start - exchange.start}),
      start);
}

Answer Api::explain(const Request& request, const Exchange& exchange) const {
  const auto service = ready_service();
  if (!service) return tl::unexpected(service.error());
  const service::SentimentService& sentiment = **service;
  const auto deadline = deadline_of(request, exchange);
  if (!deadline) return tl::unexpected(deadline.error());
  auto call = decode_explain(request.body, bounds_of(sentiment));
  if (!call) return tl::unexpected(std::move(call.error()));
  call->deadline = *deadline;
  call->has_caller_left = request.has_client_left;
  const auto outcome = service::explain(sentiment, *call);
  if (!outcome) return tl::unexpected(to_problem(outcome.error(), "/input", false));

  const auto start = Clock::now();
  const service::ModelBundle& model = sentiment.bundle();
  metrics_.count_prediction(model.labels[static_cast<std::size_t>(outcome->result.label)]);
  return response_of(encode_explain(*call, *outcome, model, {exchange.id, start - exchange.start}),
                     outcome->tokens, outcome->timings, start);
}

Answer Api::predict(const Request& request, const Exchange& exchange) const {
  const auto service = ready_service();
  if (!service) return tl::unexpected(service.error());
  const service::SentimentService& sentiment = **service;
  const auto deadline = deadline_of(request, exchange);
  if (!deadline) return tl::unexpected(deadline.error());
  auto call = decode_predict(request.body, sentiment.limits().inputs);
  if (!call) return tl::unexpected(std::move(call.error()));
  call->request.options.deadline = *deadline;
  call->request.options.has_caller_left = request.has_client_left;
  const auto outcome = sentiment.classify(call->request);
  if (!outcome) return tl::unexpected(to_problem(outcome.error(), "/inputs", call->is_list));

  const auto start = Clock::now();
  return respond(*outcome, encode_predict(*call, *outcome, sentiment.bundle().labels), start);
}

Response Api::respond(const service::ClassifyAnswer& answer, std::string body,
                      Clock::time_point encode_start) const {
  const std::vector<std::string>& labels = service_.load()->bundle().labels;
  for (const service::Sentiment& sentiment : answer.results)
    metrics_.count_prediction(labels[static_cast<std::size_t>(sentiment.label)]);
  Response response = response_of(std::move(body), answer.tokens, answer.timings, encode_start);
  response.holds = answer.map_place;
  return response;
}

tl::expected<Clock::time_point, Problem> Api::deadline_of(const Request& request,
                                                          const Exchange& exchange) const {
  std::int64_t timeout_ms = options_.limits.timeout_ms;
  if (const std::string* header = request.find_header("X-Timeout-Ms")) {
    const char* end = header->data() + header->size();
    const auto [stop, error] = std::from_chars(header->data(), end, timeout_ms);
    if (error != std::errc() || stop != end || timeout_ms < 1 ||
        timeout_ms > options_.limits.timeout_ms)
      return tl::unexpected(
          Problem{ProblemCode::kInvalidOption, "X-Timeout-Ms: expected a whole number from 1 to " +
                                                   std::to_string(options_.limits.timeout_ms)});
  }
  return exchange.start + std::chrono::milliseconds(timeout_ms);
}

tl::expected<const service::SentimentService*, Problem> Api::ready_service() const {
  if (const service::SentimentService* service = service_) return service;
  return tl::unexpected(
      Problem{ProblemCode::kNotReady, "the model is still loading: try again shortly"});
}

}  // namespace notbad::api
