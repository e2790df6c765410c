from __future__ import annotations

import dataclasses
import math

import pytest
import torch
from torch import Tensor

from notbad_training.config import ConfigError, HeadIndex, ModelConfig, TaggerConfig
from notbad_training.export import declared_weights
from notbad_training.model import (
    Classifier,
    MultiHeadAttention,
    causal_mask,
    masked_softmax,
    padding_mask,
)

CONFIG = ModelConfig(vocab_size=30, d_model=12, num_heads=3, num_layers=2, d_ff=20, max_positions=16)
TAGGED = dataclasses.replace(
    CONFIG, negation_head=HeadIndex(layer=0, head=1), tagger=TaggerConfig(layer=0, rank=5)
)


@pytest.fixture
def model() -> Classifier:
    torch.manual_seed(5)
    return Classifier(CONFIG).eval()


@pytest.fixture
def attention() -> MultiHeadAttention:
    torch.manual_seed(6)
    return MultiHeadAttention(12, 3).eval()


def random_ids(*shape: int) -> Tensor:
    return torch.randint(30, shape, generator=torch.Generator().manual_seed(7))


def attention_by_loops(
    module: MultiHeadAttention, query: Tensor, source: Tensor, mask: Tensor | None
) -> Tensor:
    """[Tq, D], [Tk, D] -> [Tq, D], one number at a time."""
    q, k, v = module.query(query), module.key(source), module.value(source)
    heads = torch.zeros(q.shape)
    for head in range(module.num_heads):
        columns = slice(head * module.d_k, (head + 1) * module.d_k)
        for row in range(len(query)):
            keys = [j for j in range(len(source)) if mask is None or mask[row, j]]
            scores = [float(q[row, columns] @ k[j, columns]) / math.sqrt(module.d_k) for j in keys]
            total = sum(math.exp(score) for score in scores)
            for score, j in zip(scores, keys, strict=True):
                heads[row, columns] += math.exp(score) / total * v[j, columns]
    result: Tensor = module.output(heads)
    return result


def test_refuses_a_width_that_heads_do_not_divide_naming_both() -> None:
    with pytest.raises(ConfigError, match=r"10.*4"):
        MultiHeadAttention(10, 4)
    with pytest.raises(ConfigError, match=r"10.*4"):
        ModelConfig(vocab_size=5, d_model=10, num_heads=4)


@pytest.mark.parametrize("kind", ["none", "causal", "hole"])
@torch.no_grad()
def test_attention_equals_plain_loops_for_other_lengths_of_query_and_key(
    attention: MultiHeadAttention, kind: str
) -> None:
    query, source = torch.randn(1, 4, 12), torch.randn(1, 6, 12)
    hole = torch.ones(4, 6, dtype=torch.bool)
    hole[1] = False
    mask = {"none": None, "causal": causal_mask(6)[:4], "hole": hole}[kind]

    result = attention(query, source, source, mask)

    torch.testing.assert_close(result.context[0], attention_by_loops(attention, query[0], source[0], mask))


def test_value_may_come_from_elsewhere_than_key(attention: MultiHeadAttention) -> None:
    query, key, value = torch.randn(3, 1, 5, 12)

    same = attention(query, key, key).context

    assert not torch.allclose(attention(query, key, value).context, same)


def test_a_query_that_sees_nothing_gets_zero_weights_and_finite_gradients(
    attention: MultiHeadAttention,
) -> None:
    x = torch.randn(1, 3, 12, requires_grad=True)
    mask = torch.tensor([[True, True, False], [False, False, False], [True, True, True]])

    result = attention(x, x, x, mask)
    result.context.sum().backward()

    assert torch.equal(result.weights[0, :, 1], torch.zeros(3, 3))
    torch.testing.assert_close(result.context[0, 1], attention.output.bias)
    assert x.grad is not None
    assert torch.isfinite(x.grad).all()


def test_masked_softmax_gives_masked_keys_exactly_zero_and_survives_large_scores() -> None:
    scores = torch.tensor([[1e4, -1e4, 9e3], [0.0, 1.0, 2.0]])
    mask = torch.tensor([[True, True, False], [False, True, True]])

    weights = masked_softmax(scores, mask)

    assert weights[0, 2] == 0
    assert weights[1, 0] == 0
    torch.testing.assert_close(weights.sum(dim=1), torch.ones(2))


@torch.no_grad()
def test_attention_rows_sum_to_one_over_the_real_keys_of_each_sequence(model: Classifier) -> None:
    lengths = torch.tensor([5, 2])

    encoded = model(random_ids(2, 5), lengths).encoder

    for weights in encoded.attention:
        torch.testing.assert_close(weights[1].sum(dim=-1), torch.ones(3, 5))
        assert (weights[1, :, :, 2:] == 0).all()


@pytest.mark.parametrize("pooling", ["mean", "first"])
@torch.no_grad()
def test_a_padded_row_equals_the_same_text_alone(pooling: str) -> None:
    torch.manual_seed(8)
    config = ModelConfig(
        vocab_size=30, d_model=12, num_heads=3, num_layers=2, d_ff=20, max_positions=16, pooling=pooling
    )
    model = Classifier(config).eval()
    ids = random_ids(2, 9)

    together = model(ids, torch.tensor([9, 4])).logits

    torch.testing.assert_close(together[1:], model(ids[1:, :4], torch.tensor([4])).logits)


@torch.no_grad()
def test_permuting_the_batch_permutes_the_answer(model: Classifier) -> None:
    ids, lengths = random_ids(3, 6), torch.tensor([6, 3, 5])
    order = torch.tensor([2, 0, 1])

    logits = model(ids, lengths).logits

    torch.testing.assert_close(model(ids[order], lengths[order]).logits, logits[order])


@torch.no_grad()
def test_two_runs_are_bit_equal(model: Classifier) -> None:
    ids, lengths = random_ids(2, 6), torch.tensor([6, 3])

    assert torch.equal(model(ids, lengths).logits, model(ids, lengths).logits)


@torch.no_grad()
def test_under_a_causal_mask_a_later_token_changes_no_earlier_state(model: Classifier) -> None:
    ids = random_ids(1, 6)
    changed = ids.clone()
    changed[0, 5] = (ids[0, 5] + 1) % 30
    lengths = torch.tensor([6])

    first = model(ids, lengths, causal_mask(6)).encoder.hidden[-1]
    second = model(changed, lengths, causal_mask(6)).encoder.hidden[-1]

    torch.testing.assert_close(first[0, :5], second[0, :5])
    assert not torch.allclose(first[0, 5], second[0, 5])


@torch.no_grad()
def test_mean_pooling_counts_every_real_token_once(model: Classifier) -> None:
    result = model(random_ids(1, 7), torch.tensor([4]))

    torch.testing.assert_close(result.pooled[0], result.encoder.hidden[-1][0, :4].mean(dim=0))


def test_the_modules_carry_the_declared_weight_names(model: Classifier) -> None:
    shapes = {name: tuple(value.shape) for name, value in model.state_dict().items()}

    assert shapes == declared_weights(CONFIG)


def test_more_tokens_than_positions_are_refused_with_both_numbers(model: Classifier) -> None:
    with pytest.raises(ConfigError, match=r"16.*17"):
        model(random_ids(1, 17), torch.tensor([17]))


def test_padding_mask_is_true_on_real_tokens() -> None:
    mask = padding_mask(torch.tensor([1, 3]), 3)

    assert mask[:, 0].tolist() == [[True, False, False], [True, True, True]]


def test_dropout_acts_in_training_only() -> None:
    torch.manual_seed(9)
    model = Classifier(CONFIG, dropout=0.5)
    ids, lengths = random_ids(1, 5), torch.tensor([5])

    model.train()
    assert not torch.equal(model(ids, lengths).logits, model(ids, lengths).logits)
    model.eval()
    assert torch.equal(model(ids, lengths).logits, model(ids, lengths).logits)


@torch.no_grad()
def test_a_resting_head_gets_nothing_from_the_first_token_and_keeps_its_weights() -> None:
    torch.manual_seed(6)
    plain = MultiHeadAttention(12, 3).eval()
    resting = MultiHeadAttention(12, 3, resting_head=1).eval()
    resting.load_state_dict(plain.state_dict())
    x = torch.randn(2, 4, 12)

    result, expected = resting(x, x, x), plain(x, x, x)

    torch.testing.assert_close(result.weights, expected.weights)
    value = plain.value(x)[:, 0, 4:8]  # [B, d_k]  of the first tokens in head 1
    lost = expected.weights[:, 1, :, :1] * value[:, None]  # [B, T, d_k]
    left = expected.context - lost @ plain.output.weight[:, 4:8].T
    torch.testing.assert_close(result.context, left)


@torch.no_grad()
def test_tags_are_those_of_the_layer_that_the_tagger_reads() -> None:
    torch.manual_seed(5)
    model = Classifier(TAGGED).eval()
    ids, lengths = random_ids(2, 6), torch.tensor([6, 3])

    result = model(ids, lengths)

    assert model.tagger is not None
    assert result.tags is not None
    hidden = result.encoder.hidden[0]
    torch.testing.assert_close(result.tags.cue, model.tagger.cue(hidden))
    query, key = model.tagger.query(hidden), model.tagger.key(hidden)
    scope = float(query[1, 2] @ key[1, 0]) / math.sqrt(5)
    torch.testing.assert_close(float(result.tags.scope[1, 2, 0]), scope)


def test_a_model_without_tagger_has_no_tags(model: Classifier) -> None:
    assert model(random_ids(1, 4), torch.tensor([4])).tags is None


def test_the_tagger_carries_the_declared_weight_names() -> None:
    shapes = {name: tuple(value.shape) for name, value in Classifier(TAGGED).state_dict().items()}

    assert shapes == declared_weights(TAGGED)
