"""A program that waits for tasks on its standard input, pinned to a core and to one thread."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class ContestantError(RuntimeError):
    pass


class Contestant:
    def __init__(self, command: list[str | Path], core: int) -> None:
        self._process = subprocess.Popen(
            ["taskset", "-c", str(core), *map(str, command)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | ONE_THREAD,
        )  # fmt: skip
        self._answer()  # "ready"

    def ask(self, task: str) -> float:
        assert self._process.stdin is not None
        self._process.stdin.write(task + "\n")
        self._process.stdin.flush()
        return float(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ContestantError(f"{self._process.args} ended with {self._process.wait()}")
        return line

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)


def in_turn(rounds: int, *asked: tuple[Contestant, str]) -> list[list[float]]:
    """A B A B: the answers of each, a round each."""
    answers: list[list[float]] = [[] for _ in asked]
    for _ in range(rounds):
        for place, (contestant, task) in enumerate(asked):
            answers[place].append(contestant.ask(task))
    return answers
