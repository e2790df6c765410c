from __future__ import annotations

from pathlib import Path

import pytest

from notbad_training.data import DataError
from notbad_training.negation_data import TaggedSentence, load_tagged


def test_a_cue_of_two_words_is_one_cue_and_speculation_is_left_out(data_folder: Path) -> None:
    first, second, *_ = load_tagged(data_folder / "negation/SFU_train.conll.gz")

    assert first == TaggedSentence(["The", "kite", "does", "n't", "fly"], [[2, 3]], {4})
    assert second == TaggedSentence(["A", "kite"], [], set())


def test_two_cues_of_a_sentence_stay_apart(data_folder: Path) -> None:
    sentence = load_tagged(data_folder / "negation/conandoyle_train.conllu")[0]

    assert sentence.cues == [[1], [4]]
    assert sentence.scope == {0, 2, 5}


def test_a_word_without_a_tag_is_refused_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "x.conll").write_text("a\tO\nbare\n")

    with pytest.raises(DataError, match=r"x.conll: line 2 has no tag"):
        load_tagged(tmp_path / "x.conll")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"x.conll is missing"):
        load_tagged(tmp_path / "x.conll")
