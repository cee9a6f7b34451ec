"""Memoised questions that remember what they looked up, and survive cycles.

A question's answer depends on facts alone, never on which question was asked before it: an answer that was reached
while one of its own premises was still open is not kept beyond the question that opened the cycle. That is what makes
an incremental link equal a clean one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

Lookup = tuple[str, str]
"""(file, name of a binding in it): one thing a link asked of a file."""

MAX_DEPTH = 500
"""Questions open at once. What lies deeper stays unknown, and nothing that rests on it is kept but the first question's
answer. Real code stays below 100; the bound keeps a hostile file from exhausting the stack."""

_CLOSED = 1 << 30
_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")


class Memo:
    """Answers by question, with the look-ups each one rests on."""

    def __init__(self) -> None:
        self.lookups: set[Lookup] = set()
        self.recorder = 0  # number of the set that `lookups` is, so that an answer adds its own to it once
        self.context = 0
        """What the parameters around the code that is being read are known to hold; see `contexts`. A question starts
        without: what it depends on is among its arguments."""
        self._recorders = 0
        self.tables: defaultdict[str, dict[tuple[Any, ...], list[Any]]] = defaultdict(dict)
        """Kept answers by question: arguments → [answer, look-ups, recorder that has them already]."""
        self._provisional: dict[tuple[str, tuple[Any, ...]], tuple[Any, frozenset[Lookup], int]] = {}
        self._open: dict[tuple[str, tuple[Any, ...]], int] = {}
        self._lowest = _CLOSED

    def begin(self) -> None:
        """Forget what was looked up so far; answers stay."""
        self.lookups = set()
        self._recorders += 1
        self.recorder = self._recorders

    def answer(self, name: str, method: Callable[..., Any], asker: Any, arguments: tuple[Any, ...]) -> Any:
        """Find an answer that is not kept; `()` where the question is being answered already."""
        question = (name, arguments)
        if self._provisional:
            provisional = self._provisional.get(question)
            if provisional is not None:
                self.lookups |= provisional[1]
                self._lowest = min(self._lowest, provisional[2])
                return provisional[0]
        opened = self._open.get(question)
        if opened is not None:
            self._lowest = min(self._lowest, opened)
            return ()
        depth = len(self._open)
        if depth >= MAX_DEPTH:
            self._lowest = 0
            return ()
        self._open[question] = depth
        outer, recorder, outer_lowest, context = self.lookups, self.recorder, self._lowest, self.context
        lookups = self.lookups = set()
        self._recorders += 1
        self.recorder, self._lowest, self.context = self._recorders, _CLOSED, 0
        try:
            result = method(asker, *arguments)
        finally:
            del self._open[question]
            lowest = self._lowest
            self.lookups, self.recorder, self._lowest, self.context = outer, recorder, outer_lowest, context
            outer |= lookups
        if lowest == _CLOSED:
            self.tables[name][arguments] = [result, lookups, recorder]
        else:
            self._keep_cycle(question, result, lookups, lowest, depth)
        return result

    def _keep_cycle(
        self, question: tuple[str, tuple[Any, ...]], result: Any, lookups: set[Lookup], lowest: int, depth: int
    ) -> None:
        """Keep the answer of the question that opened a cycle; those inside it hold only until it is answered."""
        if lowest >= depth:
            self.tables[question[0]][question[1]] = [result, lookups, self.recorder]
            self._provisional = {q: row for q, row in self._provisional.items() if row[2] < depth}
        else:
            self._provisional[question] = (result, frozenset(lookups), lowest)
            self._lowest = min(self._lowest, lowest)


def question(method: Callable[_Arguments, _Answer]) -> Callable[_Arguments, _Answer]:
    """Make a method of a class with a `memo: Memo` attribute memoised by its (positional) arguments."""
    name = method.__name__

    @wraps(method)
    def ask(self: Any, *arguments: Any) -> Any:
        memo = self.memo
        kept = memo.tables[name].get(arguments)
        if kept is None:
            return memo.answer(name, method, self, arguments)
        if kept[2] != memo.recorder:
            kept[2] = memo.recorder
            memo.lookups |= kept[1]
        return kept[0]

    return ask  # type: ignore[return-value]
