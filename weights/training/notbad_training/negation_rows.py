"""Rows as the negation stage reads them: labels of cue and scope, and what to say with the head off."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from notbad_training.evaluate import logits_of
from notbad_training.model import Classifier
from notbad_training.negation_data import TRAIN_FILES, load_tagged
from notbad_training.negation_labels import NegationLexicon, gold_row, no_negation, silver_labels
from notbad_training.plan import Row, RowSource, draw_epoch
from notbad_training.targets import SoftTargets

_MAX_TOKENS = 96
_SILVER_WEIGHT = 0.2
_SHORTENED_WEIGHT = 0.5


def tagged_sources(
    data: Path, lexicon: NegationLexicon, with_cue: int, without_cue: int, limit: int | None = None
) -> list[RowSource]:
    """Sentences marked by hand, with no label of their own; the counts are rows an epoch."""
    made = []
    for name in TRAIN_FILES:
        tagged = [gold_row(sentence, lexicon, _MAX_TOKENS) for sentence in load_tagged(data / name)]
        rows = [Row(row.ids, 0.5, 0.0, row.labels, 1.0) for row in tagged[:limit]]
        negated = [row for row in rows if row.negation is not None and row.negation.num_cues]
        others = [row for row in rows if row.negation is not None and not row.negation.num_cues]
        share = min(1.0, len(negated) / 1000)  # Conan Doyle is small
        made.append(RowSource(f"{name}, negated", negated, round(with_cue * share)))
        made.append(RowSource(f"{name}, others", others, min(len(others), round(without_cue * share))))
    return [source for source in made if source.rows and source.per_epoch]


def drawn(source: RowSource, epochs: int, seed: int) -> RowSource:
    """Only the rows that `epochs` epochs train on, so that no other has to be labelled."""
    indices = {index for epoch in range(epochs) for index in draw_epoch(source, epoch, seed)}
    return replace(source, rows=[source.rows[index] for index in sorted(indices)])


def with_negation(
    source: RowSource,
    teacher: Classifier,
    lexicon: NegationLexicon,
    seed: int,
    targets: SoftTargets | None = None,
) -> RowSource:
    """Silver labels for every row; for each negated row, and as many others, what the head off is to say.

    Without its negators a row says what `targets` say of it, or the teacher where they do not know it;
    a row without negators keeps its label.
    """
    ids = [row.ids for row in source.rows]
    all_labels = silver_labels(teacher, ids, lexicon)
    negated = [index for index, labels in enumerate(all_labels) if labels.num_cues]
    plain = [index for index, labels in enumerate(all_labels) if not labels.num_cues]
    random.Random(f"{seed}/{source.name}/off").shuffle(plain)
    shortened = [lexicon.without_cues(ids[index], all_labels[index]) for index in negated]
    off_targets = dict(zip(negated, _said_of(shortened, teacher, lexicon, targets), strict=True))
    off_targets |= {index: source.rows[index].target for index in plain[: len(negated)]}
    rows = [
        replace(row, negation=labels, tag_weight=_SILVER_WEIGHT, off_target=off_targets.get(index))
        for index, (row, labels) in enumerate(zip(source.rows, all_labels, strict=True))
    ]
    return replace(source, rows=rows)


def without_negators(source: RowSource, lexicon: NegationLexicon, most: int) -> RowSource:
    """Negated rows of `with_negation` as they read without their negators, `most` an epoch.

    They are to say what those rows are to say with the head off, so that the two agree.
    """
    rows = []
    for row in source.rows:
        if row.negation is None or not row.negation.num_cues or row.off_target is None:
            continue
        ids = lexicon.without_cues(row.ids, row.negation)
        rows.append(Row(ids, row.off_target, _SHORTENED_WEIGHT, no_negation(len(ids)), _SILVER_WEIGHT))
    return RowSource(f"{source.name}, without negators", rows, min(most, len(rows)))


def shortened_texts(source: RowSource, tagger: Classifier, lexicon: NegationLexicon) -> list[str]:
    """Every row that holds negators, without them."""
    ids = [row.ids for row in source.rows]
    labelled = zip(ids, silver_labels(tagger, ids, lexicon), strict=True)
    return [
        lexicon.texts.decode(lexicon.without_cues(row, labels)) for row, labels in labelled if labels.num_cues
    ]


def _said_of(
    rows: Sequence[list[int]], teacher: Classifier, lexicon: NegationLexicon, targets: SoftTargets | None
) -> list[float]:
    said = [None if targets is None else targets.of(lexicon.texts.decode(ids)) for ids in rows]
    open_rows = [index for index, probability in enumerate(said) if probability is None]
    if open_rows:
        logits = logits_of(teacher, [rows[index] for index in open_rows])
        for index, probability in zip(open_rows, torch.softmax(logits, dim=1)[:, 1].tolist(), strict=True):
            said[index] = probability
    return [probability for probability in said if probability is not None]
