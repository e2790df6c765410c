#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace notbad::config {

// What notbad-server can be told. Every member has one row in the table of server_options.cpp,
// which gives it its flag, its variable and its line of help. Precedence: flag > variable >
// default.
struct ServerOptions {
  std::string host =
      "127.0.0.1";            // an IP address or localhost; beyond loopback, put a proxy before
  std::int64_t port = 8080;   // 0: the system chooses, the address printed tells which
  std::string model;          // folder of the model; empty: found by find_model_directory()
  std::int64_t workers = 0;   // threads that compute; 0: as many as cores may be used
  std::string dtype = "f32";  // f32, bf16, int8, or auto: the fastest to be had
  std::int64_t queue_tokens = 16384;       // may wait; more rides out bursts, and waits longer
  std::int64_t batch_tokens = 1024;        // of one pass; more packs better, and answers later
  std::int64_t max_inputs = 32;            // texts of one request
  std::int64_t max_tokens = 256;           // of one text; a model's own limit may be lower
  std::int64_t max_characters = 8192;      // code points of one text
  std::int64_t max_body_bytes = 262'144;   // of one request
  std::int64_t max_head_bytes = 16'384;    // of one request's first line and headers
  std::int64_t max_fields = 64;            // headers of one request
  std::int64_t max_uri_bytes = 2048;       // of the address in the first line
  std::int64_t max_connections = 1024;     // a thread each; the next one is told 503
  std::int64_t max_concurrent = 128;       // requests at once; beyond it 503
  std::int64_t request_timeout_ms = 5000;  // from the whole request to its answer; then 504
  std::int64_t head_timeout_ms = 5000;     // for the whole head, from its first byte; then 408
  std::int64_t body_timeout_ms = 10'000;   // for the whole body; then 408
  std::int64_t idle_timeout_ms = 5000;     // until the next request begins; then closed
  std::int64_t write_timeout_ms = 10'000;  // until the client has taken the answer; then closed
  std::int64_t drain_delay_ms = 0;         // from the signal until no connection is taken; readyz
                                           // is 503 by then, so that a balancer can turn away
  std::int64_t drain_timeout_ms = 20'000;  // for what runs then; the rest is told 503
  std::string cors_origin;                 // whose pages may read answers; empty: only our own
  std::string allowed_host;                // names in Host, commas between; empty: any
  std::string log_level = "info";          // debug info warn error off
};

enum class Command { kServe, kCheckHealth, kPrintConfig, kPrintText };

struct CommandLine {
  Command command = Command::kServe;
  ServerOptions options;
  std::string text;                   // kPrintText: the help or the version
  std::vector<std::string> warnings;  // variables NOTBAD_* that mean nothing
};

using Environment = std::map<std::string, std::string>;

// Reads and validates the whole; the error names the flag or variable and the remedy.
Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments,
                                       const Environment& environment);

// Those variables of the process that begin with NOTBAD_.
Environment notbad_environment();

// `flag=value` of every option, in the order of the table, each followed by `separator`.
std::string effective_config(const ServerOptions& options, char separator);

// The same as a JSON object, indented.
std::string effective_config_json(const ServerOptions& options);

}  // namespace notbad::config
