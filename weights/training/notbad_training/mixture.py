"""Which rows are trained on, how often and with what weight; the held-out rows that calibrate."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from notbad_training import data as sets
from notbad_training.data import SST5_TARGETS, Example, SstPhrase, key_of
from notbad_training.frames import make_frames, without_reserved
from notbad_training.rewrites import make_rewrites
from notbad_training.service_frames import make_service_rows
from notbad_training.targets import SoftTargets

# One SST tree in this many is held out, with its phrases; temperature and curves come from its roots.
_HOLD_OUT_EVERY = 16
_READ_HELD_OUT_EVERY = 20
_WEAK = 0.4  # weight of a label that is the field that the text stood in
_SHORT_PHRASE = 3  # words; shorter phrases stand in thousands of trees and are not held out


@dataclass(frozen=True)
class Source:
    """Rows of one kind. Every epoch draws `per_epoch` of them, each row once before any comes again."""

    name: str
    rows: list[Example]
    per_epoch: int
    max_tokens: int = 128


@dataclass(frozen=True)
class Mixture:
    sources: list[Source]
    held_out: list[Example]


def held_out_rows(data: Path, suite: Path | None, limit: int | None = None) -> list[Example]:
    """Those of every mixture."""
    held_out, _ = _hold_out(sets.load_sst5(data))
    return without_reserved(held_out, _judged_keys(data, suite))[:limit]


@dataclass(frozen=True)
class Shelf:
    """All that rows are taken from."""

    data: Path
    suite: Path | None  # negation suite, none of whose sentences is taken
    own: Path  # folder of own sentences
    said: SoftTargets  # what a reader said of sentences of reviews


@dataclass(frozen=True)
class Draw:
    """So many rows of each source an epoch, drawn by `seed`; sources without a count are left out."""

    seed: int
    counts: Mapping[str, int]


READ = Draw(
    61,
    {
        "sst_phrases": 40000,
        "sst_roots": 8000,
        "sst_neutral": 5000,
        "cr": 3700,
        "cad": 1000,
        "pros_cons": 1000,
        "frames": 7000,
        "rewrites": 6000,
        "service": 2000,
        "own": 28000,
        "read": 40000,
    },
)
# Less of what has no negator.
NEGATION = Draw(
    62,
    {
        "sst_phrases": 24000,
        "sst_roots": 8000,
        "sst_neutral": 3000,
        "cr": 3700,
        "cad": 400,
        "frames": 5000,
        "rewrites": 5000,
        "negated": 10000,
        "service": 1500,
        "own": 28000,
        "read": 20000,
    },
)
# What a sentence of a review has least of: critics' words, and negation of every kind.
BALANCE = Draw(
    63,
    {
        "sst_phrases": 20000,
        "sst_roots": 16000,
        "sst_neutral": 3000,
        "cr": 3700,
        "cad": 300,
        "frames": 8000,
        "rewrites": 8000,
        "negated": 12000,
        "service": 1500,
        "own": 14000,
        "read": 8000,
    },
)


def build_mixture(shelf: Shelf, draw: Draw, limit: int | None = None) -> Mixture:
    """What people labelled, own sentences, and sentences of reviews by what was said of each.

    No row equals one of the dev files or of the suite; `limit` keeps that many rows of each source.
    """
    data = shelf.data
    judged_keys = _judged_keys(data, shelf.suite)
    phrases = sets.load_sst5(data)
    held_out, banned = _hold_out(phrases)
    polar, neutral, roots = _sst_rows(phrases, sets.load_sst2(data / "sst2/train.tsv"), banned)
    reviews, read = sets.load_cr(data), read_sentences(data, shelf.said)[0]
    rewrites = make_rewrites(
        polar + reviews + _first_sentences(sets.load_amazon14(data)),
        sets.load_lexicon(data),
        24000,
        draw.seed,
    )
    rows = {
        "sst_phrases": polar,
        "sst_roots": roots,
        "sst_neutral": neutral,
        "cr": reviews,
        "cad": sets.load_cad(data / "cad/train.tsv"),
        "pros_cons": [replace(row, weight=_WEAK) for row in sets.load_pros_cons(data)],
        "frames": make_frames(32000, draw.seed),
        "rewrites": rewrites,
        "negated": [row for row in polar + roots + reviews + read if _is_short_and_negated(row)],
        "service": make_service_rows(4000, draw.seed),
        "own": sets.split_own(shelf.own, *sets.OWN_PARTS)[0],
        "read": read,
    }
    rng = random.Random(draw.seed)
    sources = [
        _prepared(Source(name, rows[name], count), judged_keys | banned, rng, limit)
        for name, count in draw.counts.items()
    ]
    return Mixture(
        [source for source in sources if source.rows], without_reserved(held_out, judged_keys)[:limit]
    )


def review_sentences(data: Path) -> list[Example]:
    """Sentences of reviews, each once, in the order of the files; their targets say nothing."""
    reviews = sets.load_amazon14(data) + sets.load_amazon14_unlabelled(data)
    parts = _sentences_of(reviews)
    for row in sets.load_imdb(data):
        parts += [replace(row, text=part) for part in sets.split_sentences(row.text)]
    found: dict[str, Example] = {}
    for row in parts:
        if _has_sentence_length(row):
            found.setdefault(key_of(row.text), Example(row.text, 0.5, 0.0))
    return list(found.values())


def read_sentences(data: Path, said: SoftTargets) -> tuple[list[Example], list[Example]]:
    """Sentences of reviews with what a reader said of them: to train on, and every twentieth, for figures."""
    asked = ((row, said.of(row.text)) for row in review_sentences(data))
    rows = [Example(row.text, target) for row, target in asked if target is not None]
    trained = [row for number, row in enumerate(rows, start=1) if number % _READ_HELD_OUT_EVERY]
    return trained, rows[_READ_HELD_OUT_EVERY - 1 :: _READ_HELD_OUT_EVERY]


def _is_short_and_negated(row: Example) -> bool:
    return sets.has_negator(row.text) and len(row.text.split()) <= 40


def _judged_keys(data: Path, suite: Path | None) -> set[str]:
    judged = [row.text for rows in sets.load_dev(data).values() for row in rows]
    if suite is not None:
        judged += [row.text for pair in sets.load_suite(suite) for row in pair]
    return {key_of(text) for text in judged}


def _prepared(source: Source, banned: set[str], rng: random.Random, limit: int | None) -> Source:
    """Reserved, dev and held-out rows taken out; the final point put on or off half the time."""
    rows = [replace(row, text=_vary_end(row.text, rng)) for row in without_reserved(source.rows, banned)]
    if limit is not None:
        rng.shuffle(rows)
        rows = rows[:limit]
    return replace(source, rows=rows, per_epoch=min(source.per_epoch, 2 * len(rows)))


def _vary_end(text: str, rng: random.Random) -> str:
    draw = rng.random()
    if draw < 0.25:
        return text.rstrip(" .")
    if draw < 0.4 and text[-1:].isalnum():
        return text + " ."
    return text


def _hold_out(phrases: Sequence[SstPhrase]) -> tuple[list[Example], set[str]]:
    """Roots of the held-out trees with a label, and the keys of all their longer phrases."""
    chosen = [phrase for phrase in phrases if phrase.sentence % _HOLD_OUT_EVERY == 5]
    roots = [
        Example(phrase.text, float(phrase.label > 2))
        for phrase in chosen
        if phrase.is_root and phrase.label != 2
    ]
    banned = {key_of(p.text) for p in chosen if p.is_root or len(p.text.split()) > _SHORT_PHRASE}
    return roots, banned


def _sst_rows(
    phrases: Sequence[SstPhrase], sst2: Sequence[Example], banned: set[str]
) -> tuple[list[Example], list[Example], list[Example]]:
    """Polar and neutral phrases, each text once, and the roots."""
    seen: set[str] = set(banned)
    polar: list[Example] = []
    neutral: list[Example] = []
    roots: list[Example] = []
    for phrase in phrases:
        key = key_of(phrase.text)
        row = Example(phrase.text, SST5_TARGETS[phrase.label])
        if phrase.is_root and key not in banned:
            roots.append(row)
        if not key or key in seen:
            continue
        seen.add(key)
        (neutral if phrase.label == 2 else polar).append(row)
    # A few SST-2 rows are spelt otherwise than in the trees; they have a hard label only.
    polar += [row for row in sst2 if key_of(row.text) not in seen]
    return polar, neutral, roots


def _first_sentences(rows: Sequence[Example]) -> list[Example]:
    """amazon14 is tokenised: a sentence ends at " . "."""
    return [replace(row, text=row.text.split(" . ")[0]) for row in rows]


def _sentences_of(rows: Sequence[Example]) -> list[Example]:
    """amazon14 is tokenised: a sentence ends at a mark between blanks."""
    parts = (replace(row, text=part) for row in rows for part in re.split(r" [.!?;] ", row.text))
    return [row for row in parts if _has_sentence_length(row)]


def _has_sentence_length(row: Example) -> bool:
    return 4 <= len(row.text.split()) <= 40
