#include "server/service/edited_sentence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tokenizer/shipped_tokenizer.h"

namespace notbad::service {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kMaxTokens = 64;

Sentence sentence_of(const std::string& text) {
  return original_sentence(text, tokenizer::encode(text));
}

class EditedSentenceTest : public testing::Test {
 protected:
  Sentence without(const Sentence& sentence, std::vector<std::int64_t> words) const {
    auto edited = editor_.without(sentence, words);
    if (!edited) throw std::runtime_error("nothing is left");
    return *edited;
  }

  // The link from token `from` to token `to`, carried over.
  static std::vector<std::pair<std::int64_t, std::int64_t>> cut_in(const Sentence& edited,
                                                                   const Sentence& original,
                                                                   std::int64_t from,
                                                                   std::int64_t to) {
    const std::vector<model::Intervention> asked = {model::CutLink{1, 2, from, to, true}};
    std::vector<std::pair<std::int64_t, std::int64_t>> links;
    for (const auto& intervention : carried_over(asked, original, edited)) {
      const auto& cut = std::get<model::CutLink>(intervention);
      EXPECT_EQ(cut.layer, 1);
      EXPECT_EQ(cut.head, 2);
      EXPECT_TRUE(cut.renormalise);
      links.emplace_back(cut.from, cut.to);
    }
    return links;
  }

  SentenceEditor editor_{tokenizer::shipped_tokenizer(), kMaxTokens};
  Sentence original_ = sentence_of("The movie was not bad");
};

TEST_F(EditedSentenceTest, StartsWithEachWordStandingForItself) {
  EXPECT_THAT(original_.origins, ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(EditedSentenceTest, ReadsWhatIsLeftAndRemembersWhereItStood) {
  const Sentence edited = without(original_, {0, 3});

  EXPECT_EQ(edited.text, "Movie was bad");
  EXPECT_THAT(edited.origins, ElementsAre(1, 2, 4));
  EXPECT_EQ(edited.encoding.words.size(), 3U);
  EXPECT_EQ(edited.encoding.words.back().normalized, "bad");
}

TEST_F(EditedSentenceTest, EditsAnEditedSentence) {
  const auto swapped = editor_.with_replaced(original_, 4, "good");

  ASSERT_TRUE(swapped);
  EXPECT_EQ(swapped->text, "The movie was not good");
  const Sentence edited = without(*swapped, {3});
  EXPECT_EQ(edited.text, "The movie was good");
  EXPECT_THAT(edited.origins, ElementsAre(0, 1, 2, 4));
}

TEST_F(EditedSentenceTest, HasNothingWhereNothingIsLeft) {
  const Sentence alone = sentence_of("Bad");

  EXPECT_FALSE(editor_.without(alone, std::vector<std::int64_t>{0}));
}

TEST_F(EditedSentenceTest, RefusesAReplacementThatIsNoSingleWord) {
  EXPECT_FALSE(editor_.with_replaced(original_, 4, "very good"));
}

TEST_F(EditedSentenceTest, FitsTheArticleToTheReplacement) {
  const auto replaced = [this](const std::string& text, const std::string& word) {
    return editor_.with_replaced(sentence_of(text), 1, word).value().text;
  };

  EXPECT_EQ(replaced("A boring film", "exciting"), "An exciting film");
  EXPECT_EQ(replaced("an  awful film", "wonderful"), "a  wonderful film");
  EXPECT_EQ(replaced("a dishonest film", "honest"), "an honest film");
  EXPECT_EQ(replaced("an ugly film", "useful"), "a useful film");
  EXPECT_EQ(replaced("the bad film", "amazing"), "the amazing film");
}

TEST_F(EditedSentenceTest, CarriesHeadsOverAsTheyAre) {
  const std::vector<model::Intervention> asked = {model::HeadOff{1, 2}, model::HeadUniform{0, 1}};

  const auto carried = carried_over(asked, original_, without(original_, {0}));

  ASSERT_EQ(carried.size(), 2U);
  EXPECT_EQ(std::get<model::HeadOff>(carried[0]).head, 2);
  EXPECT_EQ(std::get<model::HeadUniform>(carried[1]).layer, 0);
}

// [CLS] The movie was not bad [SEP]: tokens 0 to 6.
TEST_F(EditedSentenceTest, KeepsALinkCutBetweenTheSameWords) {
  const Sentence shorter = without(original_, {0});

  EXPECT_THAT(cut_in(original_, original_, 5, 4), ElementsAre(std::pair(5, 4)));
  EXPECT_THAT(cut_in(shorter, original_, 5, 4), ElementsAre(std::pair(4, 3)));
  EXPECT_THAT(cut_in(shorter, original_, 0, 6), ElementsAre(std::pair(0, 5)));
}

TEST_F(EditedSentenceTest, DropsALinkWhoseWordIsGone) {
  const Sentence positive = without(original_, {3});

  EXPECT_THAT(cut_in(positive, original_, 5, 4), IsEmpty());
  EXPECT_THAT(cut_in(positive, original_, 4, 5), IsEmpty());
  EXPECT_THAT(cut_in(positive, original_, 5, 3), ElementsAre(std::pair(4, 3)));
}

TEST_F(EditedSentenceTest, LetsAReplacementStandInForItsWord) {
  const auto swapped = editor_.with_replaced(original_, 4, "good");

  ASSERT_TRUE(swapped);
  EXPECT_THAT(cut_in(*swapped, original_, 5, 4), ElementsAre(std::pair(5, 4)));
}

// "overhyped" has several pieces, "good" one: the later pieces have nothing to stand for.
TEST_F(EditedSentenceTest, CountsThePiecesOfAWord) {
  const Sentence original = sentence_of("not overhyped film");
  const std::int64_t pieces = std::ssize(original.encoding.tokens) - 4;
  ASSERT_GT(pieces, 1);
  const auto swapped = editor_.with_replaced(original, 1, "good");
  const Sentence shorter = without(original, {0});

  ASSERT_TRUE(swapped);
  EXPECT_THAT(cut_in(*swapped, original, 2, 1), ElementsAre(std::pair(2, 1)));
  EXPECT_THAT(cut_in(*swapped, original, 3, 1), IsEmpty());
  EXPECT_THAT(cut_in(*swapped, original, pieces + 2, 1), ElementsAre(std::pair(3, 1)));
  EXPECT_THAT(cut_in(shorter, original, 3, 2), ElementsAre(std::pair(2, 1)));
}

}  // namespace
}  // namespace notbad::service
