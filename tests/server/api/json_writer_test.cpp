#include "server/api/json_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <vector>

namespace notbad::api {
namespace {

std::string weight_text(float value) {
  std::string text = JsonWriter().weights(std::array{value}).take();
  return text.substr(1, text.size() - 2);
}

TEST(JsonWriterTest, SetsCommasAndNests) {
  JsonWriter json;
  json.begin_object();
  json.key("a").integer(-1);
  json.key("b").begin_array().boolean(true).null().begin_object().end_object().end_array();
  json.key("c").string("x");
  json.end_object();

  EXPECT_EQ(json.take(), R"({"a":-1,"b":[true,null,{}],"c":"x"})");
}

TEST(JsonWriterTest, EscapesWhatJsonForbidsInStrings) {
  using namespace std::string_literals;
  const std::string text =
      "quote \" backslash \\ nul \0 tab \t del \x7F \xE2\x80\xA8 \xF0\x9F\x98\x80"s;

  const std::string json = JsonWriter().string(text).take();

  EXPECT_EQ(nlohmann::json::parse(json).get<std::string>(), text);
  EXPECT_THAT(json, testing::HasSubstr("\\u0000"));
}

TEST(JsonWriterTest, WritesNumbersThatReadBackTheSame) {
  std::mt19937 generator(3);
  std::normal_distribution<float> logit(0.0F, 4.0F);
  for (int i = 0; i < 1000; ++i) {
    const float value = logit(generator);
    const std::string text = JsonWriter().number(value).take();
    EXPECT_EQ(std::strtof(text.c_str(), nullptr), value) << text;
  }
}

TEST(JsonWriterTest, WritesWeightsWithFiveSignificantDigits) {
  EXPECT_EQ(weight_text(0.0F), "0");
  EXPECT_EQ(weight_text(1.0F), "1");
  EXPECT_EQ(weight_text(0.5F), "0.5");
  EXPECT_EQ(weight_text(0.123456F), "0.12346");
  EXPECT_EQ(weight_text(0.0123456F), "0.012346");
  EXPECT_EQ(weight_text(0.00012F), "0.00012");
  EXPECT_EQ(weight_text(0.999996F), "1");
  EXPECT_EQ(weight_text(0.0999996F), "0.1");
  EXPECT_EQ(weight_text(1e-5F), "0.00001");
}

TEST(JsonWriterTest, KeepsEveryWeightWithinItsLastDigit) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<float> exponent(-30.0F, 0.0F);
  for (int i = 0; i < 10'000; ++i) {
    const float value = std::pow(10.0F, exponent(generator));
    const float read = nlohmann::json::parse(weight_text(value)).get<float>();
    EXPECT_NEAR(read, value, value * 5.1e-5F) << weight_text(value);
  }
}

TEST(JsonWriterTest, KeepsTheSumOfTheLongestRow) {
  std::mt19937 generator(11);
  std::exponential_distribution<float> weight(1.0F);
  std::vector<float> row(256);
  for (float& value : row) value = weight(generator);
  const float sum = std::accumulate(row.begin(), row.end(), 0.0F);
  for (float& value : row) value /= sum;

  const auto read = nlohmann::json::parse(JsonWriter().weights(row).take());

  double written = 0.0;
  for (const auto& value : read) written += value.get<double>();
  EXPECT_NEAR(written, 1.0, 1e-3);
}

}  // namespace
}  // namespace notbad::api
