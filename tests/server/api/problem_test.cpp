#include "server/api/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace notbad::api {
namespace {

struct Row {
  ProblemCode code;
  int status;
  const char* name;
};

class ProblemTableTest : public testing::TestWithParam<Row> {};

TEST_P(ProblemTableTest, HoldsStatusAndName) {
  const auto [code, status, name] = GetParam();

  EXPECT_EQ(kind_of(code).status, status);
  EXPECT_STREQ(kind_of(code).code, name);
}

// As the documentation of the service promises them.
INSTANTIATE_TEST_SUITE_P(
    ProblemTest, ProblemTableTest,
    testing::Values(Row{ProblemCode::kInvalidJson, 400, "invalid_json"},
                    Row{ProblemCode::kInvalidUtf8, 400, "invalid_utf8"},
                    Row{ProblemCode::kJsonTooDeep, 400, "json_too_deep"},
                    Row{ProblemCode::kDuplicateMember, 400, "duplicate_member"},
                    Row{ProblemCode::kUnknownMember, 400, "unknown_member"},
                    Row{ProblemCode::kBadRequest, 400, "bad_request"},
                    Row{ProblemCode::kBadFraming, 400, "bad_framing"},
                    Row{ProblemCode::kHostNotAllowed, 403, "host_not_allowed"},
                    Row{ProblemCode::kNotFound, 404, "not_found"},
                    Row{ProblemCode::kMethodNotAllowed, 405, "method_not_allowed"},
                    Row{ProblemCode::kNotAcceptable, 406, "not_acceptable"},
                    Row{ProblemCode::kRequestTimeout, 408, "request_timeout"},
                    Row{ProblemCode::kLengthRequired, 411, "length_required"},
                    Row{ProblemCode::kBodyTooLarge, 413, "body_too_large"},
                    Row{ProblemCode::kUriTooLong, 414, "uri_too_long"},
                    Row{ProblemCode::kHeadersTooLarge, 431, "headers_too_large"},
                    Row{ProblemCode::kUnsupportedMediaType, 415, "unsupported_media_type"},
                    Row{ProblemCode::kUnsupportedEncoding, 415, "unsupported_encoding"},
                    Row{ProblemCode::kExpectationFailed, 417, "expectation_failed"},
                    Row{ProblemCode::kEmptyInput, 422, "empty_input"},
                    Row{ProblemCode::kInputTooLong, 422, "input_too_long"},
                    Row{ProblemCode::kBatchTooLarge, 422, "batch_too_large"},
                    Row{ProblemCode::kInvalidOption, 422, "invalid_option"},
                    Row{ProblemCode::kAttentionTooLarge, 422, "attention_too_large"},
                    Row{ProblemCode::kUnsupportedByModel, 422, "unsupported_by_model"},
                    Row{ProblemCode::kInternal, 500, "internal"},
                    Row{ProblemCode::kNonFinite, 500, "non_finite"},
                    Row{ProblemCode::kOverloaded, 503, "overloaded"},
                    Row{ProblemCode::kNotReady, 503, "not_ready"},
                    Row{ProblemCode::kDraining, 503, "draining"},
                    Row{ProblemCode::kDeadlineExceeded, 504, "deadline_exceeded"},
                    Row{ProblemCode::kHttpVersion, 505, "http_version"}));

TEST(ProblemTest, IsProblemJson) {
  const Response response = to_response({ProblemCode::kEmptyInput,
                                         "two texts are empty",
                                         {{ProblemCode::kEmptyInput, "/inputs/0", "this one"},
                                          {ProblemCode::kEmptyInput, "/inputs/3", "and this"}}},
                                        "id-1");

  EXPECT_EQ(response.status, 422);
  EXPECT_EQ(response.content_type, "application/problem+json");
  const auto body = nlohmann::json::parse(response.body);
  for (const char* member : {"type", "title", "detail", "instance", "code", "request_id"})
    EXPECT_TRUE(body.at(member).is_string()) << member;
  EXPECT_EQ(body.at("status"), 422);
  EXPECT_EQ(body.at("code"), "empty_input");
  EXPECT_EQ(body.at("request_id"), "id-1");
  EXPECT_EQ(body.at("errors").at(1).at("pointer"), "/inputs/3");
}

TEST(ProblemTest, ListsSixteenItemsAtMost) {
  const std::vector<ProblemItem> items(20, {ProblemCode::kEmptyInput, "/inputs/0", "empty"});

  const auto body =
      nlohmann::json::parse(to_response({ProblemCode::kEmptyInput, "many", items}, "id").body);

  EXPECT_EQ(body.at("errors").size(), 16U);
}

TEST(ProblemTest, SaysWhenToRetryWhereThatHelps) {
  const auto has_retry = [](ProblemCode code) {
    const Response response = to_response({code, "text"}, "id");
    return !response.headers.empty() && response.headers.front().name == "Retry-After";
  };

  EXPECT_TRUE(has_retry(ProblemCode::kOverloaded));
  EXPECT_TRUE(has_retry(ProblemCode::kNotReady));
  EXPECT_TRUE(has_retry(ProblemCode::kDraining));
  EXPECT_FALSE(has_retry(ProblemCode::kInternal));
  EXPECT_FALSE(has_retry(ProblemCode::kEmptyInput));
}

}  // namespace
}  // namespace notbad::api
