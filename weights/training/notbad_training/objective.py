"""What a step makes small: the label, cue and scope, what the negation head looks at, and what it does.

Guidance of the head after Strubell et al., "Linguistically-Informed Self-Attention", 2018, whose
supervised head attends to the syntactic parent. The losses of the head switched off are this project's own.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from notbad_training.model import Classifier, ClassifierResult, NegationOff, NegationTags
from notbad_training.negation_labels import UNKNOWN
from notbad_training.plan import Batch, NegationBatch

_TINY = 1e-6


@dataclass(frozen=True)
class LossWeights:
    tagging: float = 0.0  # cue and scope
    guidance: float = 0.0  # scope words of the negation head look at their cue
    resting: float = 0.0  # all its other tokens look at the first one
    ablation: float = 0.0  # with the head off, a row says what it says without its negators


def loss_of(
    model: Classifier, result: ClassifierResult, batch: Batch, weights: LossWeights, off: NegationOff
) -> Tensor:
    loss = soft_loss(result.logits.float(), batch.targets, batch.weights)
    labels = batch.negation
    if labels is None:
        return loss
    if weights.tagging and result.tags is not None:
        loss = loss + weights.tagging * tagging_loss(result.tags, labels)
    index = model.config.negation_head
    if index is None or not (weights.guidance or weights.resting or weights.ablation):
        return loss
    attention = result.encoder.attention[index.layer][:, index.head].float()  # [B, T, T]
    loss = loss + weights.guidance * guidance_loss(attention, labels)
    loss = loss + weights.resting * resting_loss(attention, labels)
    if len(labels.off_rows):
        logits = model.logits_without_negation_head(result, batch.lengths, labels.off_rows, off)
        ones = torch.ones_like(labels.off_targets)
        loss = loss + weights.ablation * soft_loss(logits.float(), labels.off_targets, ones)
    return loss


def soft_loss(logits: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
    """Cross-entropy against [1 - target, target], rows weighted: logits [B, 2] -> scalar."""
    wanted = torch.stack([1 - targets, targets], dim=1)  # [B, 2]
    per_row = -(wanted * torch.log_softmax(logits, dim=1)).sum(dim=1)  # [B]
    return (per_row * weights).sum() / weights.sum().clamp(min=_TINY)


def tagging_loss(tags: NegationTags, labels: NegationBatch) -> Tensor:
    """Cross-entropy of the cue classes plus binary cross-entropy of "in the scope of some cue"."""
    row_weights = labels.tag_weights[:, None]  # [B, 1]
    cue = functional.cross_entropy(
        tags.cue.float().transpose(1, 2), labels.cue, ignore_index=UNKNOWN, reduction="none"
    )  # [B, T], 0 where unknown
    cue_loss = _mean(cue, row_weights * (labels.cue != UNKNOWN))
    scores = scope_scores(tags.scope.float(), labels.cue_id)  # [B, T]
    is_inside = (labels.scope_of > 0).float()
    scope = functional.binary_cross_entropy_with_logits(scores, is_inside, reduction="none")
    has_cue = (labels.cue_id > 0).any(dim=1, keepdim=True)
    is_judged = has_cue & (labels.scope_of != UNKNOWN) & (labels.cue_id == 0)
    return cue_loss + _mean(scope, row_weights * is_judged)


def scope_scores(scope: Tensor, cue_id: Tensor) -> Tensor:
    """scope [B, T, T] -> [B, T]: mean over the pieces of a cue, the highest of the row's cues."""
    scores = torch.full_like(scope[:, :, 0], -torch.inf)
    for cue in range(1, int(cue_id.max()) + 1):
        is_piece = (cue_id == cue).float()[:, None, :]  # [B, 1, T]
        count = is_piece.sum(dim=2)  # [B, 1]
        mean = (scope * is_piece).sum(dim=2) / count.clamp(min=1)
        scores = torch.maximum(scores, mean.masked_fill(count == 0, -torch.inf))
    return scores.clamp(min=-30.0)


def guidance_loss(attention: Tensor, labels: NegationBatch) -> Tensor:
    """-log of what each scope token gives to the pieces of its cue."""
    is_pair = (labels.scope_of[:, :, None] == labels.cue_id[:, None, :]) & (labels.cue_id > 0)[:, None, :]
    on_cue = (attention * is_pair).sum(dim=2)  # [B, T]
    return _mean(-(on_cue + _TINY).log(), (labels.scope_of > 0).float())


def resting_loss(attention: Tensor, labels: NegationBatch) -> Tensor:
    """-log of what every other token gives to the first; rows with and without a cue count the same."""
    misses = -(attention[:, :, 0] + _TINY).log()  # [B, T]
    rests = (labels.scope_of == 0).float()
    has_cue = (labels.cue_id > 0).any(dim=1, keepdim=True)
    return 0.5 * (_mean(misses, rests * has_cue) + _mean(misses, rests * ~has_cue))


def _mean(values: Tensor, weights: Tensor) -> Tensor:
    return (values * weights).sum() / weights.sum().clamp(min=_TINY)
