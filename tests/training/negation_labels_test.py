from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from notbad_training.model import CUE, NO_CUE
from notbad_training.negation_data import TaggedSentence
from notbad_training.negation_labels import (
    UNKNOWN,
    NegationLabels,
    NegationLexicon,
    gold_row,
    silver_from,
)
from notbad_training.negation_rows import without_negators
from notbad_training.plan import Row, RowSource
from notbad_training.tokens import TextEncoder

FIRST, LAST = 1, 2


class WordEncoder(TextEncoder):
    """One id a word, given out as words come; `can't` is two words, and words over 6 letters two pieces."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}

    def encode(self, texts: Sequence[str], max_tokens: int) -> list[list[int]]:
        return [[FIRST, *self._ids(text)[: max_tokens - 2], LAST] for text in texts]

    def _ids(self, text: str) -> list[int]:
        pieces = []
        for word in text.replace("n't", " n't").split():
            pieces += (
                [word] if len(word) <= 6 or word in ("without", "neither") else [word[:6], "##" + word[6:]]
            )
        return [self.words.setdefault(piece, 10 + len(self.words)) for piece in pieces]


@pytest.fixture
def lexicon() -> NegationLexicon:
    return NegationLexicon(WordEncoder())


def ids_of(lexicon: NegationLexicon, text: str) -> list[int]:
    return lexicon.texts.encode([text], 64)[0]


def test_sure_cues_are_found_and_the_longer_one_wins(lexicon: NegationLexicon) -> None:
    assert lexicon.find(ids_of(lexicon, "by no means good , not bad")) == [[1, 2, 3], [6]]
    assert lexicon.find(ids_of(lexicon, "a knot")) == []


def test_gold_labels_are_those_of_the_words_for_every_piece(lexicon: NegationLexicon) -> None:
    sentence = TaggedSentence(["It", "does", "n't", "disappoint", "me"], [[1, 2]], {3, 4})

    row = gold_row(sentence, lexicon, 64)

    assert row.labels.cue == [NO_CUE, NO_CUE, CUE, CUE, NO_CUE, NO_CUE, NO_CUE, NO_CUE]
    assert row.labels.cue_id == [0, 0, 1, 1, 0, 0, 0, 0]
    assert row.labels.scope_of == [0, 0, 0, 0, 1, 1, 1, 0]


def test_a_scope_word_belongs_to_the_nearest_cue(lexicon: NegationLexicon) -> None:
    sentence = TaggedSentence(["He", "never", "spoke", ",", "nor", "sang"], [[1], [4]], {0, 2, 5})

    assert gold_row(sentence, lexicon, 64).labels.scope_of == [0, 1, 0, 1, 0, 0, 2, 0]


def test_a_sure_cue_that_was_not_marked_is_left_out_of_the_losses(lexicon: NegationLexicon) -> None:
    row = gold_row(TaggedSentence(["not", "now"], [], set()), lexicon, 64)

    assert row.labels.cue == [NO_CUE, UNKNOWN, NO_CUE, NO_CUE]
    assert row.labels.num_cues == 0


def test_silver_takes_the_taggers_scope_where_it_has_one(lexicon: NegationLexicon) -> None:
    ids = ids_of(lexicon, "it is not bad , ok")
    scope: Tensor = torch.full((8, 8), -1.0)
    scope[1, 3] = scope[4, 3] = 2.0

    labels = silver_from(ids, [], scope, lexicon)

    assert labels.cue_id == [0, 0, 0, 1, 0, 0, 0, 0]
    assert labels.scope_of == [0, 1, 0, 0, 1, 0, 0, 0]


def test_silver_falls_back_on_the_words_up_to_the_end_of_the_clause(lexicon: NegationLexicon) -> None:
    ids = ids_of(lexicon, "hardly a bore , ok")

    labels = silver_from(ids, [], torch.full((7, 7), -1.0), lexicon)

    assert labels.scope_of == [0, 0, 1, 1, 0, 0, 0]


def test_without_its_cues_a_row_keeps_the_auxiliary(lexicon: NegationLexicon) -> None:
    ids = ids_of(lexicon, "it can't fail , not ever")
    for word, plain in (("ca", "can"), ("it ca", "it can")):
        ids_of(lexicon, word + " " + plain)
    labels = NegationLabels([0] * 9, [0, 0, 1, 1, 0, 0, 2, 0, 0], [0] * 9)

    assert lexicon.without_cues(ids, labels) == ids_of(lexicon, "it can fail , ever")


def test_a_cue_that_is_in_no_list_goes_whole(lexicon: NegationLexicon) -> None:
    ids = ids_of(lexicon, "a lack of wit")

    assert lexicon.without_cues(ids, NegationLabels([0] * 6, [0, 0, 1, 0, 0, 0], [0] * 6)) == ids_of(
        lexicon, "a of wit"
    )


def test_without_its_negators_a_row_is_to_say_what_it_says_with_the_head_off(
    lexicon: NegationLexicon,
) -> None:
    negated = ids_of(lexicon, "it is not dull")
    labels = NegationLabels([0] * 6, [0, 0, 0, 1, 0, 0], [0] * 6)
    plain = Row(ids_of(lexicon, "it is dull"), 0.1, 1.0, NegationLabels([0] * 5, [0] * 5, [0] * 5), 0.2, 0.1)
    source = RowSource("own", [Row(negated, 0.9, 1.0, labels, 0.2, 0.15), plain], 2)

    found = without_negators(source, lexicon, 5)

    assert [(row.ids, row.target, row.off_target) for row in found.rows] == [(plain.ids, 0.15, None)]
    assert found.rows[0].negation == plain.negation
    assert found.per_epoch == 1
