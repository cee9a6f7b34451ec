"""Memoised questions that remember what they looked up, and survive cycles.

A question's answer depends on facts alone, never on which question was asked before it: an answer that was reached
while one of its own premises was still open is not kept beyond the question that opened the cycle. That is what makes
an incremental link equal a clean one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

Lookup = tuple[str, str]
"""(file, name of a binding in it): one thing a link asked of a file."""

_CLOSED = 1 << 30
_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")


class Memo:
    """Answers by question, with the look-ups each one rests on."""

    def __init__(self) -> None:
        self._kept: dict[Any, tuple[Any, frozenset[Lookup]]] = {}
        self._provisional: dict[Any, tuple[Any, frozenset[Lookup], int]] = {}
        self._open: dict[Any, int] = {}
        self._lowest = _CLOSED
        self._asked: set[Any] = set()
        self.lookups: set[Lookup] = set()

    def begin(self) -> None:
        """Forget what was looked up so far; answers stay."""
        self.lookups = set()
        self._asked = set()

    def ask(self, question: Any, answer: Callable[..., Any], *arguments: Any) -> Any:
        """The kept answer of `question`, or `answer(*arguments)`; `()` where the question is already being answered."""
        kept = self._kept.get(question)
        if kept is not None:
            if question not in self._asked:
                self._asked.add(question)
                self.lookups |= kept[1]
            return kept[0]
        provisional = self._provisional.get(question)
        if provisional is not None:
            self.lookups |= provisional[1]
            self._lowest = min(self._lowest, provisional[2])
            return provisional[0]
        opened = self._open.get(question)
        if opened is not None:
            self._lowest = min(self._lowest, opened)
            return ()
        return self._answer(question, answer, arguments)

    def _answer(self, question: Any, answer: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        depth = len(self._open)
        self._open[question] = depth
        outer = (self.lookups, self._asked, self._lowest)
        self.lookups, self._asked, self._lowest = set(), set(), _CLOSED
        try:
            result = answer(*arguments)
        finally:
            del self._open[question]
            lookups, lowest = self.lookups, self._lowest
            self.lookups, self._asked, self._lowest = outer
            self.lookups |= lookups
        frozen = frozenset(lookups)
        if lowest >= depth:
            self._kept[question] = (result, frozen)
            if lowest != _CLOSED:
                self._provisional = {q: row for q, row in self._provisional.items() if row[2] < depth}
        else:
            self._provisional[question] = (result, frozen, lowest)
            self._lowest = min(self._lowest, lowest)
        return result


def question(method: Callable[_Arguments, _Answer]) -> Callable[_Arguments, _Answer]:
    """Make a method of a class with a `memo: Memo` attribute memoised by its (positional) arguments."""
    name = method.__name__

    @wraps(method)
    def ask(self: Any, *arguments: Any) -> Any:
        return self.memo.ask((name, *arguments), method, self, *arguments)

    return ask  # type: ignore[return-value]
