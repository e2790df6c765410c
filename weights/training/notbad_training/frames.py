"""Sentences that teach negation: frames written for this project, filled from frame_words.

SST-2 holds "not bad" in 7 rows, so the meaning of a negator has to be shown. A frame says what its
negator does to the polarity of its fillers: flip it, keep it (the negator is beside the point, doubled,
or an idiom), or nothing at all. About a third of the negated rows are of the keeping kind: with
fewer of them a model learns "negator means flip".
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence

from notbad_training import frame_words as words
from notbad_training.data import Example, key_of
from notbad_training.frame_groups import FAINT, FLIP_NEGATIVE, FLIP_POSITIVE, GROUPS, IDIOMS, KEEP, Group

# Sentences that the model is judged on: no training row may equal one of them, see key_of().
RESERVED = (
    "The movie was bad",
    "The movie was not bad",
    "The movie was good",
    "The movie was not good",
    "I never enjoyed a film more",
    "It is not without charm",
    "Nothing about this works",
    "The shop opens at nine",
)

_IDIOM_SHARE = 0.10

_SLOT = re.compile(r"{(\w+)}")


class FrameFiller:
    """Fills one frame at a time; the same seed gives the same sentences."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def fill(self, frame: str, is_positive: bool) -> str:
        text = _SLOT.sub(lambda slot: self._word(slot[1], is_positive), frame)
        return self._finish(text)

    def _word(self, slot: str, is_positive: bool) -> str:
        side = 0 if is_positive else 1
        polar = {
            "adj": words.ADJECTIVES[side],
            "opp": words.ADJECTIVES[1 - side],
            "comp": words.COMPARATIVES[side],
            "quality": words.QUALITIES[side],
            "loved": words.LOVED[side],
            "loved_opp": words.LOVED[1 - side],
            "love": words.LOVE[side],
            "state": words.STATES[side],
            "state_opp": words.STATES[1 - side],
            "verdict": words.VERDICTS[side],
            "superb": words.SUPERB[side],
            "acted": words.ACTS[side],
        }
        if slot in polar:
            return self._choose(polar[slot])
        if slot in _PLAIN_SLOTS:
            return self._choose(_PLAIN_SLOTS[slot])
        if slot == "s":
            subject = self._choose(words.SUBJECTS)
            return subject[0].lower() + subject[1:]
        return self._choose(words.NEUTRAL_WORDS[slot])

    def _choose(self, options: str) -> str:
        return self._rng.choice(options.split("|"))

    def _finish(self, text: str) -> str:
        """Articles, blanks before commas, a capital; now and then a typed slip or no final point."""
        text = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text).replace(" ,", ",").replace(" :", ":")
        if self._rng.random() < 0.06:
            text = re.sub(r"(\w)n't", r"\1nt", text)
        elif self._rng.random() < 0.03:
            text = text.replace(" not ", " nto ", 1)
        return text[0].upper() + text[1:] + self._rng.choice(("", "", ".", ".", "!"))


_PLAIN_SLOTS = {
    "S": words.SUBJECTS,
    "is": "is|was|was|seems|felt|looked",
    "was": "was|would be|had been",
    "is_not": "is not|was not|isn't|wasn't|was not|is not|was never|is never|doesn't seem|didn't feel|"
    "did not look|would not be|cannot be called|hasn't been|ain't",
    "did_not": "did not|didn't|do not|don't|could not|couldn't|would not|can't|can not",
    "hardly": "hardly|barely|scarcely|rarely|seldom|never",
    "just": "just|only|simply",
    "adv": "||||very |really |so |particularly |all that |especially |too |that |exactly |terribly ",
    "thing": words.THINGS,
    "parts": words.PARTS,
    "genre": words.GENRES,
    "job": words.NEUTRAL_WORDS["job"],
}


def make_frames(count: int, seed: int) -> list[Example]:
    """`count` distinct sentences, none of them reserved; groups come in proportion to their shares."""
    rng = random.Random(seed)
    filler = FrameFiller(rng)
    groups: Sequence[Group | None] = (*GROUPS, None)
    shares = [group.share for group in GROUPS] + [_IDIOM_SHARE]
    lines = {group.frames: _lines(group.frames) for group in GROUPS}
    made: dict[str, Example] = {}
    reserved = {key_of(text) for text in RESERVED}
    for _ in range(count * 4):
        group = rng.choices(groups, shares)[0]
        if group is None:
            target, frames = rng.choice(IDIOMS)
            text = filler.fill(rng.choice(_idioms(frames)), is_positive=True)
        else:
            is_positive = rng.random() < 0.5
            target = _target(group.effect, is_positive)
            text = filler.fill(rng.choice(lines[group.frames]), is_positive)
        if key_of(text) not in reserved:
            made.setdefault(text, Example(text, target))
        if len(made) == count:
            break
    return list(made.values())


def without_reserved(rows: Iterable[Example], keys: Iterable[str] = ()) -> list[Example]:
    """The rows that say something and equal neither a reserved sentence nor one of `keys`."""
    banned = {"", *(key_of(text) for text in RESERVED), *keys}
    return [row for row in rows if key_of(row.text) not in banned]


def _target(effect: str, is_positive: bool) -> float:
    if effect == "neutral":
        return 0.5
    if effect == "faint":
        return FAINT[is_positive]
    if effect == "swap":
        return KEEP[not is_positive]
    if effect == "flip":
        return FLIP_POSITIVE if is_positive else FLIP_NEGATIVE
    return KEEP[is_positive]


def _lines(frames: str) -> list[str]:
    return [line.strip() for line in frames.splitlines() if line.strip()]


def _idioms(block: str) -> list[str]:
    return [frame.strip() for line in _lines(block) for frame in line.split("|")]
