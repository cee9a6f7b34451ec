"""The longest beginning that fits, its own figures included."""

from __future__ import annotations

import pytest

from indexer.errors import BudgetTooSmallError
from queries.listfit import fitted

WORDS = ["alpha", "be", "gamma rays", "d", "epsilon"]


def _build(count: int, estimate: int, budget: int) -> str:
    return f"{estimate} of {budget}: " + ",".join(WORDS[:count])


@pytest.mark.parametrize("budget", range(9, 50))
def test_as_much_as_fits_and_it_says_what_it_costs(budget: int) -> None:
    made = fitted(_build, [len(word) for word in WORDS], len, budget)
    assert int(made.split(" ")[0]) == len(made) <= budget
    shown = made.partition(": ")[2].count(",") + bool(made.partition(": ")[2])
    assert shown == len(WORDS) or len(_build(shown + 1, budget, budget)) > budget


@pytest.mark.parametrize("budget", range(1, 8))
def test_the_smallest_that_works_is_named(budget: int) -> None:
    with pytest.raises(BudgetTooSmallError) as error:
        fitted(_build, [len(word) for word in WORDS], len, budget)
    assert error.value.smallest == 8
    assert fitted(_build, [len(word) for word in WORDS], len, 8) == "8 of 8: "
