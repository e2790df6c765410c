#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace notbad::service {

// The word of opposite sentiment ("bad" for "good", "hated" for "loved") from a small list of pairs
// that the language of reviews knows, in either direction: the opposite of an opposite is the word
// itself. Verbs are also known in -s, -ed and -ing, adjectives in -ly, nouns in the plural. `word`
// is in lower case, as Word::normalized is; none where the list does not hold it.
std::optional<std::string> opposite_of(std::string_view word);

}  // namespace notbad::service
