"""Kept answers, and what they rest on."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

Lookup: TypeAlias = tuple[str, str]
"""(file, name of a binding in it): one thing a link asked of a file."""

MAX_VISITS: Final = 6
"""Look-ups below an answer are gathered that often before they are kept with it: few answers lie below many others, and
to keep them with all would take a gigabyte."""

MANY: Final = 500
"""Look-ups of one answer from which on those above keep none of them: thousands of answers can rest on a cycle that
looked up tens of thousands of things."""

MAX_KEPT: Final = 2_000_000
"""Look-ups kept with answers, together: about 150 MB. Beyond, they are gathered anew."""


class Node:
    """A found answer.

    answer: what was found. direct: what was looked up for it, by itself. premises: the answers it rests on. recorder:
    number of the question that has it among its premises, the last that was given it. together: it was found with all
    answers of a large cycle.
    """

    __slots__ = ("answer", "direct", "gathered", "premises", "recorder", "together", "visits")

    def __init__(self, answer: Any, direct: tuple[Lookup, ...], premises: tuple[Node, ...], recorder: int) -> None:
        self.answer = answer
        self.direct = direct
        self.premises = premises
        self.recorder = recorder
        self.together = False
        self.visits = 0  # how often it was met when look-ups were gathered
        self.gathered: Gathered | None = None  # all that was looked up, also by the premises


Gathered: TypeAlias = tuple[frozenset[Lookup], tuple[Node, ...]]
"""Look-ups, and answers below that looked up many things more."""


class Gatherer:
    """Finds all that was looked up for answers, and keeps it with those below which much lies."""

    def __init__(self) -> None:
        self._keepers: list[Node] = []
        self._kept = 0  # look-ups that are kept

    def gather(self, left: list[Node], found: set[Lookup]) -> set[Lookup]:
        """Add what some answers and all their premises looked up to `found`; `left` is used up."""
        if self._kept > MAX_KEPT:
            for node in self._keepers:
                node.gathered, node.visits = None, 0
            self._keepers, self._kept = [], 0
        large: dict[Node, None] = {}
        self._gather(left, set(), found, large)
        following = [*large]
        while following:
            lookups, below = self._all_of(following.pop())
            found |= lookups
            following += [node for node in below if node not in large]
            large.update(dict.fromkeys(below))
        return found

    def _gather(self, left: list[Node], seen: set[int], found: set[Lookup], large: dict[Node, None]) -> None:
        """seen: answers that were gone through. large: receives those with many look-ups, which are not added."""
        while left:
            node = left.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if node.gathered is None and node.visits < MAX_VISITS and len(node.direct) < MANY:
                node.visits += 1
                found.update(node.direct)
                left += node.premises
                continue
            lookups, below = self._all_of(node)
            if len(lookups) < MANY:
                found |= lookups
                large.update(dict.fromkeys(below))
            else:
                large[node] = None

    def _all_of(self, node: Node) -> Gathered:
        """All that was looked up for an answer; kept with it."""
        if node.gathered is None:
            found = set(node.direct)
            large: dict[Node, None] = {}
            self._gather([*node.premises], {id(node)}, found, large)
            node.gathered = frozenset(found), tuple(large)
            self._keepers.append(node)
            self._kept += len(found)
        return node.gathered
