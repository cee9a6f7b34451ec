"""Kept answers, and what they rest on."""

from __future__ import annotations

from typing import Any, TypeAlias

Lookup: TypeAlias = tuple[str, str]
"""(file, name of a binding in it): one thing a link asked of a file."""


class Node:
    """A found answer.

    answer: what was found. direct: what was looked up for it, by itself. premises: the answers it rests on. recorder:
    number of the question that has it among its premises, the last that was given it. together: it was found with all
    answers of a large cycle. passed: number of the last gathering that came by.
    """

    __slots__ = ("answer", "direct", "passed", "premises", "recorder", "together")

    def __init__(self, answer: Any, direct: tuple[Lookup, ...], premises: tuple[Node, ...], recorder: int) -> None:
        self.answer = answer
        self.direct = direct
        self.premises = premises
        self.recorder = recorder
        self.together = False
        self.passed = 0


def gather(left: list[Node], found: set[Lookup], number: int) -> set[Lookup]:
    """Add what some answers and all their premises looked up to `found`; `left` is used up.

    number: another one each time. An answer is passed once, however many rest on it: a file of Django rests on some
    hundred answers, one of sympy on tens of thousands.
    """
    while left:
        node = left.pop()
        if node.passed != number:
            node.passed = number
            found.update(node.direct)
            left += node.premises
    return found
