// faulty_server FAULT: the service with everything real but the model, on a free port that it
// prints, with one fault that the real programs cannot be brought to from outside. For
// contract_test.py, which ends it.

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>

#include "server/api/api.h"
#include "server/http/http_server.h"
#include "server/http/static_files.h"
#include "tests/server/support/scripted_service.h"

using namespace notbad;

int main(int argc, char** argv) {
  const std::string fault = argc > 1 ? argv[1] : "";
  metrics::Metrics metrics;
  api::Router router({.max_concurrent = fault == "overloaded" ? 0 : 128}, metrics);
  api::Api api(
      {.unready_after = std::chrono::milliseconds(1), .dead_after = std::chrono::milliseconds(1)},
      metrics);
  api.add_routes(router);
  http::add_static_files(http::embedded_files(), router);

  service::ScriptedService scripted;
  if (fault == "throw")
    scripted.script.before_run = [](auto) { throw std::runtime_error("the fault of this test"); };
  if (fault == "nan") scripted.script.logits = {0.0F, std::numeric_limits<float>::quiet_NaN()};
  if (fault == "stuck")
    scripted.script.before_run = [](auto) {
      std::this_thread::sleep_for(std::chrono::seconds(60));  // longer than the test lives
    };
  if (fault == "draining") {
    api.drain();
    scripted.batcher.drain();
  }
  if (fault != "loading") api.publish(scripted.service);

  const auto server = http::HttpServer::start({.port = 0}, router, metrics);
  std::cout << "listening on " << (*server)->url() << "\n" << std::flush;
  pause();
}
