from __future__ import annotations

import pytest

from queries.tokens import HEURISTIC, PIECES, Measure, of_answers


def test_the_default_is_a_named_heuristic() -> None:
    measure = Measure()
    assert (measure.method, measure.model, measure.calibrated_at) == (HEURISTIC, None, None)


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("ü" * 5, 2), ("𝒳𝒳𝒳", 2)])
def test_a_calibrated_ratio_counts_utf16_units_and_rounds_up(text: str, tokens: int) -> None:
    assert Measure("m", characters_per_token=4.0, calibrated_at="2026-01-01").count(text) == tokens


@pytest.mark.parametrize(("text", "tokens"), [("abcd", 1), ("abcde", 2), ("会话", 2), ("abcd会话", 3), ("𝒳", 2)])
def test_a_heuristic_takes_other_scripts_for_dear(text: str, tokens: int) -> None:
    assert Measure(characters_per_token=4.0).count(text) == tokens


def test_a_lone_surrogate_is_counted() -> None:
    assert Measure(characters_per_token=1.0).count("a\udc80") == 2


def test_a_counter_takes_the_place_of_the_ratio() -> None:
    assert Measure("exact", characters_per_token=None, counter=len).count("abc") == 3


def test_nothing_to_count_by_is_an_error() -> None:
    with pytest.raises(ValueError, match="ratio or a counter"):
        Measure("none", characters_per_token=None).count("abc")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("is", 2), ("12345", 3), ("login_zeitlos", 4)],  # 0.96, 2.0 and 3.19, by 1.09, rounded up
)
def test_answers_are_counted_by_their_pieces(text: str, tokens: int) -> None:
    measure = of_answers()
    assert (measure.method, measure.characters_per_token, measure.calibrated_at) == (PIECES, None, None)
    assert measure.count(text) == tokens
