#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tokenizer/tokenizer.h"

namespace notbad::service {

// Edits of the text as the user sent it, by the places of its words. `text` is what `encoding` was
// made of; everything that is not edited stays as it was typed.

// The text without `words`, ascending indices into Encoding::words. Of the blanks around a gap one
// stays, none at an end or before a closing mark. A stem that only its tail "n't" made stands whole
// again ("can't" is "can", "won't" is "will"), and a sentence that began with a capital still does.
// May be nothing but blanks.
std::string without_words(std::string_view text, const tokenizer::Encoding& encoding,
                          std::span<const std::int64_t> words);

// The text with `replacement`, in lower case, for one word; capitalised where that word was. An
// "a" or "an" before it becomes the one that fits.
std::string with_word_replaced(std::string_view text, const tokenizer::Encoding& encoding,
                               std::int64_t word, std::string_view replacement);

}  // namespace notbad::service
