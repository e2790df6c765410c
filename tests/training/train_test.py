from __future__ import annotations

import csv
import dataclasses
import multiprocessing
import time
from pathlib import Path

import pytest
import torch
from torch import Tensor

from notbad_training.config import ConfigError, ModelConfig
from notbad_training.model import Classifier
from notbad_training.objective import soft_loss
from notbad_training.plan import Plan, Row
from notbad_training.train import Recipe, Trainer

CONFIG = ModelConfig(vocab_size=12, d_model=8, num_heads=2, num_layers=1, d_ff=12, max_positions=8)
RECIPE = Recipe(seed=3, learning_rate=1e-2, dropout=0.1, bf16=False, evaluations=4, average_decay=0.9)


def toy_rows() -> list[Row]:
    """Id 4 somewhere means positive, id 5 negative."""
    generator = torch.Generator().manual_seed(1)
    rows = []
    for index in range(40):
        ids = torch.randint(6, 12, (2 + index % 5,), generator=generator).tolist()
        ids[index % len(ids)] = 4 + index % 2
        rows.append(Row(ids, float(index % 2 == 0), 1.0))
    return rows


def toy_plan(fingerprint: str = "toy") -> Plan:
    batches = [[(step * 8 + index) % 40 for index in range(8)] for step in range(80)]
    return Plan(toy_rows(), batches, fingerprint)


def trainer(work: Path, plan: Plan | None = None, recipe: Recipe = RECIPE) -> Trainer:
    work.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    return Trainer(Classifier(CONFIG, recipe.dropout), plan or toy_plan(), toy_rows(), recipe, work)


def is_equal(left: dict[str, Tensor], right: dict[str, Tensor]) -> bool:
    return all(torch.equal(left[name], right[name]) for name in right)


def test_a_run_cut_off_and_started_again_ends_bit_equal_to_an_uncut_one(tmp_path: Path) -> None:
    uncut = trainer(tmp_path / "uncut").run()

    trainer(tmp_path / "cut").run(stop_after=17)
    torch.manual_seed(99)
    resumed = trainer(tmp_path / "cut").run()

    assert is_equal(uncut, resumed)
    columns = ("step", "loss", "held_out_loss", "held_out_accuracy")  # all but the clock
    curves = [list(csv.DictReader((tmp_path / name / "curve.csv").open())) for name in ("uncut", "cut")]
    assert [row["step"] for row in curves[0]] == ["20", "40", "60", "80"]
    uncut_curve, cut_curve = ([[row[c] for c in columns] for row in curve] for curve in curves)
    assert uncut_curve == cut_curve


def test_a_killed_run_started_again_ends_bit_equal_to_an_uncut_one(tmp_path: Path) -> None:
    saving = dataclasses.replace(RECIPE, checkpoint_seconds=0.0)  # after every step
    uncut = trainer(tmp_path / "uncut", recipe=saving).run()
    work = tmp_path / "killed"
    process = multiprocessing.get_context("fork").Process(target=lambda: trainer(work, recipe=saving).run())

    process.start()
    give_up = time.monotonic() + 60
    while not (work / "checkpoint.pt").exists() and time.monotonic() < give_up:
        time.sleep(0.001)
    process.kill()
    process.join(timeout=10)

    step = torch.load(work / "checkpoint.pt", weights_only=True)["progress"]["step"]
    assert 0 < step < len(toy_plan().batches)
    assert is_equal(uncut, trainer(work, recipe=saving).run())


def test_the_seed_decides(tmp_path: Path) -> None:
    first = trainer(tmp_path / "first").run()
    other = trainer(tmp_path / "other", recipe=dataclasses.replace(RECIPE, seed=4)).run()

    assert not is_equal(first, other)


def test_a_finished_run_started_again_trains_no_further(tmp_path: Path) -> None:
    first = trainer(tmp_path).run()

    assert is_equal(first, trainer(tmp_path).run())


def test_a_half_written_checkpoint_is_never_read(tmp_path: Path) -> None:
    uncut = trainer(tmp_path / "uncut").run()
    trainer(tmp_path / "cut").run(stop_after=9)
    (tmp_path / "cut/checkpoint.tmp").write_bytes(b"half")

    assert is_equal(uncut, trainer(tmp_path / "cut").run())


def test_a_checkpoint_of_another_run_is_refused_with_the_remedy(tmp_path: Path) -> None:
    trainer(tmp_path).run(stop_after=2)

    with pytest.raises(ConfigError, match=r"checkpoint.pt belongs to a run with other data.*--work"):
        trainer(tmp_path, toy_plan("other rows")).run()
    with pytest.raises(ConfigError, match=r"other data, seed or recipe"):
        trainer(tmp_path, recipe=dataclasses.replace(RECIPE, weight_decay=0.5)).run()


def test_a_toy_task_is_learned(tmp_path: Path) -> None:
    trainer(tmp_path).run()

    curve = list(csv.DictReader((tmp_path / "curve.csv").open()))
    assert float(curve[-1]["held_out_accuracy"]) > 0.9
    assert float(curve[-1]["held_out_loss"]) < float(curve[0]["held_out_loss"])


def test_soft_loss_weighs_rows_and_is_least_at_the_target() -> None:
    targets, weights = torch.tensor([1.0, 0.5]), torch.tensor([3.0, 1.0])
    logits = torch.tensor([[0.0, 0.0], [0.0, 2.0]])

    expected = (3 * torch.log(torch.tensor(2.0)) - torch.log_softmax(logits[1], 0).mean()) / 4
    torch.testing.assert_close(soft_loss(logits, targets, weights), expected)
    best = torch.tensor([[0.0, 9.0], [0.0, 0.0]])
    assert soft_loss(best, targets, weights) < soft_loss(logits, targets, weights)
