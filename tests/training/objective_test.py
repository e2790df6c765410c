from __future__ import annotations

import math

import pytest
import torch

from notbad_training.config import HeadIndex, ModelConfig, TaggerConfig
from notbad_training.model import Classifier, MultiHeadAttention, NegationOff
from notbad_training.negation_labels import UNKNOWN, NegationLabels
from notbad_training.objective import (
    LossWeights,
    guidance_loss,
    loss_of,
    resting_loss,
    scope_scores,
    tagging_loss,
)
from notbad_training.plan import NegationBatch, Plan, Row

CONFIG = ModelConfig(
    vocab_size=12,
    d_model=8,
    num_heads=2,
    num_layers=3,
    d_ff=12,
    max_positions=8,
    negation_head=HeadIndex(1, 1),
    tagger=TaggerConfig(2, 4),
)
NEGATED = Row(
    [1, 5, 6, 7, 2], 1.0, 1.0, NegationLabels([0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0]), 1.0, 0.0
)
PLAIN = Row([1, 5, 2], 1.0, 1.0, NegationLabels([0] * 3, [0] * 3, [0] * 3), 1.0)


def labels_of(*rows: Row) -> NegationBatch:
    labels = Plan(list(rows), [list(range(len(rows)))], "toy").batch(0).negation
    assert labels is not None
    return labels


@pytest.fixture
def model() -> Classifier:
    torch.manual_seed(4)
    return Classifier(CONFIG).eval()


def test_padding_has_no_label() -> None:
    labels = labels_of(NEGATED, PLAIN)

    assert labels.cue[1].tolist() == [0, 0, 0, UNKNOWN, UNKNOWN]
    assert labels.scope_of[1].tolist() == [0, 0, 0, UNKNOWN, UNKNOWN]
    assert labels.cue_id[1].tolist() == [0] * 5
    assert labels.off_rows.tolist() == [0]


def test_guidance_is_the_surprise_at_what_scope_words_give_their_cue() -> None:
    attention = torch.full((1, 5, 5), 0.2)
    attention[0, 3] = torch.tensor([0.5, 0.0, 0.25, 0.25, 0.0])

    assert guidance_loss(attention, labels_of(NEGATED)).item() == pytest.approx(-math.log(0.25), abs=1e-4)


def test_resting_counts_rows_with_and_without_a_cue_alike() -> None:
    attention = torch.zeros(2, 5, 5)
    attention[0, :, 0] = 0.5
    attention[1, :, 0] = 0.1
    attention[0, 3, 0] = 0.9  # a scope word: not judged

    expected = 0.5 * (-math.log(0.5) - math.log(0.1))
    assert resting_loss(attention, labels_of(NEGATED, PLAIN)).item() == pytest.approx(expected, abs=1e-4)


def test_a_scope_score_is_the_mean_over_the_pieces_of_the_best_cue() -> None:
    scope = torch.tensor([[[0.0, 4.0, 2.0, 1.0]] * 4])
    cue_id = torch.tensor([[0, 1, 1, 2]])

    assert scope_scores(scope, cue_id)[0, 0].item() == 3.0


def test_the_tagging_loss_falls_when_cue_and_scope_are_right(model: Classifier) -> None:
    labels = labels_of(NEGATED)
    tags = model(torch.tensor([NEGATED.ids]), torch.tensor([5])).tags
    assert tags is not None
    right_cue = torch.nn.functional.one_hot(labels.cue, 3) * 9.0
    right_scope = torch.full((1, 5, 5), -9.0)
    right_scope[0, 3, 2] = 9.0

    before = tagging_loss(tags, labels)
    after = tagging_loss(tags._replace(cue=right_cue, scope=right_scope), labels)

    assert after < 0.01 < before


@pytest.mark.parametrize("how", ["zero", "uniform"])
def test_logits_without_the_head_are_those_of_a_whole_pass(model: Classifier, how: NegationOff) -> None:
    batch = Plan([NEGATED, PLAIN], [[0, 1]], "toy").batch(0)
    result = model(batch.ids, batch.lengths)

    whole = model(batch.ids, batch.lengths, negation_off=how).logits
    partial = model.logits_without_negation_head(result, batch.lengths, torch.tensor([1, 0]), how)

    torch.testing.assert_close(partial, whole.flip(0))
    assert not torch.allclose(whole, result.logits)


def test_a_head_that_rests_on_the_first_token_adds_nothing() -> None:
    torch.manual_seed(4)
    attention = MultiHeadAttention(8, 2, resting_head=1)
    x = torch.randn(1, 4, 8)
    x[..., 0] = 0.0
    x[0, 0, 0] = 1.0  # marks the first token
    with torch.no_grad():
        attention.query.weight[4:] = 0.0
        attention.query.bias[4:] = 10.0
        attention.key.weight[4:] = 0.0
        attention.key.weight[4:, 0] = 10.0

    plain = attention(x, x, x)
    without = attention(x, x, x, resting_off="zero")

    assert plain.weights[0, 1, :, 0].min() > 0.999
    torch.testing.assert_close(plain.context, without.context)
    assert not torch.allclose(plain.context, attention(x, x, x, resting_off="uniform").context)


def test_every_part_of_the_loss_reaches_the_weights(model: Classifier) -> None:
    batch = Plan([NEGATED, PLAIN], [[0, 1]], "toy").batch(0)
    losses = {}
    for name in ("none", "tagging", "guidance", "resting", "ablation"):
        weights = LossWeights() if name == "none" else LossWeights(**{name: 1.0})
        losses[name] = loss_of(model, model(batch.ids, batch.lengths), batch, weights, "zero")

    assert all(losses[name] > losses["none"] for name in losses if name != "none")
    sum(losses.values()).backward()
    assert model.tagger is not None and model.tagger.key.weight.grad is not None
    assert model.encoder.layer[1].attention.key.weight.grad.abs().sum() > 0
