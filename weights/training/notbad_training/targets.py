"""What a teacher or a reader said of texts. The file holds no text, only a hash of each one's key.

Form: an .npz with `gaps`, the differences of the sorted hashes, and `shares`, the probabilities of
"positive" in steps of 1/255.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from notbad_training.data import DataError, key_of

_HASH_BYTES = 5  # of 60,000 texts two share a hash once in 600 files


@dataclass(frozen=True)
class SoftTargets:
    """Probability of "positive" by text; texts that differ as `key_of` overlooks are the same."""

    by_hash: Mapping[int, float]

    @staticmethod
    def from_pairs(pairs: Iterable[tuple[str, float]]) -> SoftTargets:
        return SoftTargets({_hash_of(text): probability for text, probability in pairs})

    @staticmethod
    def load(path: Path) -> SoftTargets:
        if not path.is_file():
            raise DataError(
                f"{path} is missing: name another with --targets or --read, or take it from the repository"
            )
        with np.load(path) as arrays:
            hashes = np.cumsum(arrays["gaps"].astype(np.uint64)).tolist()
            shares = (arrays["shares"] / 255.0).tolist()
        return SoftTargets(dict(zip(hashes, shares, strict=True)))

    def save(self, path: Path) -> None:
        hashes = sorted(self.by_hash)
        gaps = np.diff(np.array([0, *hashes], dtype=np.uint64))
        shares = np.array([round(self.by_hash[number] * 255) for number in hashes], dtype=np.uint8)
        np.savez_compressed(path, gaps=gaps, shares=shares)

    def of(self, text: str) -> float | None:
        return self.by_hash.get(_hash_of(text))


def _hash_of(text: str) -> int:
    return int.from_bytes(hashlib.sha256(key_of(text).encode()).digest()[:_HASH_BYTES], "big")
