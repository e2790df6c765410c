"""Minimal pairs from real rows: a negator is put into, or beside, a sentence whose label is clear."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from notbad_training.data import Example, has_negator
from notbad_training.frame_groups import FLIP_NEGATIVE, FLIP_POSITIVE

_MAX_WORDS = 16
_COPULA = re.compile(r"\b(is|was|are|were)((?: (?:very|really|so|quite|pretty|truly))?) ([a-z-]+)\b", re.I)
_VERB = re.compile(
    r"\b(i|we|they|you) (like|love|enjoy|recommend|hate|dislike|regret|trust|want|need)\b", re.I
)
_ARTICLE = re.compile(r"^(?:a|an) ", re.I)
_NEGATED_COPULA = ("{} not", "{} not", "{}n't", "{}n't", "{} never", "{} hardly", "{} by no means")
_BESIDE = (
    "no doubt , {}",
    "not only that , {}",
    "i had not heard of it before , but {}",
    "i do not say this often , {}",
    "{} , no question",
    "{} , not that it matters",
    "{} , and i am not alone in that",
    "no matter what others say , {}",
    "you may not agree : {}",
    "{} , and there is no denying it",
    "i have nothing else to say : {}",
    "not to give anything away , but {}",
    "i never write reviews , but {}",
    "{} ... i can not put it any other way",
)


def make_rewrites(
    rows: Sequence[Example], lexicon: Mapping[str, float], count: int, seed: int
) -> list[Example]:
    """Up to `count` rows: pairs whose label flips and, 3 in 10, rows whose negator is beside the point."""
    rng = random.Random(seed)
    clear = [row for row in rows if _is_clear(row)]
    rng.shuffle(clear)
    made: list[Example] = []
    for row in clear:
        if len(made) >= count:
            break
        text = rng.choice(_BESIDE).format(row.text) if rng.random() < 0.3 else None
        if text is not None and len(row.text.split()) >= 3:
            made.append(Example(text, row.target))
        elif flipped := _flip(row, lexicon, rng):
            made += [row, flipped]
    return made


def _is_clear(row: Example) -> bool:
    num_words = len(row.text.split())
    return 1 <= num_words <= _MAX_WORDS and abs(row.target - 0.5) > 0.3 and not has_negator(row.text)


def _flip(row: Example, lexicon: Mapping[str, float], rng: random.Random) -> Example | None:
    text = _negate_copula(row, lexicon, rng) or _negate_verb(row.text, rng)
    if text is None:
        text = _negate_phrase(row, lexicon, rng)
    if text is None:
        return None
    return Example(text, FLIP_POSITIVE + 0.05 if row.target > 0.5 else FLIP_NEGATIVE - 0.06)


def _negate_copula(row: Example, lexicon: Mapping[str, float], rng: random.Random) -> str | None:
    """ "the acting is good" -> "the acting is not good", where the adjective carries the label."""
    match = _COPULA.search(row.text)
    if match is None or lexicon.get(match[3].lower()) != round(row.target):
        return None
    negated = rng.choice(_NEGATED_COPULA).format(match[1])
    return f"{row.text[: match.start()]}{negated}{match[2]} {match[3]}{row.text[match.end() :]}"


def _negate_verb(text: str, rng: random.Random) -> str | None:
    match = _VERB.search(text)
    if match is None or len(text.split()) > 10:
        return None
    auxiliary = rng.choice(("do not", "don't", "never", "don’t", "did not"))
    return f"{text[: match.start()]}{match[1]} {auxiliary} {match[2]}{text[match.end() :]}"


def _negate_phrase(row: Example, lexicon: Mapping[str, float], rng: random.Random) -> str | None:
    """ "a good film" -> "not a good film", "funny" -> "not funny"; short phrases only."""
    tokens = row.text.lower().split()
    carries = any(lexicon.get(token) == round(row.target) for token in tokens)
    against = any(lexicon.get(token) == 1 - round(row.target) for token in tokens)
    if not carries or against or len(tokens) > 6:
        return None
    if _ARTICLE.match(row.text):
        return f"{rng.choice(('not', 'not', 'hardly', 'is not', 'was never', 'by no means'))} {row.text}"
    if len(tokens) <= 2 and lexicon.get(tokens[-1]) == round(row.target):
        return f"{rng.choice(('not', 'not', 'not', 'never', 'hardly', 'far from', 'is not'))} {row.text}"
    return None
