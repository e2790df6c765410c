"""The tokenizer's builder on a vocabulary of its own, and the shipped model on the shared cases."""

from __future__ import annotations

import json
import string
from pathlib import Path

import pytest
import sentencepiece

from notbad_training.text_rules import Rules, as_tsv, normalisation_rules
from notbad_training.tokenizer import (
    SPECIAL_PIECES,
    UNK_ID,
    BuiltTokenizer,
    build_tokenizer,
    corpus,
    wordpiece,
)

_ROOT = Path(__file__).resolve().parents[2]
_LETTERS = string.ascii_lowercase + string.digits
_SOURCE = [
    *("[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    *string.punctuation,
    *_LETTERS,
    *(f"##{letter}" for letter in _LETTERS),
    *("not", "film", "films", "##ing", "ab", "##bcd", "zebra"),
]
_TEXTS = ["A film, not films; filming abcd"] * 5


@pytest.fixture(scope="module")
def built() -> BuiltTokenizer:
    return build_tokenizer(_TEXTS, _SOURCE)


@pytest.fixture(scope="module")
def processor(built: BuiltTokenizer) -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_proto=built.model)


@pytest.fixture(scope="module")
def rules() -> Rules:
    return normalisation_rules()


@pytest.fixture(scope="module")
def shipped() -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_file=str(_ROOT / "weights/model/tokenizer.model"))


def test_every_id_starts_from_the_rows_of_its_own_piece(built, processor) -> None:
    names = {"▁n't": "not"} | {piece: piece for piece in SPECIAL_PIECES}
    for token, rows in enumerate(built.source_rows):
        piece = processor.id_to_piece(token)
        source = _SOURCE[rows[0]]
        expected = names.get(piece, piece[1:] if piece.startswith("▁") else f"##{piece}")
        assert (source, len(rows)) == (expected, 1)
    assert len(built.source_rows) == processor.get_piece_size()


def test_pieces_that_no_text_uses_are_left_out(processor) -> None:
    assert processor.piece_to_id("▁film") != UNK_ID
    assert processor.piece_to_id("▁zebra") == UNK_ID


def test_the_limit_keeps_the_most_used_pieces_beside_the_alphabet() -> None:
    alphabet = len(SPECIAL_PIECES) + 1 + len(string.punctuation) + 2 * len(_LETTERS)
    texts = ["film not film"] * 3

    small = build_tokenizer(texts, _SOURCE, max_pieces=alphabet + 1)

    pieces = sentencepiece.SentencePieceProcessor(model_proto=small.model)
    assert pieces.get_piece_size() == alphabet + 1
    assert pieces.piece_to_id("▁film") != UNK_ID
    assert pieces.piece_to_id("▁not") == UNK_ID


def test_the_first_ids_are_the_special_pieces(processor) -> None:
    ids = processor.pad_id(), processor.unk_id(), processor.bos_id(), processor.eos_id()
    assert tuple(processor.id_to_piece(token) for token in ids) == SPECIAL_PIECES
    assert ids == (0, 1, 2, 3)


def test_special_pieces_in_a_text_are_plain_text(processor) -> None:
    assert not set(processor.encode("[CLS] film [SEP] [PAD] [UNK]")) & set(range(4))


def test_the_search_finds_the_greedy_pieces_even_where_fewer_would_do(processor) -> None:
    assert wordpiece("abcd", frozenset(_SOURCE)) == ["ab", "##c", "##d"]
    assert processor.encode("abcd", out_type=str) == ["▁ab", "c", "d"]


def test_any_latin_word_can_be_spelled(processor) -> None:
    assert UNK_ID not in processor.encode("Zyxwvuts 0987 qrk")


def test_the_same_texts_give_the_same_bytes(built) -> None:
    assert build_tokenizer(_TEXTS, _SOURCE) == built


def test_a_vocabulary_without_the_alphabet_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="##q"):
        build_tokenizer(_TEXTS, [piece for piece in _SOURCE if piece != "##q"])


def test_the_corpus_is_every_training_text_and_no_development_text(data_folder: Path) -> None:
    texts = list(corpus(data_folder))
    for expected in ("number 100 is", "number 0 is", "number 200 is", "number 300 is", "number 400 is"):
        assert any(expected in text for text in texts), expected
    assert "it came late" in texts
    assert "grand handle" in texts
    assert not any("number 90" in text or "gloomy day" in text or "<br" in text for text in texts)


def test_wordpiece_takes_the_longest_piece_and_gives_up_where_none_fits() -> None:
    assert wordpiece("filming", frozenset(_SOURCE)) == ["film", "##ing"]
    assert wordpiece("filmé", frozenset(_SOURCE)) is None


def test_rules_change_what_they_name(rules: Rules) -> None:
    assert all(target != source for source, target in rules.items())
    assert all("  " not in target for target in rules.values()), "SentencePiece keeps double blanks of a rule"
    assert as_tsv({"É": "e", "\u200d": ""}) == "C9\t65\n200D\t\n"


def test_no_rule_leaves_work_for_another(rules: Rules) -> None:
    singles = {source: target for source, target in rules.items() if len(source) == 1}
    for source, target in singles.items():
        again = "".join(singles.get(char, char) for char in target)
        assert again.split() == target.split(), f"U+{ord(source):04X}"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("doesn't", "DOES N’T"),
        ("cann't", "cann`t"),
        ("it's", "it ’s"),
        ("(x)", "-LRB- x -RRB-"),
        ("[x]", "-lsb- x -RsB-"),
        ("``x''", "“x”"),
        ("a -- b", "a — b"),
        ("no…", "no. . ."),
        ("é", "e\u0301"),
        ("a\u00a0\u3000b", " a\tb\n"),
        ("a\u200bb", "ab"),
        ("ﬁlm½", "film 1/2"),
    ],
)
def test_spellings_of_the_same_text_meet(shipped, one: str, other: str) -> None:
    assert shipped.encode(one) == shipped.encode(other)


@pytest.mark.parametrize(
    "case",
    json.loads((_ROOT / "tests/golden/tokenizer_cases.json").read_text(encoding="utf-8")),
    ids=lambda case: case["shows"],
)
def test_the_shipped_model_gives_the_pieces_of_the_shared_cases(shipped, case: dict[str, str]) -> None:
    assert shipped.encode(case["text"], out_type=str) == case["pieces"]
