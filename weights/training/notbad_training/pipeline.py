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
    build_mixture,
    build_negation_mixture,
    build_taught_mixture,
    build_wide_mixture,
    with_teacher,
)
from notbad_training.model import Classifier
from notbad_training.negation_data import TRAIN_FILES
from notbad_training.negation_labels import NegationLexicon
from notbad_training.negation_rows import drawn, tagged_sources, with_negation
from notbad_training.objective import LossWeights
from notbad_training.plan import Row, RowSource, encode_source, make_plan
from notbad_training.pretrained import find_encoder, start_from
from notbad_training.targets import SoftTargets
from notbad_training.tokenizer import build_tokenizer, corpus
from notbad_training.tokens import TextEncoder
from notbad_training.train import Recipe, Trainer

_LOG = logging.getLogger("notbad_training")
_SMOKE_ROWS = 200


NEGATION_HEAD = HeadIndex(layer=3, head=0)
TAGGER = TaggerConfig(layer=4, rank=64)

# The classifier; then, from it, tagger and wider reading, which makes the teacher of the last stage.
LABEL_RECIPE = Recipe()
TAG_RECIPE = Recipe(
    epochs=1,
    max_steps=800,
    learning_rate=6e-5,
    average_decay=0.995,
    evaluations=6,
    bf16=False,
    losses=LossWeights(tagging=0.5),
)
NEGATION_RECIPE = Recipe(
    seed=22,
    epochs=1,
    max_steps=900,
    learning_rate=9e-5,
    head_rate_factor=4.0,
    average_decay=0.995,
    evaluations=5,
    bf16=False,
    trains_token_embeddings=False,
    losses=LossWeights(tagging=0.5, guidance=0.5, resting=0.3, ablation=1.0),
)
# The same head again, on longer reading: a larger teacher says what people did not.
TAUGHT_RECIPE = Recipe(
    seed=31,
    epochs=2,
    max_steps=1400,
    learning_rate=9e-5,
    average_decay=0.998,
    evaluations=10,
    bf16=False,
    trains_token_embeddings=False,
    losses=LossWeights(tagging=0.5, guidance=0.5, resting=0.6, ablation=1.0),
)
_TAG_MIXTURE_SEED = 21


@dataclass(frozen=True)
class Job:
    data: Path
    out: Path
    work: Path  # one folder a stage inside
    suite: Path | None = None  # negation suite, whose sentences are kept out of training
    encoder: Path | None = None  # model folder of the pretrained encoder; None: the installed package
    classifier: Path | None = None  # exported model that stands for the first stage
    negated: Path | None = None  # exported model that stands for the first three
    targets: Path = Path("weights/training/teacher_targets.npz")  # of the last stage
    is_smoke: bool = False  # a small encoder from scratch on a few rows: shows that all parts fit

    @property
    def given_model(self) -> Path | None:
        return self.negated or self.classifier

    @property
    def row_limit(self) -> int | None:
        return _SMOKE_ROWS if self.is_smoke else None


def run(job: Job) -> dict[str, Any]:
    """Returns the run record, which also stands in `work/record.json`."""
    inputs = sets.hash_inputs(job.data, (*sets.INPUT_FILES, *TRAIN_FILES))
    job.work.mkdir(parents=True, exist_ok=True)
    stages: dict[str, Any] = {}
    negated, tokenizer = _first_stages(job, stages)
    lexicon = NegationLexicon(TextEncoder(tokenizer))
    model, held_out = _taught_stage(job, stages, negated, lexicon)

    _LOG.info("temperature and export")
    weights, calibration = _calibrate(model, model.state_dict(), held_out)
    export_model(job.out, weights, model.config, tokenizer)
    record = {
        "torch": torch.__version__,
        "inputs_sha256": inputs,
        "starts_from": None if job.given_model is None else _model_hash(job.given_model),
        "stages": stages,
        "calibration": calibration,
        "twin": evaluate_twin(job.out, job.data, job.suite),
    }
    (job.work / "record.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return record


def _first_stages(job: Job, stages: dict[str, Any]) -> tuple[Classifier, Path]:
    """The model after `negation`, made or given, and its tokenizer."""
    if job.negated is not None:
        return load_exported(job.negated), job.negated / "tokenizer.model"
    if job.classifier is None:
        plain, tokenizer = _label_stage(job, stages)
    else:
        plain, tokenizer = load_exported(job.classifier), job.classifier / "tokenizer.model"
    lexicon = NegationLexicon(TextEncoder(tokenizer))
    teacher = _tag_stage(job, stages, plain, lexicon)
    negated = _negation_stage(job, stages, teacher, lexicon)
    export_model(job.work / "negation" / "model", negated.state_dict(), negated.config, tokenizer)
    return negated, tokenizer


def _label_stage(job: Job, stages: dict[str, Any]) -> tuple[Classifier, Path]:
    """The pretrained encoder and its vocabulary, fine-tuned to tell positive from negative."""
    encoder_folder = job.encoder or find_encoder()
    tokenizer = job.work / "tokenizer.model"
    vocab_rows = _tokenizer_once(encoder_folder, job.data, tokenizer)
    texts = TextEncoder(tokenizer)
    recipe = _shortened(LABEL_RECIPE, job)
    torch.manual_seed(recipe.seed)
    model = Classifier(_model_config(texts.vocab_size, job.is_smoke), recipe.dropout)
    if not job.is_smoke:
        start_from(model, encoder_folder, vocab_rows)
    mixture = build_mixture(job.data, job.suite, recipe.seed, job.row_limit)
    rows = [encode_source(source, texts) for source in mixture.sources]
    held_out = as_rows(mixture.held_out, texts, model.config.max_positions)
    stages["label"] = _train(model, rows, held_out, recipe, job.work / "label")
    return model, tokenizer


def _tag_stage(job: Job, stages: dict[str, Any], plain: Classifier, lexicon: NegationLexicon) -> Classifier:
    recipe = _shortened(TAG_RECIPE, job)
    model = _with_negation_parts(plain, recipe, job.is_smoke)
    mixture = build_wide_mixture(job.data, job.suite, _TAG_MIXTURE_SEED, job.row_limit)
    rows = [encode_source(source, lexicon.texts) for source in mixture.sources]
    rows += tagged_sources(job.data, lexicon, 5000, 2500, job.row_limit)
    held_out = as_rows(mixture.held_out, lexicon.texts, model.config.max_positions)
    stages["tag"] = _train(model, rows, held_out, recipe, job.work / "tag")
    return model


def _negation_stage(
    job: Job, stages: dict[str, Any], teacher: Classifier, lexicon: NegationLexicon
) -> Classifier:
    """The teacher labels all rows before the first step."""
    recipe = _shortened(NEGATION_RECIPE, job)
    mixture = build_negation_mixture(job.data, job.suite, recipe.seed, job.row_limit)
    rows = []
    for source in mixture.sources:
        chosen = drawn(encode_source(source, lexicon.texts), 1, recipe.seed)
        rows.append(with_negation(chosen, teacher, lexicon, recipe.seed))
    rows += tagged_sources(job.data, lexicon, 3000, 1500, job.row_limit)
    torch.manual_seed(recipe.seed)
    model = Classifier(teacher.config, recipe.dropout)
    model.load_state_dict(teacher.state_dict())
    held_out = as_rows(mixture.held_out, lexicon.texts, model.config.max_positions)
    stages["negation"] = _train(model, rows, held_out, recipe, job.work / "negation")
    return model


def _taught_stage(
    job: Job, stages: dict[str, Any], start: Classifier, lexicon: NegationLexicon
) -> tuple[Classifier, list[Row]]:
    """Goes on from the negation stage with what the larger teacher says, see teacher.py.

    Returns the model and the held-out rows.
    """
    recipe = _shortened(TAUGHT_RECIPE, job)
    targets = SoftTargets({}) if job.is_smoke else SoftTargets.load(job.targets)
    mixture = build_taught_mixture(job.data, job.suite, recipe.seed, job.row_limit)
    rows = []
    for source in mixture.sources:
        taught = encode_source(with_teacher(source, targets), lexicon.texts)
        rows.append(with_negation(taught, start, lexicon, recipe.seed, targets))
    rows += tagged_sources(job.data, lexicon, 3000, 1500, job.row_limit)
    torch.manual_seed(recipe.seed)
    model = Classifier(start.config, recipe.dropout)
    model.load_state_dict(start.state_dict())
    held_out = as_rows(mixture.held_out, lexicon.texts, model.config.max_positions)
    stages["taught"] = _train(model, rows, held_out, recipe, job.work / "taught")
    return model, held_out


def _train(
    model: Classifier, rows: Sequence[RowSource], held_out: Sequence[Row], recipe: Recipe, work: Path
) -> dict[str, Any]:
    """Leaves the averaged weights in `model`; returns all that they follow from."""
    work.mkdir(exist_ok=True)
    plan = make_plan(rows, recipe.epochs, recipe.batch_tokens, recipe.seed, recipe.max_steps)
    _LOG.info("stage %s: %d steps", work.name, len(plan.batches))
    model.load_state_dict(Trainer(model, plan, held_out, recipe, work).run())
    return {
        "recipe": asdict(recipe),
        "steps": len(plan.batches),
        "plan": plan.fingerprint,
        "rows": {source.name: len(source.rows) for source in rows},
        "rows_per_epoch": {source.name: source.per_epoch for source in rows},
    }


def _with_negation_parts(plain: Classifier, recipe: Recipe, is_smoke: bool) -> Classifier:
    """The same weights, a tagger that knows nothing yet, and the head whose first value is zero."""
    head, tagger = (HeadIndex(1, 0), TaggerConfig(1, 8)) if is_smoke else (NEGATION_HEAD, TAGGER)
    torch.manual_seed(recipe.seed)
    config = dataclasses.replace(plain.config, negation_head=head, tagger=tagger)
    model = Classifier(config, recipe.dropout)
    model.load_state_dict(plain.state_dict(), strict=False)
    return model


def _shortened(recipe: Recipe, job: Job) -> Recipe:
    return dataclasses.replace(recipe, epochs=1) if job.is_smoke else recipe


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
    config = ModelConfig(vocab_size=vocab_size)
    if is_smoke:
        return dataclasses.replace(config, d_model=32, num_heads=4, num_layers=2, d_ff=64)
    return config


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
