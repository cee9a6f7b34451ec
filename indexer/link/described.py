"""Descriptions of parts of a file that do not depend on where they stand in it.

Expressions are described as the linker reads them: with the scope that binds the name at which a chain starts, which of
its bindings may hold there, and the tests of types that it stands under. Files that describe something alike read it
alike.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import Any, Final

from indexer.link.index import END_OF_FILE, FileIndex
from indexer.model import Binding, BindingKind, Expression

_SYMBOL: Final = int(BindingKind.SYMBOL)
_IMPORT: Final = int(BindingKind.IMPORT)
_VALUE: Final = int(BindingKind.VALUE)
_PARAMETERS: Final = frozenset(
    map(int, (BindingKind.PARAMETER, BindingKind.STAR, BindingKind.KEYWORD_ONLY, BindingKind.DOUBLE_STAR))
)


class Describer:
    """Describes parts of one file."""

    def __init__(self, index: FileIndex) -> None:
        self._index = index
        self._facts = index.facts
        self._fills = bool(index.facts.stores or index.facts.calls)
        self._blocks: list[int] = []  # of each scope: which of its symbol's it is
        counted: defaultdict[int, int] = defaultdict(int)
        for row in index.scopes:
            self._blocks.append(counted[row.symbol])
            counted[row.symbol] += 1
        self._tested = frozenset(chain.partition(".")[0] for chain in index.narrowed)
        self._wheres: dict[int, tuple[Any, ...]] = {}
        self._replaced: dict[int, list[int]] | None = None

    # -- places and names

    def where(self, scope: int) -> tuple[Any, ...]:
        """A scope: the symbol whose code it is, what is around that, and which of its scopes it is."""
        found = self._wheres.get(scope)
        if found is None:
            symbols = self._index.symbols
            row = self._index.scopes[scope]
            around = []
            number = row.symbol
            while number >= 0:
                symbol = symbols[number]
                around.append((symbol.kind, symbol.flags, "=>" in symbol.signature))
                number = symbol.parent
            owner = symbols[row.symbol]
            found = (owner.qualname, owner.ordinal, row.kind, self._blocks[scope], tuple(around))
            self._wheres[scope] = found
        return found

    def symbol(self, number: int) -> tuple[Any, ...]:
        index = self._index
        symbol = index.symbols[number]
        parent = index.symbols[symbol.parent].kind if symbol.parent >= 0 else ""
        arrow, decorated = "=>" in symbol.signature, number in index.decorated
        return (symbol.qualname, symbol.ordinal, symbol.kind, symbol.flags, parent, arrow, decorated)

    def imported(self, number: int) -> tuple[Any, ...]:
        if number < 0:
            return ()
        row = self._facts.imports[number]
        return (row.specifier, row.level, row.name, row.dotted, row.kind)

    def binding(self, number: int) -> tuple[Any, ...]:
        binding = self._index.bindings[number]
        target: tuple[Any, ...] = (binding.target,)
        if binding.kind == _SYMBOL or (binding.kind == _VALUE and binding.target >= 0):
            target = self.symbol(binding.target)
        elif binding.kind == _IMPORT:
            target = self.imported(binding.target)
        value = self.expression(binding.expression, binding.origin, binding.position)
        annotation = self.expression(binding.annotation, self._annotated_in(binding), END_OF_FILE)
        return (int(binding.kind), target, value, annotation, self.where(binding.origin))

    def attribute(self, number: int) -> tuple[Any, ...]:
        row = self._facts.attributes[number]
        value = self.expression(row.expression, row.origin, row.position)
        annotation = self.expression(row.annotation, row.origin, END_OF_FILE)
        return (self.where(row.scope), self.symbol(row.target), value, annotation, self.where(row.origin))

    def _annotated_in(self, binding: Binding) -> int:
        if binding.kind in _PARAMETERS:
            return max(self._index.scopes[binding.scope].parent, 0)
        return binding.origin

    # -- expressions

    def expression(self, expression: Expression, scope: int, position: int) -> Any:
        """An expression as it is read in a scope at a position, its rows in place."""
        if isinstance(expression, str):
            return self._chain(expression, scope, position)
        if expression is None:
            return None
        row = self._facts.expressions[expression]
        kind = row[0]
        if kind == "literal":
            return (*row, self._fills) if len(row) == 2 else tuple(row)
        if kind == "unknown":
            return kind
        if kind == "symbol":
            return (kind, self.symbol(row[1]))
        if kind == "import":
            return (kind, self.imported(row[1]))
        if kind == "member":
            return (kind, self.expression(row[1], scope, position), row[2])
        if kind == "each":
            return (kind, row[1], self.expression(row[2], row[3], END_OF_FILE), self.where(row[3]))
        parts = tuple([self._part(part, scope, position) for part in row[1:]])
        if kind == "item" or kind == "call":
            return (kind, parts, self._replacements(scope, position))
        return (kind, parts)

    def _part(self, part: Any, scope: int, position: int) -> Any:
        if isinstance(part, (list, tuple)):
            if len(part) > 1 and part[0] in ("=", "*", "**"):
                return (*part[:-1], self.expression(part[-1], scope, position))
            return tuple([self._part(inner, scope, position) for inner in part])
        if isinstance(part, str | int) and not isinstance(part, bool):
            return self.expression(part, scope, position)
        return part

    def _chain(self, chain: str, scope: int, position: int) -> tuple[Any, ...]:
        index = self._index
        name = chain.partition(".")[0]
        tests = self._tests(chain, scope, position) if name in self._tested else ()
        while True:
            found = index.find(scope, name)
            if found is None:
                return (chain, None, (), tests)
            bound, numbers = found
            if bound != scope or index.scopes[scope].kind != "class" or index.begun(numbers, position):
                break
            scope = index.around_class(scope)
        chosen = index.select(scope, bound, numbers, position) if len(numbers) > 1 else ()
        return (chain, self.where(bound), tuple([numbers.index(number) for number in chosen]), tests)

    def _tests(self, chain: str, scope: int, position: int) -> tuple[Any, ...]:
        """The tests of types of a chain, or of what it starts with, that hold where it stands."""
        index = self._index
        name, *links = chain.split(".")
        found = []
        for link in ("", *links):
            name = f"{name}.{link}" if link else name
            for row in index.narrowed.get(name, ()):
                if row.start <= position < row.end and index.within(scope, row.scope):
                    found.append((name, self.expression(row.type, row.scope, END_OF_FILE)))
        return tuple(found)

    def _replacements(self, scope: int, position: int) -> int:
        """How many statements before a position of a function replace items of containers."""
        index = self._index
        if self._replaced is None:
            self._replaced = {}
            for _, addition in index.additions() if self._fills else ():
                if addition.sure:
                    self._replaced.setdefault(index.function_scope(addition.scope), []).append(addition.position)
            for places in self._replaced.values():
                places.sort()
        if not self._replaced:
            return 0
        return bisect_left(self._replaced.get(index.function_scope(scope), ()), position)
