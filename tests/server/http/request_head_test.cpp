#include "server/http/request_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

namespace notbad::http {
namespace {

constexpr const char* kLine = "GET / HTTP/1.1\r\n";

// "whole", "unfinished", or the code of the problem.
std::string verdict(std::string_view bytes, const HttpOptions& options = {}) {
  const auto head = parse_head(bytes, options);
  if (!head) return api::kind_of(head.error().code).code;
  return head->is_whole() ? "whole" : "unfinished";
}

std::string with_field(const std::string& field) { return kLine + field + "\r\n\r\n"; }

TEST(RequestHeadTest, TakesApartWhatWasSent) {
  const std::string text =
      "POST /a%20b?c=d HTTP/1.1\r\nHost: x:80\r\nX-Empty:\r\nX-Padded: \t a b \t\r\n\r\n";

  const auto head = parse_head(text + "body\r\n\r\n", {});

  ASSERT_TRUE(head);
  EXPECT_EQ(head->method, "POST");
  EXPECT_EQ(head->target, "/a%20b?c=d");
  EXPECT_EQ(head->version, "HTTP/1.1");
  EXPECT_EQ(head->size, text.size());
  ASSERT_EQ(head->headers.size(), 3);
  EXPECT_EQ(head->headers[0].name, "Host");
  EXPECT_EQ(head->headers[0].value, "x:80");
  EXPECT_EQ(head->headers[1].value, "");
  EXPECT_EQ(head->headers[2].value, "a b");
}

// The library decodes them: %35 became a length of 5, %0d%0a a line of its own (CVE-2026-45372).
TEST(RequestHeadTest, LeavesPercentSignsInHeadersAlone) {
  const auto head = parse_head(with_field("Content-Length: %35%0d%0a"), {});

  ASSERT_TRUE(head);
  EXPECT_EQ(head->headers.front().value, "%35%0d%0a");
}

TEST(RequestHeadTest, WaitsForWhatIsStillToCome) {
  const std::string text = with_field("Host: x");
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_EQ(verdict(text.substr(0, size)), "unfinished") << size;
  EXPECT_EQ(verdict(text), "whole");
}

TEST(RequestHeadTest, BoundsAddressHeadersAndWhole) {
  const std::string longest(2047, 'a');
  EXPECT_EQ(verdict("GET /" + longest + " HTTP/1.1\r\n\r\n"), "whole");
  EXPECT_EQ(verdict("GET /" + longest + "a HTTP/1.1\r\n\r\n"), "uri_too_long");
  EXPECT_EQ(verdict("GET /" + std::string(16'384, 'a')), "uri_too_long");

  std::string fields;
  for (int i = 0; i < 64; ++i) fields += "a: b\r\n";
  EXPECT_EQ(verdict(kLine + fields + "\r\n"), "whole");
  EXPECT_EQ(verdict(kLine + fields + "a: b\r\n\r\n"), "headers_too_large");

  EXPECT_EQ(verdict(with_field("a: " + std::string(8189, 'b'))), "whole");
  EXPECT_EQ(verdict(with_field("a: " + std::string(8190, 'b'))), "headers_too_large");

  std::string lines = kLine;
  while (lines.size() < 16'382 - 1000) lines += "a: " + std::string(995, 'b') + "\r\n";
  const std::string rest(16'382 - lines.size() - 5, 'b');
  EXPECT_EQ(verdict(lines + "a: " + rest + "\r\n\r\n"), "whole");
  EXPECT_EQ(verdict(lines + "a: " + rest + "b\r\n\r\n"), "headers_too_large");
}

TEST(RequestHeadTest, RefusesAnEndlessHeaderBeforeItsEnd) {
  EXPECT_EQ(verdict(kLine + std::string(16'384, 'a')), "headers_too_large");
}

struct Bad {
  const char* name;
  std::string bytes;
  const char* code = "bad_framing";
};

std::ostream& operator<<(std::ostream& stream, const Bad& bad) { return stream << bad.name; }

class BadHeadTest : public testing::TestWithParam<Bad> {};

TEST_P(BadHeadTest, IsRefused) { EXPECT_EQ(verdict(GetParam().bytes), GetParam().code); }

INSTANTIATE_TEST_SUITE_P(
    RequestHeadTest, BadHeadTest,
    testing::Values(
        Bad{"NoColon", with_field("Host x")}, Bad{"NoName", with_field(": x")},
        Bad{"BlankBeforeColon", with_field("Content-Length : 5")},
        Bad{"FoldedHeader", with_field("a: b\r\n c")},
        Bad{"FoldedWithTab", with_field("a: b\r\n\tc")},
        Bad{"FoldedFirstHeader", with_field(" a: b")},
        Bad{"BareLineFeed", "GET / HTTP/1.1\nHost: x\n\n"},
        Bad{"BareLineFeedBetween", with_field("a: b\nContent-Length: 5")},
        Bad{"BareReturn", with_field("a: b\rc: d")},
        Bad{"NulInValue", with_field(std::string("a: b\0c", 6))},
        Bad{"NulInName", with_field(std::string("a\0b: c", 6))},
        Bad{"ControlInUnfinishedLine", std::string("\x16\x03\x01\x02", 4)},
        Bad{"Deleted", with_field("a: \x7F")}, Bad{"EmptyFirstLine", "\r\nGET / HTTP/1.1\r\n\r\n"},
        Bad{"Version09", "GET /\r\n"}, Bad{"OneWord", "NONSENSE\r\n"},
        Bad{"NoMethod", " / HTTP/1.1\r\n"}, Bad{"TwoBlanks", "GET  / HTTP/1.1\r\n"},
        Bad{"BlankInAddress", "GET /a b HTTP/1.1\r\n"}, Bad{"Tab", "GET\t/ HTTP/1.1\r\n"},
        Bad{"MethodIsNoToken", "G(T / HTTP/1.1\r\n"}, Bad{"LowerCase", "GET / http/1.1\r\n"},
        Bad{"LongVersion", "GET / HTTP/1.10\r\n"}, Bad{"OtherProtocol", "GET / RTSP/1.0\r\n"},
        Bad{"Absolute", "GET http://x/ HTTP/1.1\r\n"}, Bad{"Asterisk", "OPTIONS * HTTP/1.1\r\n"},
        Bad{"Authority", "CONNECT x:80 HTTP/1.1\r\n"}, Bad{"Preface", "PRI * HTTP/2.0\r\n"},
        Bad{"Fragment", "GET /#a HTTP/1.1\r\n"}, Bad{"RawUnicode", "GET /\xC3\xA4 HTTP/1.1\r\n"},
        Bad{"EscapedNul", "GET /%00 HTTP/1.1\r\n"}, Bad{"NoEscape", "GET /%zz HTTP/1.1\r\n"},
        Bad{"HalfEscape", "GET /% HTTP/1.1\r\n"}, Bad{"CutEscape", "GET /a%2 HTTP/1.1\r\n"},
        Bad{"Version20", "GET / HTTP/2.0\r\n", "http_version"},
        Bad{"Version12", "GET / HTTP/1.2\r\n", "http_version"}),
    [](const auto& row) { return row.param.name; });

TEST(RequestHeadTest, KnowsTheLastRequestOfAConnection) {
  const auto is_last = [](const std::string& version, const std::string& fields) {
    return is_last_request(*parse_head("GET / " + version + "\r\n" + fields + "\r\n", {}));
  };
  EXPECT_FALSE(is_last("HTTP/1.1", ""));
  EXPECT_FALSE(is_last("HTTP/1.1", "Connection: keep-alive, TE\r\n"));
  EXPECT_FALSE(is_last("HTTP/1.1", "Connection: not-close\r\n"));
  EXPECT_TRUE(is_last("HTTP/1.1", "connection: TE, Close\r\n"));
  EXPECT_TRUE(is_last("HTTP/1.1", "Connection: TE\r\nConnection: close\r\n"));
  EXPECT_TRUE(is_last("HTTP/1.0", ""));
  EXPECT_FALSE(is_last("HTTP/1.0", "Connection: Keep-Alive\r\n"));
}

}  // namespace
}  // namespace notbad::http
