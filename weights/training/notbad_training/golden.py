"""Golden values for the C++ tests: python -m notbad_training.golden --out tests/golden

tiny_model.safetensors, tiny_config.json   a model of distinct random weights, under the shipped names
tiny_golden.safetensors                    its values, sequence by sequence, k = 0..3 of lengths 1, 3, 7, 17:
    golden.ids.{k}                    I64 [T]
    golden.embedding.{k}              [T, D]
    golden.layer.{i}.attention.{k}    [H, T, T]
    golden.layer.{i}.output.{k}       [T, D]
    golden.pooled.{k}                 [D]
    golden.logits.{k}                 [C]
    golden.causal.logits.{k}          [C]      a token may attend to itself and to what is before it

tiny_tagged_model.safetensors, tiny_tagged_config.json   the same weights, with a negation head and a tagger
tiny_tagged_golden.safetensors             its values for the same sequences:
    golden.ids.{k}                    I64 [T]
    golden.cue.{k}                    [T, 3]
    golden.scope.{k}                  [T, T]
    golden.logits.{k}                 [C]

textbook_attention.safetensors             attention alone; inputs come from `stream()` on both sides
    case A  D 512, H 8, batch 32, 100 positions, query = key = value, seeds and scales in TEXTBOOK;
            sequence b has length 100 - 3 b where padding is masked; {m} = unmasked, padding, causal:
    {m}.context.slice                 [3, 3, 16]  sequences 0, 13, 31 x positions x the first 16 features;
                                      the positions are 0, 37, 99; under padding a position that is past the
                                      sequence's end is its last real one instead
    {m}.context.sum, .abs_sum         F64 [32]    over the real rows of each sequence
    {m}.weights.slice                 [8, 2, 100] all heads, sequence 13, queries 0 and 37
    {m}.weights.square_sum            [32, 8]     over the real queries of each sequence and head
    positions.{m}                     I64 [3, 3]  the positions of context.slice
    lengths.padding                   I64 [32]
    case B  D 32, H 4, 7 queries, 13 keys, one batch row, seeds and scales in CROSS;
            causal lets query t see keys <= t, hole lets no query see key 5 and query 2 see nothing:
    cross.{unmasked,causal,hole}.context   [7, 32]
    cross.{unmasked,causal,hole}.weights   [4, 7, 13]

Values are computed in f32 by the modules of model.py and compared with an f64 run of the same modules
before they are written; the metadata holds the torch version and the seeds.
"""

from __future__ import annotations

import argparse
import copy
import dataclasses
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from notbad_training.config import HeadIndex, ModelConfig, TaggerConfig
from notbad_training.export import check_weights, declared_weights, write_safetensors
from notbad_training.model import (
    AttentionResult,
    Classifier,
    ClassifierResult,
    MultiHeadAttention,
    causal_mask,
    padding_mask,
)

TINY = ModelConfig(vocab_size=40, d_model=16, num_heads=4, num_layers=2, d_ff=32, max_positions=32)
TAGGED = dataclasses.replace(
    TINY, negation_head=HeadIndex(layer=0, head=2), tagger=TaggerConfig(layer=0, rank=3)
)
TINY_SEED = 31
TINY_LENGTHS = (1, 3, 7, 17)
# f32 against f64 of the same module: ten times tighter than what the C++ tests allow.
_ROUNDING_TOLERANCE = 1e-5

_SLICE_SEQUENCES = (0, 13, 31)
_SLICE_POSITIONS = (0, 37, 99)
_SLICE_FEATURES = 16


@dataclass(frozen=True)
class AttentionCase:
    """Seeds of the streams that fill inputs and weights, with the scale of each kind."""

    d_model: int
    num_heads: int
    input_seeds: tuple[int, ...]
    weight_seeds: tuple[int, int, int, int]  # query, key, value, output
    bias_seeds: tuple[int, int, int, int]
    weight_scale: float
    bias_scale: float = 0.1


TEXTBOOK = AttentionCase(512, 8, (1,), (2, 3, 4, 5), (6, 7, 8, 9), 0.0625)
TEXTBOOK_BATCH, TEXTBOOK_TOKENS = 32, 100
CROSS = AttentionCase(32, 4, (11, 12), (13, 14, 15, 16), (17, 18, 19, 20), 0.25)
CROSS_QUERIES, CROSS_KEYS = 7, 13


def stream(seed: int, shape: tuple[int, ...], scale: float = 1.0) -> Tensor:
    """splitmix64 from `seed`, the top 24 bits of each word as f32 in [-1, 1), times scale."""
    count = int(np.prod(shape))
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    values = (z >> np.uint64(40)).astype(np.float32) * np.float32(2**-23) - np.float32(1)
    return torch.from_numpy(values * np.float32(scale)).reshape(shape)


def make_attention(case: AttentionCase) -> MultiHeadAttention:
    attention = MultiHeadAttention(case.d_model, case.num_heads)
    projections = (attention.query, attention.key, attention.value, attention.output)
    for projection, weight, bias in zip(projections, case.weight_seeds, case.bias_seeds, strict=True):
        shape = (case.d_model, case.d_model)  # [out, in]
        projection.weight = nn.Parameter(stream(weight, shape, case.weight_scale))
        projection.bias = nn.Parameter(stream(bias, (case.d_model,), case.bias_scale))
    return attention.eval()


@torch.no_grad()
def textbook_values() -> dict[str, Tensor]:
    attention = make_attention(TEXTBOOK)
    x = stream(TEXTBOOK.input_seeds[0], (TEXTBOOK_BATCH, TEXTBOOK_TOKENS, TEXTBOOK.d_model))
    full = torch.full((TEXTBOOK_BATCH,), TEXTBOOK_TOKENS)
    padded = TEXTBOOK_TOKENS - 3 * torch.arange(TEXTBOOK_BATCH)
    cases = {
        "unmasked": (None, full),
        "padding": (padding_mask(padded, TEXTBOOK_TOKENS), padded),
        "causal": (causal_mask(TEXTBOOK_TOKENS), full),
    }
    values: dict[str, Tensor] = {"lengths.padding": padded}
    for name, (mask, lengths) in cases.items():
        result = _verified(attention, x, x, mask)
        values |= {f"{name}.{key}": value for key, value in _summary(result, lengths).items()}
        values[f"positions.{name}"] = _slice_positions(lengths)
    return values


@torch.no_grad()
def cross_values() -> dict[str, Tensor]:
    attention = make_attention(CROSS)
    query = stream(CROSS.input_seeds[0], (1, CROSS_QUERIES, CROSS.d_model))
    source = stream(CROSS.input_seeds[1], (1, CROSS_KEYS, CROSS.d_model))
    hole = torch.ones(CROSS_QUERIES, CROSS_KEYS, dtype=torch.bool)
    hole[:, 5] = False
    hole[2] = False
    causal = causal_mask(CROSS_KEYS)[:CROSS_QUERIES]
    values = {}
    for name, mask in (("unmasked", None), ("causal", causal), ("hole", hole)):
        result = _verified(attention, query, source, mask)
        values[f"cross.{name}.context"] = result.context[0]
        values[f"cross.{name}.weights"] = result.weights[0]
    return values


@torch.no_grad()
def tiny_model(config: ModelConfig = TINY) -> Classifier:
    """Weights drawn wide enough that attention is far from uniform and no two heads agree.

    Those of the tagger are drawn last, so that the rest is the same with and without it.
    """
    generator = torch.Generator().manual_seed(TINY_SEED)
    model = Classifier(config)
    for name, shape in declared_weights(config).items():
        value = torch.randn(shape, generator=generator)
        if name.endswith("norm.weight"):
            value = 1 + 0.2 * value
        elif name.endswith("bias"):
            value = 0.2 * value
        elif not name.startswith("embeddings."):
            value = value * (2.0 / shape[-1] ** 0.5)
        model.get_parameter(name).copy_(value)
    return model.eval()


def tiny_sequences() -> list[Tensor]:
    """[1, T] each."""
    generator = torch.Generator().manual_seed(TINY_SEED + 1)
    return [torch.randint(TINY.vocab_size, (1, length), generator=generator) for length in TINY_LENGTHS]


@torch.no_grad()
def tagged_values(model: Classifier) -> dict[str, Tensor]:
    values: dict[str, Tensor] = {}
    for k, ids in enumerate(tiny_sequences()):
        lengths = torch.tensor([ids.shape[1]])
        exact = _tagged_stages(copy.deepcopy(model).double()(ids, lengths))
        values[f"golden.ids.{k}"] = ids[0]
        for name, value in _tagged_stages(model(ids, lengths)).items():
            _check_close(f"tagged {name} {k}", value, exact[name])
            values[f"golden.{name}.{k}"] = value[0]
    return values


def _tagged_stages(result: ClassifierResult) -> dict[str, Tensor]:
    if result.tags is None:
        raise ValueError("the model has no tagger")
    return {"cue": result.tags.cue, "scope": result.tags.scope, "logits": result.logits}


@torch.no_grad()
def tiny_values(model: Classifier) -> dict[str, Tensor]:
    values: dict[str, Tensor] = {}
    for k, ids in enumerate(tiny_sequences()):
        length = ids.shape[1]
        lengths = torch.tensor([length])
        result = model(ids, lengths)
        exact = copy.deepcopy(model).double()(ids, lengths)
        _check_close(f"tiny logits {k}", result.logits, exact.logits)
        values[f"golden.ids.{k}"] = ids[0]
        values[f"golden.embedding.{k}"] = result.encoder.embedding[0]
        for i in range(TINY.num_layers):
            values[f"golden.layer.{i}.attention.{k}"] = result.encoder.attention[i][0]
            values[f"golden.layer.{i}.output.{k}"] = result.encoder.hidden[i][0]
        values[f"golden.pooled.{k}"] = result.pooled[0]
        values[f"golden.logits.{k}"] = result.logits[0]
        values[f"golden.causal.logits.{k}"] = model(ids, lengths, causal_mask(length)).logits[0]
    return values


def write_goldens(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    tiny_seeds = {"torch": torch.__version__, "seed": str(TINY_SEED)}
    for name, config, values_of in (
        ("tiny", TINY, tiny_values),
        ("tiny_tagged", TAGGED, tagged_values),
    ):
        model = tiny_model(config)
        weights = {weight: model.get_parameter(weight).detach() for weight in declared_weights(config)}
        check_weights(weights, config)
        (out / f"{name}_config.json").write_text(config.to_json(), encoding="utf-8")
        write_safetensors(out / f"{name}_model.safetensors", weights)
        write_safetensors(out / f"{name}_golden.safetensors", values_of(model), tiny_seeds)
    seeds = {"torch": torch.__version__, "textbook": repr(TEXTBOOK), "cross": repr(CROSS)}
    values = textbook_values() | cross_values()
    write_safetensors(out / "textbook_attention.safetensors", values, seeds)


def _verified(
    attention: MultiHeadAttention, query: Tensor, source: Tensor, mask: Tensor | None
) -> AttentionResult:
    result: AttentionResult = attention(query, source, source, mask)
    exact: AttentionResult = copy.deepcopy(attention).double()(
        query.double(), source.double(), source.double(), mask
    )
    _check_close("context", result.context, exact.context)
    _check_close("weights", result.weights, exact.weights)
    return result


def _check_close(name: str, value: Tensor, exact: Tensor) -> None:
    error = float((value.double() - exact).abs().max() / exact.abs().max())
    if error > _ROUNDING_TOLERANCE:
        raise ArithmeticError(f"{name}: f32 is {error:.2e} from f64, allowed {_ROUNDING_TOLERANCE:.0e}")


def _slice_positions(lengths: Tensor) -> Tensor:
    last = lengths[list(_SLICE_SEQUENCES)] - 1  # [3]
    return torch.minimum(torch.tensor(_SLICE_POSITIONS)[None, :], last[:, None])  # [3, 3]


def _summary(result: AttentionResult, lengths: Tensor) -> dict[str, Tensor]:
    """Slices and checksums; rows past a sequence's end count nowhere."""
    is_real = padding_mask(lengths, TEXTBOOK_TOKENS).transpose(1, 2)  # [B, T, 1]
    context = result.context.double() * is_real  # [B, T, D]
    squares = (result.weights.double() * is_real[:, None]) ** 2  # [B, H, T, T]
    rows = _slice_positions(lengths)
    sequences = torch.tensor(_SLICE_SEQUENCES)[:, None]
    return {
        "context.slice": result.context[sequences, rows, :_SLICE_FEATURES],
        "context.sum": context.sum(dim=(1, 2)),
        "context.abs_sum": context.abs().sum(dim=(1, 2)),
        "weights.slice": result.weights[_SLICE_SEQUENCES[1]][:, list(_SLICE_POSITIONS[:2])],
        "weights.square_sum": squares.sum(dim=(2, 3)).float(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="notbad_training.golden", description="Makes tests/golden.")
    parser.add_argument("--out", type=Path, required=True)
    write_goldens(parser.parse_args().out)


if __name__ == "__main__":
    main()
