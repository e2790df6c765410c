from __future__ import annotations

from pathlib import Path

import pytest

from notbad_training import data as sets
from notbad_training.data import DataError, Example


@pytest.mark.parametrize(
    "text",
    ["it is not dull", "NOTHING here", "it does n't shine", "it doesn’t shine", "I can't", "hardly fun"],
)
def test_finds_a_negator_in_every_spelling(text: str) -> None:
    assert sets.has_negator(text)


@pytest.mark.parametrize("text", ["a notable knot", "another note", "the north", "nobodys pint", ""])
def test_takes_no_other_word_for_a_negator(text: str) -> None:
    assert not sets.has_negator(text)


def test_rows_that_differ_in_spelling_only_have_one_key() -> None:
    assert sets.key_of("A lamp -LRB- bright -RRB- .") == sets.key_of("a lamp (bright)")
    assert sets.key_of("a dim lamp") != sets.key_of("a bright lamp")


def test_sst5_keeps_tree_label_and_root(data_folder: Path) -> None:
    phrases = sets.load_sst5(data_folder)

    assert len(phrases) == 3 * 64
    assert phrases[3] == sets.SstPhrase(1, 4, True, "my puppet number 1 is bright")
    assert not phrases[4].is_root


def test_cr_takes_the_first_character_as_label(data_folder: Path) -> None:
    assert sets.load_cr(data_folder)[1] == Example("my puppet number 201 is bright", 1.0)


def test_cad_unquotes_and_drops_line_breaks(data_folder: Path) -> None:
    row = sets.load_cad(data_folder / "cad/train.tsv")[0]

    assert row == Example('The "new" one. my pancake number 300 is drab.', 0.0)


def test_imdb_keeps_clear_ratings_only(data_folder: Path) -> None:
    rows = sets.load_imdb(data_folder)

    assert len(rows) == 16
    assert all("Middling" not in row.text and "<br" not in row.text for row in rows)


def test_lexicon_leaves_out_words_of_both_lists(tmp_path: Path) -> None:
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons/positive-words.txt").write_text("; list\nsunny\nodd\n")
    (tmp_path / "lexicons/negative-words.txt").write_text("; list\nmurky\nodd\n")

    assert sets.load_lexicon(tmp_path) == {"sunny": 1.0, "murky": 0.0}


def test_dev_holds_positive_and_negative_rows_only(data_folder: Path) -> None:
    dev = sets.load_dev(data_folder)

    assert [len(rows) for rows in dev.values()] == [21, 4, 2, 2]


def test_own_sentences_come_from_all_files_of_their_folder(own_folder: Path) -> None:
    assert [(row.text, row.target) for row in sets.load_own(own_folder / "written")] == [
        ("The kite is red", 0.5),
        ("My kite flew all day", 0.98),
        ("The kite never flew", 0.02),
    ]


def test_every_twentieth_own_sentence_of_each_part_is_held_out(tmp_path: Path) -> None:
    for part, count in (("written", 45), ("again", 25)):
        (tmp_path / part).mkdir()
        lines = [f"positive\t{part} {number}\n" for number in range(1, count + 1)]
        (tmp_path / part / "own.tsv").write_text("".join(lines))

    training, held_out = sets.split_own(tmp_path, "written", "again")

    assert [row.text for row in held_out] == ["written 20", "written 40", "again 20"]
    assert len(training) == 67
    assert not set(held_out) & set(training)


@pytest.mark.parametrize("line", ["fine\tA kite", "positive A kite", "positive\t ", "positive\tA\tkite"])
def test_an_own_sentence_without_label_is_named_by_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "own.tsv").write_text(f"positive\tA kite\n{line}\n")

    with pytest.raises(DataError, match=r"own.tsv: line 2"):
        sets.load_own(tmp_path)


def test_a_folder_without_own_sentences_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"holds no .tsv file"):
        sets.load_own(tmp_path)


def test_no_own_sentence_stands_twice_or_in_the_suite() -> None:
    root = Path(__file__).parents[2]
    suite = sets.load_suite(root / "tests/golden/negation_suite.tsv")
    judged = {sets.key_of(row.text) for pair in suite for row in pair}

    own = sets.split_own(root / "weights/training/own", *sets.OWN_PARTS)
    keys = [sets.key_of(row.text) for rows in own for row in rows]

    assert len(set(keys)) == len(keys)
    assert not judged & set(keys)


def test_a_missing_file_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"custrev.all is missing: .*README"):
        sets.load_cr(tmp_path)


def test_a_row_with_a_column_too_few_is_named_by_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.tsv"
    path.write_text("sentence\tlabel\nfine\t1\nbroken\n")

    with pytest.raises(DataError, match=r"rows.tsv: line 3"):
        sets.load_sst2(path)


def test_hashes_tell_one_input_from_another(data_folder: Path) -> None:
    hashes = sets.hash_inputs(data_folder, sets.INPUT_FILES)

    assert set(hashes) == set(sets.INPUT_FILES)
    assert len(set(hashes.values())) == len(hashes)


def test_sentences_end_at_a_point_before_a_capital() -> None:
    assert sets.split_sentences("Mr. e.g. said so. It ended! Why? 9 left.") == [
        "Mr. e.g. said so.",
        "It ended!",
        "Why?",
        "9 left.",
    ]
