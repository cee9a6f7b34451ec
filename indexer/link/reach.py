"""Which arguments of a call come out again: in what it gives, or in the object it makes."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from indexer.link.handed import Handed
from indexer.link.index import END_OF_FILE, FileIndex
from indexer.link.library import MADE
from indexer.link.memo import question
from indexer.link.taint import origins, parameters, sources
from indexer.link.values import Value, Values
from indexer.model import BindingKind, Expression

_VALUE: Final = int(BindingKind.VALUE)
_NOTHING: Final[frozenset[str]] = frozenset()
_Known: TypeAlias = dict[str, frozenset[str]]
"""The parameters behind each name of a function, as far as they have been found."""

_LEAVES: Final = frozenset({"literal", "import", "unknown"})


class Reach(Handed):
    """Parameters by what depends on them."""

    def constructor(self, path: str, symbol: int) -> Value | None:
        raise NotImplementedError

    def kept_names(self, path: str, symbol: int) -> frozenset[str]:
        raise NotImplementedError

    @question
    def in_result(self, path: str, symbol: int) -> frozenset[str]:
        """The parameters that what a call of a function gives may depend on."""
        index = self.indexes[path]
        function = index.functions.get(symbol)
        if function is None:
            return _NOTHING
        self.look_up_name(path, f"{index.symbols[symbol].qualname}{{}}")
        parts = (*function.returns, *function.yields)
        known: _Known = {}
        found = [self._reaching(index, symbol, function.origin, part, END_OF_FILE, known) for part in parts]
        return _NOTHING.union(*found)

    @question
    def in_attributes(self, path: str, symbol: int) -> frozenset[str]:
        """The parameters that a constructor puts into attributes of the object, the object itself left out."""
        index = self.indexes[path]
        function = index.functions.get(symbol)
        if function is None:
            return _NOTHING
        self.look_up_name(path, f"{index.symbols[symbol].qualname}{{}}")
        rows = [row for row in index.facts.attributes if row.origin == function.origin]
        known: _Known = {}
        found = [self._reaching(index, symbol, row.origin, row.expression, row.position, known) for row in rows]
        first = parameters(index, symbol).positional[:1]
        return _NOTHING.union(*found) - {index.bindings[number].name for number in first}

    def _reaching(
        self, index: FileIndex, symbol: int, scope: int, expression: Expression, position: int, known: _Known
    ) -> frozenset[str]:
        if isinstance(expression, str):
            return self._behind_name(index, symbol, scope, expression.partition(".")[0], known)
        row = ("unknown",) if expression is None else index.facts.expressions[expression]
        kind = row[0]
        if kind in _LEAVES:
            return _NOTHING
        if kind == "symbol" or kind == "each":
            return origins(index, symbol, expression)
        if kind in ("call", "new"):
            return self._behind_call(index, symbol, scope, row, position, known)
        parts = _expressions(row[1:2] if kind == "member" else row[1:])
        return _NOTHING.union(*(self._reaching(index, symbol, scope, part, position, known) for part in parts))

    def _behind_name(self, index: FileIndex, symbol: int, scope: int, name: str, known: _Known) -> frozenset[str]:
        origin = sources(index, symbol).get(name)
        if origin is None:
            return _NOTHING
        found = known.get(name)
        if found is not None:
            return found
        numbers = index.names[scope].get(name, ())
        bindings = [index.bindings[number] for number in numbers]
        if not bindings or any(binding.kind != _VALUE for binding in bindings):
            known[name] = origin
            return origin
        known[name] = _NOTHING  # while it is being found out
        parts = [self._reaching(index, symbol, b.origin, b.expression, b.position, known) for b in bindings]
        known[name] = _NOTHING.union(*parts)
        return known[name]

    def _behind_call(
        self, index: FileIndex, symbol: int, scope: int, row: Any, position: int, known: _Known
    ) -> frozenset[str]:
        """What a call is of, and those of its arguments that come out of it."""
        found = self._reaching(index, symbol, scope, row[1], position, known)
        values: Values | None = None
        for number, part in enumerate(row[2]):
            spread = isinstance(part, (list, tuple))
            named = self._reaching(index, symbol, scope, part[-1] if spread else part, position, known)
            if named <= found:
                continue
            if values is None:
                values = self.evaluate(index, scope, row[1], position)
            if any(self._comes_out(value, part if spread else number) for value in values):
                found |= named
        return found

    def _comes_out(self, value: Value, argument: Any) -> bool:
        """Whether what a call gives may hold the argument at a place, or of a name."""
        if value.kind == "external":
            return value.path in MADE or self.gives_back(value.path)
        if value.kind not in ("symbol", "bound"):
            return False
        if self.indexes[value.path].symbols[value.number].kind == "class":
            made = self.constructor(value.path, value.number)
            if not made:
                return False
            return self.takes(made, argument, self.kept_names(made.path, made.number) or _NOTHING)
        if value.number not in self.indexes[value.path].functions:
            return False
        return self.takes(value, argument, self.in_result(value.path, value.number) or _NOTHING)


def _expressions(parts: Any) -> list[Expression]:
    """The expressions among the parts of a row."""
    found: list[Expression] = []
    for part in parts:
        if isinstance(part, (list, tuple)):
            inner = part[-1:] if part and part[0] in ("=", "*", "**") else part
            found += _expressions(inner)
        elif isinstance(part, str | int) and not isinstance(part, bool):
            found.append(part)
    return found
