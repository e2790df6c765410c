#include "server/service/antonyms.h"

#include <algorithm>
#include <array>
#include <map>

namespace notbad::service {
namespace {

enum class Kind { kFixed, kAdjective, kVerb, kNoun };  // kFixed: the form given and no other

struct Pair {
  std::string_view positive;
  std::string_view negative;
  Kind kind;
};

// A word stands once, in one pair. Verbs that double a letter or are irregular are given form by
// form or left out.
constexpr std::array kPairs = std::to_array<Pair>({
    {"good", "bad", Kind::kFixed},
    {"better", "worse", Kind::kFixed},
    {"best", "worst", Kind::kFixed},
    {"well", "badly", Kind::kFixed},
    {"great", "terrible", Kind::kAdjective},
    {"wonderful", "awful", Kind::kAdjective},
    {"excellent", "horrible", Kind::kAdjective},
    {"brilliant", "dreadful", Kind::kAdjective},
    {"superb", "abysmal", Kind::kAdjective},
    {"fantastic", "atrocious", Kind::kAdjective},
    {"amazing", "appalling", Kind::kAdjective},
    {"marvellous", "miserable", Kind::kAdjective},
    {"exciting", "boring", Kind::kAdjective},
    {"interesting", "uninteresting", Kind::kAdjective},
    {"entertaining", "tedious", Kind::kAdjective},
    {"fascinating", "tiresome", Kind::kAdjective},
    {"gripping", "dull", Kind::kAdjective},
    {"thrilling", "dreary", Kind::kAdjective},
    {"engaging", "monotonous", Kind::kAdjective},
    {"lively", "lifeless", Kind::kFixed},
    {"funny", "unfunny", Kind::kFixed},
    {"witty", "witless", Kind::kAdjective},
    {"hilarious", "humorless", Kind::kAdjective},
    {"clever", "stupid", Kind::kAdjective},
    {"smart", "dumb", Kind::kAdjective},
    {"intelligent", "idiotic", Kind::kAdjective},
    {"thoughtful", "mindless", Kind::kAdjective},
    {"deep", "shallow", Kind::kAdjective},
    {"profound", "superficial", Kind::kAdjective},
    {"original", "derivative", Kind::kAdjective},
    {"fresh", "stale", Kind::kAdjective},
    {"inventive", "formulaic", Kind::kAdjective},
    {"imaginative", "unimaginative", Kind::kAdjective},
    {"inspired", "uninspired", Kind::kFixed},
    {"surprising", "predictable", Kind::kAdjective},
    {"convincing", "unconvincing", Kind::kAdjective},
    {"believable", "implausible", Kind::kAdjective},
    {"credible", "ludicrous", Kind::kAdjective},
    {"coherent", "incoherent", Kind::kAdjective},
    {"clear", "confusing", Kind::kAdjective},
    {"subtle", "blunt", Kind::kFixed},
    {"elegant", "clumsy", Kind::kAdjective},
    {"graceful", "awkward", Kind::kAdjective},
    {"beautiful", "ugly", Kind::kFixed},
    {"gorgeous", "hideous", Kind::kAdjective},
    {"charming", "charmless", Kind::kAdjective},
    {"likable", "unlikable", Kind::kFixed},
    {"delightful", "dismal", Kind::kAdjective},
    {"pleasant", "unpleasant", Kind::kAdjective},
    {"enjoyable", "unbearable", Kind::kAdjective},
    {"satisfying", "disappointing", Kind::kAdjective},
    {"satisfied", "disappointed", Kind::kFixed},
    {"rewarding", "frustrating", Kind::kAdjective},
    {"moving", "unmoving", Kind::kFixed},
    {"touching", "unaffecting", Kind::kFixed},
    {"warm", "chilly", Kind::kFixed},
    {"heartfelt", "insincere", Kind::kFixed},
    {"honest", "dishonest", Kind::kAdjective},
    {"authentic", "fake", Kind::kFixed},
    {"powerful", "feeble", Kind::kAdjective},
    {"strong", "weak", Kind::kAdjective},
    {"effective", "ineffective", Kind::kAdjective},
    {"successful", "unsuccessful", Kind::kAdjective},
    {"memorable", "forgettable", Kind::kAdjective},
    {"remarkable", "mediocre", Kind::kFixed},
    {"impressive", "unimpressive", Kind::kAdjective},
    {"extraordinary", "ordinary", Kind::kFixed},
    {"perfect", "flawed", Kind::kFixed},
    {"worthwhile", "pointless", Kind::kFixed},
    {"worthy", "worthless", Kind::kFixed},
    {"meaningful", "meaningless", Kind::kAdjective},
    {"useful", "useless", Kind::kAdjective},
    {"valuable", "trivial", Kind::kFixed},
    {"important", "unimportant", Kind::kFixed},
    {"competent", "incompetent", Kind::kAdjective},
    {"skilful", "inept", Kind::kFixed},
    {"professional", "amateurish", Kind::kFixed},
    {"polished", "sloppy", Kind::kFixed},
    {"lovable", "obnoxious", Kind::kFixed},
    {"lovely", "nasty", Kind::kFixed},
    {"nice", "rude", Kind::kFixed},
    {"tasty", "bland", Kind::kFixed},
    {"delicious", "disgusting", Kind::kAdjective},
    {"clean", "dirty", Kind::kFixed},
    {"friendly", "unfriendly", Kind::kFixed},
    {"helpful", "unhelpful", Kind::kAdjective},
    {"comfortable", "uncomfortable", Kind::kAdjective},
    {"reliable", "unreliable", Kind::kAdjective},
    {"bright", "dim", Kind::kAdjective},
    {"quiet", "noisy", Kind::kAdjective},
    {"happy", "sad", Kind::kAdjective},
    {"hopeful", "hopeless", Kind::kAdjective},
    {"right", "wrong", Kind::kAdjective},
    {"true", "false", Kind::kFixed},
    {"fast", "slow", Kind::kFixed},
    {"tight", "bloated", Kind::kFixed},
    {"easy", "hard", Kind::kFixed},
    {"fine", "poor", Kind::kFixed},
    {"full", "empty", Kind::kFixed},
    {"rich", "thin", Kind::kFixed},
    {"fun", "boredom", Kind::kFixed},
    {"love", "hate", Kind::kVerb},
    {"like", "dislike", Kind::kVerb},
    {"enjoy", "detest", Kind::kVerb},
    {"admire", "despise", Kind::kVerb},
    {"adore", "loathe", Kind::kVerb},
    {"praise", "criticize", Kind::kVerb},
    {"succeed", "fail", Kind::kVerb},
    {"delight", "annoy", Kind::kVerb},
    {"please", "irritate", Kind::kVerb},
    {"entertain", "bore", Kind::kVerb},
    {"impress", "disappoint", Kind::kVerb},
    {"recommend", "condemn", Kind::kVerb},
    {"masterpiece", "disaster", Kind::kNoun},
    {"success", "failure", Kind::kNoun},
    {"triumph", "catastrophe", Kind::kNoun},
    {"joy", "misery", Kind::kNoun},
    {"pleasure", "chore", Kind::kNoun},
    {"strength", "weakness", Kind::kNoun},
    {"merit", "flaw", Kind::kNoun},
    {"gem", "dud", Kind::kNoun},
    {"winner", "loser", Kind::kNoun},
    {"hit", "flop", Kind::kNoun},
    {"treat", "bummer", Kind::kNoun},
});

bool ends_in_consonant_and_y(std::string_view word) {
  constexpr std::string_view kVowels = "aeiou";
  return word.size() > 1 && word.ends_with('y') &&
         kVowels.find(word[word.size() - 2]) == std::string_view::npos;
}

// `word` without its last `count` letters, and `ending`.
std::string with_ending(std::string_view word, std::size_t count, std::string_view ending) {
  return std::string(word.substr(0, word.size() - count)) + std::string(ending);
}

std::string with_s(std::string_view word) {
  if (ends_in_consonant_and_y(word)) return with_ending(word, 1, "ies");
  const bool hisses = word.ends_with('s') || word.ends_with("sh") || word.ends_with("ch");
  return with_ending(word, 0, hisses ? "es" : "s");
}

std::string with_ed(std::string_view word) {
  if (ends_in_consonant_and_y(word)) return with_ending(word, 1, "ied");
  return with_ending(word, 0, word.ends_with('e') ? "d" : "ed");
}

std::string with_ing(std::string_view word) {
  return with_ending(word, word.ends_with('e') ? 1 : 0, "ing");
}

std::string with_ly(std::string_view word) {
  if (word.ends_with('y')) return with_ending(word, 1, "ily");
  if (word.ends_with("le")) return with_ending(word, 1, "y");
  if (word.ends_with("ll")) return with_ending(word, 0, "y");
  return with_ending(word, 0, word.ends_with("ic") ? "ally" : "ly");
}

using Opposites = std::map<std::string, std::string, std::less<>>;

// The first pair that has a form keeps it.
void add(Opposites& opposites, std::string positive, std::string negative) {
  if (opposites.contains(positive) || opposites.contains(negative)) return;
  opposites.emplace(negative, positive);
  opposites.emplace(std::move(positive), std::move(negative));
}

Opposites all_forms() {
  Opposites opposites;
  for (const auto& [positive, negative, kind] : kPairs)
    add(opposites, std::string(positive), std::string(negative));
  for (const auto& [positive, negative, kind] : kPairs) {
    if (kind == Kind::kAdjective) add(opposites, with_ly(positive), with_ly(negative));
    if (kind == Kind::kVerb || kind == Kind::kNoun)
      add(opposites, with_s(positive), with_s(negative));
    if (kind != Kind::kVerb) continue;
    add(opposites, with_ed(positive), with_ed(negative));
    add(opposites, with_ing(positive), with_ing(negative));
  }
  return opposites;
}

}  // namespace

std::optional<std::string> opposite_of(std::string_view word) {
  static const Opposites opposites = all_forms();
  const auto found = opposites.find(word);
  if (found == opposites.end()) return std::nullopt;
  return found->second;
}

}  // namespace notbad::service
