// load_generator --port PORT [OPTION VALUE]...: loads a server on loopback and says as JSON what
// came of it.

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/load/crowd.h"
#include "tests/load/probe.h"
#include "tests/load/traffic.h"

using namespace notbad::load;

namespace {

struct Options {
  TrafficOptions traffic;
  CrowdOptions crowd;
  double scrapes_per_second = 0;
  Mix mix = Mix::kShort;
  double malformed = 0;
  std::uint32_t seed = 1;
};

Options parse(const std::vector<std::string>& words) {
  Options options;
  const std::map<std::string, std::function<void(const std::string&)>> setters = {
      {"--port",
       [&](auto& value) {
         options.traffic.port = options.crowd.port = static_cast<std::uint16_t>(std::stoi(value));
       }},
      {"--rate", [&](auto& value) { options.traffic.rate = std::stod(value); }},
      {"--seconds", [&](auto& value) { options.traffic.seconds = std::stod(value); }},
      {"--connections", [&](auto& value) { options.traffic.connections = std::stoi(value); }},
      {"--may-end", [&](auto& value) { options.traffic.may_end = value == "yes"; }},
      {"--mix", [&](auto& value) { options.mix = value == "mixed" ? Mix::kMixed : Mix::kShort; }},
      {"--malformed", [&](auto& value) { options.malformed = std::stod(value); }},
      {"--seed",
       [&](auto& value) { options.seed = static_cast<std::uint32_t>(std::stoul(value)); }},
      {"--idle", [&](auto& value) { options.crowd.idle = std::stoi(value); }},
      {"--tricklers", [&](auto& value) { options.crowd.tricklers = std::stoi(value); }},
      {"--slow-readers", [&](auto& value) { options.crowd.slow_readers = std::stoi(value); }},
      {"--scrapes", [&](auto& value) { options.scrapes_per_second = std::stod(value); }},
      {"--disconnects", [&](auto& value) { options.crowd.disconnects = std::stod(value); }},
  };
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const auto setter = setters.find(words[i]);
    if (setter == setters.end() || i + 1 == words.size())
      throw std::runtime_error("unknown option or no value: " + words[i]);
    setter->second(words[i + 1]);
  }
  if (options.traffic.port == 0) throw std::runtime_error("--port is missing");
  return options;
}

// A thousand connections are more than the usual soft limit.
void raise_descriptor_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void print(const char* name, const std::map<std::string, std::int64_t>& counts) {
  std::printf("\"%s\": {", name);
  const char* separator = "";
  for (const auto& [key, count] : counts) {
    std::printf("%s\"%s\": %lld", separator, key.c_str(), static_cast<long long>(count));
    separator = ", ";
  }
  std::printf("}, ");
}

void print(const char* name, double value) { std::printf("\"%s\": %.3f, ", name, value); }

void print_quantiles(const std::string& name, std::vector<double> values) {
  std::ranges::sort(values);
  const auto quantile = [&values](double part) {
    if (values.empty()) return 0.0;
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  };
  print((name + "_p50").c_str(), quantile(0.5));
  print((name + "_p99").c_str(), quantile(0.99));
  print((name + "_max").c_str(), quantile(1));
}

std::vector<double> times_of(const std::vector<ProbeTime>& probes) {
  std::vector<double> times;
  for (const ProbeTime& probe : probes) times.push_back(probe.ms);
  return times;
}

void print(const TrafficResult& traffic, const ProbeResult& probes,
           const std::map<std::string, std::int64_t>& crowd) {
  std::printf("{");
  print("statuses", traffic.statuses);
  print("unexpected", traffic.unexpected);
  print("crowd", crowd);
  print("due", static_cast<double>(traffic.due));
  print("lost", static_cast<double>(traffic.lost));
  print("raced", static_cast<double>(traffic.raced));
  print("refused", static_cast<double>(traffic.refused));
  print("recovered_after", traffic.recovered_after);
  print_quantiles("latency", traffic.latencies);
  print_quantiles("probe", times_of(probes.probes));
  print_quantiles("control", times_of(probes.controls));
  print_quantiles("scrape", times_of(probes.scrapes));
  print("probes", static_cast<double>(probes.probes.size()));
  print("probes_failed", static_cast<double>(probes.failed));
  print("probes_over", static_cast<double>(probes.over));
  print("probes_slow", static_cast<double>(probes.slow));
  std::printf("\"seconds\": %.3f}\n", traffic.seconds);
}

}  // namespace

int main(int argc, char** argv) try {
  const Options options = parse({argv + 1, argv + argc});
  raise_descriptor_limit();
  RequestMix mix(options.mix, options.malformed, options.seed);
  Crowd crowd(options.crowd);
  Probe probe(options.traffic.port, options.scrapes_per_second);
  const TrafficResult traffic = Traffic(options.traffic, mix).run();
  const ProbeResult probes = probe.end();
  print(traffic, probes, crowd.end());
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  std::fprintf(stderr, "load_generator: %s\n", error.what());
  return EXIT_FAILURE;
}
