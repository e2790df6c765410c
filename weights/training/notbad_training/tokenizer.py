"""Carries the WordPiece vocabulary of the pretrained encoder over into a SentencePiece unigram model.

Every piece of the new model knows the rows of the source embedding that it starts from; pieces that reviews
do not use are left out. The model file holds the normaliser as well (text_rules.py), so it is all that
training and service need to turn text into ids. The same corpus and vocabulary give the same bytes.
"""

from __future__ import annotations

import functools
import gzip
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

from notbad_training.text_rules import NOT, as_tsv, normalisation_rules

_proto: Any = sentencepiece_model_pb2  # its classes are made at run time, where no type checker sees them

BLANK = "▁"
CONTINUATION = "##"
SPECIAL_PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")  # their ids are their places here
PAD_ID, UNK_ID, CLS_ID, SEP_ID = range(4)
MAX_PIECES = 18_000

_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
_ASCII_MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

# The sets that the vocabulary is counted on, with the column of the text; never a development file.
_TABLES = {
    "sst2/train.tsv": "sentence",
    "sst5/phrases_train.tsv.gz": "phrase",
    "cad/train.tsv": "Text",
    "imdb/train.tsv.gz": "text",
    "amazon14/train.tsv.gz": "text",
    "amazon14/unlabel.tsv.gz": "text",
    "pros_cons/pros_cons.tsv": "text",
}
_CUSTOMER_REVIEWS = "cr/custrev.all"

# Fitting of the scores, chosen by the share of held-out words that keep WordPiece's segmentation.
_FIT_ROUNDS = 16
_FIT_STEP = 0.5
_FIT_MIN_COUNT = 3
_FIT_MAX_LETTERS = 24
_FIRST_PIECE_PER_LETTER = 8.0
_CONTINUATION_SCORE = -16.0
_SCORE_GRID = 64  # sums of multiples of 1/64 are exact in the float32 of SentencePiece's search


@dataclass(frozen=True)
class BuiltTokenizer:
    """The bytes of `tokenizer.model`, and for every id the source rows that its embedding is the mean of."""

    model: bytes
    source_rows: list[list[int]]

    def write(self, model_file: Path, rows_file: Path | None = None) -> None:
        model_file.parent.mkdir(parents=True, exist_ok=True)
        model_file.write_bytes(self.model)
        if rows_file is not None:
            rows_file.write_text(json.dumps(self.source_rows) + "\n", encoding="utf-8")


def build_tokenizer(
    texts: Iterable[str], source_vocabulary: Sequence[str], max_pieces: int = MAX_PIECES
) -> BuiltTokenizer:
    """`source_vocabulary` is the encoder's vocab.txt, a piece a row; `texts` decide which of them stay."""
    rows = {piece: row for row, piece in enumerate(source_vocabulary)}
    normalizer_spec = _compiled_normalizer()
    words = _count_words(texts, normalizer_spec)
    kept = _used_pieces(words, rows, max_pieces - len(SPECIAL_PIECES) - 1)
    scores = _fit_scores(words, kept, normalizer_spec)

    special_rows = [[rows[piece]] for piece in SPECIAL_PIECES]
    # "not" is what the contraction means; the mean of n, ' and t would be three rows of noise.
    source_rows = [*special_rows, [rows["not"]], *([rows[piece]] for piece in kept)]
    return BuiltTokenizer(_model(scores, normalizer_spec), source_rows)


def corpus(data: Path) -> Iterator[str]:
    """The training texts under `data`, line by line."""
    for name, column in _TABLES.items():
        yield from _table_texts(data / name, column)
    with _opened(data / _CUSTOMER_REVIEWS) as lines:
        yield from (line[1:] for line in lines)  # the first character is the label


def wordpiece(word: str, vocabulary: Container[str]) -> list[str] | None:
    """BERT's segmentation: always the longest piece that fits. None where none fits."""
    pieces: list[str] = []
    start = 0
    while start < len(word):
        mark = CONTINUATION if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if mark + word[start:end] in vocabulary), None)
        if end is None:
            return None
        pieces.append(mark + word[start:end])
        start = end
    return pieces


def to_unigram(piece: str) -> str:
    """The piece as SentencePiece writes it: `film` -> `▁film`, `##ing` -> `ing`."""
    return piece.removeprefix(CONTINUATION) if piece.startswith(CONTINUATION) else BLANK + piece


@functools.cache
def _compiled_normalizer() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "rules.tsv"
        table.write_text(as_tsv(normalisation_rules()), encoding="utf-8")
        compiled = sentencepiece.SentencePieceNormalizer(rule_tsv=str(table)).serialized_normalizer_spec()
    spec = _proto.NormalizerSpec(
        name="notbad",
        precompiled_charsmap=_proto.NormalizerSpec.FromString(compiled).precompiled_charsmap,
        add_dummy_prefix=True,
        remove_extra_whitespaces=True,
        escape_whitespaces=True,
    )
    return bytes(spec.SerializeToString(deterministic=True))


def _count_words(texts: Iterable[str], normalizer_spec: bytes) -> Counter[str]:
    normalizer = sentencepiece.SentencePieceNormalizer(normalizer_spec=normalizer_spec)
    words: Counter[str] = Counter()
    for text in texts:
        words.update(normalizer.Normalize(text).split(BLANK))
    for no_word in ("", NOT):
        words.pop(no_word, None)
    return words


def _used_pieces(words: Mapping[str, int], rows: Mapping[str, int], limit: int) -> list[str]:
    """The most used pieces in the order of their rows, and always the alphabet: it can spell any word."""
    uses: Counter[str] = Counter()
    for word, count in words.items():
        for piece in wordpiece(word, rows) or ():
            uses[piece] += count
    alphabet = [*_ALPHABET, *(CONTINUATION + letter for letter in _ALPHABET), *_ASCII_MARKS]
    missing = [piece for piece in (*SPECIAL_PIECES, "not", *alphabet) if piece not in rows]
    if missing:
        raise ValueError(
            f"the source vocabulary lacks {missing[0]}: give vocab.txt of an uncased BERT encoder"
        )
    by_use = sorted(uses, key=lambda piece: (-uses[piece], rows[piece]))
    kept = dict.fromkeys([*alphabet, *by_use])
    return sorted(list(kept)[:limit], key=rows.__getitem__)


def _fit_scores(words: Mapping[str, int], kept: Sequence[str], normalizer_spec: bytes) -> dict[str, float]:
    """Scores with which the best unigram path of a word is WordPiece's greedy one.

    They start so that fewer pieces and a longer first piece win. Then, like a perceptron, each round raises
    the pieces that were missed and lowers those taken in their place. The round that misses least is kept.
    """
    gold = _segmentations(words, kept)
    scores = {to_unigram(piece): _first_score(piece) for piece in kept}
    best, fewest = scores, sum(words.values()) + 1
    for fit_round in range(_FIT_ROUNDS):
        processor = sentencepiece.SentencePieceProcessor(model_proto=_model(scores, normalizer_spec))
        found = dict(zip(gold, processor.encode(list(gold), out_type=str), strict=True))
        wrong = [word for word in gold if found[word] != gold[word]]
        missed = sum(words[word] for word in wrong)
        if missed < fewest:
            best, fewest = scores, missed
        votes: defaultdict[str, float] = defaultdict(float)
        for word in wrong:
            for piece in gold[word]:
                votes[piece] += words[word] ** 0.5
            for piece in found[word]:
                votes[piece] -= words[word] ** 0.5
        step = _FIT_STEP / (1 + fit_round)
        scores = {piece: score + _move(votes[piece], step) for piece, score in scores.items()}
    return best


def _segmentations(words: Mapping[str, int], kept: Sequence[str]) -> dict[str, list[str]]:
    """The words of several pieces that are common enough to fit on, with WordPiece's segmentation."""
    vocabulary = frozenset(kept)
    gold = {}
    for word, count in words.items():
        if count >= _FIT_MIN_COUNT and len(word) <= _FIT_MAX_LETTERS:
            pieces = wordpiece(word, vocabulary) or []
            if len(pieces) > 1:
                gold[word] = [to_unigram(piece) for piece in pieces]
    return gold


def _first_score(piece: str) -> float:
    if piece.startswith(CONTINUATION):
        return _CONTINUATION_SCORE
    return _FIRST_PIECE_PER_LETTER * (min(len(piece), 16) - 5)  # 5: keeps the sum over a text near zero


def _move(votes: float, step: float) -> float:
    return round(step * max(-8.0, min(votes, 8.0)) * _SCORE_GRID) / _SCORE_GRID


def _model(scores: Mapping[str, float], normalizer_spec: bytes) -> bytes:
    model = _proto.ModelProto(normalizer_spec=_proto.NormalizerSpec.FromString(normalizer_spec))
    kinds = _proto.ModelProto.SentencePiece
    for piece in SPECIAL_PIECES:
        # Control pieces are given by id only: the same letters typed by a user stay plain text.
        kind = kinds.UNKNOWN if piece == SPECIAL_PIECES[UNK_ID] else kinds.CONTROL
        model.pieces.add(piece=piece, score=0.0, type=kind)
    model.pieces.add(piece=BLANK + NOT, score=0.0, type=kinds.NORMAL)
    for piece, score in scores.items():
        model.pieces.add(piece=piece, score=score, type=kinds.NORMAL)
    pad, unk, cls, sep = SPECIAL_PIECES
    model.trainer_spec.MergeFrom(
        _proto.TrainerSpec(
            model_type=_proto.TrainerSpec.UNIGRAM,
            vocab_size=len(model.pieces),
            hard_vocab_limit=False,
            pad_id=PAD_ID,
            unk_id=UNK_ID,
            bos_id=CLS_ID,
            eos_id=SEP_ID,
            pad_piece=pad,
            unk_piece=unk,
            bos_piece=cls,
            eos_piece=sep,
        )
    )
    return bytes(model.SerializeToString(deterministic=True))


def _table_texts(table: Path, column: str) -> Iterator[str]:
    with _opened(table) as lines:
        place = next(lines).rstrip("\n").split("\t").index(column)
        for line in lines:
            yield line.rstrip("\n").split("\t")[place].replace("<br />", " ")


def _opened(file: Path) -> TextIO:
    return gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8")
