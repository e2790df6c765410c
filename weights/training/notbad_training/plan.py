"""The whole run as a list of batches, made before the first step: a resumed run sees the same rows."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from notbad_training.mixture import Source
from notbad_training.negation_labels import UNKNOWN, NegationLabels
from notbad_training.tokens import TextEncoder, pad

# Batches that are sorted by length together: enough for little padding, few enough to stay shuffled.
_BATCHES_PER_POOL = 48


@dataclass(frozen=True)
class Row:
    ids: list[int]
    target: float
    weight: float  # of its label; 0 where only its negation is known
    negation: NegationLabels | None = None
    tag_weight: float = 0.0  # of its cue and scope labels
    off_target: float | None = None  # what it is to say with the negation head off


@dataclass(frozen=True)
class NegationBatch:
    """Tensors of the NegationLabels of each row, UNKNOWN where there are none."""

    cue: Tensor  # [B, T]
    cue_id: Tensor  # [B, T]
    scope_of: Tensor  # [B, T]
    tag_weights: Tensor  # [B]
    off_rows: Tensor  # [R] rows that are repeated with the negation head off
    off_targets: Tensor  # [R]


@dataclass(frozen=True)
class Batch:
    ids: Tensor  # [B, T]
    lengths: Tensor  # [B]
    targets: Tensor  # [B]
    weights: Tensor  # [B]
    negation: NegationBatch | None = None  # None where no row has labels


@dataclass(frozen=True)
class Plan:
    rows: list[Row]
    batches: list[list[int]]  # indices into rows
    fingerprint: str  # of rows and order: a checkpoint belongs to one plan

    def batch(self, step: int) -> Batch:
        rows = [self.rows[index] for index in self.batches[step]]
        ids, lengths = pad([row.ids for row in rows])
        targets = torch.tensor([row.target for row in rows])
        weights = torch.tensor([row.weight for row in rows])
        return Batch(ids, lengths, targets, weights, _negation_of(rows, ids.shape[1]))


@dataclass(frozen=True)
class RowSource:
    """A Source as ids: every epoch draws `per_epoch` of the rows."""

    name: str
    rows: list[Row]
    per_epoch: int


def encode_source(source: Source, encoder: TextEncoder) -> RowSource:
    all_ids = encoder.encode([row.text for row in source.rows], source.max_tokens)
    rows = [Row(ids, row.target, row.weight) for ids, row in zip(all_ids, source.rows, strict=True)]
    return RowSource(source.name, rows, source.per_epoch)


def make_plan(
    sources: Sequence[RowSource], epochs: int, batch_tokens: int, seed: int, max_steps: int | None = None
) -> Plan:
    """`batch_tokens` bounds B * T of a batch, padding included; the plan ends after `max_steps` batches."""
    rows: list[Row] = []
    starts: list[int] = []
    for source in sources:
        starts.append(len(rows))
        rows += source.rows
    batches: list[list[int]] = []
    for epoch in range(epochs):
        order = [
            start + index
            for start, source in zip(starts, sources, strict=True)
            for index in draw_epoch(source, epoch, seed)
        ]
        batches += _batch(order, rows, batch_tokens, random.Random(f"{seed}/{epoch}"))
    batches = batches[:max_steps]
    return Plan(rows, batches, _fingerprint(rows, batches))


def draw_epoch(source: RowSource, epoch: int, seed: int) -> list[int]:
    """Indices of the rows that `epoch` trains on: a window into an endless row of permutations."""
    count = len(source.rows)
    if count == 0:
        return []
    wanted = range(epoch * source.per_epoch, (epoch + 1) * source.per_epoch)
    permutations: dict[int, list[int]] = {}
    for round_number in range(wanted.start // count, (wanted.stop - 1) // count + 1):
        permutations[round_number] = list(range(count))
        random.Random(f"{seed}/{source.name}/{round_number}").shuffle(permutations[round_number])
    return [permutations[position // count][position % count] for position in wanted]


def _negation_of(rows: Sequence[Row], num_tokens: int) -> NegationBatch | None:
    if all(row.negation is None for row in rows):
        return None
    labels = torch.full((3, len(rows), num_tokens), UNKNOWN)
    labels[1] = 0
    for index, row in enumerate(rows):
        if row.negation is not None:
            parts = (row.negation.cue, row.negation.cue_id, row.negation.scope_of)
            labels[:, index, : len(row.ids)] = torch.tensor(parts)
    off = [(index, row.off_target) for index, row in enumerate(rows) if row.off_target is not None]
    return NegationBatch(
        cue=labels[0],
        cue_id=labels[1],
        scope_of=labels[2],
        tag_weights=torch.tensor([row.tag_weight for row in rows]),
        off_rows=torch.tensor([index for index, _ in off], dtype=torch.long),
        off_targets=torch.tensor([target for _, target in off]),
    )


def _batch(order: list[int], rows: Sequence[Row], batch_tokens: int, rng: random.Random) -> list[list[int]]:
    rng.shuffle(order)
    tokens = sum(len(rows[index].ids) for index in order)
    num_pools = max(1, round(tokens / (batch_tokens * _BATCHES_PER_POOL)))
    batches: list[list[int]] = []
    for pool in range(num_pools):
        members = sorted(order[pool::num_pools], key=lambda index: len(rows[index].ids))
        cut = _cut(members, rows, batch_tokens)
        rng.shuffle(cut)
        batches += cut
    return batches


def _cut(members: Sequence[int], rows: Sequence[Row], batch_tokens: int) -> list[list[int]]:
    """Members come shortest first, so the newest one sets T."""
    batches: list[list[int]] = [[]]
    for index in members:
        if batches[-1] and (len(batches[-1]) + 1) * len(rows[index].ids) > batch_tokens:
            batches.append([])
        batches[-1].append(index)
    return batches


def _fingerprint(rows: Sequence[Row], batches: Sequence[Sequence[int]]) -> str:
    digest = hashlib.sha256()
    for row in rows:
        digest.update(repr(row).encode())
    digest.update(repr(batches).encode())
    return digest.hexdigest()
