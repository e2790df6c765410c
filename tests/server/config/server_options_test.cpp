#include "server/config/server_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace notbad::config {
namespace {

using testing::HasSubstr;

using Arguments = std::vector<std::string>;

std::string error_of(const Arguments& arguments, const Environment& environment = {}) {
  const auto line = parse_command_line(arguments, environment);
  return line ? "" : line.error().message;
}

TEST(ServerOptionsTest, HasDefaults) {
  const auto line = parse_command_line({}, {});

  ASSERT_TRUE(line);
  EXPECT_EQ(line->command, Command::kServe);
  EXPECT_EQ(line->options.host, "127.0.0.1");
  EXPECT_EQ(line->options.port, 8080);
  EXPECT_EQ(line->options.batch_tokens, 1024);
  EXPECT_EQ(line->options.max_body_bytes, 262'144);
  EXPECT_EQ(line->options.max_head_bytes, 16'384);
  EXPECT_EQ(line->options.max_connections, 1024);
  EXPECT_EQ(line->options.drain_timeout_ms, 20'000);
}

TEST(ServerOptionsTest, PrefersFlagOverVariableOverDefault) {
  const auto line = parse_command_line({"--port", "1", "--workers=3"},
                                       {{"NOTBAD_PORT", "2"}, {"NOTBAD_MAX_INPUTS", "5"}});

  ASSERT_TRUE(line);
  EXPECT_EQ(line->options.port, 1);
  EXPECT_EQ(line->options.workers, 3);
  EXPECT_EQ(line->options.max_inputs, 5);
  EXPECT_EQ(line->options.max_tokens, 256);
}

TEST(ServerOptionsTest, NamesWhatIsWrongWhereItCameFrom) {
  EXPECT_THAT(error_of({"--port", "70000"}), HasSubstr("--port: expected a whole number from 0"));
  EXPECT_THAT(error_of({"--port", "-1"}), HasSubstr("--port"));
  EXPECT_THAT(error_of({"--port", "8080x"}), HasSubstr("'8080x'"));
  EXPECT_THAT(error_of({"--port", "99999999999999999999"}), HasSubstr("--port"));
  EXPECT_THAT(error_of({"--port", "1", "--port", "2"}), HasSubstr("--port"));
  EXPECT_THAT(error_of({"--host", "nonsense"}), HasSubstr("--host: expected an IP address"));
  EXPECT_THAT(error_of({"--log-level", "loud"}), HasSubstr("--log-level"));
  EXPECT_THAT(error_of({"--dtype", "f16"}), HasSubstr("--dtype: expected one of f32, bf16, int8"));
  EXPECT_THAT(error_of({"--no-such-flag"}), HasSubstr("--no-such-flag"));
  EXPECT_THAT(error_of({"stray"}), HasSubstr("stray"));
  EXPECT_THAT(error_of({}, {{"NOTBAD_PORT", "x"}}), HasSubstr("NOTBAD_PORT"));
  EXPECT_THAT(error_of({}, {{"NOTBAD_PORT", ""}}), HasSubstr("NOTBAD_PORT"));
}

TEST(ServerOptionsTest, TakesBothKindsOfAddress) {
  EXPECT_EQ(error_of({"--host", "::1"}), "");
  EXPECT_EQ(error_of({"--host", "0.0.0.0"}), "");
  EXPECT_EQ(error_of({"--host", "localhost"}), "");
}

TEST(ServerOptionsTest, TakesOneOriginAsABrowserSendsIt) {
  EXPECT_EQ(error_of({"--cors-origin", "https://example.org"}), "");
  EXPECT_EQ(error_of({"--cors-origin", "http://localhost:3000"}), "");
  for (const char* origin : {"", "*", "null", "https://", "https://*", "https://a.example/",
                             "example.org", "https://a.example, https://b.example"})
    EXPECT_THAT(error_of({"--cors-origin", origin}), HasSubstr("--cors-origin")) << origin;
}

TEST(ServerOptionsTest, TakesAListOfHosts) {
  EXPECT_EQ(error_of({"--allowed-host", "notbad.example"}), "");
  EXPECT_EQ(error_of({"--allowed-host", "notbad.example,127.0.0.1:8080,[::1]"}), "");
  for (const char* hosts : {"", ",", "a,", ",a", "a,,b", "a, b", "http://a.example"})
    EXPECT_THAT(error_of({"--allowed-host", hosts}), HasSubstr("--allowed-host")) << hosts;
}

TEST(ServerOptionsTest, RefusesLimitsThatContradictEachOther) {
  EXPECT_THAT(error_of({"--batch-tokens", "255"}), HasSubstr("--batch-tokens 255"));
  EXPECT_EQ(error_of({"--batch-tokens", "255", "--max-tokens", "255"}), "");
  EXPECT_THAT(error_of({"--queue-tokens", "8191"}), HasSubstr("--queue-tokens 8191"));
  EXPECT_EQ(error_of({"--queue-tokens", "8192"}), "");
  EXPECT_THAT(error_of({"--max-head-bytes", "2048"}), HasSubstr("--max-head-bytes 2048"));
  EXPECT_EQ(error_of({"--max-head-bytes", "2048", "--max-uri-bytes", "1024"}), "");
}

TEST(ServerOptionsTest, WarnsOfAVariableThatMeansNothing) {
  const auto line = parse_command_line({}, {{"NOTBAD_PROT", "1"}, {"NOTBAD_PORT", "1"}});

  ASSERT_TRUE(line);
  EXPECT_THAT(line->warnings, testing::ElementsAre(HasSubstr("NOTBAD_PROT")));
}

TEST(ServerOptionsTest, PrintsVersionAndHelp) {
  const auto version = parse_command_line({"--version"}, {});
  const auto help = parse_command_line({"--help"}, {});

  ASSERT_TRUE(version && help);
  EXPECT_EQ(version->command, Command::kPrintText);
  EXPECT_THAT(version->text, testing::ContainsRegex("^[0-9]+\\.[0-9]+\\.[0-9]+\n$"));
  EXPECT_EQ(help->command, Command::kPrintText);
}

TEST(ServerOptionsTest, ExplainsEveryFlagVariableAndExitCodeInItsManual) {
  const std::string manual = parse_command_line({"--help"}, {})->text;

  std::istringstream settings(effective_config({}, '\n'));
  for (std::string setting; std::getline(settings, setting);) {
    const std::string name = setting.substr(0, setting.find('='));
    const std::string value = setting.substr(name.size() + 1);
    std::string variable = "NOTBAD_" + name;
    std::ranges::transform(variable, variable.begin(), [](unsigned char c) {
      return static_cast<char>(c == '-' ? '_' : std::toupper(c));
    });
    EXPECT_THAT(manual, HasSubstr("\n       --" + name + ' '));
    EXPECT_THAT(manual, HasSubstr("\n       " + variable + ' '));
    const std::string standard = value.empty() ? "" : '[' + value + "]\n";
    EXPECT_THAT(manual, HasSubstr(standard)) << name;
  }
  for (const char* code : {"0", "1", "2", "3", "4"})
    EXPECT_THAT(manual, HasSubstr(std::string("\n       ") + code + "  "));
}

TEST(ServerOptionsTest, PrintsWhatCanBeReadBack) {
  const auto line = parse_command_line({"--print-config", "--port", "77"}, {});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->command, Command::kPrintConfig);

  const std::string config = effective_config(line->options, '\n');

  EXPECT_THAT(config, HasSubstr("port=77\n"));
  EXPECT_THAT(config, HasSubstr("log-level=info\n"));
}

TEST(ServerOptionsTest, PrintsJsonWithEverySetting) {
  const auto line =
      parse_command_line({"--print-config", "--port", "77", "--model", "a \"b\" \xFF"}, {});
  ASSERT_TRUE(line);

  const auto config = nlohmann::json::parse(effective_config_json(line->options));

  EXPECT_EQ(config["port"], 77);
  EXPECT_EQ(config["model"], "a \"b\" \xEF\xBF\xBD");
  const std::string lines = effective_config(line->options, '\n');
  EXPECT_EQ(std::ssize(config), std::ranges::count(lines, '\n'));
}

TEST(ServerOptionsTest, ChecksHealthWithTheSettingsOfTheServer) {
  const auto line =
      parse_command_line({"healthcheck", "--port", "77"}, {{"NOTBAD_HOST", "0.0.0.0"}});

  ASSERT_TRUE(line) << line.error().message;
  EXPECT_EQ(line->command, Command::kCheckHealth);
  EXPECT_EQ(line->options.port, 77);
  EXPECT_EQ(line->options.host, "0.0.0.0");
}

TEST(ServerOptionsTest, NamesItsCommandInTheManual) {
  const std::string manual = parse_command_line({"--help"}, {})->text;

  EXPECT_THAT(manual, HasSubstr("SYNOPSIS\n       notbad-server [OPTION...]\n"));
  EXPECT_THAT(manual, HasSubstr("       notbad-server healthcheck"));
  EXPECT_THAT(manual, HasSubstr("SIGHUP"));
}

TEST(ServerOptionsTest, ReadsTheVariablesOfTheProcess) {
  setenv("NOTBAD_TEST_VARIABLE", "a=b", 1);

  EXPECT_EQ(notbad_environment().at("NOTBAD_TEST_VARIABLE"), "a=b");
  EXPECT_FALSE(notbad_environment().contains("PATH"));

  unsetenv("NOTBAD_TEST_VARIABLE");
}

}  // namespace
}  // namespace notbad::config
