#include "server/cli/bulk_classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/cli/stub_service.h"

namespace notbad::cli {
namespace {

class BulkClassifierTest : public StubServiceTest {
 protected:
  // One character an outcome: + positive, - negative, or the first letter of what failed.
  std::string classify(const std::vector<BulkInput>& inputs, const BulkOptions& options) {
    std::string outcomes;
    BulkClassifier classifier(service(), options, [&](const BulkOutcome& outcome) {
      outcomes += outcome ? (outcome->label == 1 ? '+' : '-') : letter(outcome.error().code);
    });
    for (const BulkInput& input : inputs) classifier.push(input);
    classifier.finish();
    return outcomes;
  }

 private:
  static char letter(ErrorCode code) {
    switch (code) {
      case ErrorCode::kEmptyInput:
        return 'e';
      case ErrorCode::kInvalidUtf8:
        return 'u';
      case ErrorCode::kTextTooLong:
        return 'l';
      case ErrorCode::kNonFinite:
        return 'n';
      default:
        return '?';
    }
  }
};

constexpr const char* kEven = "good film";          // 4 tokens with the special ones
constexpr const char* kOdd = "a good film";         // 5
constexpr const char* kPoisoned = "a b c d e f g";  // 9

TEST_F(BulkClassifierTest, KeepsTheOrderOverChunksThatDoNotDivideTheInput) {
  std::vector<BulkInput> inputs;
  std::string expected;
  for (int i = 0; i < 23; ++i) {
    inputs.emplace_back(i % 3 == 0 ? kOdd : kEven);
    expected += i % 3 == 0 ? '+' : '-';
  }

  EXPECT_EQ(classify(inputs, {.chunk = 4, .chunks_in_flight = 3, .classify = {}}), expected);
}

TEST_F(BulkClassifierTest, FailsABadTextAloneInItsPlace) {
  const std::vector<BulkInput> inputs = {kOdd, "  ", "\xFF", kEven, std::string(61, 'a'), kOdd};

  EXPECT_EQ(classify(inputs, {.chunk = 16, .classify = {}}), "+eu-l+");
}

TEST_F(BulkClassifierTest, TriesEachTextAloneWhereAFailureNamesNone) {
  EXPECT_EQ(classify({kOdd, kPoisoned, kEven}, {.chunk = 16, .classify = {}}), "+n-");
}

TEST_F(BulkClassifierTest, PassesOnAnInputThatWasNeverAText) {
  const std::vector<BulkInput> inputs = {kOdd, fail(ErrorCode::kTextTooLong, "cut"), kEven};

  EXPECT_EQ(classify(inputs, {.chunk = 2, .classify = {}}), "+l-");
}

TEST_F(BulkClassifierTest, GivesNothingForNothing) { EXPECT_EQ(classify({}, BulkOptions{}), ""); }

}  // namespace
}  // namespace notbad::cli
