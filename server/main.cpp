#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <exception>
#include <iostream>

#include "core/ops/engine_version.h"
#include "server/api/api.h"
#include "server/config/cpu_budget.h"
#include "server/config/model_directory.h"
#include "server/config/server_options.h"
#include "server/http/http_server.h"
#include "server/http/static_files.h"
#include "server/http/stop_signal.h"
#include "server/service/classifier_runner.h"

using namespace notbad;

namespace {

enum ExitCode { kOrderly = 0, kBug = 1, kBadConfig = 2, kBadModel = 3, kNoPort = 4 };

ExitCode complain(const Error& error, ExitCode code) {
  std::cerr << "notbad-server: " << error.message << "\n";
  return code;
}

ExitCode serve(const config::ServerOptions& options) {
  http::StopSignal stop;
  api::Router router(options.max_concurrent);
  api::Api api({{options.max_body_bytes, options.max_concurrent, options.request_timeout_ms},
                {"oneDNN", ops::engine_version()}});
  api.add_routes(router);
  http::add_static_files(http::embedded_files(), router);
  // Before the model, so that the probes answer while it loads.
  const auto server =
      http::HttpServer::start({.host = options.host,
                               .port = static_cast<std::uint16_t>(options.port),
                               .connections = options.max_concurrent + http::kIdleConnections,
                               .max_body_bytes = options.max_body_bytes},
                              router);
  if (!server) return complain(server.error(), kNoPort);

  const auto directory = config::find_model_directory(options.model);
  if (!directory) return complain(directory.error(), kBadModel);
  auto bundle = service::ModelBundle::load(*directory);
  if (!bundle) return complain(bundle.error(), kBadModel);
  service::Batcher batcher(service::classifier_runners(bundle->classifier, options.batch_tokens),
                           {options.workers, options.batch_tokens, options.queue_tokens});
  const service::SentimentService sentiment(
      *bundle, batcher, {options.max_inputs, options.max_tokens, options.max_characters});
  if (const auto warm = sentiment.warm_up(); !warm) return complain(warm.error(), kBadModel);
  api.publish(sentiment);
  std::cout << "listening on " << (*server)->url() << "\n" << std::flush;

  stop.wait();
  api.drain();
  (*server)->stop();
  return kOrderly;
}

}  // namespace

int main(int argc, char** argv) try {
  auto line = config::parse_command_line({argv + 1, argv + argc}, config::notbad_environment());
  if (!line) return complain(line.error(), kBadConfig);
  config::ServerOptions& options = line->options;
  if (options.workers == 0) options.workers = config::usable_cores();
  spdlog::set_default_logger(spdlog::stderr_logger_mt("notbad-server"));
  spdlog::set_level(spdlog::level::from_str(options.log_level));
  for (const auto& warning : line->warnings) spdlog::warn("{}", warning);
  if (line->command == config::Command::kPrintConfig)
    line->text = config::effective_config(options, '\n');
  if (line->command != config::Command::kServe) return !(std::cout << line->text << std::flush);
  spdlog::info("config {}", config::effective_config(options, ' '));
  return serve(options);
} catch (const std::exception& bug) {
  return complain({ErrorCode::kInternal, bug.what()}, kBug);
}
