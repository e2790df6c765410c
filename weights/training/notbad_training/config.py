"""The two settings objects: the architecture that ships and the recipe that trains it."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORMAT_VERSION = 1
MODEL_ID = "notbad"
MODEL_VERSION = "0.1.0"
LABELS = ("negative", "positive")  # the index is the index of the logit


class ConfigError(ValueError):
    """A setting that cannot work; the message names it and the remedy."""


@dataclass(frozen=True)
class ModelConfig:
    """The architecture: the `architecture` object of config.json, letter by letter."""

    vocab_size: int  # V
    d_model: int = 384  # D = H * d_k
    num_heads: int = 12  # H
    num_layers: int = 6  # L
    d_ff: int = 1536  # F
    max_positions: int = 256  # P
    num_labels: int = len(LABELS)  # C
    norm_eps: float = 1e-12
    norm: str = "post"
    activation: str = "gelu_erf"
    pooling: str = "mean"

    def __post_init__(self) -> None:
        if self.d_model % self.num_heads != 0:
            raise ConfigError(
                f"d_model {self.d_model} is not divisible by num_heads {self.num_heads}: "
                "choose a width that is a multiple of the number of heads"
            )
        for name, value, known in (
            ("norm", self.norm, ("post",)),
            ("activation", self.activation, ("gelu_erf",)),
            ("pooling", self.pooling, ("mean", "first")),
        ):
            if value not in known:
                raise ConfigError(f"{name} '{value}' is unknown: use one of {', '.join(known)}")

    @property
    def d_k(self) -> int:
        return self.d_model // self.num_heads

    def to_json(self) -> str:
        document = {
            "format_version": FORMAT_VERSION,
            "model": {"id": MODEL_ID, "version": MODEL_VERSION},
            "architecture": dataclasses.asdict(self),
        }
        return json.dumps(document, indent=2) + "\n"

    @staticmethod
    def from_json(text: str) -> ModelConfig:
        document: dict[str, Any] = json.loads(text)
        version = document.get("format_version")
        if version != FORMAT_VERSION:
            raise ConfigError(
                f"config.json: format_version {version}, this package reads {FORMAT_VERSION}: "
                "export the model again"
            )
        return ModelConfig(**document["architecture"])

    @staticmethod
    def load(folder: Path) -> ModelConfig:
        return ModelConfig.from_json((folder / "config.json").read_text(encoding="utf-8"))
