from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from notbad_training.data import Example, key_of, load_dev, load_sst5
from notbad_training.mixture import Mixture, Source, build_mixture
from notbad_training.plan import RowSource, draw_epoch, encode_source, make_plan
from notbad_training.tokens import TextEncoder


class LengthEncoder(TextEncoder):
    """One id per word, so that a test sees what the plan does with lengths."""

    def __init__(self) -> None:
        pass

    def encode(self, texts: Sequence[str], max_tokens: int) -> list[list[int]]:
        return [[len(word) for word in text.split()][:max_tokens] for text in texts]


def source(count: int, per_epoch: int, max_tokens: int = 128) -> RowSource:
    rows = [Example("w " * (1 + index % 9), index / count) for index in range(count)]
    return encode_source(Source("made up", rows, per_epoch, max_tokens), LengthEncoder())


@pytest.fixture(scope="module")
def mixture(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Mixture:
    suite = tmp_path_factory.mktemp("suite") / "suite.tsv"
    suite.write_text(
        "id\tsentence\tlabel\ttwin\ttwin_label\n"
        "1\tMy lamp number 200 is drab.\t0\tMy puppet number 201 is bright\t1\n"
    )
    return build_mixture(data_folder, suite, seed=3)


def test_every_row_is_drawn_once_before_any_comes_again() -> None:
    made = source(10, 4)

    drawn = [index for epoch in range(5) for index in draw_epoch(made, epoch, seed=1)]

    assert Counter(drawn[:10]) == Counter(range(10))
    assert Counter(drawn) == Counter(list(range(10)) * 2)


def test_an_epoch_may_be_larger_than_its_source() -> None:
    assert Counter(draw_epoch(source(3, 7), 0, seed=1)).total() == 7


def test_no_batch_is_larger_than_its_budget_and_no_row_is_lost() -> None:
    made = source(200, 200)

    plan = make_plan([made], epochs=2, batch_tokens=40, seed=5)

    for step, members in enumerate(plan.batches):
        ids = plan.batch(step).ids
        assert ids.numel() <= 40
        assert len(ids) == len(members)
    assert Counter(index for members in plan.batches for index in members) == Counter(list(range(200)) * 2)


def test_the_fingerprint_follows_rows_and_seed() -> None:
    def fingerprint(count: int, seed: int) -> str:
        return make_plan([source(count, count)], 1, 40, seed).fingerprint

    assert fingerprint(30, 5) == fingerprint(30, 5)
    assert len({fingerprint(30, 5), fingerprint(31, 5), fingerprint(30, 6)}) == 3


def test_rows_are_cut_to_the_tokens_of_their_source() -> None:
    plan = make_plan([source(20, 20, max_tokens=3)], 1, 40, seed=5)

    assert max(len(row.ids) for row in plan.rows) == 3


def test_no_dev_row_and_no_suite_sentence_is_trained_on(mixture: Mixture, data_folder: Path) -> None:
    trained = {key_of(row.text) for part in mixture.sources for row in part.rows}
    judged = {key_of(row.text) for rows in load_dev(data_folder).values() for row in rows}

    assert not trained & judged
    assert key_of("my puppet number 201 is bright") not in trained
    assert key_of("my violin number 203 is merry") in trained


def test_held_out_trees_are_trained_on_nowhere(mixture: Mixture, data_folder: Path) -> None:
    trained = {key_of(row.text) for part in mixture.sources for row in part.rows}
    roots = {phrase.text: phrase.sentence for phrase in load_sst5(data_folder) if phrase.is_root}

    assert {roots[row.text] % 16 for row in mixture.held_out} == {5}
    assert not trained & {key_of(row.text) for row in mixture.held_out}


def test_neutral_phrases_aim_at_the_middle(mixture: Mixture) -> None:
    neutral = next(part for part in mixture.sources if part.name == "sst_neutral")

    assert neutral.rows
    assert {row.target for row in neutral.rows} == {0.5}
