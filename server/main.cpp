#include <malloc.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <exception>
#include <iostream>

#include "server/config/cpu_budget.h"
#include "server/config/server_options.h"
#include "server/http/descriptor_limit.h"
#include "server/http/health_check.h"
#include "server/serve.h"
#include "server/service/dtype_choice.h"

using namespace notbad;

namespace {

constexpr std::chrono::seconds kHealthPatience{2};

ExitCode check_health(const config::ServerOptions& options) {
  const auto health =
      http::check_health(options.host, static_cast<std::uint16_t>(options.port), kHealthPatience);
  return health ? kOrderly : complain(health.error(), kBug);
}

// What is left to the machine to say.
void resolve(config::ServerOptions& options) {
  if (options.workers == 0) options.workers = config::usable_cores();
  const auto wanted = options.max_connections;
  options.max_connections = http::connections_within_descriptors(wanted);
  if (options.max_connections < wanted)
    spdlog::warn("the limit of open files leaves {} of {} connections: raise it with ulimit -n",
                 options.max_connections, wanted);
}

// Blocks of this size and more, which are answers with attention maps, go back to the system when
// they are freed. Left to itself the allocator raises its threshold to the largest block seen, up
// to 32 MiB.
void give_back_large_blocks() {
  constexpr int kLargeBytes = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
}

}  // namespace

int main(int argc, char** argv) try {
  give_back_large_blocks();
  auto line = config::parse_command_line({argv + 1, argv + argc}, config::notbad_environment());
  if (!line) return complain(line.error(), kBadConfig);
  config::ServerOptions& options = line->options;
  spdlog::set_default_logger(spdlog::stderr_logger_mt("notbad-server"));
  spdlog::set_level(spdlog::level::from_str(options.log_level));
  for (const auto& warning : line->warnings) spdlog::warn("{}", warning);
  if (line->command == config::Command::kCheckHealth) return check_health(options);
  const auto dtype = service::choose_dtype(options.dtype);
  if (!dtype) return complain(dtype.error(), kBadConfig);
  options.dtype = ops::name_of(*dtype);
  resolve(options);
  if (line->command == config::Command::kPrintConfig)
    line->text = config::effective_config_json(options);
  if (line->command != config::Command::kServe) return !(std::cout << line->text << std::flush);
  return serve(options);
} catch (const std::exception& bug) {
  return complain({ErrorCode::kInternal, bug.what()}, kBug);
}
