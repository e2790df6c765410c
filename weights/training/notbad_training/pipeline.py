"""From a data directory to `weights/model`: tokenizer, rows, fine-tuning, temperature, export, record."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from notbad_training import data as sets
from notbad_training.config import HeadIndex, ModelConfig, TaggerConfig
from notbad_training.evaluate import as_rows, evaluate_twin, fit_temperature, logits_of, scores_of
from notbad_training.export import export_model, load_exported, rounded, with_temperature
from notbad_training.mixture import (
    BALANCE,
    NEGATION,
    READ,
    Draw,
    Mixture,
    Shelf,
    build_mixture,
    held_out_rows,
)
from notbad_training.model import Classifier
from notbad_training.negation_data import TRAIN_FILES
from notbad_training.negation_labels import NegationLexicon
from notbad_training.negation_rows import drawn, tagged_sources, with_negation, without_negators
from notbad_training.objective import LossWeights
from notbad_training.plan import Row, RowSource, encode_source, make_plan
from notbad_training.pretrained import find_encoder, start_from
from notbad_training.targets import SoftTargets
from notbad_training.tokenizer import build_tokenizer, corpus
from notbad_training.tokens import TextEncoder
from notbad_training.train import Recipe, Trainer

_LOG = logging.getLogger("notbad_training")
_SMOKE_ROWS = 200

_SHORTENED = ("own", "negated")
_SHORTENED_ROWS = 5000  # of each

NEGATION_HEAD = HeadIndex(layer=3, head=0)
TAGGER = TaggerConfig(layer=4, rank=64)

# The classifier and the tagger; then, from it, the head that carries the negation.
READ_RECIPE = Recipe(
    seed=READ.seed,
    epochs=6,
    max_steps=5600,
    batch_tokens=2048,
    learning_rate=1.5e-4,
    losses=LossWeights(tagging=0.3),
)
NEGATION_RECIPE = Recipe(
    seed=NEGATION.seed,
    epochs=2,
    max_steps=1500,
    batch_tokens=2048,
    learning_rate=1e-4,
    average_decay=0.998,
    trains_token_embeddings=False,
    losses=LossWeights(tagging=0.5, guidance=0.5, resting=0.9, ablation=1.0),
)

# Less of what the stages before have learned already, and slower.
BALANCE_RECIPE = dataclasses.replace(
    NEGATION_RECIPE, seed=BALANCE.seed, epochs=1, max_steps=800, learning_rate=6e-5, average_decay=0.995
)

STAGES = ("read", "negation", "balance")


@dataclass(frozen=True)
class Job:
    data: Path
    out: Path
    work: Path  # one folder a stage inside, each with the model that it exported
    suite: Path | None = None  # negation suite, whose sentences are kept out of training
    encoder: Path | None = None  # model folder of the pretrained encoder; None: the installed package
    start: Path | None = None  # exported model to go on from
    after: str = STAGES[0]  # the stage that `start` stands for
    read: Path = Path("weights/training/read_targets.npz")  # what a reader said of sentences of reviews
    own: Path = Path("weights/training/own")  # own sentences
    is_smoke: bool = False  # a small encoder from scratch on a few rows: shows that all parts fit

    @property
    def row_limit(self) -> int | None:
        return _SMOKE_ROWS if self.is_smoke else None


@dataclass(frozen=True)
class Lesson:
    """What one stage trains, on what and how."""

    model: Classifier
    rows: list[RowSource]
    recipe: Recipe


def run(job: Job) -> dict[str, Any]:
    """Returns the run record, which also stands in `work/record.json`."""
    inputs = sets.hash_inputs(job.data, (*sets.INPUT_FILES, *TRAIN_FILES))
    job.work.mkdir(parents=True, exist_ok=True)
    judged = held_out_rows(job.data, job.suite, job.row_limit)
    stages: dict[str, Any] = {}
    if job.start is None:
        tokenizer = job.work / "tokenizer.model"
        lesson = _read_lesson(job, tokenizer)
        held_out = as_rows(judged, TextEncoder(tokenizer), lesson.model.config.max_positions)
        model = _train(job, "read", lesson, held_out, stages)
    else:
        tokenizer = job.start / "tokenizer.model"
        model = load_exported(job.start)
        held_out = as_rows(judged, TextEncoder(tokenizer), model.config.max_positions)
    lexicon = NegationLexicon(TextEncoder(tokenizer))
    for name in STAGES[STAGES.index(job.after) + 1 :]:
        lesson = _negation_lesson(job, model, lexicon, *_NEGATION_LESSONS[name])
        model = _train(job, name, lesson, held_out, stages)

    _LOG.info("temperature and export")
    weights, calibration = _calibrate(model, model.state_dict(), held_out)
    export_model(job.out, weights, model.config, tokenizer)
    record = {
        "torch": torch.__version__,
        "inputs_sha256": inputs,
        "starts_from": None if job.start is None else _model_hash(job.start),
        "stages": stages,
        "calibration": calibration,
        "twin": evaluate_twin(job.out, job.data, job.suite),
    }
    (job.work / "record.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return record


def _read_lesson(job: Job, tokenizer: Path) -> Lesson:
    """The pretrained encoder and its vocabulary, to tell positive from negative; writes `tokenizer`."""
    encoder_folder = job.encoder or find_encoder()
    vocab_rows = _tokenizer_once(encoder_folder, job.data, tokenizer)
    lexicon = NegationLexicon(TextEncoder(tokenizer))
    torch.manual_seed(READ_RECIPE.seed)
    model = Classifier(_model_config(lexicon.texts.vocab_size, job.is_smoke), READ_RECIPE.dropout)
    if not job.is_smoke:
        start_from(model, encoder_folder, vocab_rows)
    rows = [encode_source(source, lexicon.texts) for source in _mixture(job, READ).sources]
    rows += tagged_sources(job.data, lexicon, 4000, 2500, job.row_limit)
    return Lesson(model, rows, READ_RECIPE)


def _negation_lesson(
    job: Job, start: Classifier, lexicon: NegationLexicon, draw: Draw, recipe: Recipe
) -> Lesson:
    """The model before labels all rows: cue, scope, and what a row says without its negators."""
    rows = []
    for source in _mixture(job, draw).sources:
        chosen = drawn(encode_source(source, lexicon.texts), recipe.epochs, recipe.seed)
        with torch.autocast("cpu", torch.bfloat16, enabled=recipe.bf16):
            rows.append(with_negation(chosen, start, lexicon, recipe.seed))
    rows += [
        without_negators(source, lexicon, _SHORTENED_ROWS) for source in rows if source.name in _SHORTENED
    ]
    rows += tagged_sources(job.data, lexicon, 4000, 2500, job.row_limit)
    torch.manual_seed(recipe.seed)
    model = Classifier(start.config, recipe.dropout)
    model.load_state_dict(start.state_dict())
    return Lesson(model, rows, recipe)


_NEGATION_LESSONS = {"negation": (NEGATION, NEGATION_RECIPE), "balance": (BALANCE, BALANCE_RECIPE)}


def _mixture(job: Job, draw: Draw) -> Mixture:
    said = SoftTargets({}) if job.is_smoke else SoftTargets.load(job.read)
    return build_mixture(Shelf(job.data, job.suite, job.own, said), draw, job.row_limit)


def _train(
    job: Job, name: str, lesson: Lesson, held_out: Sequence[Row], stages: dict[str, Any]
) -> Classifier:
    """The averaged weights as exported to `work/NAME/model`; `stages` gets all that they follow from."""
    recipe = dataclasses.replace(lesson.recipe, epochs=1) if job.is_smoke else lesson.recipe
    work = job.work / name
    work.mkdir(exist_ok=True)
    plan = make_plan(lesson.rows, recipe.epochs, recipe.batch_tokens, recipe.seed, recipe.max_steps)
    _LOG.info("stage %s: %d steps", name, len(plan.batches))
    averaged = Trainer(lesson.model, plan, held_out, recipe, work).run()
    tokenizer = (job.start or job.work) / "tokenizer.model"
    export_model(work / "model", averaged, lesson.model.config, tokenizer)
    stages[name] = {
        "recipe": asdict(recipe),
        "steps": len(plan.batches),
        "plan": plan.fingerprint,
        "rows": {source.name: len(source.rows) for source in lesson.rows},
        "rows_per_epoch": {source.name: source.per_epoch for source in lesson.rows},
    }
    return load_exported(work / "model")


def _model_hash(folder: Path) -> str:
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


def _tokenizer_once(encoder_folder: Path, data: Path, model: Path) -> list[list[int]]:
    """Built on the first run of a work folder; the source rows of each id lie beside the model."""
    rows = model.with_name("source_rows.json")
    if not (model.exists() and rows.exists()):
        vocabulary = (encoder_folder / "vocab.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
        build_tokenizer(corpus(data), vocabulary).write(model, rows)
    source_rows: list[list[int]] = json.loads(rows.read_text(encoding="utf-8"))
    return source_rows


def _model_config(vocab_size: int, is_smoke: bool) -> ModelConfig:
    if is_smoke:
        return ModelConfig(
            vocab_size=vocab_size,
            d_model=32,
            num_heads=4,
            num_layers=2,
            d_ff=64,
            negation_head=HeadIndex(1, 0),
            tagger=TaggerConfig(1, 8),
        )
    return ModelConfig(vocab_size=vocab_size, negation_head=NEGATION_HEAD, tagger=TAGGER)


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
