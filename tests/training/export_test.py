from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from notbad_training.config import ConfigError, HeadIndex, ModelConfig, TaggerConfig
from notbad_training.export import (
    ExportError,
    check_weights,
    declared_weights,
    export_model,
    rounded,
    with_temperature,
    write_safetensors,
)

CONFIG = ModelConfig(vocab_size=9, d_model=8, num_heads=2, num_layers=1, d_ff=12, max_positions=4)
TAGGED = dataclasses.replace(
    CONFIG, negation_head=HeadIndex(layer=0, head=1), tagger=TaggerConfig(layer=0, rank=5)
)


@pytest.fixture
def weights() -> dict[str, Tensor]:
    torch.manual_seed(3)
    return {name: torch.randn(shape) for name, shape in declared_weights(CONFIG).items()}


@pytest.fixture
def exported(weights: dict[str, Tensor], tmp_path: Path) -> Path:
    tokenizer = tmp_path / "some.model"
    tokenizer.write_bytes(b"pieces")
    export_model(tmp_path / "model", weights, CONFIG, tokenizer)
    return tmp_path / "model"


def test_a_gap_is_refused_by_name(weights: dict[str, Tensor]) -> None:
    del weights["encoder.layer.0.attention.key.bias"]

    with pytest.raises(ExportError, match=r"missing \['encoder.layer.0.attention.key.bias'\]"):
        check_weights(weights, CONFIG)


def test_an_extra_weight_is_refused_by_name(weights: dict[str, Tensor]) -> None:
    weights["pooler.weight"] = torch.zeros(1)

    with pytest.raises(ExportError, match=r"extra \['pooler.weight'\]"):
        check_weights(weights, CONFIG)


def test_a_wrong_shape_is_refused_with_both_shapes(weights: dict[str, Tensor]) -> None:
    weights["classifier.output.weight"] = torch.zeros(3, 8)

    with pytest.raises(ExportError, match=r"classifier.output.weight: expected \[2, 8\], found \[3, 8\]"):
        check_weights(weights, CONFIG)


def test_a_weight_that_is_not_finite_is_refused(weights: dict[str, Tensor]) -> None:
    weights["embeddings.norm.bias"][3] = float("nan")

    with pytest.raises(ExportError, match=r"embeddings.norm.bias"):
        check_weights(weights, CONFIG)


def test_the_file_lists_the_weights_in_declared_order_without_gaps(exported: Path) -> None:
    raw = (exported / "model.safetensors").read_bytes()
    size = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + size])
    metadata = header.pop("__metadata__")

    ends = [entry["data_offsets"] for entry in header.values()]

    assert size % 8 == 0
    assert metadata == {"format": "notbad", "format_version": "1"}
    assert list(header) == list(declared_weights(CONFIG))
    assert [start for start, _ in ends] == [0] + [end for _, end in ends[:-1]]
    assert len(raw) == 8 + size + ends[-1][1]


def test_matrices_are_stored_in_bf16_and_vectors_in_f32(exported: Path, weights: dict[str, Tensor]) -> None:
    read = load_file(exported / "model.safetensors")

    query = "encoder.layer.0.attention.query"
    assert torch.equal(read[f"{query}.weight"], weights[f"{query}.weight"].to(torch.bfloat16))
    assert torch.equal(read[f"{query}.bias"], weights[f"{query}.bias"])
    assert read["classifier.output.weight"].dtype == torch.float32


def test_rounding_twice_changes_nothing(weights: dict[str, Tensor]) -> None:
    once = {name: value.float() for name, value in rounded(weights).items()}

    assert all(torch.equal(once[name], value.float()) for name, value in rounded(once).items())


def test_the_manifest_is_in_the_form_of_sha256sum_and_covers_the_folder(exported: Path) -> None:
    lines = (exported / "MANIFEST.sha256").read_text().splitlines()

    listed = dict(reversed(line.split("  ")) for line in lines)
    others = {path.name for path in exported.iterdir()} - {"MANIFEST.sha256"}
    assert set(listed) == others
    for name, digest in listed.items():
        assert hashlib.sha256((exported / name).read_bytes()).hexdigest() == digest


def test_config_reads_back_and_names_an_unknown_version(exported: Path) -> None:
    assert ModelConfig.load(exported) == CONFIG
    other = (exported / "config.json").read_text().replace('"format_version": 1', '"format_version": 7')
    with pytest.raises(ConfigError, match=r"format_version 7"):
        ModelConfig.from_json(other)


def test_temperature_divides_the_head_alone(weights: dict[str, Tensor]) -> None:
    scaled = with_temperature(weights, 2.0)

    changed = {name for name in weights if not torch.equal(weights[name], scaled[name])}
    assert changed == {"classifier.output.weight", "classifier.output.bias"}
    torch.testing.assert_close(scaled["classifier.output.bias"] * 2, weights["classifier.output.bias"])


def test_an_empty_and_an_integer_tensor_read_back(tmp_path: Path) -> None:
    tensors = {"ids": torch.arange(5), "none": torch.zeros(0, 3), "wide": torch.rand(2, 2).double()}

    write_safetensors(tmp_path / "t.safetensors", tensors, {"seed": "1"})

    read = load_file(tmp_path / "t.safetensors")
    assert all(torch.equal(read[name], value) for name, value in tensors.items())


def test_negation_head_and_tagger_read_back_and_are_absent_where_there_is_none() -> None:
    assert ModelConfig.from_json(TAGGED.to_json()) == TAGGED
    assert "negation_head" not in json.loads(CONFIG.to_json())["architecture"]
    assert "tagger" not in json.loads(CONFIG.to_json())["architecture"]


@pytest.mark.parametrize(
    ("part", "named"),
    [
        ({"negation_head": HeadIndex(layer=1, head=0)}, r"negation_head.layer 1"),
        ({"negation_head": HeadIndex(layer=0, head=2)}, r"negation_head.head 2"),
        ({"tagger": TaggerConfig(layer=-1, rank=5)}, r"tagger.layer -1"),
        ({"tagger": TaggerConfig(layer=0, rank=0)}, r"tagger.rank 0"),
    ],
)
def test_a_head_or_layer_that_does_not_exist_is_refused(part: dict[str, HeadIndex], named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        dataclasses.replace(CONFIG, **part)


def test_the_tagger_is_declared_last_and_stored_in_f32() -> None:
    declared = declared_weights(TAGGED)

    names = [f"tagger.{part}.{kind}" for part in ("cue", "query", "key") for kind in ("weight", "bias")]
    assert list(declared)[-6:] == names
    assert declared["tagger.cue.weight"] == (3, 8)
    assert declared["tagger.key.weight"] == (5, 8)
    stored = rounded({name: torch.randn(shape) for name, shape in declared.items()})
    assert all(stored[name].dtype == torch.float32 for name in names)
