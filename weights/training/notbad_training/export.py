"""Writes and reads `weights/model`: declares the list of weights, refuses any gap, rounds, writes, signs.

The file is safetensors with the tensors in declared order and no gaps, its header padded to 8 bytes, so that
a reader may map it. It is written here and not by the safetensors package because that orders by type.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from notbad_training.config import FORMAT_VERSION, LABELS, ModelConfig
from notbad_training.model import NUM_CUE_CLASSES, Classifier

MAX_FOLDER_BYTES = 40_000_000
_METADATA = {"format": "notbad", "format_version": str(FORMAT_VERSION)}
_TYPE_NAMES = {torch.float32: "F32", torch.bfloat16: "BF16", torch.float64: "F64", torch.int64: "I64"}
_ALIGNMENT = 8
_HEADS = ("classifier.", "tagger.")


class ExportError(ValueError):
    """What is about to be shipped is not what the format says."""


def declared_weights(config: ModelConfig) -> dict[str, tuple[int, ...]]:
    """Name -> shape of every tensor of model.safetensors, in the order of the file."""
    wide, inner = config.d_model, config.d_ff
    weights: dict[str, tuple[int, ...]] = {
        "embeddings.token.weight": (config.vocab_size, wide),
        "embeddings.position.weight": (config.max_positions, wide),
    }
    weights |= _norm("embeddings.norm", wide)
    for index in range(config.num_layers):
        layer = f"encoder.layer.{index}"
        for part in ("query", "key", "value", "output"):
            weights |= _linear(f"{layer}.attention.{part}", wide, wide)
        weights |= _norm(f"{layer}.attention_norm", wide)
        weights |= _linear(f"{layer}.feed_forward.up", wide, inner)
        weights |= _linear(f"{layer}.feed_forward.down", inner, wide)
        weights |= _norm(f"{layer}.feed_forward_norm", wide)
    weights |= _linear("classifier.output", wide, config.num_labels)
    if config.tagger is not None:
        weights |= _linear("tagger.cue", wide, NUM_CUE_CLASSES)
        weights |= _linear("tagger.query", wide, config.tagger.rank)
        weights |= _linear("tagger.key", wide, config.tagger.rank)
    return weights


def check_weights(weights: Mapping[str, Tensor], config: ModelConfig) -> None:
    declared = declared_weights(config)
    missing = sorted(set(declared) - set(weights))
    extra = sorted(set(weights) - set(declared))
    if missing or extra:
        raise ExportError(f"weights do not match the declared list: missing {missing}, extra {extra}")
    for name, shape in declared.items():
        if tuple(weights[name].shape) != shape:
            raise ExportError(f"{name}: expected {list(shape)}, found {list(weights[name].shape)}")
        if not torch.isfinite(weights[name]).all():
            raise ExportError(f"{name} holds a value that is not finite: the training has diverged")


def rounded(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Matrices to BF16; vectors and the heads stay F32, they are few and cheap."""
    return {
        name: value.to(torch.bfloat16) if value.dim() > 1 and not name.startswith(_HEADS) else value
        for name, value in weights.items()
    }


def with_temperature(weights: Mapping[str, Tensor], temperature: float) -> dict[str, Tensor]:
    """The same labels, calibrated probabilities: the head divided by the temperature."""
    return {
        name: value / temperature if name.startswith("classifier.output.") else value
        for name, value in weights.items()
    }


def write_safetensors(
    path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str] = _METADATA
) -> None:
    header: dict[str, object] = {"__metadata__": dict(metadata)}
    offset = 0
    for name, value in tensors.items():
        size = value.numel() * value.element_size()
        header[name] = {
            "dtype": _TYPE_NAMES[value.dtype],
            "shape": list(value.shape),
            "data_offsets": [offset, offset + size],
        }
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for value in tensors.values():
            file.write(value.contiguous().view(torch.uint8).numpy().tobytes())


def export_model(out: Path, weights: Mapping[str, Tensor], config: ModelConfig, tokenizer: Path) -> None:
    """`weights` in F32; the file is read back and compared before the manifest says that all is well."""
    check_weights(weights, config)
    out.mkdir(parents=True, exist_ok=True)
    declared = declared_weights(config)
    stored = rounded({name: weights[name] for name in declared})
    write_safetensors(out / "model.safetensors", stored)
    (out / "config.json").write_text(config.to_json(), encoding="utf-8")
    (out / "labels.json").write_text(json.dumps({"labels": LABELS}) + "\n", encoding="utf-8")
    if tokenizer.resolve() != (out / "tokenizer.model").resolve():
        shutil.copyfile(tokenizer, out / "tokenizer.model")
    _check_written(out / "model.safetensors", stored)
    _write_manifest(out)


def load_exported(folder: Path) -> Classifier:
    """The model as the engine sees it: stored values, computed in f32."""
    model = Classifier(ModelConfig.load(folder))
    weights = load_file(folder / "model.safetensors")
    model.load_state_dict({name: value.float() for name, value in weights.items()})
    return model.eval()


def _check_written(path: Path, stored: Mapping[str, Tensor]) -> None:
    read = load_file(path)
    if set(read) != set(stored) or not all(torch.equal(read[name], stored[name]) for name in stored):
        raise ExportError(f"{path} does not read back as it was written")


def _write_manifest(out: Path) -> None:
    names = ("config.json", "labels.json", "model.safetensors", "tokenizer.model")
    total = sum((out / name).stat().st_size for name in names)
    if total > MAX_FOLDER_BYTES:
        raise ExportError(f"{out} holds {total} bytes, the limit is {MAX_FOLDER_BYTES}: prune the vocabulary")
    lines = [f"{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (out / "MANIFEST.sha256").write_text("".join(lines), encoding="ascii")


def _linear(name: str, fan_in: int, fan_out: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (fan_out, fan_in), f"{name}.bias": (fan_out,)}


def _norm(name: str, width: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}
