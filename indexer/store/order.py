"""The order in which a class's bases are searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class Orders:
    """Method resolution orders of the classes of a map; bases outside the repository have no place in them.

    Source: https://www.python.org/download/releases/2.3/mro/
    """

    def __init__(self, bases: Mapping[int, Sequence[int]]) -> None:
        self._bases = bases
        self._known: dict[int, list[int]] = {}

    def of(self, symbol: int) -> list[int]:
        """A class and those it inherits from, as they are searched; depth first where no order suits all bases."""
        known = self._known.get(symbol)
        if known is not None:
            return known
        self._known[symbol] = [symbol]  # a class that inherits from itself, as broken code has it
        bases = self._bases.get(symbol, ())
        lines = [list(self.of(base)) for base in bases]
        merged = _merge([*lines, list(bases)])
        if merged is None:
            merged = list(dict.fromkeys(each for line in lines for each in line))
        found = self._known[symbol] = [symbol, *(each for each in merged if each != symbol)]
        return found


def _merge(lines: list[list[int]]) -> list[int] | None:
    merged: list[int] = []
    lines = [line for line in lines if line]
    while lines:
        tails = {each for line in lines for each in line[1:]}
        head = next((line[0] for line in lines if line[0] not in tails), None)
        if head is None:
            return None
        merged.append(head)
        lines = [rest for rest in ([each for each in line if each != head] for line in lines) if rest]
    return merged
