#include "server/service/negation_tagging.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace notbad::service {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A sentence of words apart by blanks, each of the pieces that `|` parts, between two special
// tokens; nothing is tagged until a test does so.
class TaggedSentence {
 public:
  explicit TaggedSentence(const std::string& pieces) {
    std::istringstream stream(pieces);
    encoding_.tokens.emplace_back();
    for (std::string word; stream >> word;) add_word(word);
    encoding_.tokens.emplace_back();
    const std::int64_t tokens = std::ssize(encoding_.tokens);
    tags_ = {Tensor({tokens, model::kNumCueClasses}), Tensor({tokens, tokens})};
    for (std::int64_t token = 0; token < tokens; ++token) set_class(token, model::CueClass::kNone);
    std::ranges::fill(tags_.scope.values(), -1.0F);
  }

  // The logit of `token` for one class is above the others.
  void set_class(std::int64_t token, model::CueClass cue_class) {
    const auto logits = tags_.cue.matrix().row(token);
    std::ranges::fill(logits, -2.0F);
    logits[static_cast<std::size_t>(cue_class)] = 1.0F;
  }

  void set_scope(std::int64_t token, std::int64_t cue_token, float logit) {
    tags_.scope.matrix().row(token)[static_cast<std::size_t>(cue_token)] = logit;
  }

  std::vector<NegationCue> cues() const { return tagged_cues(encoding_, text_, tags_); }

 private:
  void add_word(const std::string& pieces) {
    const auto begin = std::ssize(text_) + (text_.empty() ? 0 : 1);
    if (!text_.empty()) text_ += ' ';
    std::istringstream stream(pieces);
    for (std::string piece; std::getline(stream, piece, '|');) {
      tokenizer::Token token;
      token.word = std::ssize(encoding_.words);
      encoding_.tokens.push_back(token);
      text_ += piece;
    }
    encoding_.words.push_back(
        {text_.substr(static_cast<std::size_t>(begin)), {{begin, std::ssize(text_)}, {}}});
  }

  std::string text_;
  tokenizer::Encoding encoding_;
  model::NegationTags tags_;
};

TEST(NegationTaggingTest, FindsNothingWhereTheModelTagsNothing) {
  EXPECT_THAT(TaggedSentence("it was fine").cues(), IsEmpty());
}

TEST(NegationTaggingTest, AWordIsACueWhereOneOfItsPiecesIs) {
  TaggedSentence sentence("it sca|rce|ly moves");
  sentence.set_class(3, model::CueClass::kCue);

  const auto cues = sentence.cues();

  ASSERT_EQ(cues.size(), 1U);
  EXPECT_THAT(cues[0].words, ElementsAre(1));
  EXPECT_EQ(cues[0].text, "scarcely");
}

TEST(NegationTaggingTest, NeighboursAreOneCueAndOthersAreNot) {
  TaggedSentence sentence("by no means good and never so");
  for (const std::int64_t token : {1, 2, 3, 6}) sentence.set_class(token, model::CueClass::kCue);

  const auto cues = sentence.cues();

  ASSERT_EQ(cues.size(), 2U);
  EXPECT_THAT(cues[0].words, ElementsAre(0, 1, 2));
  EXPECT_EQ(cues[0].text, "by no means");
  EXPECT_THAT(cues[1].words, ElementsAre(5));
}

TEST(NegationTaggingTest, AWordThatNegatesItselfIsNoCue) {
  TaggedSentence sentence("she is un|happy");
  sentence.set_class(3, model::CueClass::kAffix);

  EXPECT_THAT(sentence.cues(), IsEmpty());
}

TEST(NegationTaggingTest, ASpecialTokenIsNeverACue) {
  TaggedSentence sentence("it was fine");
  sentence.set_class(0, model::CueClass::kCue);

  EXPECT_THAT(sentence.cues(), IsEmpty());
}

TEST(NegationTaggingTest, TheScopeAreTheWordsWithAPieceAboveZero) {
  TaggedSentence sentence("it was not unwatch|able today");
  sentence.set_class(3, model::CueClass::kCue);
  sentence.set_scope(5, 3, 0.1F);  // the second piece of "unwatchable"
  sentence.set_scope(6, 3, 0.0F);  // not above
  sentence.set_scope(0, 3, 9.0F);  // a special token is no word
  sentence.set_scope(1, 2, 9.0F);  // of a token that is no cue
  sentence.set_scope(3, 3, 9.0F);  // the cue itself

  EXPECT_THAT(sentence.cues().at(0).scope, ElementsAre(3));
}

TEST(NegationTaggingTest, TheScopeOfSeveralPiecesIsThatOfTheirMean) {
  TaggedSentence sentence("far from good or bad");
  for (const std::int64_t token : {1, 2}) sentence.set_class(token, model::CueClass::kCue);
  sentence.set_scope(3, 1, 3.0F);  // mean (3 - 1) / 2 > 0
  sentence.set_scope(5, 1, 0.5F);  // mean (0.5 - 1) / 2 < 0

  EXPECT_THAT(sentence.cues().at(0).scope, ElementsAre(2));
}

TEST(NegationTaggingTest, OneCueMayStandInTheScopeOfAnother) {
  TaggedSentence sentence("not without charm");
  sentence.set_class(1, model::CueClass::kCue);
  sentence.set_class(2, model::CueClass::kAffix);
  sentence.set_class(3, model::CueClass::kCue);
  sentence.set_scope(3, 1, 1.0F);
  sentence.set_scope(2, 3, 1.0F);

  const auto cues = sentence.cues();

  ASSERT_EQ(cues.size(), 2U);
  EXPECT_THAT(cues[0].scope, ElementsAre(2));
  EXPECT_THAT(cues[1].scope, ElementsAre(1));
}

TEST(NegationTaggingTest, RefusesTheTagsOfAnotherSentence) {
  EXPECT_THROW(tagged_cues({}, "", {Tensor({1, 3}), Tensor({1, 1})}), std::logic_error);
}

TEST(NegationTaggingTest, AnAuxiliaryBelongsToAContractionOnly) {
  TaggedSentence plain("it was not bad");
  TaggedSentence contracted("it was n't bad");
  for (TaggedSentence* sentence : {&plain, &contracted}) {
    sentence->set_class(2, model::CueClass::kCue);
    sentence->set_class(3, model::CueClass::kCue);
  }

  EXPECT_THAT(plain.cues().at(0).words, ElementsAre(2));
  EXPECT_EQ(plain.cues().at(0).text, "not");
  EXPECT_THAT(contracted.cues().at(0).words, ElementsAre(1, 2));
}

}  // namespace
}  // namespace notbad::service
