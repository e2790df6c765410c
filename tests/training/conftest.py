"""Made-up data sets in the forms of the real ones, small enough to train on in seconds."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import torch

# Toys are too small for two threads: waiting for each other costs more than the sums.
torch.set_num_threads(1)

POSITIVE = ("fine", "bright", "kind", "merry", "grand")
NEGATIVE = ("drab", "rotten", "bitter", "shabby", "gloomy")
NOUNS = ("lamp", "puppet", "garden", "violin", "pancake", "bridge", "kite", "teapot")

SFU_SENTENCE = "The\tO\tO\nkite\tO\tO\ndoes\tB_negcue\tO\nn't\tI_negcue\tO\nfly\tB_neg\tB_speccue\n"
PLAIN_SENTENCE = "A\tO\tO\nkite\tO\tO\n"
DOYLE_SENTENCE = "He\tB_scope\nnever\tB_cue\nspoke\tI_scope\n,\tO\nnor\tB_cue\nsang\tB_scope\n\n"


def _sentence(index: int, is_positive: bool) -> str:
    word = (POSITIVE if is_positive else NEGATIVE)[index % 5]
    return f"my {NOUNS[index % 8]} number {index} is {word}"


def _rows(count: int, start: int = 0) -> list[tuple[str, int]]:
    return [(_sentence(start + index, index % 2 == 1), index % 2) for index in range(count)]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = text.encode()
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)


def _tree_rows(count: int) -> str:
    lines = ["sent_id\tlabel5\tis_root\tphrase"]
    for index, (text, label) in enumerate(_rows(count)):
        lines.append(f"{index}\t{4 * label}\t1\t{text}")
        lines.append(f"{index}\t{3 if label else 1}\t0\t{' '.join(text.split()[3:])}")
        lines.append(f"{index}\t2\t0\t{' '.join(text.split()[:2])}")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("data")
    pairs = "".join(f"{text}\t{label}\n" for text, label in _rows(60, 100))
    _write(data / "sst2/train.tsv", "sentence\tlabel\n" + pairs)
    dev = "".join(f"{text}\t{label}\n" for text, label in _rows(20, 900)) + "my lamp is not drab\t1\n"
    _write(data / "sst2/dev.tsv", "sentence\tlabel\n" + dev)
    _write(data / "sst5/phrases_train.tsv.gz", _tree_rows(64))
    _write(data / "cr/custrev.all", "".join(f"{label} {text}\n" for text, label in _rows(20, 200)))
    reviews = [
        f'{"Positive" if label else "Negative"}\t"The ""new"" one.<br /><br />{text}."\n'
        for text, label in _rows(12, 300)
    ]
    _write(data / "cad/train.tsv", "Sentiment\tText\n" + "".join(reviews[:8]))
    _write(data / "cad/dev.tsv", "Sentiment\tText\n" + "".join(reviews[8:]))
    films = "".join(f"{9 if y else 2}\t{y}\tI saw it.<br />Well, {x}.\n" for x, y in _rows(16, 400))
    _write(data / "imdb/train.tsv.gz", "rating\tlabel\ttext\n5\t0\tMiddling.\n" + films)
    goods = "".join(f"toys\t{label}\t{text} . it came late\n" for text, label in _rows(16, 500))
    _write(data / "amazon14/train.tsv.gz", "domain\tlabel\ttext\n" + goods)
    _write(data / "amazon14/unlabel.tsv.gz", "domain\tlabel\ttext\ntoys\t\tit came late\n")
    _write(data / "pros_cons/pros_cons.tsv", "label\ttext\n1\tgrand handle\n0\tshabby lid\n")
    _write(data / "lexicons/positive-words.txt", ";a comment\n\n" + "\n".join(POSITIVE) + "\n")
    _write(data / "lexicons/negative-words.txt", ";a comment\n\n" + "\n".join(NEGATIVE) + "\n")
    for name in ("round01-dev.tsv", "round02-dev.tsv"):
        body = "positive\ta grand day out\nnegative\ta gloomy day in\nneutral\ta day\n"
        _write(data / "dynasent" / name, "label\tsentence\n" + body)
    reviews_of_sfu = "# domain - TOYS\n# sentence - The kite does n't fly\n" + SFU_SENTENCE + "\n"
    _write(data / "negation/SFU_train.conll.gz", (reviews_of_sfu + PLAIN_SENTENCE + "\n") * 12)
    _write(data / "negation/conandoyle_train.conllu", "#token\tnegation_scope\n" + DOYLE_SENTENCE * 6)
    return data


@pytest.fixture(scope="session")
def own_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    _write(folder / "written/toys.tsv", "positive\tMy kite flew all day\nnegative\tThe kite never flew\n")
    _write(folder / "written/facts.tsv", "neutral\tThe kite is red\n")
    _write(folder / "again/toys.tsv", "negative\tThe string is not long\npositive\tIt never tore\n")
    return folder
