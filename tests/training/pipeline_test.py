"""From made-up data to a model folder, through the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from notbad_training.__main__ import main
from notbad_training.evaluate import evaluate_twin, logits_of
from notbad_training.export import declared_weights, load_exported
from notbad_training.parity import SENTENCES, write_parity
from notbad_training.pipeline import STAGES
from notbad_training.tokens import TextEncoder

MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vocabulary in the form of the pretrained encoder's; its weights are not read in a smoke run."""
    folder = tmp_path_factory.mktemp("encoder")
    words = ["not", "my", "is", "lamp", "puppet", "bright", "drab", "kite", "number"]
    rows = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *MARKS, *LETTERS, *(f"##{c}" for c in LETTERS), *words]
    (folder / "vocab.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def run(data_folder: Path, own_folder: Path, encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds `model` and `work` after a run."""
    folder = tmp_path_factory.mktemp("run")
    suite = folder / "suite.tsv"
    suite.write_text("sentence\tlabel\ttwin\ttwin_label\nIt is dim\t0\tIt is not dim\t1\n")
    arguments = ["--data", data_folder, "--out", folder / "model", "--work", folder / "work"]
    arguments += ["--own", own_folder, "--encoder", encoder, "--suite", suite, "--smoke"]
    arguments += ["--until", STAGES[-1]]
    assert main([str(argument) for argument in arguments]) == 0
    return folder


def test_one_command_makes_a_whole_model_folder(run: Path) -> None:
    model = load_exported(run / "model")

    names = {path.name for path in (run / "model").iterdir()}
    assert names == {
        "MANIFEST.sha256",
        "config.json",
        "labels.json",
        "model.safetensors",
        "tokenizer.model",
    }
    assert json.loads((run / "model/labels.json").read_text()) == {"labels": ["negative", "positive"]}
    assert model.config.vocab_size == TextEncoder(run / "model/tokenizer.model").vocab_size
    assert set(load_file(run / "model/model.safetensors")) == set(declared_weights(model.config))


def test_record_and_curve_say_what_was_done(run: Path) -> None:
    record = json.loads((run / "work/record.json").read_text())
    assert list(record["stages"]) == [*STAGES, "again_films"]
    assert record["stages"]["label"]["recipe"]["epochs"] == 1
    assert record["inputs_sha256"]["negation/SFU_train.conll.gz"]
    assert record["calibration"]["held_out_rows"] == 4
    assert record["twin"]["suite"]["pairs"] == 1
    for name, stage in record["stages"].items():
        curve = list(csv.DictReader((run / "work" / name / "curve.csv").open()))
        assert int(curve[-1]["step"]) == stage["steps"]


def test_the_last_stage_alone_goes_on_from_a_given_model(
    run: Path, data_folder: Path, own_folder: Path, tmp_path: Path
) -> None:
    arguments = ["--data", data_folder, "--out", tmp_path / "model", "--work", tmp_path / "work"]
    arguments += ["--start", run / "work/written/model", "--after", "written", "--until", "again"]
    arguments += ["--own", own_folder, "--suite", run / "suite.tsv", "--smoke"]

    assert main([str(argument) for argument in arguments]) == 0

    record = json.loads((tmp_path / "work/record.json").read_text())
    assert list(record["stages"]) == ["again", "again_films"]
    assert record["starts_from"]


def test_a_start_after_the_last_stage_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--data", tmp_path, "--out", tmp_path, "--start", tmp_path, "--after", "again"]

    with pytest.raises(SystemExit):
        main([str(argument) for argument in arguments])

    assert "name a later --until" in capsys.readouterr().err


def test_the_model_has_the_parts_that_show_negation(run: Path) -> None:
    config = load_exported(run / "model").config

    assert config.negation_head is not None
    assert config.tagger is not None


def test_a_model_read_back_scores_the_same(run: Path, data_folder: Path) -> None:
    record = json.loads((run / "work/record.json").read_text())

    assert evaluate_twin(run / "model", data_folder, run / "suite.tsv") == record["twin"]


def test_parity_goldens_hold_ids_and_logits_of_every_sentence(run: Path, tmp_path: Path) -> None:
    write_parity(run / "model", tmp_path)

    stored = load_file(tmp_path / "shipped_logits.safetensors")
    model, texts = load_exported(run / "model"), TextEncoder(run / "model/tokenizer.model")
    lines = (tmp_path / "shipped_logits.tsv").read_text(encoding="utf-8").splitlines()
    assert len(stored) == 2 * len(SENTENCES)
    assert [line.split("\t")[0] for line in lines[1:]] == list(SENTENCES)
    for k, ids in enumerate(texts.encode(SENTENCES, model.config.max_positions)):
        assert stored[f"ids.{k}"].tolist() == ids
        torch.testing.assert_close(stored[f"logits.{k}"], logits_of(model, [ids])[0])


def test_a_missing_data_set_ends_with_its_name_and_exit_code_1(
    encoder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    arguments = ["--data", tmp_path / "data", "--out", tmp_path / "model", "--work", tmp_path / "work"]

    code = main([str(argument) for argument in [*arguments, "--encoder", encoder, "--smoke"]])

    assert code == 1
    assert "is missing" in capsys.readouterr().err
