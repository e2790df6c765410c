"""Scores the twin: python -m notbad_training.evaluate --model weights/model --data DIR

For development. The figures of the model card come from the C++ engine, from `notbad evaluate`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from notbad_training import data as sets
from notbad_training.data import Example
from notbad_training.export import load_exported
from notbad_training.frames import RESERVED
from notbad_training.model import Classifier, NegationOff
from notbad_training.plan import Row
from notbad_training.tokens import TextEncoder, in_batches, pad

_CALIBRATION_BINS = 10


@dataclass(frozen=True)
class Scores:
    accuracy: float
    loss: float
    calibration_error: float


@torch.no_grad()
def logits_of(
    model: Classifier,
    sequences: Sequence[Sequence[int]],
    negation_off: NegationOff | None = None,
    batch_tokens: int = 4096,
) -> Tensor:
    """ids of N sequences -> logits [N, C], in their order; f32 throughout."""
    model.eval()
    logits = torch.empty(len(sequences), model.config.num_labels)
    for chosen in in_batches(sequences, batch_tokens):
        ids, lengths = pad([sequences[index] for index in chosen])
        logits[chosen] = model(ids, lengths, negation_off=negation_off).logits
    return logits


def score(model: Classifier, rows: Sequence[Row]) -> Scores:
    logits = logits_of(model, [row.ids for row in rows])
    return scores_of(logits, torch.tensor([row.target for row in rows]))


def scores_of(logits: Tensor, targets: Tensor) -> Scores:
    """logits [N, 2], targets [N] of 0 and 1."""
    log_probabilities = torch.log_softmax(logits, dim=1)
    labels = (targets > 0.5).long()
    is_right = logits.argmax(dim=1) == labels
    loss = torch.nn.functional.nll_loss(log_probabilities, labels)
    confidence = log_probabilities.exp().max(dim=1).values
    return Scores(float(is_right.float().mean()), float(loss), calibration_error(confidence, is_right))


def calibration_error(confidence: Tensor, is_right: Tensor) -> float:
    """Mean gap between confidence and accuracy over bins of equal width, weighted by rows."""
    bins = (confidence * _CALIBRATION_BINS).long().clamp(max=_CALIBRATION_BINS - 1)
    gap = 0.0
    for index in range(_CALIBRATION_BINS):
        members = bins == index
        if members.any():
            difference = confidence[members].mean() - is_right[members].float().mean()
            gap += float(members.float().mean() * difference.abs())
    return gap


def fit_temperature(logits: Tensor, targets: Tensor) -> float:
    """The T that makes softmax(logits / T) most likely, to three digits, by golden section on log T."""
    low, high = -2.0, 2.0
    ratio = (5**0.5 - 1) / 2
    while high - low > 1e-4:
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if _loss_at(logits, targets, left) < _loss_at(logits, targets, right):
            high = right
        else:
            low = left
    return float(torch.tensor((low + high) / 2).exp())


def _loss_at(logits: Tensor, targets: Tensor, log_temperature: float) -> float:
    return scores_of(logits / torch.tensor(log_temperature).exp(), targets).loss


def as_rows(examples: Sequence[Example], texts: TextEncoder, max_tokens: int) -> list[Row]:
    all_ids = texts.encode([example.text for example in examples], max_tokens)
    return [Row(ids, row.target, row.weight) for ids, row in zip(all_ids, examples, strict=True)]


def evaluate_twin(folder: Path, data: Path, suite: Path | None = None) -> dict[str, Any]:
    """Development figures of an exported model, and its answers to the reserved sentences."""
    model, texts = load_exported(folder), TextEncoder(folder / "tokenizer.model")
    dev = sets.load_dev(data)
    dev["sst2/dev.tsv, negated rows"] = [row for row in dev["sst2/dev.tsv"] if sets.has_negator(row.text)]
    figures: dict[str, Any] = {}
    for name, rows in dev.items():
        figures[name] = asdict(score(model, as_rows(rows, texts, model.config.max_positions)))
        figures[name]["rows"] = len(rows)
    if suite is not None:
        pairs = sets.load_suite(suite)
        sides = as_rows([row for pair in pairs for row in pair], texts, model.config.max_positions)
        figures["suite"] = {"pairs": len(pairs), "pairs_both_right": _pairs_both_right(model, sides)}
    logits = logits_of(model, texts.encode(RESERVED, model.config.max_positions))
    positive = torch.softmax(logits, dim=1)[:, 1].tolist()
    figures["sentences"] = {text: round(p, 4) for text, p in zip(RESERVED, positive, strict=True)}
    return figures


def _pairs_both_right(model: Classifier, rows: Sequence[Row]) -> float:
    """Rows 2 i and 2 i + 1 are a pair."""
    labels = torch.tensor([row.target > 0.5 for row in rows]).long()
    is_right = logits_of(model, [row.ids for row in rows]).argmax(dim=1) == labels  # [2 N]
    return float(is_right.view(-1, 2).all(dim=1).float().mean())


def main() -> None:
    parser = argparse.ArgumentParser(prog="notbad_training.evaluate", description="Scores the twin.")
    parser.add_argument("--model", type=Path, required=True, help="model folder")
    parser.add_argument("--data", type=Path, required=True, help="directory of the data sets")
    parser.add_argument("--suite", type=Path, help="negation suite")
    given = parser.parse_args()
    print(json.dumps(evaluate_twin(given.model, given.data, given.suite), indent=2))


if __name__ == "__main__":
    main()
