"""The most of some things, in the order of their worth, that an answer can show within a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Protocol, TypeVar

from indexer.errors import BudgetTooSmallError
from queries.fit import longest

Answer = TypeVar("Answer")
Made = TypeVar("Made", covariant=True)


class Build(Protocol[Made]):
    """Makes the answer that shows the first `count` things and says that it costs `estimate` of `budget` tokens."""

    def __call__(self, count: int, estimate: int, budget: int) -> Made: ...


def fitted(build: Build[Answer], sizes: Sequence[int], cost: Callable[[Answer], int], budget: int) -> Answer:
    """The answer that shows the longest beginning of a list whose whole cost is within `budget`.

    sizes   the rough size of each thing, in characters
    cost    tokens of an answer, as it will be sent
    Raises BudgetTooSmallError, with the least budget that works, where not even an answer without any of them fits.
    """

    @cache
    def tried(count: int) -> int:
        return cost(build(count, budget, budget))

    if tried(0) <= budget:
        taken = longest(tried, sizes, least=0, limit=budget)
        while taken >= 0:
            answer, estimate = _settled(build, cost, taken, tried(taken), budget)
            if estimate <= budget:
                return answer
            taken -= 1  # the figures within the answer cost a token more than they did in the trial
    smallest = _smallest(build, cost, max(budget + 1, tried(0)))
    raise BudgetTooSmallError(
        f"a budget of {budget} tokens holds no answer: the smallest that works is {smallest}", smallest
    )


def _settled(
    build: Build[Answer], cost: Callable[[Answer], int], count: int, guess: int, budget: int
) -> tuple[Answer, int]:
    """The answer that says what it costs, or the least that is not below it."""
    estimate = guess
    for _ in range(8):
        answer = build(count, estimate, budget)
        found = cost(answer)
        if found == estimate:
            return answer, estimate
        estimate = found
    while True:
        estimate += 1
        answer = build(count, estimate, budget)
        if cost(answer) <= estimate:
            return answer, estimate


def _smallest(build: Build[Answer], cost: Callable[[Answer], int], start: int) -> int:
    """The least budget from about `start` that holds an answer without any of the things."""

    def fits(budget: int) -> bool:
        return _settled(build, cost, 0, budget, budget)[1] <= budget

    smallest = start
    while not fits(smallest):
        smallest += 1
    while smallest > 1 and fits(smallest - 1):
        smallest -= 1
    return smallest
