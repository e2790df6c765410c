"""From a data directory to `weights/model`: tokenizer, rows, fine-tuning, temperature, export, record."""

from __future__ import annotations

import dataclasses
import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from notbad_training import data as sets
from notbad_training.config import ModelConfig
from notbad_training.evaluate import as_rows, evaluate_twin, fit_temperature, logits_of, scores_of
from notbad_training.export import export_model, rounded, with_temperature
from notbad_training.mixture import Mixture, build_mixture
from notbad_training.model import Classifier
from notbad_training.plan import Plan, Row, make_plan
from notbad_training.pretrained import find_encoder, start_from
from notbad_training.tokenizer import build_tokenizer, corpus
from notbad_training.tokens import TextEncoder
from notbad_training.train import Recipe, Trainer

_LOG = logging.getLogger("notbad_training")
_SMOKE_ROWS = 200


@dataclass(frozen=True)
class Job:
    data: Path
    out: Path
    work: Path
    recipe: Recipe
    suite: Path | None = None  # negation suite, whose sentences are kept out of training
    encoder: Path | None = None  # model folder of the pretrained encoder; None: the installed package
    is_smoke: bool = False  # a small encoder from scratch on a few rows: shows that all parts fit

    @property
    def row_limit(self) -> int | None:
        return _SMOKE_ROWS if self.is_smoke else None


def run(job: Job) -> dict[str, Any]:
    """Returns the run record, which also stands in `work/record.json`."""
    inputs = sets.hash_inputs(job.data)
    job.work.mkdir(parents=True, exist_ok=True)
    _LOG.info("tokenizer")
    encoder_folder = job.encoder or find_encoder()
    tokenizer = job.work / "tokenizer.model"
    vocab_rows = _tokenizer_once(encoder_folder, job.data, tokenizer)
    texts = TextEncoder(tokenizer)
    config = _model_config(texts.vocab_size, job.is_smoke)

    _LOG.info("rows")
    mixture = build_mixture(job.data, job.suite, job.recipe.seed, job.row_limit)
    recipe = job.recipe
    plan = make_plan(mixture.sources, texts, recipe.epochs, recipe.batch_tokens, recipe.seed)
    held_out = as_rows(mixture.held_out, texts, config.max_positions)

    _LOG.info("fine-tuning: %d steps", len(plan.batches))
    torch.manual_seed(recipe.seed)
    model = Classifier(config, recipe.dropout)
    if not job.is_smoke:
        start_from(model, encoder_folder, vocab_rows)
    weights = Trainer(model, plan, held_out, recipe, job.work).run()

    _LOG.info("temperature and export")
    weights, calibration = _calibrate(model, weights, held_out)
    export_model(job.out, weights, config, tokenizer)
    record = {
        **_describe(job.recipe, mixture, plan),
        "inputs_sha256": inputs,
        "calibration": calibration,
        "twin": evaluate_twin(job.out, job.data, job.suite),
    }
    (job.work / "record.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return record


def _tokenizer_once(encoder_folder: Path, data: Path, model: Path) -> list[list[int]]:
    """Built on the first run of a work folder; the source rows of each id lie beside the model."""
    rows = model.with_name("source_rows.json")
    if not (model.exists() and rows.exists()):
        vocabulary = (encoder_folder / "vocab.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
        build_tokenizer(corpus(data), vocabulary).write(model, rows)
    source_rows: list[list[int]] = json.loads(rows.read_text(encoding="utf-8"))
    return source_rows


def _model_config(vocab_size: int, is_smoke: bool) -> ModelConfig:
    config = ModelConfig(vocab_size=vocab_size)
    if is_smoke:
        return dataclasses.replace(config, d_model=32, num_heads=4, num_layers=2, d_ff=64)
    return config


def _describe(recipe: Recipe, mixture: Mixture, plan: Plan) -> dict[str, Any]:
    """All that the weights follow from."""
    return {
        "recipe": asdict(recipe),
        "torch": torch.__version__,
        "steps": len(plan.batches),
        "plan": plan.fingerprint,
        "rows": {source.name: len(source.rows) for source in mixture.sources},
        "rows_per_epoch": {source.name: source.per_epoch for source in mixture.sources},
    }


def _calibrate(
    model: Classifier, weights: dict[str, Tensor], held_out: list[Row]
) -> tuple[dict[str, Tensor], dict[str, float]]:
    """Fitted on the weights as they will be stored, since rounding moves the logits."""
    stored = {name: value.float() for name, value in rounded(weights).items()}
    model.load_state_dict(stored)
    logits = logits_of(model, [row.ids for row in held_out])
    targets = torch.tensor([row.target for row in held_out])
    temperature = fit_temperature(logits, targets)
    before, after = scores_of(logits, targets), scores_of(logits / temperature, targets)
    return with_temperature(weights, temperature), {
        "temperature": temperature,
        "held_out_rows": len(held_out),
        "held_out_accuracy": after.accuracy,
        "calibration_error_before": before.calibration_error,
        "calibration_error_after": after.calibration_error,
    }
