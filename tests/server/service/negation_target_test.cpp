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

TEST(NegationTargetTest, FindsNothingInANegatorAlone) {
  EXPECT_EQ(Sentence("¬no !").target(), "none");
}

TEST(NegationTargetTest, AcceptsWordsOfOtherScripts) {
  EXPECT_EQ(Sentence("¬not плохо").target(), "плохо");
}

}  // namespace
}  // namespace notbad::service
