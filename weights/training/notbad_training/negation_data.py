"""Reads sentences whose negation cues and scopes were marked by hand: SFU reviews and Conan Doyle."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from notbad_training.data import DataError

TRAIN_FILES = ("negation/SFU_train.conll.gz", "negation/conandoyle_train.conllu")
DEV_FILES = ("negation/SFU_dev.conll", "negation/conandoyle_dev.conllu")


@dataclass(frozen=True)
class TaggedSentence:
    """`cues` are disjoint runs of word indices. The files do not say which cue a scope belongs to."""

    words: list[str]
    cues: list[list[int]]
    scope: set[int]  # word indices, of all cues together


def load_tagged(path: Path) -> list[TaggedSentence]:
    """One word a line, `word<TAB>tag[<TAB>...]`; a blank line ends a sentence, `#` starts a remark."""
    return [_sentence(rows) for rows in _blocks(path)]


def _blocks(path: Path) -> Iterator[list[tuple[str, str]]]:
    if not path.is_file():
        raise DataError(f"{path} is missing: see the table of data sets in weights/training/README.md")
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    rows: list[tuple[str, str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.split("\t")
        if line.startswith("# ") or line.startswith("#token"):
            continue
        if not line.strip():
            if rows:
                yield rows
            rows = []
        elif len(fields) < 2:
            raise DataError(f"{path}: line {number} has no tag after the word: fetch the file again")
        else:
            rows.append((fields[0], fields[1]))
    if rows:
        yield rows


def _sentence(rows: list[tuple[str, str]]) -> TaggedSentence:
    """SFU says B_negcue and B_neg, Conan Doyle B_cue and B_scope; the rest is O."""
    cues: list[list[int]] = []
    scope: set[int] = set()
    for index, (_, tag) in enumerate(rows):
        is_cue = tag.endswith("cue")
        if is_cue and tag.startswith("I_") and cues and cues[-1][-1] == index - 1:
            cues[-1].append(index)
        elif is_cue:
            cues.append([index])
        elif tag != "O":
            scope.add(index)
    return TaggedSentence([word for word, _ in rows], cues, scope)
