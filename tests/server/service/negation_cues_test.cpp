#include "server/service/negation_cues.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace notbad::service {
namespace {

// One word after the other, with a blank between; each as it stands and as the model reads it.
tokenizer::Encoding encoding_of(const std::vector<std::pair<std::string, std::string>>& words) {
  tokenizer::Encoding encoding;
  std::int64_t begin = 0;
  for (const auto& [text, normalized] : words) {
    const std::int64_t end = begin + static_cast<std::int64_t>(text.size());
    encoding.words.push_back({normalized, {{begin, end}, {begin, end}}});
    begin = end + 1;
  }
  return encoding;
}

TEST(NegationCuesTest, NamesWordAndTextOfEveryCue) {
  const auto encoding = encoding_of(
      {{"NOT", "not"}, {"one", "one"}, {"of", "of"}, {"us", "us"}, {"hardly", "hardly"}});

  const auto cues = find_negation_cues(encoding, "NOT one of us hardly");

  ASSERT_EQ(cues.size(), 2U);
  EXPECT_THAT(cues[0].words, testing::ElementsAre(0));
  EXPECT_EQ(cues[0].text, "NOT");
  EXPECT_THAT(cues[1].words, testing::ElementsAre(4));
  EXPECT_EQ(cues[1].text, "hardly");
}

TEST(NegationCuesTest, MatchesWholeWordsOnly) {
  const auto encoding = encoding_of({{"nothingness", "nothingness"}, {"knot", "knot"}, {"", ""}});

  EXPECT_TRUE(find_negation_cues(encoding, "nothingness knot ").empty());
}

class EveryCueTest : public testing::TestWithParam<const char*> {};

TEST_P(EveryCueTest, IsFound) {
  const auto encoding = encoding_of({{GetParam(), GetParam()}});

  EXPECT_EQ(find_negation_cues(encoding, GetParam()).size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(NegationCuesTest, EveryCueTest,
                         testing::Values("not", "n't", "never", "no", "nobody", "nothing",
                                         "neither", "nor", "none", "nowhere", "without", "hardly",
                                         "barely", "scarcely", "seldom", "rarely", "cannot"));

TEST(NegatingWordsTest, LeaveOutTheAuxiliariesInFront) {
  const auto encoding = encoding_of({{"It", "it"}, {"was", "was"}, {"NOT", "not"}});

  EXPECT_THAT(negating_words({{1, 2}, "was NOT"}, encoding), testing::ElementsAre(2));
}

TEST(NegatingWordsTest, AreTheWholeCueWhereNoAuxiliaryLeads) {
  const auto encoding = encoding_of({{"by", "by"}, {"no", "no"}, {"means", "means"}});

  EXPECT_THAT(negating_words({{0, 1, 2}, "by no means"}, encoding), testing::ElementsAre(0, 1, 2));
}

TEST(NegatingWordsTest, AreTheWholeCueWhereItIsNothingElse) {
  const auto encoding = encoding_of({{"Can", "can"}});

  EXPECT_THAT(negating_words({{0}, "Can"}, encoding), testing::ElementsAre(0));
}

}  // namespace
}  // namespace notbad::service
