#include "core/model/model_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/golden_files.h"
#include "tests/support/temporary_folder.h"

namespace notbad::model {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

class ModelConfigTest : public ::testing::Test {
 protected:
  std::string refusal(const std::string& text) const {
    const auto config = ModelConfig::read(folder_.write("config.json", text));
    if (config.has_value()) return "no refusal";
    EXPECT_EQ(config.error().code, ErrorCode::kBadModelFile);
    EXPECT_THAT(config.error().message, AllOf(HasSubstr("config.json"), HasSubstr("export")));
    return config.error().message;
  }

  // Why the golden config is refused with one member of its architecture set to `value`.
  std::string refusal_with(const std::string& name, const json& value) const {
    json changed = golden_;
    changed["architecture"][name] = value;
    return refusal(changed.dump());
  }

  testing::TemporaryFolder folder_;
  json golden_ = json::parse(testing::read_bytes(testing::golden_path("tiny_config.json")));
};

TEST_F(ModelConfigTest, ReadsWhatTheTwinWrites) {
  const auto config = ModelConfig::read(testing::golden_path("tiny_config.json"));

  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_EQ(config->model_id, "notbad");
  EXPECT_EQ(config->vocab_size, 40);
  EXPECT_EQ(config->d_model, 16);
  EXPECT_EQ(config->num_heads, 4);
  EXPECT_EQ(config->d_k(), 4);
  EXPECT_EQ(config->num_layers, 2);
  EXPECT_EQ(config->d_ff, 32);
  EXPECT_EQ(config->max_positions, 32);
  EXPECT_EQ(config->num_labels, 2);
  EXPECT_EQ(config->norm_eps, 1e-12F);
  EXPECT_EQ(config->pooling, Pooling::kMean);
}

TEST_F(ModelConfigTest, ReadsEitherPooling) {
  json changed = golden_;
  changed["architecture"]["pooling"] = "first";

  const auto config = ModelConfig::read(folder_.write("config.json", changed.dump()));

  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_EQ(config->pooling, Pooling::kFirst);
}

TEST_F(ModelConfigTest, RefusesAWidthThatDoesNotDivideByTheHeadsWithBothNumbers) {
  EXPECT_THAT(refusal_with("num_heads", 3),
              AllOf(HasSubstr("16"), HasSubstr("3"), HasSubstr("does not divide")));
}

TEST_F(ModelConfigTest, RefusesAbsentAndUnknownMembers) {
  for (const auto& item : golden_["architecture"].items()) {
    json changed = golden_;
    changed["architecture"].erase(item.key());
    EXPECT_THAT(refusal(changed.dump()), HasSubstr("architecture." + item.key() + " is missing"));
  }
  EXPECT_THAT(refusal_with("dropout", 0.1), HasSubstr("\"dropout\" is unknown"));
  json more = golden_;
  more["more"] = 1;
  EXPECT_THAT(refusal(more.dump()), HasSubstr("\"more\" is unknown"));
  json nameless = golden_;
  nameless["model"].erase("id");
  EXPECT_THAT(refusal(nameless.dump()), HasSubstr("model.id is missing"));
}

TEST_F(ModelConfigTest, RefusesNumbersThatAreNoneOrOutOfBounds) {
  for (const char* name : {"vocab_size", "d_model", "num_heads", "num_layers", "d_ff",
                           "max_positions", "num_labels"}) {
    for (const json& value : {json(0), json(-1), json(1.0), json("16"), json(nullptr), json(true),
                              json(1'000'000'000), json(18446744073709551615U)}) {
      EXPECT_THAT(refusal_with(name, value),
                  HasSubstr(std::string("architecture.") + name + " is not a whole number"))
          << value;
    }
  }
}

TEST_F(ModelConfigTest, RefusesAnEpsilonThatCannotBe) {
  for (const json& value : {json(0), json(-1e-5), json(1), json("1e-5"), json(1e-60)}) {
    EXPECT_THAT(refusal_with("norm_eps", value), HasSubstr("architecture.norm_eps")) << value;
  }
}

TEST_F(ModelConfigTest, RefusesWhatThisBuildDoesNotCompute) {
  EXPECT_THAT(refusal_with("norm", "pre"), HasSubstr("architecture.norm is not \"post\""));
  EXPECT_THAT(refusal_with("activation", "gelu_tanh"),
              HasSubstr("architecture.activation is not \"gelu_erf\""));
  EXPECT_THAT(refusal_with("pooling", "max"), HasSubstr("architecture.pooling"));
}

TEST_F(ModelConfigTest, RefusesAnotherFormatVersion) {
  for (const json& version : {json(2), json("1"), json(nullptr)}) {
    json changed = golden_;
    changed["format_version"] = version;
    EXPECT_THAT(refusal(changed.dump()), HasSubstr("format_version is not 1")) << version;
  }
}

TEST_F(ModelConfigTest, RefusesNamesThatAreNotShortStrings) {
  for (const json& name : {json(""), json(1), json(std::string(101, 'x'))}) {
    json changed = golden_;
    changed["model"]["version"] = name;
    EXPECT_THAT(refusal(changed.dump()), HasSubstr("model.version"));
  }
}

TEST_F(ModelConfigTest, RefusesWhatIsNotAConfigAtAll) {
  EXPECT_THAT(refusal("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal("{}"), HasSubstr("format_version is missing"));
  EXPECT_THAT(refusal(R"({"format_version":1,"model":1,"architecture":{}})"),
              HasSubstr("model is not an object"));
  EXPECT_THAT(refusal("{"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal(""), HasSubstr("is empty"));
  EXPECT_THAT(refusal(std::string(1 << 20, ' ')), HasSubstr("too large"));
}

TEST_F(ModelConfigTest, HasNeitherNegationHeadNorTaggerWhereTheFileSaysNothing) {
  json nothing = golden_;
  nothing["architecture"]["negation_head"] = nullptr;
  nothing["architecture"]["tagger"] = nullptr;
  for (const json& text : {golden_, nothing}) {
    const auto config = ModelConfig::read(folder_.write("config.json", text.dump()));

    ASSERT_TRUE(config.has_value()) << config.error().message;
    EXPECT_FALSE(config->negation_head.has_value());
    EXPECT_FALSE(config->tagger.has_value());
  }
}

TEST_F(ModelConfigTest, ReadsNegationHeadAndTagger) {
  const auto config = ModelConfig::read(testing::golden_path("tiny_tagged_config.json"));

  ASSERT_TRUE(config.has_value()) << config.error().message;
  ASSERT_TRUE(config->negation_head.has_value());
  EXPECT_EQ(config->negation_head->layer, 0);
  EXPECT_EQ(config->negation_head->head, 2);
  ASSERT_TRUE(config->tagger.has_value());
  EXPECT_EQ(config->tagger->layer, 0);
  EXPECT_EQ(config->tagger->rank, 3);
}

TEST_F(ModelConfigTest, RefusesHeadsAndLayersThatTheModelDoesNotHave) {
  const auto place = [](const json& layer, const json& head) {
    return json({{"layer", layer}, {"head", head}});
  };
  EXPECT_THAT(refusal_with("negation_head", place(2, 0)),
              HasSubstr("architecture.negation_head.layer is not a whole number from 0 to 1"));
  EXPECT_THAT(refusal_with("negation_head", place(1, 4)),
              HasSubstr("architecture.negation_head.head is not a whole number from 0 to 3"));
  EXPECT_THAT(refusal_with("negation_head", place(-1, 0)), HasSubstr("negation_head.layer"));
  EXPECT_THAT(refusal_with("negation_head", place(0, 1.0)), HasSubstr("negation_head.head"));
  EXPECT_THAT(refusal_with("tagger", json({{"layer", 2}, {"rank", 3}})),
              HasSubstr("architecture.tagger.layer is not a whole number from 0 to 1"));
  EXPECT_THAT(refusal_with("tagger", json({{"layer", 0}, {"rank", 0}})),
              HasSubstr("architecture.tagger.rank is not a whole number from 1"));
}

TEST_F(ModelConfigTest, RefusesPartsOfAnotherForm) {
  EXPECT_THAT(refusal_with("negation_head", 3), HasSubstr("negation_head is not an object"));
  EXPECT_THAT(refusal_with("negation_head", json({{"layer", 0}})),
              HasSubstr("architecture.negation_head.head is missing"));
  EXPECT_THAT(refusal_with("tagger", json({{"layer", 0}, {"rank", 3}, {"more", 1}})),
              HasSubstr("\"more\" is unknown"));
}

}  // namespace
}  // namespace notbad::model
