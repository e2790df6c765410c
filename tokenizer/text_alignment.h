#pragma once

#include <cstddef>
#include <string_view>

#include "tokenizer/normalization_rules.h"
#include "tokenizer/tokenizer.h"

namespace notbad::tokenizer {

// Walks along a text and tells, piece after piece, which part of it each piece stands for. The
// letters of all pieces in order are the letters that the rules make of the text, whatever happens
// to the blanks between them, so matching letter by letter leads from one to the other. Borrows
// text and rules; one walk per object.
class TextAlignment {
 public:
  // `text` is valid UTF-8, as SentencePiece was given it.
  TextAlignment(std::string_view text, const NormalizationRules& rules);
  TextAlignment(std::string_view text, NormalizationRules&& rules) = delete;  // would dangle

  // The range of the next piece: from the first code point that gave it a letter to the last one
  // with the accents and joiners that follow it. Pieces made of one code point (`½`) share its
  // range.
  TextRange next(std::string_view piece);

 private:
  // What one rule replaced, with the code points after it that vanish.
  struct Chunk {
    TextRange source;
    std::string_view target;  // letters not yet taken by a piece
  };

  void advance();
  void skip_source(std::size_t bytes);  // moves the end of the chunk's source

  std::string_view rest_;  // of the text, behind `chunk_`
  const NormalizationRules& rules_;
  Chunk chunk_;
};

}  // namespace notbad::tokenizer
