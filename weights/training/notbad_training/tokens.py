"""Text to ids, as the service does it: the special ids around the pieces, cut to a length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import sentencepiece
import torch
from torch import Tensor


class TextEncoder:
    """Immutable after construction."""

    def __init__(self, model: Path) -> None:
        self._pieces = sentencepiece.SentencePieceProcessor(model_file=str(model))

    @property
    def vocab_size(self) -> int:
        return int(self._pieces.vocab_size())

    def encode(self, texts: Sequence[str], max_tokens: int) -> list[list[int]]:
        first, last = self._pieces.bos_id(), self._pieces.eos_id()
        all_ids = self._pieces.encode(list(texts), out_type=int)
        return [[first, *ids[: max_tokens - 2], last] for ids in all_ids]

    def decode(self, ids: Sequence[int]) -> str:
        """The normalised text of a whole row, without its special ids."""
        return str(self._pieces.decode(list(ids[1:-1])))


def pad(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Ids of different lengths -> ids [B, T] padded with 0, lengths [B]."""
    lengths = torch.tensor([len(ids) for ids in sequences])
    ids = torch.zeros(len(sequences), int(lengths.max()), dtype=torch.long)
    for row, sequence in enumerate(sequences):
        ids[row, : len(sequence)] = torch.tensor(sequence)
    return ids, lengths


def in_batches(sequences: Sequence[Sequence[int]], batch_tokens: int = 4096) -> Iterator[list[int]]:
    """Indices of sequences of like length, longest first; B * T of each list is bounded."""
    order = sorted(range(len(sequences)), key=lambda index: len(sequences[index]))
    while order:
        count = max(1, batch_tokens // len(sequences[order[-1]]))
        chosen, order = order[-count:], order[:-count]
        yield chosen
