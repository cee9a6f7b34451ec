"""What the parameters of a function hold in one kind of call of it, so that its body can be read with that in mind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from indexer.link.index import FileIndex
from indexer.link.values import Value, Values

MAX_NESTING: Final = 3
"""Contexts within the values of a context. What is nested deeper is taken without its own: it is less precise then, and
the number of contexts stays finite."""

CODE: Final = frozenset({"symbol", "bound"})
"""Kinds of values that can be called."""

MAX_VALUES: Final = 8
"""Values of a parameter in a context; the first ones are kept."""


WRAPPED: Final = 1
"""Not what is held, but that a function is not itself any more: a decorator that is not followed has changed it."""

OPEN: Final = 2
"""Of a class: what is meant may be one of its subclasses, as with `cls` of a class method and `type(self)`."""

RESULT: Final = 3
"""Of a call whose arguments are not known: what other calls give does not count. Contexts have greater numbers."""


class Context(NamedTuple):
    """One activation of a function; `around`: that of the function it was defined in."""

    path: str
    symbol: int  # the function
    scope: int  # its own
    held: tuple[tuple[int, Values], ...]  # parameter's binding → what it holds
    around: int
    nesting: int
    code: bool  # whether functions or classes are among what is held, and not only objects


class Contexts:
    """Contexts by number. Numbers differ from run to run: nothing is ever sorted by them."""

    def __init__(self) -> None:
        self._rows: list[Context] = [Context("", -1, -1, (), 0, 0, False)] * (RESULT + 1)
        self._numbers: dict[Context, int] = {}
        self._held: list[dict[int, Values]] = [{} for _ in self._rows]

    def __getitem__(self, number: int) -> Context:
        return self._rows[number]

    def nesting(self, number: int) -> int:
        """How many contexts lie in one another in a context, itself included."""
        return self._rows[number].nesting

    def held(self, number: int, binding: int) -> Values | None:
        """What a parameter holds in a context; None where nothing was passed to it."""
        return self._held[number].get(binding)

    def make(self, index: FileIndex, symbol: int, scope: int, held: dict[int, Values], around: int) -> int:
        """The number of a context; that of the one around where nothing is held."""
        if not held:
            return around
        rows = self._rows
        if rows[around].nesting >= MAX_NESTING:
            around = 0
        kept = {binding: self.shallow(values[:MAX_VALUES]) for binding, values in held.items()}
        nesting = max((rows[v.context].nesting for values in kept.values() for v in values), default=0)
        code = rows[around].code or any(v.kind in CODE or rows[v.context].code for vs in kept.values() for v in vs)
        nesting = 1 + max(nesting, rows[around].nesting)
        row = Context(index.path, symbol, scope, tuple(sorted(kept.items())), around, nesting, code)
        number = self._numbers.get(row)
        if number is None:
            number = self._numbers[row] = len(rows)
            rows.append(row)
            self._held.append(kept)
        return number

    def shallow(self, values: Iterable[Value]) -> Values:
        """Values without what is nested too deep."""
        rows = self._rows
        return tuple(
            dict.fromkeys(
                v if rows[v.context].nesting < (MAX_NESTING if v.kind in CODE else 2) else v._replace(context=0)
                for v in values
            )
        )

    def around(self, number: int, index: FileIndex, scope: int) -> int:
        """The context in `number` or around it that knows of the function which runs `scope`, or one around it.

        `RESULT` where there is none and the scope is a function's, if that is at the bottom; else 0.
        """
        path = index.path
        rows = self._rows
        while number > RESULT:
            row = rows[number]
            if row.path == path and index.within(scope, row.scope):
                return number
            number = row.around
        return number if number == RESULT and index.function_scope(scope) else 0
