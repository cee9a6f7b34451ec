"""A budget in tokens as the provider counts them: what an answer may cost by a calibrated estimate, so that it holds.

An estimate is right on the average; a budget must not be exceeded. So a share of it is kept back, as large as single
answers were seen to differ from their estimate, and what a message costs besides its text.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from indexer.errors import BudgetTooSmallError
from queries.wish import NOTHING_MORE, Wish

if TYPE_CHECKING:
    from codemap.tokens.ratios import Calibration
    from queries.answers import Subgraph
    from queries.session import Session


class Renderer(Protocol):
    def render(self, subgraph: Subgraph) -> str: ...


def kinds_of(form: str, *, include_bodies: bool) -> tuple[str, ...]:
    """The kinds of text an answer is made of."""
    kind = "json" if form == "json" else "map"
    return (kind, "source") if include_bodies else (kind,)


def subgraph(
    session: Session,
    text: str,
    *,
    budget: int,
    hops: int,
    include_bodies: bool,
    wish: Wish = NOTHING_MORE,
    calibration: Calibration,
    form: str,
    renderer: Renderer,
) -> Subgraph:
    """`queries.subgraph` with a budget as the provider of a model counts it.

    Raises BudgetTooSmallError, which names the smallest budget that works.
    """
    from queries.subgraph import subgraph as asked

    kinds = kinds_of(form, include_bodies=include_bodies)
    try:
        answer = asked(
            session,
            text,
            budget=within(calibration, kinds, budget),
            hops=hops,
            include_bodies=include_bodies,
            wish=wish,
            measure=calibration.measure(*kinds),
            renderer=_Shown(renderer, budget),
        )
    except BudgetTooSmallError as error:
        smallest = needed(calibration, kinds, error.smallest)
        raise BudgetTooSmallError(
            f"a budget of {budget} tokens holds no answer: the smallest that works is {smallest}", smallest
        ) from error
    return _showing(answer, budget)


def within(calibration: Calibration, kinds: tuple[str, ...], budget: int) -> int:
    """Estimated tokens that a text may have, so that a message of it stays within `budget`."""
    return max(0, math.floor((budget - calibration.overhead) / (1 + calibration.margin(*kinds))))


def needed(calibration: Calibration, kinds: tuple[str, ...], estimate: int) -> int:
    """The least budget that leaves room for a text of `estimate` tokens."""
    budget = math.floor(estimate * (1 + calibration.margin(*kinds))) + calibration.overhead
    while within(calibration, kinds, budget) < estimate:
        budget += 1
    return budget


class _Shown:
    """Renders an answer with the budget that was asked for in place of the share that may be used."""

    def __init__(self, renderer: Renderer, budget: int) -> None:
        self._renderer = renderer
        self._budget = budget

    def render(self, subgraph: Subgraph) -> str:
        return self._renderer.render(_showing(subgraph, self._budget))


def _showing(answer: Subgraph, budget: int) -> Subgraph:
    return replace(answer, tokens=replace(answer.tokens, budget=budget))
