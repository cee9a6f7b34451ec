"""What a path of the past is called now: renames followed from old to new."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

Moment: TypeAlias = tuple[int, str]
"""Time and id of a commit. Branches are taken as if their commits had been made one after the other."""


class Rename(NamedTuple):
    """A path that a commit gave another name."""

    moment: Moment
    before: str
    after: str


class Lineage:
    """The names of paths over time, by the renames of a window."""

    def __init__(self, renames: Iterable[Rename]) -> None:
        self._renames: dict[str, list[tuple[Moment, str]]] = {}
        for moment, before, after in sorted(set(renames)):
            self._renames.setdefault(before, []).append((moment, after))

    def now(self, path: str, moment: Moment) -> str:
        """The last name of what was called `path` when the commit of `moment` had been made."""
        while (renames := self._renames.get(path)) is not None:
            following = bisect_right(renames, (moment, "\U0010ffff"))
            if following == len(renames):
                break
            moment, path = renames[following]
        return path
