"""A text answer within a budget: its lines as far as they fit, how many are left out, and the last lines whole."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.errors import BudgetTooSmallError
from queries.tokens import Measure

ENDING = ("tokens: ", "map: ")
"""How the last lines of an answer begin: what it costs and which state it speaks of."""


def cut(text: str, budget: int | None, measure: Measure) -> str:
    """`text` as it is, or with as many of its lines as `budget` tokens hold.

    Raises BudgetTooSmallError where not even the first line and the last ones fit.
    """
    if budget is None or measure.count(text) <= budget:
        return text
    lines = text.splitlines()
    body = [line for line in lines if not line.startswith(ENDING[0])]
    ending = [body.pop()] if body and body[-1].startswith(ENDING[1]) else []
    least, most = 1, len(body) - 1
    shown = _shown(body, 1, ending, budget, measure)
    if measure.count(shown) > budget:
        smallest = measure.count(shown) + 1  # its own figure may be a digit longer then
        raise BudgetTooSmallError(f"a budget of {budget} tokens holds no answer: the smallest is {smallest}", smallest)
    while least < most:
        middle = (least + most + 1) // 2
        tried = _shown(body, middle, ending, budget, measure)
        if measure.count(tried) <= budget:
            least, shown = middle, tried
        else:
            most = middle - 1
    return shown


def _shown(body: Sequence[str], kept: int, ending: Sequence[str], budget: int, measure: Measure) -> str:
    """The first `kept` lines, and what is left out; the cost is told as it is, or a token more."""
    left = f"omitted: {len(body) - kept} of {len(body)} lines; a larger budget shows more"

    def render(estimate: int) -> str:
        cost = f"tokens: {estimate} of {budget} ({measure.method})"
        return "".join(f"{line}\n" for line in (*body[:kept], left, cost, *ending))

    estimate = measure.count(render(0))
    while measure.count(render(estimate)) > estimate:
        estimate += 1
    return render(estimate)
