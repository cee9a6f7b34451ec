"""A text that names its own cost names it right, or too high by the least."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap.render.cost import settled
from queries.answers import Tokens
from queries.tokens import Measure


def test_the_figure_counts_itself() -> None:
    one_a_character = Measure(method="characters", characters_per_token=1.0)
    assert settled(lambda cost: f"cost {cost.estimate}", one_a_character) == "cost 6"


def test_where_no_figure_is_its_own_cost_it_is_the_next_higher() -> None:
    # 8 letters and one digit cost 9; with two digits, 10: both stand for themselves. 9 letters: 9+1=10 → 9+2=11.
    one_a_character = Measure(method="characters", characters_per_token=1.0)
    assert settled(lambda cost: "x" * 9 + str(cost.estimate), one_a_character) == "x" * 9 + "11"


@given(st.integers(0, 3000), st.sampled_from([1.0, 2.5, 3.0, 4.0]))
def test_never_too_low(size: int, ratio: float) -> None:
    measure = Measure(method="test", characters_per_token=ratio)
    seen: list[Tokens] = []

    def render(cost: Tokens) -> str:
        seen.append(cost)
        return "x" * size + str(cost.estimate)

    text = settled(render, measure)
    assert seen[-1].estimate >= measure.count(text)
    assert seen[-1].estimate - measure.count(text) <= 1


def test_a_measure_without_a_ratio_is_refused() -> None:
    with pytest.raises(ValueError, match="ratio"):
        settled(lambda cost: "x", Measure(method="none", characters_per_token=None))
