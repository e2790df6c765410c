"""What is known of the negation in a row, token by token, and the row without its negators.

Gold labels come from tagged sentences, silver ones from a trained tagger and a list of sure cues.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import torch
from torch import Tensor

from notbad_training.model import CUE, NO_CUE, Classifier
from notbad_training.negation_data import TaggedSentence
from notbad_training.tokens import TextEncoder, in_batches, pad

UNKNOWN = -1  # of a token of which nothing is known; such tokens are left out of the losses
MAX_CUES = 4  # of a row; later ones count as plain words

_WORDS = "not|n't|never|cannot|nobody|neither|without|hardly|barely|scarcely|seldom|rarely"
_PHRASES = "far from|anything but|by no means|fail to|fails to|failed to"
_SLIPS = (
    "dont|wasnt|isnt|arent|werent|doesnt|didnt|cant|wont|wouldnt|couldnt|shouldnt|hasnt|havent|hadnt|aint|nto"
)
SURE_CUES = tuple(f"{_PHRASES}|{_WORDS}|{_SLIPS}".split("|"))
# Without one of these or a sure cue a row has no cue: the tagger is not asked.
_POSSIBLE = (
    "no|nothing|none|nor|nowhere|noone|lack|lacks|lacked|lacking|absence|absent|except|refuse|refused"
    "|prevent|fail|failed|fails|rather|save|avoid|avoided"
)
# Cues of the tagger are believed down to this probability: SFU leaves many negators unmarked.
_SILVER_CUE = 0.35
_SPREAD = 8  # tokens after a cue that count as its scope where the tagger finds none
_CLAUSE_ENDS = (".", ",", ";", ":", "!", "?", "but", "(", ")")


@dataclass(frozen=True)
class NegationLabels:
    """A value a token, the special ones included."""

    cue: list[int]  # class of the tagger, or UNKNOWN
    cue_id: list[int]  # which cue of the row it is part of, from 1; 0 none
    scope_of: list[int]  # which cue's scope it stands in, from 1; 0 none, UNKNOWN

    @property
    def num_cues(self) -> int:
        return max(self.cue_id)


@dataclass(frozen=True)
class TaggedRow:
    ids: list[int]
    labels: NegationLabels


@dataclass
class NegationLexicon:
    """Pieces that matter to negation, as ids of one tokenizer."""

    texts: TextEncoder
    _spans: list[list[int]] = field(init=False)
    _possible: set[int] = field(init=False)  # first pieces of the possible cues

    def __post_init__(self) -> None:
        spans = (ids[1:-1] for ids in self.texts.encode(SURE_CUES, 16))
        self._spans = sorted(spans, key=len, reverse=True)
        self._possible = {ids[1] for ids in self.texts.encode([*SURE_CUES, *_POSSIBLE.split("|")], 16)}

    def may_be_negated(self, ids: Sequence[int]) -> bool:
        return not self._possible.isdisjoint(ids)

    @cached_property
    def clause_ends(self) -> set[int]:
        return {ids[1] for ids in self.texts.encode(_CLAUSE_ENDS, 16)}

    @cached_property
    def stems(self) -> dict[int, int]:
        """What stands before `n't` -> the verb that is left without it."""
        pairs = (("ca", "can"), ("wo", "will"), ("sha", "shall"), ("ai", "is"))
        return {a[1]: b[1] for a, b in (self.texts.encode(pair, 16) for pair in pairs) if len(a) == 3}

    @cached_property
    def contraction(self) -> int:
        return self.texts.encode(["n't"], 16)[0][1]

    def find(self, ids: Sequence[int]) -> list[list[int]]:
        """Positions of the sure cues, longest first at each place."""
        found: list[list[int]] = []
        place = 0
        while place < len(ids):
            for span in self._spans:
                if list(ids[place : place + len(span)]) == span:
                    found.append(list(range(place, place + len(span))))
                    break
            place = found[-1][-1] + 1 if found and found[-1][-1] >= place else place + 1
        return found

    def without_cues(self, ids: Sequence[int], labels: NegationLabels) -> list[int]:
        """The row as it reads without its negators: of `does n't` only `n't` goes."""
        sure = {place for span in self.find(ids) for place in span}
        gone = set()
        for cue in range(1, labels.num_cues + 1):
            places = {place for place, cue_id in enumerate(labels.cue_id) if cue_id == cue}
            gone |= places & sure or places
        left = []
        for place, token in enumerate(ids):
            if place in gone:
                continue
            is_stem = place + 1 < len(ids) and place + 1 in gone and ids[place + 1] == self.contraction
            left.append(self.stems.get(token, token) if is_stem else token)
        return left


def gold_row(sentence: TaggedSentence, lexicon: NegationLexicon, max_tokens: int) -> TaggedRow:
    """Pieces never cross a blank, so words are encoded one by one. All pieces of a word share its labels.

    A scope word belongs to the nearest cue, the one before it where two are as near. A sure cue that
    the annotators passed over is left out of the losses.
    """
    first, *_, last = lexicon.texts.encode(["a"], 16)[0]
    ids, word_of = [first], [UNKNOWN]
    for index, pieces in enumerate(lexicon.texts.encode(sentence.words, max_tokens)):
        ids += pieces[1:-1]
        word_of += [index] * (len(pieces) - 2)
    ids, word_of = [*ids[: max_tokens - 1], last], [*word_of[: max_tokens - 1], UNKNOWN]
    cue_of_word = {word: n for n, cue in enumerate(sentence.cues[:MAX_CUES], start=1) for word in cue}
    cue_id = [cue_of_word.get(word, 0) for word in word_of]
    scope_of = [_nearest(word, sentence) if word in sentence.scope else 0 for word in word_of]
    cue = [CUE if number else NO_CUE for number in cue_id]
    for span in lexicon.find(ids):
        for place in span:
            cue[place] = CUE if cue_id[place] else UNKNOWN
    return TaggedRow(ids, NegationLabels(cue, cue_id, scope_of))


def _nearest(word: int, sentence: TaggedSentence) -> int:
    def distance(number: int) -> tuple[int, int]:
        cue = sentence.cues[number - 1]
        return (word - cue[-1], 0) if word > cue[-1] else (cue[0] - word, 1)

    numbers = range(1, min(len(sentence.cues), MAX_CUES) + 1)
    return min(numbers, key=distance, default=0)


@torch.no_grad()
def silver_labels(
    model: Classifier, rows: Sequence[Sequence[int]], lexicon: NegationLexicon
) -> list[NegationLabels]:
    """Labels of unmarked rows, by a model with a tagger."""
    model.eval()
    labels = {index: no_negation(len(row)) for index, row in enumerate(rows)}
    asked = [index for index, row in enumerate(rows) if lexicon.may_be_negated(row)]
    for members in in_batches([rows[index] for index in asked]):
        chosen = [asked[member] for member in members]
        ids, lengths = pad([rows[index] for index in chosen])
        tags = model(ids, lengths).tags
        if tags is None:
            raise ValueError("silver_labels: the model has no tagger")
        is_cue = torch.softmax(tags.cue, dim=2)[:, :, CUE] > _SILVER_CUE  # [B, T]
        for row, index in enumerate(chosen):
            length = len(rows[index])
            found = is_cue[row, :length].nonzero().flatten().tolist()
            labels[index] = silver_from(rows[index], found, tags.scope[row, :length, :length], lexicon)
    return [labels[index] for index in range(len(rows))]


def no_negation(num_tokens: int) -> NegationLabels:
    return NegationLabels([NO_CUE] * num_tokens, [0] * num_tokens, [0] * num_tokens)


def silver_from(
    ids: Sequence[int], found: Sequence[int], scope: Tensor, lexicon: NegationLexicon
) -> NegationLabels:
    """`found`: tokens that the tagger takes for cues; scope [T, T]."""
    is_cue = [False] * len(ids)
    for place in (*found, *(place for span in lexicon.find(ids) for place in span)):
        is_cue[place] = 0 < place < len(ids) - 1
    cue_id, count = [0] * len(ids), 0
    for place in range(1, len(ids) - 1):
        if is_cue[place]:
            count += not is_cue[place - 1]
            cue_id[place] = count if count <= MAX_CUES else 0
    scope_of = [0] * len(ids)
    strength = [0.0] * len(ids)
    for cue in range(1, min(count, MAX_CUES) + 1):
        places = [place for place, number in enumerate(cue_id) if number == cue]
        scores = scope[:, places].mean(dim=1).tolist()  # [T]
        inside = [place for place, score in enumerate(scores) if score > 0 and 0 < place < len(ids) - 1]
        inside = [place for place in inside if not cue_id[place]] or _following(ids, places[-1], lexicon)
        for place in inside:
            if not cue_id[place] and (not scope_of[place] or scores[place] > strength[place]):
                scope_of[place], strength[place] = cue, scores[place]
    return NegationLabels([CUE if number else NO_CUE for number in cue_id], cue_id, scope_of)


def _following(ids: Sequence[int], cue: int, lexicon: NegationLexicon) -> list[int]:
    places = []
    for place in range(cue + 1, min(cue + 1 + _SPREAD, len(ids) - 1)):
        if ids[place] in lexicon.clause_ends:
            break
        places.append(place)
    return places
