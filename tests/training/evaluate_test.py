from __future__ import annotations

import pytest
import torch

from notbad_training.config import ModelConfig
from notbad_training.evaluate import calibration_error, fit_temperature, logits_of, scores_of
from notbad_training.model import Classifier
from notbad_training.tokens import pad


@torch.no_grad()
def test_logits_come_in_the_order_of_the_rows_whatever_their_lengths() -> None:
    torch.manual_seed(2)
    config = ModelConfig(vocab_size=20, d_model=8, num_heads=2, num_layers=1, d_ff=12, max_positions=16)
    model = Classifier(config).eval()
    rows = [[1, 2, 3], [4], [5, 6, 7, 8, 9, 10], [11, 12], [13] * 9]

    logits = logits_of(model, rows, batch_tokens=12)

    for row, found in zip(rows, logits, strict=True):
        torch.testing.assert_close(found, model(*pad([row])).logits[0])


def test_scores_count_right_labels() -> None:
    scores = scores_of(torch.tensor([[2.0, 0.0], [0.0, 2.0], [2.0, 0.0]]), torch.tensor([0.0, 1.0, 1.0]))

    assert scores.accuracy == pytest.approx(2 / 3)


def test_calibration_error_is_the_gap_weighted_by_rows() -> None:
    confidence = torch.tensor([0.95, 0.95, 0.65, 0.65])
    is_right = torch.tensor([True, True, True, False])

    assert calibration_error(confidence, is_right) == pytest.approx(0.5 * 0.05 + 0.5 * 0.15, abs=1e-6)


def test_certainty_of_one_falls_into_the_last_bin() -> None:
    assert calibration_error(torch.tensor([1.0]), torch.tensor([True])) == pytest.approx(0.0)


@pytest.mark.parametrize("temperature", [0.4, 1.0, 2.5])
def test_the_temperature_that_made_the_labels_is_found(temperature: float) -> None:
    generator = torch.Generator().manual_seed(8)
    logits = 3 * torch.randn(20000, 2, generator=generator)
    chance = torch.softmax(logits / temperature, dim=1)[:, 1]
    targets = (torch.rand(20000, generator=generator) < chance).float()

    assert fit_temperature(logits, targets) == pytest.approx(temperature, rel=0.06)
