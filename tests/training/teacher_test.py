import pytest

from notbad_training.teacher import natural


@pytest.mark.parametrize(
    ("treebank", "written"),
    [
        ("it does n't work .", "it doesn't work."),
        ("-LRB- the film -RRB- is , well , bad", "(the film) is, well, bad"),
        ("he 's `` fine ''", 'he\'s " fine "'),
        ("I can't say", "I can't say"),
    ],
)
def test_treebank_spelling_is_undone(treebank: str, written: str) -> None:
    assert natural(treebank) == written
