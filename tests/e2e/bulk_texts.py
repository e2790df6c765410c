"""Texts for the tests of bulk work: bulk_texts.py write | compare FILE FILE

`write` prints them; `compare` fails where two files of labels differ by more than rounding.
"""

import itertools
import json
import sys

SUBJECTS = ["The movie", "This phone", "The second season", "Her new book", "The waiter", "My old bicycle", "The battery"]
VERBS = ["was", "was not", "never seemed", "is hardly"]
JUDGEMENTS = ["bad", "good", "worth the money", "without charm", "what I had hoped for, after all that I had read of it"]


def texts():
    return [" ".join(words) for words in itertools.product(SUBJECTS, VERBS, JUDGEMENTS)]


def compare(one, other):
    with open(one, encoding="utf-8") as first, open(other, encoding="utf-8") as second:
        rows = [list(map(json.loads, file)) for file in (first, second)]
    assert len(rows[0]) == len(rows[1]) == len(texts()), list(map(len, rows))
    for number, (a, b) in enumerate(zip(*rows), 1):
        assert a["label"] == b["label"] and abs(a["score"] - b["score"]) < 1e-5, (number, a, b)
    labels = [row["label"] for row in rows[0]]
    assert 10 < labels.count("positive") < len(labels) - 10, "texts of one label cannot show that lines were mixed up"


if __name__ == "__main__":
    if sys.argv[1] == "write":
        print("\n".join(texts()))
    else:
        compare(*sys.argv[2:])
