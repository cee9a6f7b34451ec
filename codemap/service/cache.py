"""Answers that may be given again: those of the present state of a map, while nothing else they tell of has changed."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from codemap.service.marks import Marks, take

if TYPE_CHECKING:
    from codemap.home import Home
    from codemap.service.questions import Answered, Question

LIMIT = 64 << 20  # characters kept


class _Entry(NamedTuple):
    state: str
    marks: Marks
    answered: Answered


class Cache:
    """Answers by repository and question; those used last are kept."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._size = 0
        self._entries: OrderedDict[tuple[str, Question], _Entry] = OrderedDict()

    def get(self, home: Home, question: Question, state: str) -> Answered | None:
        """The answer, where asking the map in `state` now would give the same; else None."""
        key = (home.location.root, question)
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry.state != state or take(home, entry.answered.paths) != entry.marks:
            self._drop(key)
            return None
        self._entries.move_to_end(key)
        return entry.answered

    def put(self, home: Home, question: Question, state: str, marks: Marks, answered: Answered) -> None:
        """Keep an answer that was made in one state of the map, and while `marks` held."""
        key = (home.location.root, question)
        self._drop(key)
        self._entries[key] = _Entry(state, marks, answered)
        self._size += len(answered.text)
        while self._size > self._limit:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: tuple[str, Question]) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._size -= len(entry.answered.text)
