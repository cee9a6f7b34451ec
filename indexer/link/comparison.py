"""Two versions of a file: what others can see of it that is different."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from indexer.link.surface import BODY, LINES, Surface
from indexer.model import FileFacts
from indexer.ports import LinkRules


def changed_bindings(
    old: FileFacts | None, new: FileFacts | None, rules: LinkRules, asked: Iterable[str] | None = None
) -> frozenset[str]:
    """The names, of those `asked` or of all, that `old` and `new` describe differently; all where one is absent.

    Both need their references where a name that ends with `BODY` or `LINES` is asked.
    """
    if old is None or new is None:
        if asked is not None:
            return frozenset(asked)
        return frozenset().union(*(Surface(facts, rules).names() for facts in (old, new) if facts is not None))
    return Comparison(old, new, rules).changed(asked)


class LinesMoved(NamedTuple):
    """Calls of a function that stand on other lines of it, and are else the same."""

    symbol: int  # in the new facts
    lines: dict[int, int]  # counted from the function's first: before → now


class Comparison:
    """Two versions of a file."""

    def __init__(self, old: FileFacts, new: FileFacts, rules: LinkRules) -> None:
        self._before, self._after = Surface(old, rules), Surface(new, rules)
        self.fates: dict[str, str] = {}
        """What became of the names that were found to differ: changed, there now, gone."""

    def changed(self, asked: Iterable[str] | None = None) -> frozenset[str]:
        """The names, of those `asked` or of all, that are described differently."""
        names = self._before.names() | self._after.names() if asked is None else asked
        return frozenset(name for name in names if self._differs(name))

    def _differs(self, name: str) -> bool:
        before, after = self._before.describe(name), self._after.describe(name)
        if before == after:
            return False
        self.fates[name] = "there now" if _nothing(before) else "gone" if _nothing(after) else "changed"
        return True

    def moved(self, name: str) -> list[LinesMoved] | None:
        """What became of the lines that a name with `LINES` stands for; None where they cannot be told one by one."""
        function = name.removesuffix(LINES)
        if self._differs(function + BODY):
            return None
        found = []
        pairs = zip(self._before.describe(name), self._after.describe(name), strict=True)
        for symbol, (before, after) in zip(self._after.named(function), pairs, strict=True):
            lines = dict(zip(before, after, strict=True))
            if any(lines[b] != a for b, a in zip(before, after, strict=True)) or len({*after}) != len(lines):
                return None
            found.append(LinesMoved(symbol, lines))
        return found


def _nothing(description: Any) -> bool:
    """Whether there is nothing under a name."""
    return not description or (isinstance(description, tuple) and not any(description))
