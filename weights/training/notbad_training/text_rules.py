"""The rules that bring text into the one form that the model reads.

They are compiled into `tokenizer.model`, so training and service cannot differ. A rule replaces its source
(a few code points) by its target; SentencePiece takes the longest source that fits, from left to right.
Blanks in a target ask for a word border; neighbouring blanks collapse afterwards.

Code points are classed by the Unicode tables of the running Python.
"""

from __future__ import annotations

import itertools
import sys
import unicodedata

Rules = dict[str, str]

NOT = "n't"

_APOSTROPHES = "'’‘‛ʼ′´`＇"
# One sign for all spellings of the same mark; what decomposes by itself (`…`, `！`) is not listed.
_MARKS = {
    **dict.fromkeys(_APOSTROPHES + "‚‹›ʹʻʽˈ", "'"),
    **dict.fromkeys("“”„‟«»″〝〞〟＂", '"'),
    **dict.fromkeys("‐‑‒–—―−⁃﹘－", "-"),
    **dict.fromkeys("⁄", "/"),
}
# Letters without a decomposition that English texts spell with these.
_LETTERS = {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ß": "ss"}

# They show nothing though their class is not one of the blanks; U+2581 is SentencePiece's own blank.
_INVISIBLE = "\u2581\u2800\u3164\u115f\u1160\uffa0"
_ACCENTS = ("Mn", "Me")
_CONTROL_BLANKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85"

# The Penn Treebank's names of brackets, as SST writes them.
_BRACKETS = {"lrb": "(", "rrb": ")", "lsb": "[", "rsb": "]", "lcb": "{", "rcb": "}"}


def normalisation_rules() -> Rules:
    """All rules, source to target. NUL has none: SentencePiece cannot hold it in a source."""
    rules: Rules = {}
    for code in range(1, sys.maxunicode + 1):
        char = chr(code)
        if unicodedata.category(char) == "Cs":
            continue
        target = _target(char)
        if target != char:
            rules[char] = target
    rules.update(_contractions())
    rules.update(_treebank_marks())
    return rules


def as_tsv(rules: Rules) -> str:
    """The rules in the form that SentencePiece's trainer reads: code points in hexadecimal, a rule a line."""

    def hexadecimal(text: str) -> str:
        return " ".join(f"{ord(char):X}" for char in text)

    return "".join(f"{hexadecimal(s)}\t{hexadecimal(t)}\n" for s, t in sorted(rules.items()))


def _target(char: str) -> str:
    """What one code point becomes: lower case, compatible form, no accents, marks set apart."""
    category = unicodedata.category(char)
    if category[0] == "Z" or char in _CONTROL_BLANKS or char in _INVISIBLE:
        return " "
    if category in ("Cc", "Cf", *_ACCENTS):
        return ""
    plain = _MARKS.get(char) or _plain(char)
    if not plain.strip():  # `¨` alone decomposes into a blank and an accent, but it is seen
        plain = char
    apart = category[0] in "PS" or unicodedata.decomposition(char).startswith(("<fraction>", "<circle>"))
    return _words("".join(f" {c} " if _is_mark(c) else c for c in plain), apart)


def _plain(char: str) -> str:
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", char).lower())
    letters = [c for c in decomposed if unicodedata.category(c) not in _ACCENTS]
    return unicodedata.normalize("NFC", "".join(_MARKS.get(c, _LETTERS.get(c, c)) for c in letters))


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"


def _words(target: str, apart: bool) -> str:
    """Collapses blanks, because SentencePiece collapses them between rules only."""
    words = " ".join(target.split())
    if words == target and not apart:
        return target
    starts, ends = (" " if apart or target[:1] == " " else ""), (" " if apart or target[-1:] == " " else "")
    return f"{starts}{words}{ends}"


def _contractions() -> Rules:
    """`doesn't`, `DOESN’T` and the treebank's `does n't` all end in the one word `n't`."""
    rules = {
        "".join(spelling): f" {NOT} " for spelling in itertools.product("nNｎＮ", _APOSTROPHES, "tTｔＴ")
    }
    rules[" n 't"] = f" {NOT} "  # a second habit of tokenised reviews
    return rules


def _treebank_marks() -> Rules:
    rules = {"``": ' " ', "''": ' " ', "--": " - ", "---": " - "}
    for name, bracket in _BRACKETS.items():
        for letters in itertools.product(*((c, c.upper()) for c in name)):
            rules[f"-{''.join(letters)}-"] = f" {bracket} "
    return rules
