#pragma once

#include "core/tensor/matrix_view.h"
#include "tokenizer/tokenizer.h"

namespace notbad::service {

// What a head does with one sentence, by the means over its rows that are not special tokens.
enum class HeadKind {
  kFlat,      // entropy of the row / log T is at least 0.9: it looks everywhere alike
  kSink,      // at least half of the weight lies on special tokens: it has nothing to say
  kPrevious,  // at least half of the weight lies on the token before
  kNext,      // at least half of the weight lies on the token behind
  kFocused,   // none of these: it looks for something
};

// The first kind of the list that holds for `map` [T, T] of `encoding`. A row that has no such
// neighbour among the tokens that are not special is left out of the mean for it. Half of the
// weight on a neighbour or on [SEP] is how Clark et al. 2019, "What Does BERT Look At?", name these
// heads, and entropy is their measure of broad ones; Voita et al. 2019 have the like for positional
// heads, at 0.9. The bound on the entropy is our own.
HeadKind head_kind(ConstMatrixView map, const tokenizer::Encoding& encoding);

}  // namespace notbad::service
