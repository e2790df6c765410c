#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "server/api/classify_decoder.h"
#include "server/api/info_encoder.h"
#include "server/api/router.h"
#include "server/metrics/metrics.h"
#include "server/service/sentiment_service.h"

namespace notbad::api {

struct ApiOptions {
  RequestLimits limits{};
  EngineInfo engine{};
  // A batch takes a fraction of a second. A worker that has been at one for longer is stuck: then
  // the server is not ready, and after more time of it not alive, so that it is started anew.
  std::chrono::milliseconds unready_after{10'000};
  std::chrono::milliseconds dead_after{30'000};
};

// The routes of the service: decode, ask the service, encode. Made before the model is loaded, so
// that the probes answer from the start. Any thread may call publish(), drain() and the handlers.
class Api {
 public:
  // `metrics` must outlive this.
  Api(ApiOptions options, metrics::Metrics& metrics);

  // The handlers refer to this object, which must outlive `router`.
  void add_routes(Router& router);

  // Ready from now on; `service` must outlive this.
  void publish(const service::SentimentService& service);

  // Not ready any more, so that a balancer turns away; what comes all the same is still answered.
  void drain();

 private:
  Answer livez() const;
  Answer readyz() const;
  Answer info() const;
  Answer scrape() const;
  Answer classify(const Request& request, const Exchange& exchange) const;
  Answer explain(const Request& request, const Exchange& exchange) const;
  Answer predict(const Request& request, const Exchange& exchange) const;
  Response respond(const service::ClassifyAnswer& answer, std::string body,
                   Clock::time_point encode_start) const;
  bool is_stuck_for(std::chrono::milliseconds time) const;
  tl::expected<Clock::time_point, Problem> deadline_of(const Request& request,
                                                       const Exchange& exchange) const;
  tl::expected<const service::SentimentService*, Problem> ready_service() const;

  ApiOptions options_;
  metrics::Metrics& metrics_;
  std::atomic<const service::SentimentService*> service_ = nullptr;  // null until publish()
  std::atomic<bool> is_draining_ = false;
};

}  // namespace notbad::api
