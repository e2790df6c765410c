"""The parts of the card's figures that need no engine."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
import torch

from notbad_training.data import Example
from notbad_training.evaluate import calibration_error
from notbad_training.reliability import reliability_bins, reliability_svg
from notbad_training.table import F1, Share, paired, without_negators

CONFIDENCE = [0.55, 0.58, 0.97, 1.0]
RIGHT = [True, False, True, True]


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    score = F1()
    for is_found, is_there in [(True, True), (True, True), (True, False), (False, True), (False, False)]:
        score.add(is_found, is_there)
    assert score.percent == pytest.approx(100 * 2 / 3)


def test_a_share_of_nothing_is_zero() -> None:
    assert Share().percent == 0


def test_a_review_is_paired_with_its_own_rewrite() -> None:
    rows = [
        Example("the cast is weak tonight", 0.0),
        Example("a long dull book", 0.0),
        Example("a long fine book", 1.0),
        Example("the cast is strong tonight", 1.0),
    ]
    assert sorted((a.text, b.text) for a, b in paired(rows)) == [
        ("a long dull book", "a long fine book"),
        ("the cast is weak tonight", "the cast is strong tonight"),
    ]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It is not dull", "It is dull"),
        ("I can’t wait", "I can wait"),
        ("it wo n't fit", "it will fit"),
        ("No", "No"),
    ],
)
def test_negators_go_and_stems_stay(text: str, left: str) -> None:
    assert without_negators(text) == left


def test_gaps_of_the_bins_weighted_by_rows_are_the_calibration_error() -> None:
    bins = reliability_bins(CONFIDENCE, RIGHT)
    assert [(entry.low, entry.rows, entry.accuracy) for entry in bins] == [(0.5, 2, 0.5), (0.9, 2, 1.0)]
    gaps = sum(entry.rows * abs(entry.confidence - entry.accuracy) for entry in bins) / len(RIGHT)
    assert gaps == pytest.approx(calibration_error(torch.tensor(CONFIDENCE), torch.tensor(RIGHT)), abs=1e-6)


def test_the_diagram_has_a_bar_a_bin_as_high_as_its_accuracy() -> None:
    picture = ElementTree.fromstring(reliability_svg(reliability_bins(CONFIDENCE, RIGHT), "Reliability"))
    bars = [element for element in picture if element.get("class") == "right"]
    low, high = (float(bar.get("height", "nan")) for bar in bars)
    assert high == 2 * low
    assert float(bars[1].get("x", "nan")) > float(bars[0].get("x", "nan"))
