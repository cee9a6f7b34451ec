"""Calls that a function makes because of what it is given: edges through arguments.

`f(g)` where `f` calls its parameter makes an edge from `f` to `g`. It belongs to the file with the call `f(g)`: that is
where it comes from. A body is read once for each kind of call of it, see `contexts`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from indexer.link.arguments import CallSite
from indexer.link.callees import BUILTINS, Callee, Callees
from indexer.link.calls import FUNCTIONS
from indexer.link.contexts import RESULT
from indexer.link.getters import GETTERS
from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.taint import origins, parameters
from indexer.link.values import Value, Values
from indexer.model import BindingKind, Expression, Reference, Role, line_starts
from indexer.ports import FactsSource, LinkRules, Resolver

MAX_EDGES: Final = 300
"""Edges through the arguments of one call that are followed."""

_PARAMETERS: Final = frozenset(range(int(BindingKind.PARAMETER), int(BindingKind.DOUBLE_STAR) + 1))
_CALLING: Final = frozenset({Role.CALL, Role.NEW, Role.RENDER, Role.DECORATOR, Role.IMPLICIT})


class Flow(NamedTuple):
    """A call in the body of a function. `line`: counted from the function's first."""

    source: str
    symbol: int
    line: int
    callee: Callee


class Opening(NamedTuple):
    """A place in a function where what is called depends on what the function is given."""

    scope: int
    expression: Expression
    role: int
    position: int
    parameters: frozenset[str]
    called: bool  # whether what is called is itself among what the function is given


class Flows(Callees):
    """Edges through arguments."""

    def __init__(
        self, sources: FactsSource, resolvers: Mapping[str, Resolver], languages: Mapping[str, LinkRules]
    ) -> None:
        super().__init__(sources, resolvers, languages)
        self._bodies: dict[str, dict[int, list[Reference]]] = {}
        self._starts: dict[str, list[int]] = {}

    # -- what a value runs when it is called

    # -- bodies

    @question
    def flow(self, path: str, symbol: int, context: int) -> tuple[Flow, ...]:
        """The calls that a function makes in a context and not in general, and those made by what it calls."""
        index = self.indexes[path]
        asked = self.openings(path, symbol)
        if not asked:
            return ()
        held = self._held_names(index, context)
        found: dict[Flow, None] = {}
        for scope, expression, role, position, named, called in asked[1]:
            if held.isdisjoint(named):
                continue
            general = self.general(path, scope, expression, role, position) if called else ()
            line = -1
            for callee, inner in self.runs(index, scope, expression, role, position, context):
                if callee[:2] not in general:
                    if line < 0:
                        self.look_up_name(path, f"{index.symbols[symbol].qualname}{{:}}")
                        line = self._line(path, symbol, position)
                    found[Flow(path, symbol, line, _marked(callee))] = None
                if inner > RESULT and len(found) < MAX_EDGES:
                    found.update(dict.fromkeys(self.flow(callee.path, callee.number, inner)))
        return tuple(found)[:MAX_EDGES]

    def _held_names(self, index: FileIndex, context: int) -> set[str]:
        """The parameters that are known in a context, and in those around it."""
        names: set[str] = set()
        while context:
            row = self.contexts[context]
            names.update(self.indexes[row.path].bindings[binding].name for binding, _ in row.held if binding >= 0)
            context = row.around
        return names

    @question
    def openings(self, path: str, symbol: int) -> tuple[frozenset[str], tuple[Opening, ...]] | tuple[()]:
        """The parameters of a function, and of those around it, that decide what it calls, or what those call that it
        hands them to; and where they do."""
        index = self.indexes[path]
        self.look_up_name(path, f"{index.symbols[symbol].qualname}{{}}")
        calls = index.calls()
        found: set[str] = set()
        places: list[Opening] = []
        for scope, expression, role, positions in self.body(path).get(symbol, ()):
            named = origins(index, symbol, expression)
            if named and (
                self._is_of_parameter(index, symbol, scope, expression)
                or (role != Role.IMPLICIT and self._is_known(index, scope, expression, positions[0]))
            ):
                named = frozenset()
            for position in positions:
                row = calls.get((scope, position)) if role == Role.CALL else None
                deciding = named
                if row is not None:
                    deciding |= self._handed(index, symbol, scope, row, position)
                if deciding:
                    found |= deciding
                    places.append(Opening(scope, expression, role, position, deciding, bool(named)))
        return frozenset(found), tuple(places)

    @question
    def general(
        self, path: str, scope: int, expression: Expression, role: int, position: int
    ) -> tuple[tuple[str, int], ...]:
        """What is called at an opening whatever the function is given."""
        runs = self.runs(self.indexes[path], scope, expression, role, position, 0, passing=False)
        return tuple(dict.fromkeys([callee[:2] for callee, _ in runs]))

    def relevant(self, path: str, symbol: int) -> frozenset[str]:
        """The parameters of a function whose values are worth knowing when it is called."""
        asked = self.openings(path, symbol)
        return asked[0] if asked else frozenset()

    @staticmethod
    def _is_of_parameter(index: FileIndex, symbol: int, scope: int, expression: Expression) -> bool:
        """Whether a member of a parameter is called: what is held of parameters is code, and that has no methods."""
        if not isinstance(expression, str) or "." not in expression:
            return False
        numbers = index.names[scope].get(expression.partition(".")[0])
        first = parameters(index, symbol).positional[:1]
        if not numbers or index.bindings[numbers[0]].kind not in _PARAMETERS:
            return False
        return numbers[0] not in first or index.symbols[index.symbols[symbol].parent].kind != "class"

    def _is_known(self, index: FileIndex, scope: int, expression: Expression, position: int) -> bool:
        """Whether what a call names is found without knowing what is passed."""
        if not isinstance(expression, str) or "." not in expression:
            return False
        values = self.evaluate(index, scope, expression, position)
        return bool(values) and not any(v.context or self.is_open_type(v) for v in values)

    def _handed(self, index: FileIndex, symbol: int, scope: int, row: int, position: int) -> frozenset[str]:
        """The parameters of a function that a call in it hands to where they decide what is called."""
        _, function, arguments = index.facts.expressions[row]
        spread = [isinstance(part, (list, tuple)) for part in arguments]
        named = [origins(index, symbol, part[-1] if s else part) for part, s in zip(arguments, spread, strict=True)]
        if not any(named):
            return frozenset()
        values = self.evaluate(index, scope, function, position)
        found: frozenset[str] = frozenset()
        for number, part in enumerate(arguments):
            if named[number] and any(self._receives_it(v, part if spread[number] else number) for v in values):
                found |= named[number]
        return found

    def _receives_it(self, value: Value, argument: int | Sequence[object]) -> bool:
        """Whether what a call passes at a place, or by name, decides what the called function calls."""
        if value.kind == "external":
            return self.hands_on(value.path) or value.path in BUILTINS
        if value.kind not in ("symbol", "bound"):
            return False
        index = self.indexes[value.path]
        kind = index.symbols[value.number].kind
        if kind == "class":
            made = [Value("bound", s.path, n) for s in self.sites(value, index.language.constructor)
                    if (n := self.site_symbol(s)) >= 0]  # fmt: skip
            return any(self._receives_it(v, argument) for v in made)
        if kind not in FUNCTIONS or value.number not in index.functions:
            return False
        return self.takes(value, argument, self.relevant(value.path, value.number))

    def body(self, path: str) -> dict[int, list[Reference]]:
        """The references of a file by the function that runs them."""
        found = self._bodies.get(path)
        if found is None:
            index = self.indexes[path]
            bodies: defaultdict[int, list[Reference]] = defaultdict(list)
            callers = list(map(index.caller, range(len(index.scopes))))
            for row in self.sources.references(path):
                if row[2] in _CALLING:
                    bodies[callers[row[0]]].append(row)
            found = self._bodies[path] = dict(bodies)
        return found

    def _line(self, path: str, symbol: int, position: int) -> int:
        starts = self._starts.get(path)
        if starts is None:
            starts = self._starts[path] = line_starts(self.indexes[path].facts.line_lengths)
        return bisect_right(starts, position) - self.indexes[path].symbols[symbol].start_line

    # -- from where they come

    def passing(
        self, index: FileIndex, scope: int, row: int, position: int, values: Values | None = None
    ) -> tuple[tuple[Callee, ...], Iterable[Flow]]:
        """What a call makes of what it passes: the functions that the library calls for it, and edges elsewhere.

        values: what is called, as far as it is `listening`; None: not known yet.
        """
        _, function, arguments = index.facts.expressions[row]
        given = CallSite(index, scope, arguments, position, 0)
        own: list[Callee] = []
        flows: dict[Flow, None] = {}
        if values is None:
            called = self.from_elsewhere(index, self.evaluate(index, scope, function, position), function)
            values = self.listening(called)
        for value in values:
            if value.kind == "external":
                name, passed = self.sorting(index, scope, function, position, value.path, given)
                for callee, context in self.handed(name, passed):
                    own.append(callee)
                    if context > RESULT:
                        flows.update(dict.fromkeys(self.flow(callee.path, callee.number, context)))
            else:
                for callee, context in self.callees(value, "argument", given):
                    if value.kind == "group":
                        own.append(callee)
                    if context > RESULT:
                        flows.update(dict.fromkeys(self.flow(callee.path, callee.number, context)))
        return tuple(own), flows

    def from_elsewhere(self, index: FileIndex, values: Values, function: Expression) -> Values:
        """Of what a file calls, that of which its own file does not know what it is given: see `given_here`."""
        return tuple(v for v in values if v.path != index.path or v.context or not self._named_so(index, v, function))

    @staticmethod
    def _named_so(index: FileIndex, value: Value, function: Expression) -> bool:
        """Whether something of a file is called by its own name."""
        if isinstance(function, int):
            row = index.facts.expressions[function]
            function = str(row[2]) if row[0] == "member" else None
        if function is None or value.kind not in ("symbol", "bound"):
            return False
        return function.rpartition(".")[2] == index.symbols[value.number].name

    def listening(self, values: Values) -> Values:
        """Those of some values to whose calls it may matter what is passed."""
        return tuple([value for value in values if self._listens(value)])

    def _listens(self, value: Value) -> bool:
        if value.kind == "external":
            return self.hands_on(value.path) or value.path in BUILTINS
        if value.kind == "group":
            return value.path in GETTERS
        return bool(self.listens(value.kind, value.path, value.number))

    @question
    def listens(self, kind: str, path: str, number: int) -> bool:
        """Whether what is passed may decide what is called when something of the repository is called."""
        functions = self.callees(Value(kind, path, number), "")
        return any(
            callee.number in self.indexes[callee.path].functions and bool(self.relevant(callee.path, callee.number))
            for callee, _ in functions
        )


def _marked(callee: Callee) -> Callee:
    """A callee reached through an argument; the marks of implicit calls stay."""
    if callee.evidence in ("constructor", "type", "scope", "inheritance", "member"):
        return callee._replace(evidence="argument")
    return callee
