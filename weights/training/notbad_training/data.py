"""Reads the public data sets into one kind of row; knows their formats and nothing about training.

Every loader takes the data directory and returns rows in file order. Dev files are read by
`load_dev` alone, for figures and to keep their rows out of training.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

# What an own sentence says -> probability of "positive"; two readers in a hundred may differ.
OWN_TARGETS = {"positive": 0.98, "negative": 0.02, "neutral": 0.5}
OWN_PARTS = ("written", "again")  # folders, each named after the stage that reads it first
_OWN_HELD_OUT_EVERY = 20

# SST-5 class -> probability of "positive"; the middle class is what neutral text learns from.
SST5_TARGETS = (0.01, 0.12, 0.5, 0.88, 0.99)

INPUT_FILES = (
    "sst2/train.tsv",
    "sst5/phrases_train.tsv.gz",
    "cr/custrev.all",
    "cad/train.tsv",
    "imdb/train.tsv.gz",
    "amazon14/train.tsv.gz",
    "amazon14/unlabel.tsv.gz",
    "pros_cons/pros_cons.tsv",
    "lexicons/positive-words.txt",
    "lexicons/negative-words.txt",
)
DEV_FILES = ("sst2/dev.tsv", "cad/dev.tsv", "dynasent/round01-dev.tsv", "dynasent/round02-dev.tsv")

_NEGATORS = re.compile(
    r"\b(not|never|no|nobody|nothing|nowhere|none|neither|nor|without|hardly|barely|scarcely|seldom"
    r"|rarely|cannot)\b|n[’']t\b"
)


class DataError(ValueError):
    """A data file that is missing or not in its form; the message names file and remedy."""


@dataclass(frozen=True)
class Example:
    text: str
    target: float  # probability of "positive"
    weight: float = 1.0  # of this row in the loss


@dataclass(frozen=True)
class SstPhrase:
    sentence: int  # number of the tree it comes from
    label: int  # 0 to 4
    is_root: bool
    text: str


def key_of(text: str) -> str:
    """The same key for rows that differ in case, blanks, brackets' spelling or the final point."""
    text = text.lower().replace("-lrb-", "(").replace("-rrb-", ")").replace("\\", "")
    return "".join(character for character in text if character.isalnum())


def has_negator(text: str) -> bool:
    return _NEGATORS.search(text.lower()) is not None


def hash_inputs(data: Path, names: Sequence[str]) -> dict[str, str]:
    """sha256 of each file, as `sha256sum` prints it."""
    return {name: hashlib.sha256(_read_bytes(data / name)).hexdigest() for name in names}


def load_sst2(path: Path) -> list[Example]:
    return [Example(row["sentence"].strip(), float(row["label"])) for row in _rows(path)]


def load_sst5(data: Path) -> list[SstPhrase]:
    return [
        SstPhrase(
            int(row["sent_id"]),
            int(row["label5"]),
            row["is_root"] == "1",
            row["phrase"].replace("\\/", "/").replace("\\*", "*"),
        )
        for row in _rows(data / "sst5/phrases_train.tsv.gz")
    ]


def load_cr(data: Path) -> list[Example]:
    lines = _read_text(data / "cr/custrev.all", "latin-1").splitlines()
    rows = ((line[0], line[2:].replace(" n 't", " n't").strip()) for line in lines)
    return [Example(text, float(label)) for label, text in rows if text]


def load_cad(path: Path) -> list[Example]:
    return [
        Example(clean_html(row["Text"]), float(row["Sentiment"] == "Positive"))
        for row in _rows(path, quoted=True)
    ]


def load_imdb(data: Path) -> list[Example]:
    """Whole reviews with a clear rating: 1, 2, 9 and 10 points."""
    rows = _rows(data / "imdb/train.tsv.gz")
    return [
        Example(clean_html(row["text"]), float(row["label"]))
        for row in rows
        if int(row["rating"]) in (1, 2, 9, 10)
    ]


def load_amazon14(data: Path) -> list[Example]:
    return [Example(row["text"], float(row["label"])) for row in _rows(data / "amazon14/train.tsv.gz")]


def load_amazon14_unlabelled(data: Path) -> list[Example]:
    """Reviews that nobody labelled: the target says nothing."""
    return [Example(row["text"], 0.5, 0.0) for row in _rows(data / "amazon14/unlabel.tsv.gz")]


def load_pros_cons(data: Path) -> list[Example]:
    return [Example(row["text"], float(row["label"])) for row in _rows(data / "pros_cons/pros_cons.tsv")]


def load_lexicon(data: Path) -> dict[str, float]:
    """Opinion word -> 1.0 or 0.0; words that stand in both lists are left out."""
    words: dict[str, set[float]] = {}
    for name, polarity in (("positive", 1.0), ("negative", 0.0)):
        for line in _read_text(data / f"lexicons/{name}-words.txt", "latin-1").splitlines():
            if line and not line.startswith(";"):
                words.setdefault(line.strip(), set()).add(polarity)
    return {word: min(found) for word, found in words.items() if len(found) == 1}


def load_dev(data: Path) -> dict[str, list[Example]]:
    """Dev file -> its positive and negative rows."""
    dev = {"sst2/dev.tsv": load_sst2(data / "sst2/dev.tsv")}
    dev["cad/dev.tsv"] = load_cad(data / "cad/dev.tsv")
    for name in DEV_FILES[2:]:
        rows = _rows(data / name)
        dev[name] = [
            Example(row["sentence"], float(row["label"] == "positive"))
            for row in rows
            if row["label"] in ("positive", "negative")
        ]
    return dev


def load_suite(path: Path) -> list[tuple[Example, Example]]:
    """The pairs of the negation suite: two sentences, each with its label."""
    return [
        (
            Example(row["sentence"], float(row["label"])),
            Example(row["twin"], float(row["twin_label"])),
        )
        for row in _rows(path)
    ]


def load_own(folder: Path) -> list[Example]:
    """The sentences written for this project: `label<TAB>text`, no header, from every .tsv of `folder`."""
    rows = []
    for path in sorted(folder.glob("*.tsv")):
        for number, line in enumerate(_read_text(path).splitlines(), start=1):
            label, _, text = line.partition("\t")
            if label not in OWN_TARGETS or not text.strip() or "\t" in text:
                raise DataError(
                    f"{path}: line {number} should be {', '.join(OWN_TARGETS)}, a tab and a sentence: mend it"
                )
            rows.append(Example(text, OWN_TARGETS[label]))
    if not rows:
        raise DataError(f"{folder} holds no .tsv file: name the folder of own sentences with --own")
    return rows


def split_own(own: Path, *parts: str) -> tuple[list[Example], list[Example]]:
    """The own sentences of some of OWN_PARTS to train on, and every twentieth, which is never trained on."""
    trained: list[Example] = []
    held_out: list[Example] = []
    for part in parts:
        for number, row in enumerate(load_own(own / part), start=1):
            (trained if number % _OWN_HELD_OUT_EVERY else held_out).append(row)
    return trained, held_out


def clean_html(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("<br />", " ")).strip()


def split_sentences(text: str) -> list[str]:
    """Rough, for reviews: a break after . ! ? and a blank, where a capital or a digit follows."""
    return [part for part in re.split(r"(?<=[.!?])\s+(?=[\"A-Z0-9])", text) if part]


def _rows(path: Path, quoted: bool = False) -> Iterator[dict[str, str]]:
    lines = io.StringIO(_read_text(path))
    if quoted:
        reader = csv.DictReader(lines, delimiter="\t")
    else:
        reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    for row in reader:
        if None in row or None in row.values():
            raise DataError(
                f"{path}: line {reader.line_num} does not have the {len(reader.fieldnames or [])} "
                "columns of its header: fetch the file again"
            )
        yield row


def _read_text(path: Path, encoding: str = "utf-8") -> str:
    raw = _read_bytes(path)
    return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode(encoding)


def _read_bytes(path: Path) -> bytes:
    if not path.is_file():
        raise DataError(f"{path} is missing: see the table of data sets in weights/training/README.md")
    return path.read_bytes()
