"""The rows of the table: what is compared, and the bound that each ratio is held to."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Row:
    name: str
    what: str
    bound: float
    sense: Literal["min", "max"]


@dataclass(frozen=True)
class Ratio:
    """Of the medians of all rounds; `low` and `high` are the ratios of single rounds."""

    value: float
    low: float
    high: float
    detail: str

    @staticmethod
    def of(above: list[float], below: list[float], unit: str) -> Ratio:
        singles = [a / b for a, b in zip(above, below, strict=True)]
        medians = statistics.median(above), statistics.median(below)
        return Ratio(
            medians[0] / medians[1], min(singles), max(singles), f"{medians[0]:.4g} / {medians[1]:.4g} {unit}"
        )


@dataclass(frozen=True)
class NotApplicable:
    reason: str


Outcome = Ratio | NotApplicable

ROWS = (
    Row("ort_f32_t8", "one sentence of 8 tokens: ONNX Runtime / ours", 2.5, "min"),
    Row("ort_f32_t16", "16 tokens", 1.8, "min"),
    Row("ort_f32_t32", "32 tokens", 1.3, "min"),
    Row("ort_f32_t64", "64 tokens", 1.25, "min"),
    Row("torch_f32_t16", "one sentence of 16 tokens: PyTorch / ours", 2.0, "min"),
    Row("ort_mixed", "SST-2 dev: ours / ONNX Runtime in padded batches of 32", 2.0, "min"),
    Row("ort_mixed_sorted", "the same, ONNX Runtime's sorted by length", 1.3, "min"),
    Row("ort_int8_mixed", "ort_mixed with int8 on both sides", 1.5, "min"),
    Row("bf16_gain", "own bf16 / own f32", 1.6, "min"),
    Row("int8_gain", "own int8 / own f32", 2.2, "min"),
    Row(
        "mha_textbook", "D 512, H 8, 32 x 100, weights of each head: nn.MultiheadAttention / ours", 1.5, "min"
    ),
    Row("matmul_share", "the encoder's bare matmuls / all of it, 32 tokens", 0.8, "min"),
    Row("served_share", "served, 64 clients, lists of 8 / the engine alone", 0.85, "min"),
    Row("served_p50", "the example's p50, served to one client / the engine alone", 1.5, "max"),
    Row("fastify_ort", "served single texts: ours / fastify + onnxruntime-node", 3.0, "min"),
    Row("python_ort", "served single texts: ours / FastAPI + ONNX Runtime", 5.0, "min"),
    Row("maps_cost", "32 tokens served with all maps / without", 3.0, "max"),
    Row("ready", "start to ready: ours / FastAPI + ONNX Runtime", 0.2, "max"),
)


def verdict(row: Row, outcome: Outcome) -> str:
    if isinstance(outcome, NotApplicable):
        return "n/a"
    holds = outcome.value >= row.bound if row.sense == "min" else outcome.value <= row.bound
    return "ok" if holds else "MISSED"


def line(row: Row, outcome: Outcome) -> str:
    start = f"{row.name:17} {verdict(row, outcome):7}"
    if isinstance(outcome, NotApplicable):
        return f"{start} {outcome.reason}"
    spread = f"{outcome.low:.2f}..{outcome.high:.2f}"
    held = f"{outcome.value:6.2f}  {row.sense} {row.bound:<5g} {spread:>13}"
    return f"{start} {held}  {outcome.detail:32} {row.what}"
