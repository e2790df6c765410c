#include "server/config/server_options.h"

#include <arpa/inet.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <variant>

#include "server/config/manual.h"

namespace notbad::config {
namespace {

constexpr std::string_view kVariablePrefix = "NOTBAD_";
constexpr std::array<std::string_view, 5> kLogLevels = {"debug", "info", "warn", "error", "off"};
constexpr std::array<std::string_view, 4> kDtypes = {"f32", "bf16", "int8", "auto"};
constexpr std::int64_t kMany = 1'000'000;  // tokens, characters: far beyond use, far from overflow

struct Number {
  std::int64_t ServerOptions::* member;
  std::int64_t min;
  std::int64_t max;
};

struct Text {
  std::string ServerOptions::* member;
  bool (*is_valid)(const std::string&);
  const char* expected;  // what is_valid asks for, in words
  const char* name;      // of the value, in --help
};

struct Field {
  const char* flag;
  const char* help;
  std::variant<Number, Text> value;
};

bool is_host(const std::string& text) {
  in6_addr address{};
  return text == "localhost" || inet_pton(AF_INET, text.c_str(), &address) == 1 ||
         inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

bool is_dtype(const std::string& text) { return std::ranges::find(kDtypes, text) != kDtypes.end(); }

bool is_log_level(const std::string& text) {
  return std::ranges::find(kLogLevels, text) != kLogLevels.end();
}

// As a browser sends it: no path, not even a slash.
bool is_origin(const std::string& text) {
  for (const std::string_view scheme : {"http://", "https://"})
    if (text.starts_with(scheme))
      return text.size() > scheme.size() &&
             text.find_first_of("/?#,* ", scheme.size()) == std::string::npos;
  return false;
}

// No name is empty: it would be that of a request without any.
bool is_host_list(const std::string& text) {
  return text.find_first_of(" /") == std::string::npos &&
         (',' + text + ',').find(",,") == std::string::npos;
}

bool is_not_empty(const std::string& text) { return !text.empty(); }

using Options = ServerOptions;
constexpr std::int64_t kMaxTimeoutMs = 600'000;
constexpr std::int64_t kMaxBodyBytes = 67'108'864;

constexpr std::array kFields = {
    Field{"--host", "address to listen on",
          Text{&Options::host, is_host, "an IP address or localhost", "ADDRESS"}},
    Field{"--port", "port to listen on; 0: a free one", Number{&Options::port, 0, 65535}},
    Field{"--model", "folder of the model; default: found beside the program",
          Text{&Options::model, is_not_empty, "a folder", "FOLDER"}},
    Field{"--workers", "threads that compute; 0: one a usable core",
          Number{&Options::workers, 0, 1024}},
    Field{"--dtype", "f32, bf16, int8, or auto: the fastest to be had",
          Text{&Options::dtype, is_dtype, "one of f32, bf16, int8, auto", "TYPE"}},
    Field{"--queue-tokens", "tokens that may wait", Number{&Options::queue_tokens, 1, kMany}},
    Field{"--batch-tokens", "tokens of one pass", Number{&Options::batch_tokens, 1, kMany}},
    Field{"--max-inputs", "texts of one request", Number{&Options::max_inputs, 1, 1024}},
    Field{"--max-tokens", "tokens of one text", Number{&Options::max_tokens, 3, kMany}},
    Field{"--max-characters", "characters of one text", Number{&Options::max_characters, 1, kMany}},
    Field{"--max-body-bytes", "bytes of one request",
          Number{&Options::max_body_bytes, 1, kMaxBodyBytes}},
    Field{"--max-head-bytes", "bytes of a request's first line and headers",
          Number{&Options::max_head_bytes, 1024, 65'536}},
    Field{"--max-fields", "headers of one request", Number{&Options::max_fields, 1, 1024}},
    Field{"--max-uri-bytes", "bytes of an address", Number{&Options::max_uri_bytes, 64, 8000}},
    Field{"--max-connections", "connections at once", Number{&Options::max_connections, 1, 16'384}},
    Field{"--max-concurrent", "requests at once", Number{&Options::max_concurrent, 1, 1024}},
    Field{"--request-timeout-ms", "time of one request, in milliseconds",
          Number{&Options::request_timeout_ms, 1, kMaxTimeoutMs}},
    Field{"--head-timeout-ms", "time for the head of a request",
          Number{&Options::head_timeout_ms, 1, kMaxTimeoutMs}},
    Field{"--body-timeout-ms", "time for the body of a request",
          Number{&Options::body_timeout_ms, 1, kMaxTimeoutMs}},
    Field{"--idle-timeout-ms", "time until the next request of a connection",
          Number{&Options::idle_timeout_ms, 1, kMaxTimeoutMs}},
    Field{"--write-timeout-ms", "time for a client to take its answer",
          Number{&Options::write_timeout_ms, 1, kMaxTimeoutMs}},
    Field{"--drain-delay-ms", "time from the signal until new connections are refused",
          Number{&Options::drain_delay_ms, 0, kMaxTimeoutMs}},
    Field{"--drain-timeout-ms", "time for running requests after that",
          Number{&Options::drain_timeout_ms, 0, kMaxTimeoutMs}},
    Field{
        "--cors-origin", "origin whose pages may read the answers; default: none",
        Text{&Options::cors_origin, is_origin, "an origin such as https://example.org", "ORIGIN"}},
    Field{"--allowed-host", "names that Host may give, commas between; default: any",
          Text{&Options::allowed_host, is_host_list, "names without blanks", "NAMES"}},
    Field{"--log-level", "debug, info, warn, error or off",
          Text{&Options::log_level, is_log_level, "one of debug, info, warn, error, off", "LEVEL"}},
};

std::string variable_of(const Field& field) {
  std::string name(kVariablePrefix);
  for (const char c : std::string_view(field.flag).substr(2))
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::string value_of(const Field& field, const ServerOptions& options) {
  if (const auto* number = std::get_if<Number>(&field.value))
    return std::to_string(options.*number->member);
  return options.*std::get<Text>(field.value).member;
}

std::optional<std::int64_t> to_number(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// `source` is the flag or the variable that the value came from.
Result<void> assign(const Field& field, const std::string& source, const std::string& text,
                    ServerOptions& options) {
  if (const auto* number = std::get_if<Number>(&field.value)) {
    const auto value = to_number(text);
    if (!value || *value < number->min || *value > number->max)
      return fail(ErrorCode::kInvalidArgument,
                  source + ": expected a whole number from " + std::to_string(number->min) +
                      " to " + std::to_string(number->max) + ", found '" + text + "'");
    options.*number->member = *value;
    return {};
  }
  const Text& rule = std::get<Text>(field.value);
  if (!rule.is_valid(text))
    return fail(ErrorCode::kInvalidArgument,
                source + ": expected " + rule.expected + ", found '" + text + "'");
  options.*rule.member = text;
  return {};
}

Result<void> check_together(const ServerOptions& options) {
  if (options.batch_tokens < options.max_tokens)
    return fail(ErrorCode::kInvalidArgument,
                "--batch-tokens " + std::to_string(options.batch_tokens) +
                    " is less than --max-tokens " + std::to_string(options.max_tokens) +
                    ", so a long text could never be computed: raise the one or lower the other");
  if (options.queue_tokens < options.max_inputs * options.max_tokens)
    return fail(ErrorCode::kInvalidArgument,
                "--queue-tokens " + std::to_string(options.queue_tokens) + " is less than " +
                    std::to_string(options.max_inputs * options.max_tokens) +
                    " (--max-inputs x --max-tokens), so a full request could never wait: raise it" +
                    " or lower those");
  if (options.max_head_bytes <= options.max_uri_bytes)
    return fail(ErrorCode::kInvalidArgument,
                "--max-head-bytes " + std::to_string(options.max_head_bytes) +
                    " leaves no room for headers beside --max-uri-bytes " +
                    std::to_string(options.max_uri_bytes) + ": raise the one or lower the other");
  return {};
}

std::vector<std::string> unknown_variables(const Environment& environment) {
  std::vector<std::string> warnings;
  for (const auto& [name, value] : environment) {
    const auto is_it = [&](const Field& field) { return variable_of(field) == name; };
    if (std::ranges::none_of(kFields, is_it))
      warnings.push_back(name + " is set but means nothing to notbad-server: see --help");
  }
  return warnings;
}

struct Given {
  std::array<std::string, kFields.size()> values;
  std::array<CLI::Option*, kFields.size()> options{};
  bool wants_config = false;
  CLI::App* health_check = nullptr;
};

Manual manual_page() {
  Manual manual{
      .description =
          "Loads a model, then answers POST /v1/classify on the address that it prints, and serves "
          "the page on /. A flag counts more than its variable, a variable more than the default, "
          "which stands in brackets. SIGTERM, SIGINT and SIGHUP let the running requests finish "
          "first, unless SIGHUP is ignored as nohup has it; a second one ends the program at once. "
          "SIGUSR1, SIGUSR2 and SIGPIPE do nothing.",
      .environment = {},
      .exit_codes = {{"0", "ended in good order, after a signal or what a flag had asked for"},
                     {"1",
                      "a bug, a second signal while requests were still running, or healthcheck "
                      "without an answer from a ready server"},
                     {"2", "a flag or a variable is wrong"},
                     {"3", "the model is missing or damaged; the message names the file"},
                     {"4", "the address cannot be had, because the port is taken for example"}},
      .examples = {{"notbad-server", "serve the shipped model on http://127.0.0.1:8080"},
                   {"notbad-server --port 0", "the same on a free port, which it prints"},
                   {"notbad-server healthcheck --port 9000",
                    "say by the exit code whether the server there is ready"},
                   {"NOTBAD_WORKERS=2 notbad-server --print-config",
                    "show what two computing threads would be started with"}}};
  for (const Field& field : kFields) manual.environment.push_back({variable_of(field), field.flag});
  return manual;
}

void declare(CLI::App& app, Given& given) {
  set_manual(app, manual_page());
  app.set_help_flag("-h,--help", "print this page and exit");
  app.set_version_flag("--version", NOTBAD_VERSION, "print the version and exit");
  app.add_flag("--print-config", given.wants_config,
               "print the effective settings as JSON and exit");
  given.health_check =
      app.add_subcommand("healthcheck", "ask the server on --host and --port whether it is ready");
  given.health_check->fallthrough();
  given.health_check->set_help_flag();
  const ServerOptions defaults;
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    const Field& field = kFields[i];
    const std::string standard = value_of(field, defaults);
    const auto* text = std::get_if<Text>(&field.value);
    given.options[i] =
        app.add_option(field.flag, given.values[i],
                       std::string(field.help) + (standard.empty() ? "" : " [" + standard + "]"));
    given.options[i]->type_name(text == nullptr ? "N" : text->name);
  }
}

Result<ServerOptions> resolve(const Given& given, const Environment& environment) {
  ServerOptions options;
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    const Field& field = kFields[i];
    const std::string variable = variable_of(field);
    const auto found = environment.find(variable);
    Result<void> assigned;
    if (given.options[i]->count() > 0)
      assigned = assign(field, field.flag, given.values[i], options);
    else if (found != environment.end())
      assigned = assign(field, variable, found->second, options);
    if (!assigned) return tl::unexpected(assigned.error());
  }
  if (const auto together = check_together(options); !together)
    return tl::unexpected(together.error());
  return options;
}

}  // namespace

Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments,
                                       const Environment& environment) {
  CLI::App app("serve the sentiment of English sentences, and the attention behind it, over HTTP",
               "notbad-server");
  Given given;
  declare(app, given);
  CommandLine line;
  try {
    // CLI11 takes them from the back.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    line.command = Command::kPrintText;
    line.text = app.help();
    return line;
  } catch (const CLI::CallForVersion& version) {
    line.command = Command::kPrintText;
    line.text = std::string(version.what()) + "\n";
    return line;
  } catch (const CLI::ParseError& error) {
    return fail(ErrorCode::kInvalidArgument, std::string(error.what()) + " - see --help");
  }
  auto options = resolve(given, environment);
  if (!options) return tl::unexpected(std::move(options.error()));
  line.options = std::move(*options);
  line.warnings = unknown_variables(environment);
  if (given.wants_config) line.command = Command::kPrintConfig;
  if (given.health_check->parsed()) line.command = Command::kCheckHealth;
  return line;
}

Environment notbad_environment() {
  Environment environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (text.starts_with(kVariablePrefix) && equals != std::string_view::npos)
      environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

std::string effective_config(const ServerOptions& options, char separator) {
  std::string text;
  for (const Field& field : kFields)
    text += std::string(field.flag).substr(2) + "=" + value_of(field, options) + separator;
  return text;
}

std::string effective_config_json(const ServerOptions& options) {
  nlohmann::ordered_json config;
  for (const Field& field : kFields) {
    const std::string name = std::string(field.flag).substr(2);
    if (const auto* number = std::get_if<Number>(&field.value))
      config[name] = options.*number->member;
    else
      config[name] = value_of(field, options);
  }
  // The folder of the model may have a name that is no UTF-8.
  return config.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace notbad::config
