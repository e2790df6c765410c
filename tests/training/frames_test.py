from __future__ import annotations

import random

import pytest

from notbad_training import frames as frames_module
from notbad_training.data import Example, has_negator, key_of
from notbad_training.frame_groups import GROUPS, IDIOMS, Group
from notbad_training.frames import FrameFiller, make_frames, without_reserved
from notbad_training.rewrites import make_rewrites

LEXICON = {"bright": 1.0, "kind": 1.0, "drab": 0.0, "rotten": 0.0, "love": 1.0}


@pytest.fixture(scope="module")
def frames() -> list[Example]:
    return make_frames(4000, seed=1)


def test_the_same_seed_gives_the_same_sentences(frames: list[Example]) -> None:
    assert make_frames(4000, seed=1) == frames
    assert make_frames(4000, seed=2) != frames


def test_a_sentence_that_the_model_is_judged_on_is_never_made(
    frames: list[Example], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = frames[0].text
    monkeypatch.setattr(frames_module, "RESERVED", (made.lower(),))

    again = make_frames(4000, seed=1)

    assert key_of(made) not in {key_of(row.text) for row in again}


def test_reserved_sentences_are_taken_out_of_any_rows_however_they_are_spelt() -> None:
    rows = [
        Example("the movie was n't it", 0.0),
        Example("THE MOVIE WAS NOT BAD .", 1.0),
        Example(" . ", 0.5),
    ]

    assert without_reserved(rows) == rows[:1]
    assert without_reserved(rows, {key_of("The movie wasn't it!")}) == []


def test_no_slot_is_left_open_and_every_sentence_is_there_once(frames: list[Example]) -> None:
    assert all("{" not in row.text and "_" not in row.text for row in frames)
    assert len({row.text for row in frames}) == len(frames)


def test_a_quarter_or_more_of_the_negated_frames_keep_their_polarity() -> None:
    negated = [group for group in GROUPS[1:] if group.effect != "neutral"]
    keeping = sum(group.share for group in negated if group.effect in ("keep", "faint"))

    assert keeping / sum(group.share for group in negated) >= 0.25


def test_both_labels_are_there_in_like_numbers(frames: list[Example]) -> None:
    positive = sum(row.target > 0.6 for row in frames)
    negative = sum(row.target < 0.4 for row in frames)

    assert 0.8 < positive / negative < 1.25


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group.effect} {group.share}")
def test_every_frame_of_a_group_can_be_filled_for_both_polarities(group: Group) -> None:
    filler = FrameFiller(random.Random(4))

    for frame in group.frames.strip().splitlines():
        assert filler.fill(frame.strip(), is_positive=True)
        assert filler.fill(frame.strip(), is_positive=False)


def test_idioms_stay_on_their_side() -> None:
    assert [target for target, _ in IDIOMS] == sorted((target for target, _ in IDIOMS), reverse=True)


def test_articles_fit_the_word_that_follows() -> None:
    filler = FrameFiller(random.Random(4))

    assert filler.fill("It was a awful {thing}", is_positive=False).startswith("It was an awful ")


def test_a_negator_put_into_a_real_phrase_turns_its_label() -> None:
    rows = [Example("it was kind", 0.99), Example("a drab", 0.01), Example("kind", 0.88)] * 20

    made = make_rewrites(rows, LEXICON, 60, seed=2)

    turned = [row for row in made if has_negator(row.text) and row.target not in (0.99, 0.01)]
    assert turned
    for row in turned:
        assert row.target == pytest.approx(0.8 if "drab" in row.text else 0.12)


def test_a_negator_beside_a_real_phrase_keeps_its_label() -> None:
    made = make_rewrites([Example("the lamp is bright", 0.99)] * 200, LEXICON, 300, seed=2)

    beside = [row for row in made if row.target == 0.99 and has_negator(row.text)]
    assert beside
    assert all("the lamp is bright" in row.text for row in beside)


@pytest.mark.parametrize(
    "row",
    [
        Example("the lamp is not bright", 0.12),  # has its negator already
        Example("the lamp is bright", 0.5),  # no clear label
        Example("the lamp is drab", 0.99),  # its adjective speaks against its label
        Example("the lamp is bright " + "and very tall " * 6, 0.99),  # long
    ],
)
def test_a_row_whose_meaning_a_negator_may_not_turn_is_left_alone(row: Example) -> None:
    made = make_rewrites([row] * 50, LEXICON, 100, seed=3)

    assert all(has_negator(text := other.text) and row.text in text for other in made)
    assert all(other.target == row.target for other in made)
