"""An answer within a budget: whole lines, what is left out, and an honest figure."""

from __future__ import annotations

import pytest

from codemap.service.cut import cut
from indexer.errors import BudgetTooSmallError
from queries.tokens import Measure

MEASURE = Measure()
ANSWER = (
    "".join(f"line {number}\n" for number in range(100)) + "tokens: 290 (heuristic-ascii/3.2)\nmap: c0ffee, fresh\n"
)


def test_what_fits_is_left_alone() -> None:
    assert cut(ANSWER, None, MEASURE) == ANSWER
    assert cut(ANSWER, MEASURE.count(ANSWER), MEASURE) == ANSWER


@pytest.mark.parametrize("budget", [50, 77, 99, 100, 101, 200, 260])
def test_as_many_lines_as_fit(budget: int) -> None:
    found = cut(ANSWER, budget, MEASURE)
    assert MEASURE.count(found) <= budget
    *kept, omitted, cost, state = found.splitlines()
    assert kept == ANSWER.splitlines()[: len(kept)]
    assert omitted == f"omitted: {100 - len(kept)} of 100 lines; a larger budget shows more"
    assert cost == f"tokens: {MEASURE.count(found)} of {budget} (heuristic-ascii/3.2)"
    assert state == "map: c0ffee, fresh"
    assert budget - MEASURE.count(found) < 5  # "line 99\n" costs 2.5: one more would not have fitted


def test_the_smallest_budget_is_named_and_works() -> None:
    with pytest.raises(BudgetTooSmallError, match="a budget of 10 tokens holds no answer") as error:
        cut(ANSWER, 10, MEASURE)
    assert cut(ANSWER, error.value.smallest, MEASURE).startswith("line 0\nomitted: ")
