"""Fine-tunes a classifier along a plan; a killed run goes on where its checkpoint stands."""

from __future__ import annotations

import csv
import ctypes
import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from tqdm import tqdm

from notbad_training.config import ConfigError
from notbad_training.evaluate import Scores, score
from notbad_training.model import Classifier, NegationOff
from notbad_training.objective import LossWeights, loss_of
from notbad_training.plan import Batch, Plan, Row

_HEADS = ("classifier.", "tagger.")
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of glibc's mallopt


@dataclass(frozen=True)
class Recipe:
    """What shapes a run besides its rows; written into the run record as it is."""

    seed: int = 20
    epochs: int = 2
    max_steps: int | None = None  # where the run ends before its epochs do
    batch_tokens: int = 1024  # B * T, padding included
    learning_rate: float = 8e-5  # at its peak; linear up, linear down to 0
    head_rate_factor: float = 5.0  # the head starts from nothing
    warmup: float = 0.06  # share of the steps
    weight_decay: float = 0.01
    dropout: float = 0.1
    clip_norm: float = 1.0
    average_decay: float = 0.999  # of the running mean of the weights, which is what is kept
    bf16: bool = True  # pays on processors with AVX512-BF16 or AMX only
    trains_token_embeddings: bool = True
    losses: LossWeights = field(default_factory=LossWeights)
    evaluations: int = 24  # on the held-out rows, over the whole run
    checkpoint_seconds: float = 120.0


@dataclass
class Progress:
    """All that a resumed run must not lose, besides weights and optimiser."""

    step: int = 0
    seconds: float = 0.0
    losses: list[float] = field(default_factory=list)  # since the last entry of the curve
    curve: list[dict[str, float]] = field(default_factory=list)


class Trainer:
    """Owns the model under training and its running mean; writes into `work` only."""

    def __init__(
        self, model: Classifier, plan: Plan, held_out: Sequence[Row], recipe: Recipe, work: Path
    ) -> None:
        self._model = model
        self._plan = plan
        self._held_out = held_out
        self._recipe = recipe
        self._work = work
        self._average = {name: value.clone() for name, value in model.state_dict().items()}
        model.embeddings.token.weight.requires_grad_(recipe.trains_token_embeddings)
        self._trained = [value for value in model.parameters() if value.requires_grad]
        self._optimizer = _make_optimizer(model, recipe)
        self._progress = Progress()

    def run(self, stop_after: int | None = None) -> dict[str, Tensor]:
        """Trains to the end of the plan and returns the averaged weights; `stop_after` steps is for tests."""
        keep_freed_memory()
        torch.manual_seed(self._recipe.seed)
        self._resume()
        last = len(self._plan.batches) if stop_after is None else stop_after
        bar = tqdm(total=len(self._plan.batches), initial=self._progress.step, unit="step", mininterval=5)
        saved_at = time.monotonic()
        while self._progress.step < last:
            started = time.monotonic()
            self._progress.losses.append(self._step(self._plan.batch(self._progress.step)))
            self._progress.step += 1
            self._progress.seconds += time.monotonic() - started
            bar.update()
            if self._is_evaluation_due():
                self._note_curve(bar)
            if time.monotonic() - saved_at > self._recipe.checkpoint_seconds:
                self._save()
                saved_at = time.monotonic()
        bar.close()
        self._save()
        return self._average

    def _step(self, batch: Batch) -> float:
        self._model.train()
        rate = self._rate_factor(self._progress.step)
        for group in self._optimizer.param_groups:
            group["lr"] = group["peak_rate"] * rate
        with torch.autocast("cpu", torch.bfloat16, enabled=self._recipe.bf16):
            result = self._model(batch.ids, batch.lengths)
            off: NegationOff = "uniform" if self._progress.step % 2 else "zero"
            loss = loss_of(self._model, result, batch, self._recipe.losses, off)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self._trained, self._recipe.clip_norm)
        self._optimizer.step()
        self._optimizer.zero_grad()
        self._update_average()
        return float(loss.detach())

    def _rate_factor(self, step: int) -> float:
        total = len(self._plan.batches)
        warmup = max(1, round(total * self._recipe.warmup))
        return min((step + 1) / warmup, (total - step) / max(1, total - warmup))

    def _update_average(self) -> None:
        step = self._progress.step
        decay = min(self._recipe.average_decay, (1 + step) / (10 + step))
        torch._foreach_lerp_(list(self._average.values()), list(self._model.state_dict().values()), 1 - decay)

    def _is_evaluation_due(self) -> bool:
        total = len(self._plan.batches)
        every = max(1, total // self._recipe.evaluations)
        return self._progress.step % every == 0 or self._progress.step == total

    def _note_curve(self, bar: tqdm[Any]) -> None:
        """Scores the averaged weights on the held-out rows and appends to curve.csv."""
        live = {name: value.clone() for name, value in self._model.state_dict().items()}
        self._model.load_state_dict(self._average)
        scores: Scores = score(self._model, self._held_out)
        self._model.load_state_dict(live)
        losses = self._progress.losses
        self._progress.curve.append(
            {
                "step": self._progress.step,
                "seconds": round(self._progress.seconds, 1),
                "loss": round(sum(losses) / len(losses), 5),
                "held_out_loss": round(scores.loss, 5),
                "held_out_accuracy": round(scores.accuracy, 5),
            }
        )
        losses.clear()
        with (self._work / "curve.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=self._progress.curve[0].keys())
            writer.writeheader()
            writer.writerows(self._progress.curve)
        bar.set_postfix(held_out=f"{scores.accuracy:.4f}", loss=f"{scores.loss:.4f}")

    def _identity(self) -> str:
        """A checkpoint fits only the run that it was made in."""
        text = json.dumps(asdict(self._recipe)) + self._plan.fingerprint
        return hashlib.sha256(text.encode()).hexdigest()

    def _save(self) -> None:
        """Written beside and renamed, so that a kill leaves the old checkpoint or the new one."""
        temporary = self._work / "checkpoint.tmp"
        state = {
            "identity": self._identity(),
            "model": self._model.state_dict(),
            "average": self._average,
            "optimizer": self._optimizer.state_dict(),
            "progress": asdict(self._progress),
            "random_state": torch.get_rng_state(),
        }
        torch.save(state, temporary)
        temporary.replace(self._work / "checkpoint.pt")

    def _resume(self) -> None:
        path = self._work / "checkpoint.pt"
        if not path.exists():
            return
        state = torch.load(path, weights_only=True)
        if state["identity"] != self._identity():
            raise ConfigError(
                f"{path} belongs to a run with other data, seed or recipe: choose another --work, "
                "or delete the file to begin anew"
            )
        self._model.load_state_dict(state["model"])
        self._average = state["average"]
        self._optimizer.load_state_dict(state["optimizer"])
        self._progress = Progress(**state["progress"])
        torch.set_rng_state(state["random_state"])


def _make_optimizer(model: Classifier, recipe: Recipe) -> torch.optim.Optimizer:
    groups = []
    for is_head in (False, True):
        for is_matrix in (False, True):
            members = [
                value
                for name, value in model.named_parameters()
                if name.startswith(_HEADS) == is_head and (value.dim() > 1) == is_matrix
                if recipe.trains_token_embeddings or name != "embeddings.token.weight"
            ]
            rate = recipe.learning_rate * (recipe.head_rate_factor if is_head else 1.0)
            decay = recipe.weight_decay if is_matrix else 0.0
            groups.append({"params": members, "peak_rate": rate, "weight_decay": decay})
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, fused=True)


def keep_freed_memory() -> None:
    """Gradients are freed and asked for again each step; mapping them anew costs a fifth of the speed.

    Two cores of an AVX-512 server: 3,000 -> 3,800 tokens a second. Without glibc nothing happens.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, 1 << 30)
        mallopt(_M_TRIM_THRESHOLD, (1 << 31) - 1)
