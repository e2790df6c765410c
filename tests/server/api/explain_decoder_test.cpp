#include "server/api/explain_decoder.h"

#include <gtest/gtest.h>

#include <ostream>

namespace notbad::api {
namespace {

constexpr ClassifyBounds kBounds{
    .num_layers = 2, .num_heads = 3, .max_tokens = 128, .max_inputs = 32, .has_negation = true};

TEST(ExplainDecoderTest, ReadsOneText) {
  const auto request = decode_explain(R"({"input": "fine"})", kBounds);

  ASSERT_TRUE(request);
  EXPECT_EQ(request->input, "fine");
  EXPECT_TRUE(request->interventions.empty());
}

TEST(ExplainDecoderTest, ReadsInterventionsAsClassifyDoes) {
  const auto request = decode_explain(
      R"({"input": "fine", "interventions": [{"kind": "head_off", "layer": 1, "head": 2},
          {"kind": "cut", "layer": 0, "head": 0, "from": 3, "to": 4}]})",
      kBounds);

  ASSERT_TRUE(request);
  ASSERT_EQ(request->interventions.size(), 2U);
  EXPECT_EQ(std::get<model::HeadOff>(request->interventions[0]).head, 2);
  EXPECT_EQ(std::get<model::CutLink>(request->interventions[1]).to, 4);
}

struct BadCase {
  const char* body;
  ProblemCode code;
  const char* pointer;
  friend std::ostream& operator<<(std::ostream& stream, const BadCase& bad) {
    return stream << bad.body;
  }
};

class ExplainDecoderFaults : public testing::TestWithParam<BadCase> {};

TEST_P(ExplainDecoderFaults, NameTheMember) {
  const auto request = decode_explain(GetParam().body, kBounds);

  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().code, GetParam().code);
  if (!request.error().items.empty()) {
    EXPECT_EQ(request.error().items.front().pointer, GetParam().pointer);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ExplainDecoderFaults,
    testing::Values(
        BadCase{"", ProblemCode::kInvalidJson, ""}, BadCase{"[]", ProblemCode::kBadRequest, ""},
        BadCase{"{}", ProblemCode::kBadRequest, "/input"},
        BadCase{R"({"input": null})", ProblemCode::kBadRequest, "/input"},
        BadCase{R"({"input": ["a"]})", ProblemCode::kBadRequest, "/input"},
        BadCase{R"({"inputs": "a"})", ProblemCode::kUnknownMember, ""},
        BadCase{R"({"input": "a", "negation": "cues"})", ProblemCode::kUnknownMember, ""},
        BadCase{R"({"input": "a", "input": "b"})", ProblemCode::kDuplicateMember, "/input"},
        BadCase{R"({"input": "a", "interventions": {}})", ProblemCode::kBadRequest,
                "/interventions"},
        BadCase{R"({"input": "a", "interventions": [{"kind": "head_off", "layer": 2, "head": 0}]})",
                ProblemCode::kInvalidOption, "/interventions/0/layer"}));

TEST(ExplainDecoderTest, NeedsAModelOfTwoLabels) {
  ClassifyBounds bounds = kBounds;
  bounds.has_negation = false;

  const auto request = decode_explain(R"({"input": "fine"})", bounds);

  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().code, ProblemCode::kUnsupportedByModel);
}

}  // namespace
}  // namespace notbad::api
