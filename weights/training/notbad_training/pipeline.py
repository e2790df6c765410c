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
    AGAIN_SEED,
    AGAIN_TAUGHT_SOURCES,
    TAUGHT_SEED,
    TAUGHT_SOURCES,
    WRITTEN,
    Mixture,
    Source,
    build_again_mixture,
    build_mixture,
    build_negation_mixture,
    build_own_mixture,
    build_taught_mixture,
    build_wide_mixture,
    held_out_rows,
    with_teacher,
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
    seed=TAUGHT_SEED,
    epochs=2,
    max_steps=1400,
    learning_rate=9e-5,
    average_decay=0.998,
    evaluations=10,
    bf16=False,
    trains_token_embeddings=False,
    losses=LossWeights(tagging=0.5, guidance=0.5, resting=0.6, ablation=1.0),
)
# And again, with the sentences that were written one by one for this project.
WRITTEN_RECIPE = dataclasses.replace(TAUGHT_RECIPE, seed=WRITTEN.seed, max_steps=1800)
# And again, with more of them, with sentences that were read, and with what a second teacher says of both.
AGAIN_RECIPE = dataclasses.replace(
    TAUGHT_RECIPE,
    seed=AGAIN_SEED,
    epochs=4,
    max_steps=2400,
    batch_tokens=2048,
    learning_rate=8e-5,
    evaluations=8,
    bf16=True,
    losses=LossWeights(tagging=0.5, guidance=0.5, resting=0.8, ablation=1.0),
)
AGAIN_FILMS_RECIPE = dataclasses.replace(AGAIN_RECIPE, seed=AGAIN_SEED + 1)
_NOT_FILMS = ("read", "amazon14_sentences")
_FILM_PHRASES = 45000  # of SST an epoch
_TAG_MIXTURE_SEED = 21
_SHORTENED = ("own", "sst_roots", "negated")
_SHORTENED_ROWS = 3000  # of each

STAGES = ("label", "tag", "negation", "taught", "written", "again")
SHIPPED_STAGE = STAGES[-1]


@dataclass(frozen=True)
class Job:
    data: Path
    out: Path
    work: Path  # one folder a stage inside, each with the model that it exported
    suite: Path | None = None  # negation suite, whose sentences are kept out of training
    encoder: Path | None = None  # model folder of the pretrained encoder; None: the installed package
    start: Path | None = None  # exported model to go on from
    after: str = STAGES[0]  # the stage that `start` stands for
    until: str = SHIPPED_STAGE  # the last one to run
    targets: Path = Path("weights/training/teacher_targets.npz")  # of `taught` and `written`
    again_targets: Path = Path("weights/training/again_targets.npz")
    read: Path = Path("weights/training/read_targets.npz")
    own: Path = Path("weights/training/own")  # own sentences, of the last two
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


Lessons = dict[str, Lesson]  # by name of their folder; a stage of several keeps the mean of the weights


def run(job: Job) -> dict[str, Any]:
    """Returns the run record, which also stands in `work/record.json`."""
    inputs = sets.hash_inputs(job.data, (*sets.INPUT_FILES, *TRAIN_FILES))
    job.work.mkdir(parents=True, exist_ok=True)
    judged = held_out_rows(job.data, job.suite, job.row_limit)
    stages: dict[str, Any] = {}
    if job.start is None:
        tokenizer = job.work / "tokenizer.model"
        lesson = _label_lesson(job, tokenizer)
        held_out = as_rows(judged, TextEncoder(tokenizer), lesson.model.config.max_positions)
        model = _train(job, "label", lesson, held_out, stages)
    else:
        tokenizer = job.start / "tokenizer.model"
        model = load_exported(job.start)
        held_out = as_rows(judged, TextEncoder(tokenizer), model.config.max_positions)
    lexicon = NegationLexicon(TextEncoder(tokenizer))
    for name in STAGES[STAGES.index(job.after) + 1 : STAGES.index(job.until) + 1]:
        lessons = _LESSONS[name](job, model, lexicon)
        model = _mean_of([_train(job, part, lesson, held_out, stages) for part, lesson in lessons.items()])

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


def _label_lesson(job: Job, tokenizer: Path) -> Lesson:
    """The pretrained encoder and its vocabulary, to tell positive from negative; writes `tokenizer`."""
    encoder_folder = job.encoder or find_encoder()
    vocab_rows = _tokenizer_once(encoder_folder, job.data, tokenizer)
    texts = TextEncoder(tokenizer)
    torch.manual_seed(LABEL_RECIPE.seed)
    model = Classifier(_model_config(texts.vocab_size, job.is_smoke), LABEL_RECIPE.dropout)
    if not job.is_smoke:
        start_from(model, encoder_folder, vocab_rows)
    mixture = build_mixture(job.data, job.suite, LABEL_RECIPE.seed, job.row_limit)
    return Lesson(model, [encode_source(source, texts) for source in mixture.sources], LABEL_RECIPE)


def _tag_lesson(job: Job, start: Classifier, lexicon: NegationLexicon) -> Lessons:
    mixture = build_wide_mixture(job.data, job.suite, _TAG_MIXTURE_SEED, job.row_limit)
    rows = [encode_source(source, lexicon.texts) for source in mixture.sources]
    rows += tagged_sources(job.data, lexicon, 5000, 2500, job.row_limit)
    return {"tag": Lesson(_with_negation_parts(start, TAG_RECIPE, job.is_smoke), rows, TAG_RECIPE)}


def _negation_lesson(job: Job, start: Classifier, lexicon: NegationLexicon) -> Lessons:
    """The model before labels all rows."""
    seed = NEGATION_RECIPE.seed
    mixture = build_negation_mixture(job.data, job.suite, seed, job.row_limit)
    rows = []
    for source in mixture.sources:
        chosen = drawn(encode_source(source, lexicon.texts), 1, seed)
        rows.append(with_negation(chosen, start, lexicon, seed))
    rows += tagged_sources(job.data, lexicon, 3000, 1500, job.row_limit)
    return {"negation": Lesson(_copy_of(start, NEGATION_RECIPE), rows, NEGATION_RECIPE)}


def _taught_lesson(job: Job, start: Classifier, lexicon: NegationLexicon) -> Lessons:
    """What the larger teacher says, see teacher.py."""
    mixture = build_taught_mixture(job.data, job.suite, TAUGHT_RECIPE.seed, job.row_limit)
    return {"taught": _taught_by(mixture, TAUGHT_RECIPE, job, start, lexicon)}


def _written_lesson(job: Job, start: Classifier, lexicon: NegationLexicon) -> Lessons:
    mixture = build_own_mixture(job.data, job.suite, job.own, WRITTEN, job.row_limit)
    return {"written": _taught_by(mixture, WRITTEN_RECIPE, job, start, lexicon)}


def _again_lessons(job: Job, start: Classifier, lexicon: NegationLexicon) -> Lessons:
    """With negated rows as they read without their negators, and with more sentences marked by hand.

    Twice from the same start: on all of it, and on more of SST without what speaks of other things.
    """
    said = SoftTargets({}) if job.is_smoke else SoftTargets.load(job.read)
    mixture = build_again_mixture(job.data, job.suite, job.own, said, job.row_limit)
    targets = SoftTargets({}) if job.is_smoke else SoftTargets.load(job.again_targets)
    taught = [with_teacher(source, targets, AGAIN_TAUGHT_SOURCES) for source in mixture.sources]
    rows = _negated_rows(taught, targets, AGAIN_RECIPE.seed, start, lexicon)
    shortened = [
        without_negators(source, lexicon, _SHORTENED_ROWS) for source in rows if source.name in _SHORTENED
    ]
    tagged = tagged_sources(job.data, lexicon, 4000, 2000, job.row_limit)
    rows += [*shortened, *tagged]
    films = [
        dataclasses.replace(source, per_epoch=_FILM_PHRASES) if source.name == "sst_phrases" else source
        for source in rows
        if source.name not in _NOT_FILMS
    ]
    return {
        "again": Lesson(_copy_of(start, AGAIN_RECIPE), rows, AGAIN_RECIPE),
        "again_films": Lesson(_copy_of(start, AGAIN_RECIPE), films, AGAIN_FILMS_RECIPE),
    }


def _taught_by(
    mixture: Mixture, recipe: Recipe, job: Job, start: Classifier, lexicon: NegationLexicon
) -> Lesson:
    targets = SoftTargets({}) if job.is_smoke else SoftTargets.load(job.targets)
    taught = [with_teacher(source, targets, TAUGHT_SOURCES) for source in mixture.sources]
    rows = _negated_rows(taught, targets, recipe.seed, start, lexicon)
    rows += tagged_sources(job.data, lexicon, 3000, 1500, job.row_limit)
    return Lesson(_copy_of(start, recipe), rows, recipe)


def _negated_rows(
    sources: Sequence[Source], targets: SoftTargets, seed: int, start: Classifier, lexicon: NegationLexicon
) -> list[RowSource]:
    encoded = (encode_source(source, lexicon.texts) for source in sources)
    return [with_negation(source, start, lexicon, seed, targets) for source in encoded]


_LESSONS = {
    "tag": _tag_lesson,
    "negation": _negation_lesson,
    "taught": _taught_lesson,
    "written": _written_lesson,
    "again": _again_lessons,
}


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


def _mean_of(models: Sequence[Classifier]) -> Classifier:
    """After Wortsman et al., "Model soups", 2022: runs from one start, each weight the mean of theirs."""
    states = [model.state_dict() for model in models]
    mean = Classifier(models[0].config)
    mean.load_state_dict({name: sum(state[name] for state in states) / len(states) for name in states[0]})
    return mean


def _copy_of(start: Classifier, recipe: Recipe) -> Classifier:
    """The same weights, with the dropout of training."""
    torch.manual_seed(recipe.seed)
    model = Classifier(start.config, recipe.dropout)
    model.load_state_dict(start.state_dict())
    return model


def _with_negation_parts(plain: Classifier, recipe: Recipe, is_smoke: bool) -> Classifier:
    """The same weights, a tagger that knows nothing yet, and the head whose first value is zero."""
    head, tagger = (HeadIndex(1, 0), TaggerConfig(1, 8)) if is_smoke else (NEGATION_HEAD, TAGGER)
    torch.manual_seed(recipe.seed)
    config = dataclasses.replace(plain.config, negation_head=head, tagger=tagger)
    model = Classifier(config, recipe.dropout)
    model.load_state_dict(plain.state_dict(), strict=False)
    return model


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
