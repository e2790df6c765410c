#include "server/cli/classify_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/server/cli/stub_service.h"

namespace notbad::cli {
namespace {

using nlohmann::json;

const std::vector<std::string> kLabels = {"negative", "positive"};

service::Sentiment positive() {
  service::Sentiment sentiment;
  sentiment.label = 1;
  sentiment.probabilities = {0.25F, 0.75F};
  return sentiment;
}

TEST(FormatOutcomeTest, WritesLabelScoreAndProbabilities) {
  EXPECT_EQ(json::parse(format_outcome(positive(), kLabels)),
            json::parse(R"({"label": "positive", "score": 0.75,
                            "probabilities": {"negative": 0.25, "positive": 0.75}})"));
}

TEST(FormatOutcomeTest, SaysThatATextWasCut) {
  service::Sentiment sentiment = positive();
  sentiment.encoding.total_tokens = 300;

  EXPECT_EQ(json::parse(format_outcome(sentiment, kLabels)).at("truncated"), true);
}

TEST(FormatOutcomeTest, WritesCodeAndMessageOfAnError) {
  const json line =
      json::parse(format_outcome(fail(ErrorCode::kEmptyInput, "why \"not\""), kLabels));

  EXPECT_EQ(line, json::parse(R"({"error": {"code": "empty_input", "message": "why \"not\""}})"));
}

using ClassifyStreamTest = StubServiceTest;

TEST_F(ClassifyStreamTest, WritesALineForEachLineAndCountsFailures) {
  std::istringstream input("a good film\n\ngood film\n\xC3(\n" + std::string(3 << 20, 'x') +
                           "\nfine\n");
  std::ostringstream output;
  ProgressBar progress(0);

  const StreamCount count = classify_stream(input, output, service(), {.classify = {}}, progress);

  std::vector<std::string> outcomes;
  std::istringstream lines(output.str());
  for (std::string line; std::getline(lines, line);) {
    const json outcome = json::parse(line);
    outcomes.push_back(outcome.contains("error") ? outcome["error"]["code"] : outcome["label"]);
  }
  EXPECT_THAT(outcomes, testing::ElementsAre("positive", "empty_input", "negative", "invalid_utf8",
                                             "input_too_long", "positive"));
  EXPECT_EQ(count.lines, 6);
  EXPECT_EQ(count.failed, 3);
}

}  // namespace
}  // namespace notbad::cli
