#include "server/service/negation_target.h"

#include <gtest/gtest.h>

#include <sstream>

namespace notbad::service {
namespace {

// A sentence of words apart by blanks; the words starting with ¬ are the cues.
struct Sentence {
  tokenizer::Encoding encoding;
  std::vector<NegationCue> cues;

  explicit Sentence(const std::string& text) {
    std::istringstream stream(text);
    for (std::string word; stream >> word;) {
      const bool is_cue = word.starts_with("¬");
      if (is_cue) cues.push_back({{std::ssize(encoding.words)}, word});
      encoding.words.push_back({is_cue ? word.substr(std::string("¬").size()) : word, {}});
    }
  }

  std::string target(std::size_t cue = 0) const {
    const auto word = negation_target(encoding, cues, cues[cue]);
    return word ? encoding.words[static_cast<std::size_t>(*word)].normalized : "none";
  }
};

TEST(NegationTargetTest, TakesTheNextWordThatIsNotSmall) {
  EXPECT_EQ(Sentence("the movie was ¬not bad").target(), "bad");
  EXPECT_EQ(Sentence("it is ¬not a very bad film").target(), "bad");
}

TEST(NegationTargetTest, LooksBackAtTheEndOfASentence) {
  EXPECT_EQ(Sentence("entertaining it is ¬not .").target(), "entertaining");
}

TEST(NegationTargetTest, SkipsOtherNegatorsAndMarks) {
  EXPECT_EQ(Sentence("it is ¬not , ¬never good").target(0), "good");
}

TEST(NegationTargetTest, TakesASmallWordWhereThereIsNoOther) {
  EXPECT_EQ(Sentence("it is ¬not so !").target(), "so");
}

TEST(NegationTargetTest, PrefersTheWordOfTheScopeThatHasAnOpposite) {
  Sentence sentence("the good cast would ¬not call this boring");
  EXPECT_EQ(sentence.target(), "call");
  sentence.cues[0].scope = {0, 1, 2, 3, 5, 6, 7};
  EXPECT_EQ(sentence.target(), "boring");
  sentence.cues[0].scope = {1, 5, 6};
  EXPECT_EQ(sentence.target(), "call");
}

TEST(NegationTargetTest, FindsNothingInANegatorAlone) {
  EXPECT_EQ(Sentence("¬no !").target(), "none");
}

TEST(NegationTargetTest, AcceptsWordsOfOtherScripts) {
  EXPECT_EQ(Sentence("¬not плохо").target(), "плохо");
}

TEST(NegationLinkTest, LeadsFromTheTargetToTheWordOfTheCueThatNegates) {
  Sentence sentence("¬by no means bad");
  sentence.cues[0].words = {0, 1, 2};

  const auto link = negation_link(sentence.encoding, sentence.cues);

  ASSERT_TRUE(link);
  EXPECT_EQ(link->from, 3);
  EXPECT_EQ(link->to, 1);
}

TEST(NegationLinkTest, LeadsToTheFirstWordOfACueWithoutANegator) {
  Sentence sentence("¬far from good");
  sentence.cues[0].words = {0, 1};

  EXPECT_EQ(negation_link(sentence.encoding, sentence.cues)->to, 0);
}

TEST(NegationLinkTest, IsNoneWithoutCueOrTarget) {
  EXPECT_FALSE(negation_link(Sentence("it was fine").encoding, {}));
  const Sentence alone("¬no !");
  EXPECT_FALSE(negation_link(alone.encoding, alone.cues));
}

}  // namespace
}  // namespace notbad::service
