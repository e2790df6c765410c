"""The whole run as a list of batches, made before the first step: a resumed run sees the same rows."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from notbad_training.mixture import Source, draw_epoch
from notbad_training.tokens import TextEncoder, pad

# Batches that are sorted by length together: enough for little padding, few enough to stay shuffled.
_BATCHES_PER_POOL = 48


@dataclass(frozen=True)
class Row:
    ids: list[int]
    target: float
    weight: float


@dataclass(frozen=True)
class Batch:
    ids: Tensor  # [B, T]
    lengths: Tensor  # [B]
    targets: Tensor  # [B]
    weights: Tensor  # [B]


@dataclass(frozen=True)
class Plan:
    rows: list[Row]
    batches: list[list[int]]  # indices into rows
    fingerprint: str  # of rows and order: a checkpoint belongs to one plan

    def batch(self, step: int) -> Batch:
        rows = [self.rows[index] for index in self.batches[step]]
        ids, lengths = pad([row.ids for row in rows])
        targets = torch.tensor([row.target for row in rows])
        return Batch(ids, lengths, targets, torch.tensor([row.weight for row in rows]))


def make_plan(
    sources: Sequence[Source], encoder: TextEncoder, epochs: int, batch_tokens: int, seed: int
) -> Plan:
    """`batch_tokens` bounds B * T of a batch, padding included."""
    rows: list[Row] = []
    starts: list[int] = []
    for source in sources:
        starts.append(len(rows))
        texts = [row.text for row in source.rows]
        all_ids = encoder.encode(texts, source.max_tokens)
        rows += [Row(ids, row.target, row.weight) for ids, row in zip(all_ids, source.rows, strict=True)]
    batches: list[list[int]] = []
    for epoch in range(epochs):
        order = [
            start + index
            for start, source in zip(starts, sources, strict=True)
            for index in draw_epoch(source, epoch, seed)
        ]
        batches += _batch(order, rows, batch_tokens, random.Random(f"{seed}/{epoch}"))
    return Plan(rows, batches, _fingerprint(rows, batches))


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
