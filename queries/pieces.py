"""How heavy a text is for tokenizers of the byte-pair kind: a figure close to proportional to its tokens.

A token holds 3 to 5 characters by what the text is made of: words, names in capitals, figures, brackets. Characters a
token differ by a sixth and more from answer to answer, whatever they were calibrated on. Every such tokenizer first
cuts a text into much the same pieces, and what a piece of a kind and length costs differs little between them; so a
weight for each kind takes most of that difference out, and what is left, the scale, is calibrated for each model.

There are two families: those that hold up to three digits in a token, and those that hold one. Map text is full of line
numbers, so which of them a model belongs to is measured, not assumed.

The weights are least squares on 6,600 pieces of text (answers and sources of Django, Vue and this project), against the
mean of the counts of three tokenizers; see `docs/decisions/calibrated-ratios.md`.
"""

from __future__ import annotations

import re

from queries.pieces_words import COMMON

_CACHE_LIMIT = 100_000  # pieces

# What is ASCII and no letter or digit, for the first without ends of lines, for the second without blanks. They are
# spelt out: a negated class with all beyond ASCII in it takes milliseconds to compile.
_PIECE = re.compile(
    r"[\0-\t\v\f\x0e-/:-@\[-`{-\x7f]?(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+)"  # a word, or a part of one, with one mark
    r"|[0-9]{1,3}"
    r"| ?[\0-\x08\x0e-\x1b!-/:-@\[-`{-\x7f]+[\r\n]*"  # a run of marks
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
    r"|[^\x00-\x7f]"
)

_LOWER = (0.0, 1.24, 0.96, 1.11, 0.93, 1.05, 1.11, 2.07, 1.74, 1.68, 1.44, 1.96, 2.04, 2.84, 3.48)  # by letters
_COMMON = 1.07
_UPPER = (0.0, 1.24, 1.18, 1.6, 1.39, 1.47, 1.2, 1.4, 2.3)
_FURTHER_LETTER = 0.35
_CAPITAL = -0.08  # a first letter in upper case
_BEFORE = {" ": -0.07, "_": 0.07}
_OTHER_BEFORE = 0.07
_MARKS = (0.0, 1.11, 0.96, 0.93, 1.82, 2.23)
_FURTHER_MARK = 0.35
_NEWLINES, _BLANKS = 1.25, 0.92
_LONGEST_BLANKS = 80  # what the vocabularies hold in one token at least
_LATIN, _OTHER, _ASTRAL = 1.0, 1.0, 3.0


class _Weights(dict[str, float]):
    """Piece → weight, remembered: code says the same words over and over."""

    def __init__(self, *, each_digit: bool) -> None:
        super().__init__()
        self._each_digit = each_digit

    def __missing__(self, piece: str) -> float:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        digits = piece[0].isdigit() and piece.isascii()
        found = self[piece] = float(len(piece) if self._each_digit else 1) if digits else _piece(piece)
        return found


_GROUPED = _Weights(each_digit=False).__getitem__
_SINGLE = _Weights(each_digit=True).__getitem__


def grouped(text: str) -> float:
    """The weight of a text for tokenizers that hold up to three digits in a token. About 1.0 a token."""
    return sum(map(_GROUPED, _PIECE.findall(text)))


def single(text: str) -> float:
    """The weight of a text for tokenizers that hold one digit in a token."""
    return sum(map(_SINGLE, _PIECE.findall(text)))


def _piece(piece: str) -> float:
    first, last = piece[0], piece[-1]
    if last > "\x7f":
        return _LATIN if last < "\u0800" else _OTHER if last < "\U00010000" else _ASTRAL
    if last.isalpha():
        return _word(piece) if first.isalpha() else _word(piece[1:]) + _BEFORE.get(first, _OTHER_BEFORE)
    marks = len(piece.strip())
    if marks:
        return _of(_MARKS, marks, _FURTHER_MARK)
    return (_NEWLINES if "\n" in piece or "\r" in piece else _BLANKS) + len(piece) // _LONGEST_BLANKS


def _word(word: str) -> float:
    if len(word) > 1 and word.isupper():
        return _of(_UPPER, len(word), _FURTHER_LETTER)
    common = len(word) > 6 and word.lower() in COMMON
    return (_COMMON if common else _of(_LOWER, len(word), _FURTHER_LETTER)) + (_CAPITAL if word[0].isupper() else 0.0)


def _of(table: tuple[float, ...], length: int, further: float) -> float:
    """The entry for a length; the last one and a step for each beyond it."""
    last = len(table) - 1
    return table[min(length, last)] + further * max(0, length - last)
