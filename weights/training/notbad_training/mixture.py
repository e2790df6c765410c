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
TAUGHT_SEED = 31  # of the rows that the larger teacher has read
AGAIN_SEED = 81  # of those that the second one has read
_READ_HELD_OUT_EVERY = 20
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


def build_mixture(data: Path, suite: Path | None, seed: int, limit: int | None = None) -> Mixture:
    """No row equals one of the dev files or of `suite`; `limit` keeps that many rows of each source."""
    judged = judged_keys(data, suite)
    phrases = sets.load_sst5(data)
    held_out, banned = _hold_out(phrases)
    polar, neutral, roots = _sst_rows(phrases, sets.load_sst2(data / "sst2/train.tsv"), banned)
    reviews = sets.load_cr(data)
    rewritable = polar + reviews + _first_sentences(sets.load_amazon14(data))
    sources = [
        Source("sst_phrases", polar, 64000),
        Source("sst_roots", roots, 7500),
        Source("sst_neutral", neutral, 12000),
        Source("cr", reviews, 3700),
        Source("cad", sets.load_cad(data / "cad/train.tsv"), 2400),
        Source("pros_cons", _weighted(sets.load_pros_cons(data), 0.4), 8000, 48),
        Source("amazon14", _weighted(sets.load_amazon14(data), 0.7), 3000, 72),
        Source("imdb_last", _weighted(_last_sentences(sets.load_imdb(data)), 0.4), 3000, 64),
        Source("frames", make_frames(32000, seed), 13000),
        Source("rewrites", make_rewrites(rewritable, sets.load_lexicon(data), 24000, seed), 9000),
    ]
    rng = random.Random(seed)
    return Mixture(
        [_prepared(source, judged | banned, rng, limit) for source in sources],
        without_reserved(held_out, judged)[:limit],
    )


def held_out_rows(data: Path, suite: Path | None, limit: int | None = None) -> list[Example]:
    """Those of every mixture."""
    held_out, _ = _hold_out(sets.load_sst5(data))
    return without_reserved(held_out, judged_keys(data, suite))[:limit]


def build_wide_mixture(data: Path, suite: Path | None, seed: int, limit: int | None = None) -> Mixture:
    """Reviews of all kinds of things, whole and sentence by sentence, beside the film reviews.

    A sentence of a review carries the label of the review: often wrong, but what stands in bad
    reviews ("I had to call three times") is learned from nothing else.
    """
    base = build_mixture(data, suite, seed, limit)
    kept = {"sst_phrases": 22000, "sst_roots": 7000, "sst_neutral": 4000, "cr": 3700, "cad": 800}
    kept |= {"pros_cons": 5000, "frames": 7000, "rewrites": 7000}
    products = sets.load_amazon14(data)
    rng = random.Random(seed)
    added = [
        Source("amazon14_whole", products, 8000, 96),
        Source("amazon14_sentences", _weighted(_sentences_of(products), 0.5), 16000, 48),
        Source("imdb_sentences", _weighted(_sample_sentences(sets.load_imdb(data), rng), 0.3), 4000, 48),
    ]
    judged = judged_keys(data, suite)
    sources = [replace(source, per_epoch=kept[source.name]) for source in base.sources if source.name in kept]
    sources += [_prepared(source, judged, rng, limit) for source in added]
    return Mixture(
        [replace(source, per_epoch=min(source.per_epoch, len(source.rows))) for source in sources],
        base.held_out,
    )


def build_negation_mixture(data: Path, suite: Path | None, seed: int, limit: int | None = None) -> Mixture:
    """The wide mixture with more negation in it: frames, rewrites, and real rows that hold a negator."""
    wide = build_wide_mixture(data, suite, seed, limit)
    counts = {"sst_phrases": 14000, "sst_roots": 7000, "sst_neutral": 4000, "cr": 3000, "cad": 600}
    counts |= {"pros_cons": 3000, "frames": 9000, "rewrites": 9000}
    counts |= {"amazon14_whole": 2500, "amazon14_sentences": 5000, "imdb_sentences": 1500}
    real = ("sst_phrases", "sst_roots", "cr", "pros_cons", "amazon14_sentences", "imdb_sentences")
    negated = [
        row
        for source in wide.sources
        if source.name in real
        for row in source.rows
        if sets.has_negator(row.text) and len(row.text.split()) <= 40
    ]
    sources = [replace(source, per_epoch=counts[source.name]) for source in wide.sources]
    sources.append(Source("negated", negated, 12000))
    service = Source("service", make_service_rows(4000, seed), 4000)
    sources.append(_prepared(service, judged_keys(data, suite), random.Random(seed), limit))
    return Mixture(
        [replace(source, per_epoch=min(source.per_epoch, len(source.rows))) for source in sources],
        wide.held_out,
    )


def build_taught_mixture(data: Path, suite: Path | None, seed: int, limit: int | None = None) -> Mixture:
    """Only the rows that an epoch trains on, so that a teacher has to read no other; see `with_teacher`."""
    counts = {"sst_phrases": 16000, "sst_roots": 8000, "sst_neutral": 4000, "cr": 3700, "cad": 300}
    counts |= {"pros_cons": 1500, "amazon14_sentences": 9000, "imdb_sentences": 8000, "negated": 7000}
    counts |= {"frames": 5000, "rewrites": 4000, "service": 2000}
    base = build_negation_mixture(data, suite, seed, limit)
    rng = random.Random(seed)
    return Mixture(_sampled(base.sources, counts, rng), base.held_out)


@dataclass(frozen=True)
class OwnReading:
    """What a stage reads beside own sentences: so many rows of each source, drawn by `seed`."""

    seed: int
    parts: tuple[str, ...]  # of the own sentences, each read twice
    counts: Mapping[str, int]


_WRITTEN_COUNTS = {"sst_phrases": 14000, "sst_roots": 7500, "sst_neutral": 3000, "cr": 3700, "cad": 300}
_WRITTEN_COUNTS |= {"pros_cons": 1000, "frames": 2500, "rewrites": 3000, "service": 1500}
_WRITTEN_COUNTS |= {"amazon14_sentences": 4000, "imdb_sentences": 3000, "negated": 6000}
WRITTEN = OwnReading(41, ("written",), _WRITTEN_COUNTS)

# Rows of the last stage to draw from, and how many of them an epoch reads where that is not all.
_AGAIN_COUNTS = {"sst_phrases": 60000, "sst_roots": 8000, "sst_neutral": 8000, "cr": 3700, "cad": 600}
_AGAIN_COUNTS |= {"pros_cons": 500, "frames": 4000, "rewrites": 3500, "service": 1000}
_AGAIN_COUNTS |= {"amazon14_sentences": 4000, "negated": 9000}
_AGAIN_PER_EPOCH = {"sst_phrases": 30000, "sst_roots": 15000, "sst_neutral": 4000}
_AGAIN_SENTENCES = 16000  # of IMDb
_AGAIN_READ = 12000


def build_own_mixture(
    data: Path, suite: Path | None, own: Path, reading: OwnReading, limit: int | None = None
) -> Mixture:
    """Own sentences, other SST rows than the stages before, what the teacher has read of the rest."""
    base = build_negation_mixture(data, suite, reading.seed, limit)
    taught = build_taught_mixture(data, suite, TAUGHT_SEED, limit)
    rng = random.Random(reading.seed)
    others = [source for source in base.sources if source.name not in TAUGHT_SOURCES]
    read = [source for source in taught.sources if source.name in TAUGHT_SOURCES]
    sources = _sampled([*others, *read], reading.counts, rng)
    written = Source("own", sets.split_own(own, *reading.parts)[0], 0)
    written = _prepared(written, judged_keys(data, suite), rng, limit)
    sources.append(replace(written, per_epoch=2 * len(written.rows)))
    return Mixture(sources, base.held_out)


def review_sentences(data: Path) -> list[Example]:
    """Sentences of reviews, each once, in the order of the files; their targets say nothing."""
    parts = _sentences_of(sets.load_amazon14(data) + sets.load_amazon14_unlabelled(data))
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


TAUGHT_SOURCES = ("amazon14_sentences", "imdb_sentences", "negated")


# What the second teacher was asked about.
AGAIN_TAUGHT_SOURCES = (*TAUGHT_SOURCES, "sst_phrases", "sst_roots", "sst_neutral", "read")


def build_again_mixture(
    data: Path, suite: Path | None, own: Path, read: SoftTargets, limit: int | None = None
) -> Mixture:
    """All own sentences, those that were read, and more of everything else than the stages before had."""
    base = build_negation_mixture(data, suite, AGAIN_SEED, limit)
    rng = random.Random(AGAIN_SEED)
    judged = judged_keys(data, suite)

    def prepared(name: str, rows: list[Example], max_tokens: int) -> Source:
        return _prepared(Source(name, rows, 0, max_tokens), judged, rng, limit)

    others = [source for source in base.sources if source.name != "imdb_sentences"]
    sources = [
        replace(source, per_epoch=_AGAIN_PER_EPOCH.get(source.name, source.per_epoch))
        for source in _sampled(others, _AGAIN_COUNTS, rng)
    ]
    films = prepared("imdb_sentences", _weighted(_sample_sentences(sets.load_imdb(data), rng), 0.3), 48)
    sources += _sampled([films], {films.name: _AGAIN_SENTENCES}, rng)
    known = prepared("read", read_sentences(data, read)[0], 64)
    sources += _sampled([known], {known.name: _AGAIN_READ}, rng)
    written = prepared("own", sets.split_own(own, *sets.OWN_PARTS)[0], 128)
    sources.append(replace(written, per_epoch=len(written.rows)))
    return Mixture(sources, base.held_out)


def with_teacher(source: Source, targets: SoftTargets, taught: Sequence[str]) -> Source:
    """What people said of the very text counts half, what they said of the review around it not at all."""
    if source.name not in taught:
        return source
    return replace(source, rows=[_taught(row, targets.of(row.text)) for row in source.rows])


def _sampled(sources: Sequence[Source], counts: Mapping[str, int], rng: random.Random) -> list[Source]:
    """Of each source so many rows, all in every epoch; those without a count are left out."""
    chosen = []
    for source in sources:
        count = min(counts.get(source.name, 0), len(source.rows))
        if count:
            chosen.append(replace(source, rows=rng.sample(source.rows, count), per_epoch=count))
    return chosen


def _taught(row: Example, said: float | None) -> Example:
    if said is None:
        return row
    return replace(row, target=(row.target + said) / 2 if row.weight == 1.0 else said, weight=1.0)


def judged_keys(data: Path, suite: Path | None) -> set[str]:
    """Of the rows that figures come from: nothing is trained on them."""
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
    return replace(source, rows=rows, per_epoch=min(source.per_epoch, len(rows)))


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


def _weighted(rows: Sequence[Example], weight: float) -> list[Example]:
    return [replace(row, weight=weight) for row in rows]


def _first_sentences(rows: Sequence[Example]) -> list[Example]:
    """amazon14 is tokenised: a sentence ends at " . "."""
    return [replace(row, text=row.text.split(" . ")[0]) for row in rows]


def _sentences_of(rows: Sequence[Example]) -> list[Example]:
    """amazon14 is tokenised: a sentence ends at a mark between blanks."""
    parts = (replace(row, text=part) for row in rows for part in re.split(r" [.!?;] ", row.text))
    return [row for row in parts if _has_sentence_length(row)]


def _sample_sentences(rows: Sequence[Example], rng: random.Random) -> list[Example]:
    """Up to three sentences of each review."""
    chosen: list[Example] = []
    for row in rows:
        parts = sets.split_sentences(row.text)
        chosen += [replace(row, text=part) for part in rng.sample(parts, min(3, len(parts)))]
    return [row for row in chosen if _has_sentence_length(row)]


def _has_sentence_length(row: Example) -> bool:
    return 4 <= len(row.text.split()) <= 40


def _last_sentences(rows: Sequence[Example]) -> list[Example]:
    """A review ends with its verdict more often than with anything else."""
    ends = (replace(row, text=sets.split_sentences(row.text)[-1]) for row in rows if row.text)
    return [row for row in ends if len(row.text.split()) >= 4]
