"""What the bodies of functions do with what they are given, as others see it: what is called and made, and apart from
that the lines of the calls."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from indexer.link.described import Describer
from indexer.link.index import FileIndex
from indexer.link.shapes import told_used
from indexer.link.taint import PARAMETERS, in_attributes, in_result, origins, sources
from indexer.model import Call, Expression, Reference, Role, line_starts

_PASSIVE: Final = frozenset({Role.READ, Role.WRITE, Role.ANNOTATION, Role.DELETE})


class _Body:
    """What stands in a function: references that do something, calls, numbers of bindings and of attributes."""

    def __init__(self) -> None:
        self.references: list[Reference] = []
        self.calls: list[Call] = []
        self.bindings: list[int] = []
        self.attributes: list[int] = []


class Bodies:
    """Describes the functions of one file."""

    def __init__(self, index: FileIndex, told: Describer) -> None:
        self._index = index
        self._facts = index.facts
        self._told = told
        self._bodies: defaultdict[int, _Body] | None = None
        self._starts: list[int] = []

    def calls(self, number: int) -> tuple[Any, ...]:
        index, told = self._index, self._told
        found = []
        used = [in_result(index, number), in_attributes(index, number)]
        for scope, expression, role, position, row, depends in self._deciding(number):
            given = None if row is None else self._given(number, scope, row, position)
            found.append((told.where(scope), role, told.expression(expression, scope, position), given, depends))
            used.append(depends)
        passed = [
            self._given(number, call.scope, call.row, position)
            for call in self._within(number).calls
            if self._constructs(call.row) or any(self._depends(number, call.row))
            for position in call.positions
        ]
        inner = [told.symbol(n) for named in index.children.get(number, {}).values() for n in named]
        made = self._made(number)
        used += [origin for *_, given in passed for origin in given]
        used += [origin for *_, given, _ in found if given is not None for origin in given[-1]]
        used += [origin for *_, origin in made]
        parameters = told_used(index, number, frozenset().union(*used))
        return found, passed, inner, self._own_names(number), parameters, used[1], made

    def _own_names(self, number: int) -> list[str]:
        """The names of a function's own scope that what it is given may reach, the parameters left out."""
        index = self._index
        function = index.functions.get(number)
        if function is None:
            return []
        own, reached = index.names[function.origin], sources(index, number)
        return sorted(name for name in own if name in reached and index.bindings[own[name][0]].kind not in PARAMETERS)

    def _deciding(self, number: int) -> Iterator[tuple[int, Expression, int, int, int | None, frozenset[str]]]:
        """The references in a function that call something else where something else is passed: scope, expression,
        role, position, row of the call, and the parameters that what is called depends on."""
        index, calls = self._index, self._index.calls()
        for scope, expression, role, positions in self._within(number).references:
            depends = origins(index, number, expression)
            for position in positions:
                row = calls.get((scope, position)) if role == Role.CALL else None
                if depends or (row is not None and any(self._depends(number, row))):
                    yield scope, expression, role, position, row, depends

    def lines(self, number: int) -> list[int]:
        """On which of its lines, counted from its first, a function calls what depends on what it is given."""
        if not self._starts:
            self._starts = line_starts(self._facts.line_lengths)
        first = self._index.symbols[number].start_line
        return [bisect_right(self._starts, position) - first for _, _, _, position, _, _ in self._deciding(number)]

    def _made(self, number: int) -> list[Any]:
        """What a function makes of its parameters: the names and attributes that depend on them."""
        index, told = self._index, self._told
        bindings, attributes = index.bindings, self._facts.attributes
        found: list[Any] = [
            (told.where(bindings[at].scope), bindings[at].name, told.binding(at), origin)
            for at in self._within(number).bindings
            if (origin := origins(index, number, bindings[at].expression))
        ]
        found += [
            (told.attribute(at), origin)
            for at in self._within(number).attributes
            if (origin := origins(index, number, attributes[at].expression))
        ]
        return found

    def _given(self, symbol: int, scope: int, row: int, position: int) -> tuple[Any, ...]:
        """A call, with the parameters that its arguments come from."""
        return (self._told.where(scope), self._told.expression(row, scope, position), self._depends(symbol, row))

    def _depends(self, symbol: int, row: int) -> list[frozenset[str]]:
        """The parameters of a function that each argument of a call in it comes from."""
        parts = self._facts.expressions[row][2]
        return [origins(self._index, symbol, part[-1] if isinstance(part, (list, tuple)) else part) for part in parts]

    def _constructs(self, row: int) -> bool:
        """Whether a call is of something with a constructor's name: it may hand on what is no argument."""
        function = self._facts.expressions[row][1]
        last = function if isinstance(function, str) else self._facts.expressions[function or 0][-1]
        return str(last).rpartition(".")[2] == self._index.language.constructor

    def _within(self, number: int) -> _Body:
        if self._bodies is None:
            facts, caller = self._facts, self._index.caller
            bodies = self._bodies = defaultdict(_Body)
            for reference in facts.references:
                if reference[2] not in _PASSIVE:
                    bodies[caller(reference[0])].references.append(reference)
            for call in facts.calls:
                bodies[caller(call.scope)].calls.append(call)
            for at, binding in enumerate(self._index.bindings):
                bodies[caller(binding.scope)].bindings.append(at)
            for at, attribute in enumerate(facts.attributes):
                bodies[caller(attribute.origin)].attributes.append(at)
        return self._bodies[number]
