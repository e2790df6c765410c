#include "server/api/classify_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

namespace notbad::api {
namespace {

using service::AttentionMode;
using service::Negation;
using service::Truncate;
using testing::ElementsAre;

constexpr ClassifyBounds kBounds{
    .num_layers = 2, .num_heads = 3, .max_tokens = 128, .max_inputs = 32, .has_negation = true};

TEST(ClassifyDecoderTest, FillsInTheDefaults) {
  const auto call = decode_classify(R"({"inputs": "fine"})", kBounds);

  ASSERT_TRUE(call);
  EXPECT_THAT(call->request.inputs, ElementsAre("fine"));
  EXPECT_FALSE(call->is_list);
  EXPECT_FALSE(call->return_tokens);
  EXPECT_EQ(call->request.options.truncate, Truncate::kRight);
  EXPECT_EQ(call->request.options.negation, Negation::kCues);
  EXPECT_EQ(call->request.options.attention, AttentionMode::kNone);
  EXPECT_TRUE(call->request.options.interventions.empty());
}

TEST(ClassifyDecoderTest, ReadsEveryMember) {
  const auto call = decode_classify(R"({
    "inputs": ["one", "two"], "truncate": "left", "return_tokens": true, "negation": "none",
    "attention": {"mode": "full", "layers": [1], "heads": [2, 0]},
    "interventions": [{"kind": "head_off", "layer": 1, "head": 2},
                      {"kind": "head_uniform", "layer": 0, "head": 1},
                      {"kind": "cut", "layer": 0, "head": 0, "from": 3, "to": 4},
                      {"kind": "cut", "layer": 0, "head": 0, "from": 3, "to": 5, "renormalise": true}]
  })",
                                    kBounds);

  ASSERT_TRUE(call);
  const service::ClassifyOptions& options = call->request.options;
  EXPECT_THAT(call->request.inputs, ElementsAre("one", "two"));
  EXPECT_TRUE(call->is_list);
  EXPECT_TRUE(call->return_tokens);
  EXPECT_EQ(options.truncate, Truncate::kLeft);
  EXPECT_EQ(options.negation, Negation::kNone);
  EXPECT_EQ(options.attention, AttentionMode::kFull);
  EXPECT_THAT(options.maps.layers, ElementsAre(1));
  EXPECT_THAT(options.maps.heads, ElementsAre(2, 0));
  ASSERT_EQ(options.interventions.size(), 4U);
  EXPECT_EQ(std::get<model::HeadOff>(options.interventions[0]).head, 2);
  EXPECT_EQ(std::get<model::HeadUniform>(options.interventions[1]).head, 1);
  EXPECT_EQ(std::get<model::CutLink>(options.interventions[2]).to, 4);
  EXPECT_FALSE(std::get<model::CutLink>(options.interventions[2]).renormalise);
  EXPECT_TRUE(std::get<model::CutLink>(options.interventions[3]).renormalise);
}

TEST(ClassifyDecoderTest, ReadsThatEffectsAreWanted) {
  const auto call = decode_classify(R"({"inputs": "x", "negation": "effects"})", kBounds);

  ASSERT_TRUE(call);
  EXPECT_EQ(call->request.options.negation, Negation::kEffects);
}

TEST(ClassifyDecoderTest, TakesAllMapsWhereNoneAreNamed) {
  const auto call =
      decode_classify(R"({"inputs": "x", "attention": {"mode": "full", "heads": "all"}})", kBounds);

  ASSERT_TRUE(call);
  EXPECT_THAT(call->request.options.maps.layers, ElementsAre(0, 1));
  EXPECT_THAT(call->request.options.maps.heads, ElementsAre(0, 1, 2));
}

TEST(ClassifyDecoderTest, SummarisesTheLastLayer) {
  const auto call = decode_classify(
      R"({"inputs": "x", "attention": {"mode": "summary", "heads": [1]}})", kBounds);

  ASSERT_TRUE(call);
  EXPECT_THAT(call->request.options.maps.layers, ElementsAre(1));
  EXPECT_THAT(call->request.options.maps.heads, ElementsAre(1));
}

TEST(ClassifyDecoderTest, LeavesNegationOutForOtherLabelsThanTwo) {
  ClassifyBounds bounds = kBounds;
  bounds.has_negation = false;

  const auto silent = decode_classify(R"({"inputs": "x"})", bounds);
  const auto asked = decode_classify(R"({"inputs": "x", "negation": "cues"})", bounds);

  ASSERT_TRUE(silent);
  EXPECT_EQ(silent->request.options.negation, Negation::kNone);
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().code, ProblemCode::kUnsupportedByModel);
}

TEST(ClassifyDecoderTest, TakesTheMostInputs) {
  const auto list_of = [](int count) {
    std::string body = R"({"inputs": ["x")";
    for (int i = 1; i < count; ++i) body += R"(, "x")";
    return body + "]}";
  };

  EXPECT_TRUE(decode_classify(list_of(32), kBounds));
  const auto refused = decode_classify(list_of(33), kBounds);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ProblemCode::kBatchTooLarge);
}

TEST(ClassifyDecoderTest, NamesAllThatIsWrongAtOnce) {
  const auto call = decode_classify(
      R"({"inputs": ["x", 1, null], "truncate": 5, "attention": {"mode": "full", "heads": "x"}})",
      kBounds);

  ASSERT_FALSE(call);
  EXPECT_EQ(call.error().code, ProblemCode::kBadRequest);
  std::vector<std::string> pointers;
  for (const auto& item : call.error().items) pointers.push_back(item.pointer);
  // The impossible value of heads has to wait until the form is right.
  EXPECT_THAT(pointers, ElementsAre("/inputs/1", "/inputs/2", "/truncate"));
}

struct Refused {
  const char* body;
  ProblemCode code;
  const char* pointer;
};

std::ostream& operator<<(std::ostream& stream, const Refused& refused) {
  return stream << refused.body;
}

class RefusedRequestTest : public testing::TestWithParam<Refused> {};

TEST_P(RefusedRequestTest, NamesCodeAndPlace) {
  const auto call = decode_classify(GetParam().body, kBounds);

  ASSERT_FALSE(call);
  EXPECT_EQ(kind_of(call.error().code).code, std::string(kind_of(GetParam().code).code));
  ASSERT_FALSE(call.error().items.empty());
  EXPECT_EQ(call.error().items.front().pointer, GetParam().pointer);
}

constexpr ProblemCode kForm = ProblemCode::kBadRequest;
constexpr ProblemCode kOption = ProblemCode::kInvalidOption;
constexpr ProblemCode kUnknown = ProblemCode::kUnknownMember;
constexpr ProblemCode kDouble = ProblemCode::kDuplicateMember;

INSTANTIATE_TEST_SUITE_P(
    TopLevel, RefusedRequestTest,
    testing::Values(Refused{"[]", kForm, ""}, Refused{"\"x\"", kForm, ""}, Refused{"3", kForm, ""},
                    Refused{"null", kForm, ""}, Refused{"{}", kForm, "/inputs"},
                    Refused{R"({"inputs": null})", kForm, "/inputs"},
                    Refused{R"({"inputs": 5})", kForm, "/inputs"},
                    Refused{R"({"inputs": true})", kForm, "/inputs"},
                    Refused{R"({"inputs": {}})", kForm, "/inputs"},
                    Refused{R"({"inputs": [["x"]]})", kForm, "/inputs/0"},
                    Refused{R"({"inputs": ["x", 1]})", kForm, "/inputs/1"},
                    Refused{R"({"inputs": []})", ProblemCode::kEmptyInput, "/inputs"},
                    Refused{R"({"inputs": "x", "trunkate": "left"})", kUnknown, ""},
                    Refused{R"({"inputs": "x", "inputs": "y"})", kDouble, "/inputs"},
                    Refused{R"({"inputs": "x", "truncate": "middle"})", kOption, "/truncate"},
                    Refused{R"({"inputs": "x", "truncate": true})", kForm, "/truncate"},
                    Refused{R"({"inputs": "x", "return_tokens": 1})", kForm, "/return_tokens"},
                    Refused{R"({"inputs": "x", "negation": "all"})", kOption, "/negation"}));

INSTANTIATE_TEST_SUITE_P(
    Attention, RefusedRequestTest,
    testing::Values(
        Refused{R"({"inputs": "x", "attention": "full"})", kForm, "/attention"},
        Refused{R"({"inputs": "x", "attention": {"mode": "x"}})", kOption, "/attention/mode"},
        Refused{R"({"inputs": "x", "attention": {"mode": 1}})", kForm, "/attention/mode"},
        Refused{R"({"inputs": "x", "attention": {"modes": "full"}})", kUnknown, "/attention"},
        Refused{R"({"inputs": "x", "attention": {"heads": [0], "heads": [0]}})", kDouble,
                "/attention/heads"},
        Refused{R"({"inputs": "x", "attention": {"layers": [99]}})", kOption,
                "/attention/layers/0"},
        Refused{R"({"inputs": "x", "attention": {"heads": [0, -1]}})", kOption,
                "/attention/heads/1"},
        Refused{R"({"inputs": "x", "attention": {"heads": [1, 1]}})", kOption,
                "/attention/heads/1"},
        Refused{R"({"inputs": "x", "attention": {"heads": []}})", kOption, "/attention/heads"},
        Refused{R"({"inputs": "x", "attention": {"heads": "some"}})", kOption, "/attention/heads"},
        Refused{R"({"inputs": "x", "attention": {"heads": 1}})", kForm, "/attention/heads"},
        Refused{R"({"inputs": "x", "attention": {"layers": [1.5]}})", kForm, "/attention/layers/0"},
        Refused{R"({"inputs": "x", "attention": {"layers": [12345678901234567890123]}})", kForm,
                "/attention/layers/0"},
        Refused{R"({"inputs": "x", "attention": {"mode": "summary", "layers": [0]}})", kOption,
                "/attention/layers"}));

INSTANTIATE_TEST_SUITE_P(
    Interventions, RefusedRequestTest,
    testing::Values(
        Refused{R"({"inputs": "x", "interventions": {}})", kForm, "/interventions"},
        Refused{R"({"inputs": "x", "interventions": ["head_off"]})", kForm, "/interventions/0"},
        Refused{R"({"inputs": "x", "interventions": [{"layer": 0, "head": 0}]})", kForm,
                "/interventions/0/kind"},
        Refused{R"({"inputs": "x", "interventions": [{"kind": "off", "layer": 0, "head": 0}]})",
                kOption, "/interventions/0/kind"},
        Refused{R"({"inputs": "x", "interventions": [{"kind": "head_off", "layer": 0}]})", kForm,
                "/interventions/0/head"},
        Refused{
            R"({"inputs": "x", "interventions": [{"kind": "head_off", "layer": 2, "head": 0}]})",
            kOption, "/interventions/0/layer"},
        Refused{R"({"inputs": "x", "interventions": [{"kind": "head_off", "layer": 0, "head": 0,
                    "from": 1}]})",
                kUnknown, "/interventions/0"},
        Refused{R"({"inputs": "x", "interventions": [{"kind": "cut", "layer": 0, "head": 0,
                    "from": 1}]})",
                kForm, "/interventions/0/to"},
        Refused{R"({"inputs": "x", "interventions": [{"kind": "cut", "layer": 0, "head": 0,
                    "from": 128, "to": 1}]})",
                kOption, "/interventions/0/from"},
        Refused{R"({"inputs": "x", "interventions": [{"kind": "cut", "layer": 0, "head": 0,
                    "from": 1, "to": 1, "renormalise": "no"}]})",
                kForm, "/interventions/0/renormalise"}));

}  // namespace
}  // namespace notbad::api
