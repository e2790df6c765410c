"""The sentences that everybody gets, as text and as token ids."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import sentencepiece

EXAMPLE = "The movie was not bad"
LENGTHS = (8, 16, 32, 64, 128, 256)


@dataclass(frozen=True)
class Texts:
    dev: list[str]
    dev_ids: Path  # as they come
    sorted_ids: Path  # by length
    example_ids: Path
    by_length: dict[int, Path]  # one sequence of so many tokens
    text_32: str  # a text of 32 tokens
    known: Path  # text -> ids, for a peer without a tokenizer


def write_texts(model: Path, dev_file: Path, most: int | None, work: Path) -> Texts:
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(model / "tokenizer.model"))
    first, last = pieces.bos_id(), pieces.eos_id()

    def ids_of(text: str) -> list[int]:
        return [first, *pieces.encode(text), last]

    def write(name: str, rows: list[list[int]]) -> Path:
        path = work / f"{name}.ids"
        path.write_text("".join(" ".join(map(str, ids)) + "\n" for ids in rows))
        return path

    lines = dev_file.read_text(encoding="utf-8").splitlines()[1:]
    dev = [line.rsplit("\t", 1)[0] for line in lines][:most]
    rows = [ids_of(text) for text in dev]
    stream = [token for ids in rows for token in ids[1:-1]]
    stream *= 1 + max(LENGTHS) // len(stream)
    by_length = {n: write(f"t{n}", [[first, *stream[: n - 2], last]]) for n in LENGTHS}
    known = work / "known_texts.json"
    known.write_text(json.dumps(dict(zip(dev, rows, strict=True))))
    return Texts(
        dev=dev,
        dev_ids=write("dev", rows),
        sorted_ids=write("dev_sorted", sorted(rows, key=len)),
        example_ids=write("example", [ids_of(EXAMPLE)]),
        by_length=by_length,
        text_32=next(text for text, ids in _by_words(dev, ids_of) if len(ids) == 32),
        known=known,
    )


def _by_words(dev: list[str], ids_of: Callable[[str], list[int]]) -> Iterator[tuple[str, list[int]]]:
    """Ever longer beginnings of the dev set's running text."""
    words = " ".join(dev).split()
    for count in range(1, len(words)):
        text = " ".join(words[:count])
        yield text, ids_of(text)
