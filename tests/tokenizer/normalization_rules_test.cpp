#include "tokenizer/normalization_rules.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "tests/tokenizer/shipped_tokenizer.h"

namespace notbad::tokenizer {
namespace {

void expect_match(std::string_view text, std::int64_t source_bytes, std::string_view target) {
  const RuleMatch match = shipped_rules().match(text);

  EXPECT_EQ(match.source_bytes, source_bytes) << text;
  EXPECT_EQ(match.target, target) << text;
}

TEST(NormalizationRulesTest, TakesTheLongestSourceThatFits) {
  expect_match("n't so", 3, " n't ");
  expect_match("N\u2019T", 5, " n't ");
  expect_match("n' so", 1, "n");
  expect_match("---", 3, " - ");
  expect_match("-lrb-", 5, " ( ");
  expect_match("-lrb", 1, " - ");
}

TEST(NormalizationRulesTest, LeavesACodePointWithoutARuleAsItIs) {
  expect_match("ab", 1, "a");
  expect_match("\u05d0b", 2, "\u05d0");
  expect_match(std::string_view("\0a", 2), 1, std::string_view("\0", 1));
}

TEST(NormalizationRulesTest, TellsWhatVanishesFromWhatBecomesABlank) {
  expect_match("\u0301", 2, "");
  expect_match("\u200d", 3, "");
  expect_match("\u3000", 3, " ");
}

TEST(NormalizationRulesTest, WithoutRulesChangesNothing) {
  const NormalizationRules none;
  EXPECT_EQ(none.match("\u00c9t\u00e9").target, "\u00c9");
  EXPECT_TRUE(NormalizationRules::parse("").has_value());
}

TEST(NormalizationRulesTest, RefusesWhatIsNoMessage) {
  EXPECT_FALSE(NormalizationRules::parse("\x1A\x7F rules?").has_value());  // longer than the file
  EXPECT_FALSE(NormalizationRules::parse("\x1B").has_value());             // a group, wire type 3
  EXPECT_FALSE(NormalizationRules::parse("\x08\xFF\xFF").has_value());     // a number without end
  EXPECT_FALSE(NormalizationRules::parse("\x1A\x04\x12\x02\x09\x09").has_value());  // no trie size
}

std::string bytes_field(char key, const std::string& bytes) {
  std::string field{key};
  std::size_t rest = bytes.size();
  for (; rest >= 0x80; rest >>= 7) field += static_cast<char>(0x80 | (rest & 0x7F));
  return field + static_cast<char>(rest) + bytes;
}

// Field 3 with field 2 of `compiled` in it, as in a model file.
std::optional<NormalizationRules> parse_compiled(const std::string& compiled) {
  return NormalizationRules::parse(bytes_field('\x1A', bytes_field('\x12', compiled)));
}

TEST(NormalizationRulesTest, RefusesATrieLargerThanTheFileOrWithPartOfAUnit) {
  EXPECT_FALSE(parse_compiled({"\x08\0\0\0abcd", 8}).has_value());
  EXPECT_FALSE(parse_compiled({"\x03\0\0\0abcd", 8}).has_value());
  EXPECT_TRUE(parse_compiled({"\x04\0\0\0abcd", 8}).has_value());
}

// A trie made by hand, with one place that matters: where the root leads for the letter `a`.
class HandMadeTrie {
 public:
  static constexpr std::uint32_t kLeaf = 1U << 31;
  static constexpr std::uint32_t kHasLeaf = 1U << 8;
  static constexpr std::uint32_t offset(std::uint32_t units) { return units << 10; }
  static constexpr std::uint32_t offset_in_blocks(std::uint32_t blocks) {
    return blocks << 10 | 1U << 9;
  }

  void put(std::size_t place, std::uint32_t unit) { units_.at(place) = unit; }

  // What becomes of "a", all targets being `x` or what is left of a long row of them.
  std::string target_of_a() const {
    std::string compiled{'\0', '\x08', '\0', '\0'};  // 512 units of 4 bytes
    for (const std::uint32_t unit : units_) {
      for (int shift = 0; shift < 32; shift += 8) compiled += static_cast<char>(unit >> shift);
    }
    const auto rules = parse_compiled(compiled + std::string(512, 'x'));
    return std::string(rules.value().match("a").target);
  }

 private:
  std::array<std::uint32_t, 512> units_{};
};

TEST(NormalizationRulesTest, FollowsOffsetsInUnitsAndInBlocks) {
  HandMadeTrie units;
  units.put(0, HandMadeTrie::offset(1));
  units.put(1 ^ 'a', 'a' | HandMadeTrie::kHasLeaf | HandMadeTrie::offset(2));
  units.put(1 ^ 'a' ^ 2, HandMadeTrie::kLeaf | 510);
  EXPECT_EQ(units.target_of_a(), "xx");

  HandMadeTrie blocks;
  blocks.put(0, HandMadeTrie::offset_in_blocks(1));
  blocks.put(256 ^ 'a', 'a' | HandMadeTrie::kHasLeaf | HandMadeTrie::offset(2));
  blocks.put(256 ^ 'a' ^ 2, HandMadeTrie::kLeaf | 509);
  EXPECT_EQ(blocks.target_of_a(), "xxx");
}

TEST(NormalizationRulesTest, TakesNoLeafForAChild) {
  HandMadeTrie trie;
  trie.put(0, HandMadeTrie::offset(1));
  trie.put(1 ^ 'a', HandMadeTrie::kLeaf | HandMadeTrie::kHasLeaf | 'a');  // a value that looks so
  EXPECT_EQ(trie.target_of_a(), "a");
}

TEST(NormalizationRulesTest, IgnoresWhatLeadsOutsideTheTrieOrTheTargets) {
  HandMadeTrie child;
  child.put(0, HandMadeTrie::offset_in_blocks(0x1FFFFF));
  EXPECT_EQ(child.target_of_a(), "a");

  HandMadeTrie leaf;
  leaf.put(0, HandMadeTrie::offset(1));
  leaf.put(1 ^ 'a', 'a' | HandMadeTrie::kHasLeaf | HandMadeTrie::offset(0x1FFFF));
  EXPECT_EQ(leaf.target_of_a(), "a");

  HandMadeTrie target;
  target.put(0, HandMadeTrie::offset(1));
  target.put(1 ^ 'a', 'a' | HandMadeTrie::kHasLeaf | HandMadeTrie::offset(2));
  target.put(1 ^ 'a' ^ 2, HandMadeTrie::kLeaf | 512);
  EXPECT_EQ(target.target_of_a(), "a");
}

// All code points of three bytes up to U+2FFF, most of which have rules.
void match_many(const NormalizationRules& rules) {
  for (unsigned code = 0x800; code < 0x3000; ++code) {
    const std::string text{static_cast<char>(0xE0 | (code >> 12)),
                           static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
                           static_cast<char>(0x80 | (code & 0x3F))};
    const RuleMatch match = rules.match(text);
    ASSERT_GE(match.source_bytes, 1);
    ASSERT_LE(match.source_bytes, 3);
  }
}

TEST(NormalizationRulesTest, NeverReadsOutsideADamagedTrie) {
  const std::string intact = read_shipped_bytes();
  std::mt19937 random(11);  // a fixed seed: the same damage on every run
  // The rules are the end of the file but for a few settings; this is most of them and nothing
  // else.
  std::uniform_int_distribution<std::size_t> places(intact.size() - 150'000, intact.size() - 100);
  for (int round = 0; round < 10; ++round) {
    std::string damaged = intact;
    for (int i = 0; i < 20'000; ++i) damaged[places(random)] = static_cast<char>(random());

    const auto rules = NormalizationRules::parse(damaged);

    ASSERT_TRUE(rules.has_value());
    match_many(*rules);
  }
}

}  // namespace
}  // namespace notbad::tokenizer
