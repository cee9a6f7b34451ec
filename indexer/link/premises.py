"""Kept answers, and what they rest on."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

Lookup: TypeAlias = tuple[str, str]
"""(file, name of a binding in it): one thing a link asked of a file."""

MAX_VISITS: Final = 6
"""Look-ups below an answer are gathered that often before they are kept with it: few answers lie below many others, and
to keep them with all would take a gigabyte."""


class Node:
    """A found answer.

    answer: what was found. direct: what was looked up for it, by itself. premises: the answers it rests on. recorder:
    number of the question that has it among its premises, the last that was given it.
    """

    __slots__ = ("answer", "direct", "gathered", "premises", "recorder", "visits")

    def __init__(self, answer: Any, direct: tuple[Lookup, ...], premises: tuple[Node, ...], recorder: int) -> None:
        self.answer = answer
        self.direct = direct
        self.premises = premises
        self.recorder = recorder
        self.visits = 0  # how often it was met when look-ups were gathered
        self.gathered: frozenset[Lookup] | None = None  # all that was looked up, also by the premises


def gather(left: list[Node], found: set[Lookup]) -> set[Lookup]:
    """Add what some answers and all their premises looked up to `found`; `left` is used up."""
    return _gather(left, set(), found)


def _gather(left: list[Node], seen: set[int], found: set[Lookup]) -> set[Lookup]:
    """`seen`: nodes whose look-ups have been added."""
    while left:
        node = left.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        gathered = node.gathered
        if gathered is None:
            if node.visits < MAX_VISITS:
                node.visits += 1
                found.update(node.direct)
                left += node.premises
                continue
            gathered = frozenset(_gather([*node.premises], {id(node)}, set(node.direct)))
            node.gathered = gathered
        found |= gathered
    return found
