#include "server/serve.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "core/ops/engine_version.h"
#include "server/api/api.h"
#include "server/api/batch_metrics.h"
#include "server/config/model_directory.h"
#include "server/http/http_server.h"
#include "server/http/static_files.h"
#include "server/http/stop_signal.h"
#include "server/service/classifier_runner.h"
#include "server/service/dtype_choice.h"

namespace notbad {
namespace {

using std::chrono::milliseconds;

http::HttpOptions http_options(const config::ServerOptions& options) {
  return {.host = options.host,
          .port = static_cast<std::uint16_t>(options.port),
          .connections = options.max_connections,
          .max_body_bytes = options.max_body_bytes,
          .max_head_bytes = options.max_head_bytes,
          .max_fields = options.max_fields,
          .max_uri_bytes = options.max_uri_bytes,
          .head_timeout = milliseconds(options.head_timeout_ms),
          .body_timeout = milliseconds(options.body_timeout_ms),
          .write_timeout = milliseconds(options.write_timeout_ms),
          .idle_timeout = milliseconds(options.idle_timeout_ms)};
}

// After the first signal.
ExitCode finish(api::Api& api, http::HttpServer& server, const config::ServerOptions& options) {
  api.drain();
  server.drain();
  spdlog::info("draining");
  // Balancers go on sending until they have seen /readyz say 503.
  std::this_thread::sleep_for(milliseconds(options.drain_delay_ms));
  const auto unfinished = server.stop(milliseconds(options.drain_timeout_ms));
  spdlog::info("ended with {} unfinished requests", unfinished);
  // Their threads may be stuck, so that no destructor could end.
  if (unfinished > 0) std::_Exit(kOrderly);
  return kOrderly;
}

}  // namespace

ExitCode complain(const Error& error, ExitCode code) {
  std::cerr << "notbad-server: " << error.message << "\n";
  return code;
}

ExitCode serve(const config::ServerOptions& options) {
  http::StopSignal stop;
  spdlog::info("config {}", config::effective_config(options, ' '));
  metrics::Metrics metrics;
  api::Router router({options.max_concurrent, options.cors_origin, options.allowed_host}, metrics);
  api::Api api({{options.max_body_bytes, options.max_concurrent, options.request_timeout_ms},
                {"oneDNN", ops::engine_version()}},
               metrics);
  api.add_routes(router);
  http::add_static_files(http::embedded_files(), router);
  // Before the model, so that the probes answer while it loads.
  const auto server = http::HttpServer::start(http_options(options), router, metrics);
  if (!server) return complain(server.error(), kNoPort);

  const auto dtype = service::choose_dtype(options.dtype);
  if (!dtype) return complain(dtype.error(), kBadConfig);
  const auto directory = config::find_model_directory(options.model);
  if (!directory) return complain(directory.error(), kBadModel);
  auto bundle = service::ModelBundle::load(*directory, *dtype);
  if (!bundle) return complain(bundle.error(), kBadModel);
  service::Batcher batcher(
      service::classifier_runners(bundle->classifier, options.batch_tokens),
      {options.workers, options.batch_tokens, options.queue_tokens, api::count_batches(metrics)});
  const service::SentimentService sentiment(
      *bundle, batcher, {options.max_inputs, options.max_tokens, options.max_characters});
  if (const auto warm = sentiment.warm_up(); !warm) return complain(warm.error(), kBadModel);
  stop.expect_work();
  api.publish(sentiment);
  std::cout << "listening on " << (*server)->url() << "\n" << std::flush;

  stop.wait();
  return finish(api, **server, options);
}

}  // namespace notbad
