"""Weights worked out from the table, and what they are for: texts of a kind weigh alike for each token."""

from __future__ import annotations

import pytest

from codemap.tokens.pieces import CHARACTERS, FIGURES
from queries.pieces import grouped, single


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0.0),
        ("is", 0.96),
        (" is", 0.96 - 0.07),
        ("Is", 0.96 - 0.08),
        ("login_zeitlos", 1.05 + (2.07 + 0.07)),  # login, _zeitlos
        ("loginZeitlos", 1.05 + (2.07 - 0.08)),
        ("function", 1.07),  # a common word
        ("HTTP", 1.39),
        ("HTTPServer", 1.39 + (1.11 - 0.08)),
        ("x" * 20, 3.48 + 6 * 0.35),
        ("12345", 2.0),  # 123, 45
        ("():", 0.93),
        ("\n\n", 1.25),
        (" " * 9, 0.92),
        (" " * 160, 0.92 + 2),
        ("漢字", 2.0),
        ("\U0001f600", 3.0),
    ],
)
def test_weights(text: str, expected: float) -> None:
    assert grouped(text) == pytest.approx(expected)


def test_a_long_text_without_blanks_does_not_take_long() -> None:
    assert grouped("a" * 200_000) > 60_000
    assert grouped("(" * 200_000) > 60_000
    assert grouped(" \n" * 100_000) > 0


def test_digits_are_held_together_or_one_by_one() -> None:
    assert (grouped("12345"), single("12345")) == (2.0, 5.0)
    assert grouped("login timeout") == single("login timeout")


def test_characters_are_utf16_units() -> None:
    assert FIGURES[CHARACTERS]("ab\U0001f600") == 4
