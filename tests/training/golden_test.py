"""The committed golden files are what the code writes, and the stream is what its formula says."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from notbad_training import golden
from notbad_training.config import ModelConfig

FOLDER = Path(__file__).parents[1] / "golden"
_WORD = (1 << 64) - 1


def stream_by_loops(seed: int, count: int) -> list[float]:
    state, values = seed, []
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & _WORD
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
        z ^= z >> 31
        values.append((z >> 40) * 2.0**-23 - 1)
    return values


def test_the_stream_is_splitmix64() -> None:
    assert golden.stream(11, (2, 3)).flatten().tolist() == stream_by_loops(11, 6)


def test_the_stream_is_scaled_in_f32() -> None:
    torch.testing.assert_close(golden.stream(2, (4,), 0.1), 0.1 * golden.stream(2, (4,)))


@pytest.mark.parametrize("part", ["tiny_golden", "tiny_tagged_golden", "textbook_attention"])
def test_the_committed_goldens_are_what_the_twin_computes(part: str) -> None:
    if part == "tiny_golden":
        made = golden.tiny_values(golden.tiny_model())
    elif part == "tiny_tagged_golden":
        made = golden.tagged_values(golden.tiny_model(golden.TAGGED))
    else:
        made = golden.textbook_values() | golden.cross_values()

    stored = load_file(FOLDER / f"{part}.safetensors")

    assert set(stored) == set(made)
    for name, value in made.items():
        torch.testing.assert_close(
            stored[name], value, rtol=1e-5, atol=1e-5, msg=lambda m, n=name: f"{n}: {m}"
        )


@pytest.mark.parametrize(("name", "config"), [("tiny", golden.TINY), ("tiny_tagged", golden.TAGGED)])
def test_the_committed_tiny_models_are_those_of_the_seed(name: str, config: ModelConfig) -> None:
    stored = load_file(FOLDER / f"{name}_model.safetensors")

    assert ModelConfig.from_json((FOLDER / f"{name}_config.json").read_text()) == config
    for weight, value in golden.tiny_model(config).state_dict().items():
        assert torch.equal(stored[weight], value), weight


def test_the_tagged_model_differs_from_the_plain_one_by_its_negation_head_alone() -> None:
    plain, tagged = golden.tiny_model(), golden.tiny_model(golden.TAGGED)
    ids, lengths = golden.tiny_sequences()[3], torch.tensor([17])

    assert all(torch.equal(tagged.get_parameter(name), value) for name, value in plain.named_parameters())
    assert not torch.allclose(tagged(ids, lengths).logits, plain(ids, lengths).logits, atol=1e-3)


def test_swapping_two_heads_of_the_textbook_case_would_be_seen() -> None:
    attention = golden.make_attention(golden.TEXTBOOK)
    x = golden.stream(1, (1, 20, 512))
    with torch.no_grad():
        right = attention(x, x, x).context
        attention.query.weight.copy_(attention.query.weight.roll(attention.d_k, dims=0))
        attention.query.bias.copy_(attention.query.bias.roll(attention.d_k))

        wrong = attention(x, x, x).context

    assert float((right - wrong).abs().max() / right.abs().max()) > 100 * 1e-4


def test_padding_rows_past_the_end_count_nowhere() -> None:
    values = golden.textbook_values()

    assert values["lengths.padding"].tolist() == [100 - 3 * b for b in range(32)]
    assert values["positions.padding"].tolist() == [[0, 37, 99], [0, 37, 60], [0, 6, 6]]
    assert float(values["padding.context.abs_sum"][31]) < float(values["padding.context.abs_sum"][0]) / 5
