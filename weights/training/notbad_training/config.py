"""The two settings objects: the architecture that ships and the recipe that trains it."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORMAT_VERSION = 1
MODEL_ID = "notbad"
MODEL_VERSION = "0.5.0"
LABELS = ("negative", "positive")  # the index is the index of the logit


class ConfigError(ValueError):
    """A setting that cannot work; the message names it and the remedy."""


@dataclass(frozen=True)
class HeadIndex:
    """One attention head, counted from 0."""

    layer: int
    head: int


@dataclass(frozen=True)
class TaggerConfig:
    """The tagging head reads the output of encoder layer `layer`; `rank` is R of its scope scores."""

    layer: int
    rank: int = 64


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
    negation_head: HeadIndex | None = None  # the head in which the first token's value is zero
    tagger: TaggerConfig | None = None

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
        if self.negation_head is not None:
            self._check_index("negation_head.layer", self.negation_head.layer, self.num_layers)
            self._check_index("negation_head.head", self.negation_head.head, self.num_heads)
        if self.tagger is not None:
            self._check_index("tagger.layer", self.tagger.layer, self.num_layers)
            if self.tagger.rank < 1:
                raise ConfigError(f"tagger.rank {self.tagger.rank}: give at least 1")

    @staticmethod
    def _check_index(name: str, value: int, count: int) -> None:
        if not 0 <= value < count:
            raise ConfigError(f"{name} {value} does not exist: the model has {count}, counted from 0")

    @property
    def d_k(self) -> int:
        return self.d_model // self.num_heads

    def to_json(self) -> str:
        document = {
            "format_version": FORMAT_VERSION,
            "model": {"id": MODEL_ID, "version": MODEL_VERSION},
            "architecture": {
                name: value for name, value in dataclasses.asdict(self).items() if value is not None
            },
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
        architecture = document["architecture"]
        if architecture.get("negation_head") is not None:
            architecture["negation_head"] = HeadIndex(**architecture["negation_head"])
        if architecture.get("tagger") is not None:
            architecture["tagger"] = TaggerConfig(**architecture["tagger"])
        return ModelConfig(**architecture)

    @staticmethod
    def load(folder: Path) -> ModelConfig:
        return ModelConfig.from_json((folder / "config.json").read_text(encoding="utf-8"))
