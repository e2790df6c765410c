from pathlib import Path

import pytest

from notbad_training.data import DataError, Example, key_of
from notbad_training.mixture import TAUGHT_SOURCES, Source, read_sentences, review_sentences, with_teacher
from notbad_training.targets import SoftTargets


def test_targets_survive_the_file_to_the_nearest_step(tmp_path: Path) -> None:
    said = {"A fine film": 0.93, "Never again": 0.02, "It opens at ten": 0.5}
    path = tmp_path / "targets.npz"
    SoftTargets.from_pairs(said.items()).save(path)
    loaded = SoftTargets.load(path)
    for text, probability in said.items():
        assert loaded.of(text) == pytest.approx(probability, abs=0.5 / 255)


def test_case_and_final_point_do_not_matter_but_words_do() -> None:
    targets = SoftTargets.from_pairs([("A fine film.", 0.9)])
    assert targets.of("a fine film") == 0.9
    assert targets.of("a film") is None


def test_the_file_holds_no_text(tmp_path: Path) -> None:
    path = tmp_path / "targets.npz"
    SoftTargets.from_pairs([("sesquipedalian", 0.5)]).save(path)
    assert b"sesquipedalian" not in path.read_bytes()


def test_missing_file_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.npz is missing: name another"):
        SoftTargets.load(tmp_path / "none.npz")


def test_teacher_counts_half_beside_a_label_and_alone_beside_the_label_of_a_review() -> None:
    rows = [Example("mine", 1.0), Example("of the review", 1.0, 0.5), Example("unasked", 0.0, 0.5)]
    targets = SoftTargets.from_pairs([("mine", 0.5), ("of the review", 0.25)])
    taught = with_teacher(Source("negated", rows, 3), targets, TAUGHT_SOURCES)
    assert [(row.target, row.weight) for row in taught.rows] == [(0.75, 1.0), (0.25, 1.0), (0.0, 0.5)]


def test_rows_with_labels_of_their_own_making_are_left_alone() -> None:
    source = Source("frames", [Example("mine", 1.0)], 1)
    assert with_teacher(source, SoftTargets.from_pairs([("mine", 0.0)]), TAUGHT_SOURCES) is source


def test_sentences_of_reviews_carry_what_was_said_of_them_and_the_twentieth_is_kept(
    data_folder: Path,
) -> None:
    sentences = [row.text for row in review_sentences(data_folder)]
    said = SoftTargets.from_pairs((text, 0.8 if "bright" in text else 0.2) for text in sentences[1:])

    trained, held_out = read_sentences(data_folder, said)

    assert [row.text for row in trained] == [*sentences[1:20], *sentences[21:]]
    assert [row.text for row in held_out] == [sentences[20]]
    assert {row.target for row in trained if "bright" in row.text} == {0.8}


def test_sentences_of_reviews_come_once_and_from_all_reviews(data_folder: Path) -> None:
    keys = [key_of(row.text) for row in review_sentences(data_folder)]

    assert len(keys) == len(set(keys))
    assert {key_of("my pancake number 500 is drab"), key_of("Well, my lamp number 400 is drab.")} <= set(keys)
