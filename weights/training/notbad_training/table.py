"""Prints every figure of the model card: python -m notbad_training.table --data DIR

Labels, probabilities, cues, attention and interventions come from the C++ engine. Two figures need the
twin, on the same stored weights: scope with the cue given, and the largest difference of logits.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from notbad_training import data as sets
from notbad_training.config import HeadIndex
from notbad_training.data import Example
from notbad_training.engine import Engine, EngineError, margin
from notbad_training.evaluate import calibration_error, logits_of
from notbad_training.export import load_exported
from notbad_training.mixture import read_sentences
from notbad_training.negation_data import DEV_FILES, TaggedSentence, load_tagged
from notbad_training.negation_labels import SURE_CUES, NegationLexicon, gold_row
from notbad_training.objective import scope_scores
from notbad_training.reliability import Bin, reliability_bins, reliability_svg
from notbad_training.targets import SoftTargets
from notbad_training.tokens import TextEncoder, pad

_STEMS = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}
Figure = tuple[str, float, str]  # name, value in percent, what it is to reach


@dataclass
class F1:
    hits: int = 0
    false_alarms: int = 0
    misses: int = 0

    def add(self, is_found: bool, is_there: bool) -> None:
        self.hits += is_found and is_there
        self.false_alarms += is_found and not is_there
        self.misses += is_there and not is_found

    @property
    def percent(self) -> float:
        return 200 * self.hits / max(1, 2 * self.hits + self.false_alarms + self.misses)


@dataclass
class Share:
    part: float = 0
    whole: float = 0

    def add(self, value: float) -> None:
        self.part += value
        self.whole += 1

    @property
    def percent(self) -> float:
        return 100 * self.part / max(1, self.whole)


@dataclass
class Table:
    engine: Engine
    data: Path
    suite: list[tuple[Example, Example]]
    held_out: dict[str, list[Example]]  # rows that were kept out of training, by what they are
    figures: list[Figure] = field(default_factory=list)
    bins: list[Bin] = field(default_factory=list)  # of SST-2 dev

    def add(self, name: str, percent: float, bound: str) -> None:
        self.figures.append((name, percent, bound))
        print(f"{name:<66} {percent:8.2f} {bound}", flush=True)

    def labels(self, texts: Sequence[str], **options: Any) -> list[bool]:
        return [margin(result) > 0 for result in self.engine.classify(texts, **options)]

    def rows_right(self, rows: Sequence[Example]) -> float:
        found = self.labels([row.text for row in rows])
        return 100 * sum(a == (row.target > 0.5) for a, row in zip(found, rows, strict=True)) / len(rows)

    def pairs_right(self, pairs: Sequence[tuple[Example, Example]], **options: Any) -> float:
        rows = [row for pair in pairs for row in pair]
        found = self.labels([row.text for row in rows], **options)
        right = [label == (row.target > 0.5) for label, row in zip(found, rows, strict=True)]
        return 100 * sum(a and b for a, b in zip(right[::2], right[1::2], strict=True)) / len(pairs)


def accuracy_figures(table: Table) -> None:
    dev = sets.load_dev(table.data)
    rows = dev["sst2/dev.tsv"]
    results = list(table.engine.classify([row.text for row in rows]))
    right = [(margin(result) > 0) == (row.target > 0.5) for result, row in zip(results, rows, strict=True)]
    table.add("SST-2 dev, accuracy", 100 * sum(right) / len(rows), ">= 91.3")
    negated = [ok for ok, row in zip(right, rows, strict=True) if sets.has_negator(row.text)]
    table.add(f"its {len(negated)} negated rows", 100 * sum(negated) / len(negated), ">= 89")
    confidence = torch.tensor([result["score"] for result in results])
    table.add("its calibration error", 100 * calibration_error(confidence, torch.tensor(right)), "<= 3")
    table.bins = reliability_bins(confidence.tolist(), right)
    for name, bound in (("dynasent/round01-dev.tsv", ">= 85"), ("dynasent/round02-dev.tsv", ">= 72")):
        table.add(name, table.rows_right(dev[name]), bound)
    for kind, kept in table.held_out.items():
        table.add(f"{len(kept)} {kind}", table.rows_right(kept), "")
    table.add("CAD dev, pairs with both right", table.pairs_right(paired(dev["cad/dev.tsv"])), ">= 70")
    table.add("negation suite, pairs with both right", table.pairs_right(table.suite), ">= 95")
    plain = [margin(result) > 0 for result in results]
    for name, change in HARMLESS.items():
        same = [a == b for a, b in zip(plain, table.labels([change(r.text) for r in rows]), strict=True)]
        table.add(f"same label after: {name}", 100 * sum(same) / len(same), ">= 98.5")


HARMLESS: dict[str, Callable[[str], str]] = {
    "final point on or off": lambda text: text.rstrip(" .") if text.endswith(".") else text + " .",
    "upper case": str.upper,
    "contractions with a curly apostrophe": lambda text: text.replace(" n't", "n’t").replace(" 's", "’s"),
    "doubled blanks": lambda text: text.replace(" ", "  "),
}


def paired(rows: Sequence[Example]) -> list[tuple[Example, Example]]:
    """A review and its rewrite share most words: each negative row with the positive one most like it."""
    words = [set(row.text.lower().split()) for row in rows]
    negative = [i for i, row in enumerate(rows) if row.target < 0.5]
    positive = [i for i, row in enumerate(rows) if row.target > 0.5]
    likeness = sorted(
        ((len(words[a] & words[b]) / len(words[a] | words[b]), a, b) for a in negative for b in positive),
        reverse=True,
    )
    pairs, used = [], set[int]()
    for _, a, b in likeness:
        if not {a, b} & used:
            used |= {a, b}
            pairs.append((rows[a], rows[b]))
    return pairs


def tagging_figures(table: Table, model_folder: Path, head: HeadIndex) -> None:
    """Cues by the engine, word by word of the file; the head's rows token by token."""
    bounds = {"SFU": (">= 87", ">= 88"), "conandoyle": (">= 92", ">= 88")}
    visible, elsewhere, idle = Share(), Share(), Share()
    for name in DEV_FILES:
        sentences = load_tagged(table.data / name)
        short = Path(name).name.split("_")[0]
        cues = F1()
        options = {"attention": {"mode": "full", "layers": [head.layer], "heads": [head.head]}}
        texts = [" ".join(sentence.words) for sentence in sentences]
        results = table.engine.classify(texts, negation="cues", return_tokens=True, **options)
        for sentence, text, result in zip(sentences, texts, results, strict=True):
            word_of = _word_of_tokens(sentence, text, result)
            found = _cue_words(word_of, result)
            is_cue = {word for cue in sentence.cues for word in cue}
            for word in range(len(sentence.words)):
                cues.add(word in found, word in is_cue)
            _add_head(result["attention"]["weights"][0][0], word_of, sentence, (visible, elsewhere, idle))
        table.add(f"{short} dev, cue F1 by words", cues.percent, bounds[short][0])
        scope = _scope_f1(model_folder, sentences).percent
        table.add(f"{short} dev, scope F1 by tokens, cue given (twin)", scope, bounds[short][1])
    table.add("negation head: scope tokens whose top-1 is a cue", visible.percent, ">= 75")
    table.add("negation head: other tokens of these sentences, the same", elsewhere.percent, "<= 20")
    table.add("negation head: mass on ordinary tokens without negation", idle.percent, "<= 2")


def _word_of_tokens(sentence: TaggedSentence, text: str, result: dict[str, Any]) -> list[int | None]:
    """Index of the file's word that each token begins in; None for special tokens."""
    ends, place = [], 0
    for word in sentence.words:
        place += len(word.encode()) + 1
        ends.append(place)
    places = [token["bytes"] for token in result["tokens"]]
    return [None if span is None else sum(end <= span[0] for end in ends) for span in places]


def _cue_words(word_of: Sequence[int | None], result: dict[str, Any]) -> set[int | None]:
    own_words = {word for cue in result["negation"]["cues"] for word in cue["words"]}
    return {word for word, token in zip(word_of, result["tokens"], strict=True) if token["word"] in own_words}


def _add_head(
    weights: Sequence[Sequence[float]],
    word_of: Sequence[int | None],
    sentence: TaggedSentence,
    shares: tuple[Share, Share, Share],
) -> None:
    visible, elsewhere, idle = shares
    is_cue = {word for cue in sentence.cues for word in cue}
    for row, word in zip(weights, word_of, strict=True):
        if word is None or word in is_cue:
            continue
        if not is_cue:
            idle.add(sum(w for w, to in zip(row, word_of, strict=True) if to is not None))
            continue
        top = word_of[max(range(len(row)), key=lambda place: row[place])]
        (visible if word in sentence.scope else elsewhere).add(top in is_cue)


@torch.no_grad()
def _scope_f1(model_folder: Path, sentences: Sequence[TaggedSentence]) -> F1:
    model = load_exported(model_folder)
    lexicon = NegationLexicon(TextEncoder(model_folder / "tokenizer.model"))
    score = F1()
    for sentence in sentences:
        if not sentence.cues:
            continue
        row = gold_row(sentence, lexicon, model.config.max_positions)
        tags = model(*pad([row.ids])).tags
        assert tags is not None
        scores = scope_scores(tags.scope, torch.tensor([row.labels.cue_id]))[0].tolist()
        for place in range(1, len(row.ids) - 1):
            if not row.labels.cue_id[place]:
                score.add(scores[place] > 0, row.labels.scope_of[place] > 0)
    return score


def causal_figures(table: Table, head: HeadIndex, layers: int, heads: int, all_heads: bool) -> None:
    off = [{"kind": "head_off", "layer": head.layer, "head": head.head}]
    without = table.pairs_right(table.suite, interventions=off)
    table.add("suite pairs with the negation head off", without, "<= 20")
    rows = sets.load_dev(table.data)["sst2/dev.tsv"]
    negated = [row for row in rows if sets.has_negator(row.text)]
    others = [row for row in rows if not sets.has_negator(row.text)]
    texts = [row.text for row in negated]
    deleted = [without_negators(text) for text in texts]
    off_labels = table.labels(texts, interventions=off)
    deleted_labels = table.labels(deleted)
    agreement = [a == b for a, b in zip(off_labels, deleted_labels, strict=True)]
    table.add("negated dev rows, head off agrees with deleted", 100 * sum(agreement) / len(texts), ">= 95")
    moved = [
        a != b
        for a, b in zip(
            table.labels([row.text for row in others]),
            table.labels([row.text for row in others], interventions=off),
            strict=True,
        )
    ]
    table.add("other dev rows that change with the head off", 100 * sum(moved) / len(moved), "<= 1")
    for name, labels in (("head off", off_labels), ("negators deleted", deleted_labels)):
        hits = sum(label == (row.target > 0.5) for label, row in zip(labels, negated, strict=True))
        table.add(f"negated dev rows right with {name}", 100 * hits / len(negated), "")
    if all_heads:
        others_off = [
            table.pairs_right(
                table.suite, interventions=[{"kind": "head_off", "layer": layer, "head": index}]
            )
            for layer in range(layers)
            for index in range(heads)
            if (layer, index) != (head.layer, head.head)
        ]
        table.add("suite pairs with any other one head off, the fewest", min(others_off), ">= 75")


def without_negators(text: str) -> str:
    """Without its sure cues and `no`, `nothing` and the like; of `can't` stays `can`."""
    words = re.sub(r"(?i)(\w)n['’]t\b", r"\1 n't", text).split()
    gone = {*SURE_CUES, "no", "nothing", "none", "nowhere", "nor"}
    kept = []
    for place, word in enumerate(words):
        if word.lower() in gone:
            continue
        is_stem = words[place + 1 : place + 2] == ["n't"]
        kept.append(_STEMS.get(word.lower(), word) if is_stem else word)
    return " ".join(kept) or text


def parity_figure(table: Table, model_folder: Path) -> None:
    texts = [row.text for row in sets.load_dev(table.data)["sst2/dev.tsv"]]
    model, encoder = load_exported(model_folder), TextEncoder(model_folder / "tokenizer.model")
    twin = logits_of(model, encoder.encode(texts, model.config.max_positions))
    engine = torch.tensor(
        [[r["logits"]["negative"], r["logits"]["positive"]] for r in table.engine.classify(texts)]
    )
    table.add(
        "largest difference of logits to the twin, times 1e4",
        float((engine - twin).abs().max() * 1e4),
        "<= 1",
    )


def dtype_figures(table: Table, server: Path, model_folder: Path) -> None:
    """What else --dtype offers, as far as this processor has it."""
    texts = [row.text for row in sets.load_dev(table.data)["sst2/dev.tsv"]]
    expected = table.labels(texts)
    for dtype in ("bf16", "int8"):
        try:
            with Engine(server, model_folder, dtype) as engine:
                found = [margin(result) > 0 for result in engine.classify(texts)]
        except EngineError as error:
            if "this processor has no" not in str(error):
                raise
            print(f"{dtype}: not on this processor", flush=True)
            continue
        changed = sum(a != b for a, b in zip(found, expected, strict=True))
        table.add(f"{dtype}: SST-2 dev rows with another label", 100 * changed / len(texts), "<= 0.5")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="notbad_training.table", description="Prints the model card's figures."
    )
    parser.add_argument("--data", type=Path, required=True, help="directory of the data sets")
    parser.add_argument("--server", type=Path, default=Path("build/release/bin/notbad-server"))
    parser.add_argument("--model", type=Path, default=Path("weights/model"))
    parser.add_argument("--suite", type=Path, default=Path("tests/golden/negation_suite.tsv"))
    parser.add_argument("--all-heads", action="store_true", help="each head off in turn: minutes")
    parser.add_argument("--plot", type=Path, help="SVG of the reliability diagram to write")
    parser.add_argument("--own", type=Path, default=Path("weights/training/own"))
    parser.add_argument("--read", type=Path, default=Path("weights/training/read_targets.npz"))
    given = parser.parse_args()
    held_out = {
        f"own sentences held out of {part!r}": _decided(sets.split_own(given.own, part)[1])
        for part in sets.OWN_PARTS
    }
    read = read_sentences(given.data, SoftTargets.load(given.read))[1]
    held_out["sentences of reviews, held out, as read"] = _decided(read)
    config = load_exported(given.model).config
    with Engine(given.server, given.model) as engine:
        table = Table(engine, given.data, sets.load_suite(given.suite), held_out)
        print(f"{'figure':<66} {'percent':>8} bound")
        accuracy_figures(table)
        parity_figure(table, given.model)
        dtype_figures(table, given.server, given.model)
        if config.negation_head is not None:
            tagging_figures(table, given.model, config.negation_head)
            shape = (config.num_layers, config.num_heads)
            causal_figures(table, config.negation_head, *shape, all_heads=given.all_heads)
    if given.plot is not None:
        given.plot.write_text(reliability_svg(table.bins, "Reliability on SST-2 dev"), encoding="utf-8")
    missed = Counter(_is_met(percent, bound) for _, percent, bound in table.figures if bound)
    print(f"{missed[True]} figures reach their bound, {missed[False]} do not")
    return 0


def _decided(rows: Sequence[Example]) -> list[Example]:
    """Those that lean to one side; 0.5 as a step of the file of targets is 128 of 255."""
    return [row for row in rows if abs(row.target - 0.5) > 0.01]


def _is_met(percent: float, bound: str) -> bool:
    sense, value = bound.split()
    return percent >= float(value) if sense == ">=" else percent <= float(value)


if __name__ == "__main__":
    sys.exit(main())
