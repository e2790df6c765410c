#include "server/api/api.h"

#include <charconv>
#include <stdexcept>
#include <string>
#include <utility>

#include "server/api/classify_encoder.h"
#include "server/api/json_object.h"

namespace notbad::api {
namespace {

std::string pointer_of(const service::PartError& part, bool is_list) {
  const std::string index = std::to_string(part.index);
  switch (part.part) {
    case service::RequestPart::kInput:
      return is_list ? "/inputs/" + index : "/inputs";
    case service::RequestPart::kCutFrom:
      return "/interventions/" + index + "/from";
    case service::RequestPart::kCutTo:
      return "/interventions/" + index + "/to";
  }
  throw std::logic_error("pointer_of: no such part of a request");
}

Problem explain(const service::ClassifyFailure& failure, const ClassifyCall& call) {
  Complaints complaints;
  for (const service::PartError& part : failure.parts)
    complaints.add(problem_of(part.error.code), pointer_of(part, call.is_list), part.error.message);
  return complaints.is_empty() ? to_problem(failure.error) : complaints.to_problem();
}

ClassifyBounds bounds_of(const service::SentimentService& service) {
  const model::ModelConfig& config = service.bundle().config;
  const service::ServiceLimits& limits = service.limits();
  constexpr std::size_t kLabelsOfNegation = 2;
  return {config.num_layers, config.num_heads, limits.tokens, limits.inputs,
          service.bundle().labels.size() == kLabelsOfNegation};
}

Response ok() {
  Response response;
  response.body = R"({"status":"ok"})";
  return response;
}

}  // namespace

Api::Api(ApiOptions options) : options_(std::move(options)) {}

void Api::add_routes(Router& router) {
  router.add({RouteKind::kProbe, "/livez", [this](auto&, auto&) { return livez(); }});
  for (const char* path : {"/readyz", "/health"})
    router.add({RouteKind::kProbe, path, [this](auto&, auto&) { return readyz(); }});
  router.add({RouteKind::kPage, "/v1/info", [this](auto&, auto&) { return info(); }});
  router.add(
      {RouteKind::kJson, "/v1/classify", [this](const Request& request, const Exchange& exchange) {
         return classify(request, exchange);
       }});
}

void Api::publish(const service::SentimentService& service) { service_ = &service; }

void Api::drain() { is_draining_ = true; }

Answer Api::livez() const { return ok(); }

Answer Api::readyz() const {
  if (is_draining_)
    return tl::unexpected(
        Problem{ProblemCode::kDraining, "this server finishes its work and ends"});
  return ready_service().map([](const auto*) { return ok(); });
}

Answer Api::info() const {
  return ready_service().map([this](const service::SentimentService* service) {
    Response response;
    response.body = encode_info(*service, options_.limits, options_.engine);
    return response;
  });
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
  const auto outcome = sentiment.classify(call->request);
  if (!outcome) return tl::unexpected(explain(outcome.error(), *call));

  Response response;
  response.body = encode_classify(*call, *outcome, sentiment.bundle(),
                                  {exchange.id, Clock::now() - exchange.start});
  response.figures = {outcome->tokens, outcome->timings.tokenize, outcome->timings.queue,
                      outcome->timings.compute};
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
