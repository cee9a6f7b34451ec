"""Calls that a function makes because of what it is given: edges through arguments.

`f(g)` where `f` calls its parameter makes an edge from `f` to `g`. It belongs to the file with the call `f(g)`: that is
where it comes from. A body is read once for each kind of call of it, see `contexts`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from indexer.link.calls import FUNCTIONS
from indexer.link.contexts import RESULT, WRAPPED
from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.passing import CallSite, Given, Passed
from indexer.link.special import Special
from indexer.link.taint import origins, parameters
from indexer.link.values import INSTANCES, Site, Value, Values, known
from indexer.model import BindingKind, Expression, Reference, Role, line_starts

MAX_EDGES = 300
"""Edges through the arguments of one call that are followed."""

_PARAMETERS = frozenset(range(int(BindingKind.PARAMETER), int(BindingKind.DOUBLE_STAR) + 1))
_CALLING = frozenset({Role.CALL, Role.NEW, Role.RENDER, Role.DECORATOR, Role.IMPLICIT})
_MARKS = (
    dict.fromkeys(("__iter__", "__next__", "__aiter__", "__anext__"), "iteration")
    | dict.fromkeys(("__enter__", "__exit__", "__aenter__", "__aexit__"), "context")
    | dict.fromkeys(("__getitem__", "__setitem__", "__delitem__", "__class_getitem__"), "item")
)
_ITERATORS = {"__iter__": "__next__", "__aiter__": "__anext__"}
_BUILTINS = {
    "builtins.len": ("__len__",), "builtins.str": ("__str__",), "builtins.repr": ("__repr__",),
    "builtins.iter": ("__iter__",), "builtins.next": ("__next__",), "builtins.bool": ("__bool__",),
    "builtins.hash": ("__hash__",), "builtins.int": ("__int__",), "builtins.float": ("__float__",),
    "builtins.abs": ("__abs__",), "builtins.round": ("__round__",), "builtins.format": ("__format__",),
    "builtins.print": ("__str__",), "builtins.reversed": ("__reversed__",), "builtins.bytes": ("__bytes__",),
    "builtins.list": ("__iter__",), "builtins.tuple": ("__iter__",), "builtins.set": ("__iter__",),
    "builtins.sorted": ("__iter__",), "builtins.sum": ("__iter__",), "builtins.any": ("__iter__",),
    "builtins.all": ("__iter__",), "builtins.min": ("__iter__",), "builtins.max": ("__iter__",),
    "builtins.dict": ("__iter__",), "builtins.frozenset": ("__iter__",), "builtins.enumerate": ("__iter__",),
    "builtins.zip": ("__iter__",), "builtins.map": ("__iter__",), "builtins.filter": ("__iter__",),
    "builtins.aiter": ("__aiter__",), "builtins.anext": ("__anext__",), "builtins.dir": ("__dir__",),
    "operator.index": ("__index__",), "copy.copy": ("__copy__",), "copy.deepcopy": ("__deepcopy__",),
}  # fmt: skip


class Callee(NamedTuple):
    """A function that a call runs. `receiver`: the class whose subclasses may stand in for it, ("", -1) for none."""

    path: str
    number: int
    evidence: str
    receiver: tuple[str, int] = ("", -1)


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
    general: frozenset[tuple[str, int]]  # what is called there whatever is given


class Flows(Special):
    """Edges through arguments."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self._bodies: dict[str, dict[int, list[Reference]]] = {}
        self._starts: dict[str, list[int]] = {}

    # -- what a value runs when it is called

    def callees(self, value: Value, evidence: str, given: Given = None) -> Iterator[tuple[Callee, int]]:
        """The functions that run when a value is called, each with the context its body is read in."""
        kind = value.kind
        if kind in ("symbol", "bound"):
            index = self.indexes[value.path]
            symbol = index.symbols[value.number]
            if symbol.kind in FUNCTIONS:
                yield Callee(value.path, value.number, evidence), self._context(value, given)
                if value.number in index.decorated:
                    for number in self.registered(value.path, value.number):
                        yield Callee(value.path, number, "decorator"), 0
            elif symbol.kind == "class":
                yield from self._constructors(value, given)
        elif kind in INSTANCES:
            for site in self.sites(value, "__call__"):
                yield from self._at(site, "type", given)

    def _context(self, value: Value, given: Given) -> int:
        if value.context == WRAPPED:
            return 0
        if given is None or value.number not in self.indexes[value.path].functions:
            return value.context
        return self.activation(value, given, self.relevant(value.path, value.number))

    def _at(self, site: Site, evidence: str, given: Given) -> Iterator[tuple[Callee, int]]:
        if site.value is not None:
            return
        receiver = dispatching(site)
        for value in self.site_values(site):
            if value.kind in ("symbol", "bound") and self.is_running(value):
                yield Callee(value.path, value.number, evidence, receiver), self._context(value, given)

    def _constructors(self, value: Value, given: Given) -> Iterator[tuple[Callee, int]]:
        index = self.indexes[value.path]
        found = False
        for name in self._constructing(index, value):
            for site in self.sites(value, name):
                number = self.site_symbol(site)
                if number >= 0 and self.indexes[site.path].symbols[number].kind in FUNCTIONS:
                    found = True
                    made = Value("bound", site.path, number, value.context)
                    yield Callee(site.path, number, "constructor"), self._context(made, given)
        for meta in self.metaclasses(value.path, value.number):
            for site in self.sites(Value("instance", meta.path, meta.number), "__call__"):
                yield from self._at(site, "constructor", given)
        if not found:
            yield Callee(value.path, value.number, "constructor"), 0

    def _constructing(self, index: FileIndex, value: Value) -> Sequence[str]:
        name = index.language.constructor
        return (name, "__new__") if name == "__init__" else (name,)

    def implicit(self, values: Values, name: str, mark: str = "") -> Iterator[tuple[Callee, int]]:
        """The methods of objects that syntax runs by their special names."""
        mark = mark or _MARKS.get(name, "operator")
        for value in values:
            running, sites = self.special_sites(value, name)
            found = [callee for site in sites for callee in self._at(site, mark, None)]
            yield from found
            follow = _ITERATORS.get(running)
            if follow is not None:
                for callee, context in found:
                    method = Value("bound", callee.path, callee.number, context)
                    for made in self.call(method, Passed()):
                        if made.kind in INSTANCES:
                            for site in self.sites(made, follow):
                                yield from self._at(site, mark, None)

    def called(self, index: FileIndex, scope: int, expression: Expression, position: int, implicit: bool) -> Values:
        """What stands at a call; of an implicit one the object whose method runs."""
        if not implicit:
            return self.evaluate(index, scope, expression, position)
        if isinstance(expression, str):
            return self.chain_values(index, scope, expression.rpartition(".")[0], position)
        return self.evaluate(index, scope, index.facts.expressions[expression or 0][1], position)

    def runs(
        self,
        index: FileIndex,
        scope: int,
        expression: Expression,
        role: int,
        position: int,
        context: int,
        passing: bool = True,
    ) -> list[tuple[Callee, int]]:
        """What a reference that calls runs, in a context; without what it passes if that does not matter."""
        memo = self.memo
        outer, memo.context = memo.context, context
        try:
            implicit = role == Role.IMPLICIT
            values = self.called(index, scope, expression, position, implicit)
            if implicit:
                return list(self.implicit(values, special_name(index, expression)))
            row = index.calls().get((scope, position)) if role == Role.CALL else None
            given = None
            if row is not None:
                given = CallSite(index, scope, index.facts.expressions[row][2], position, context)
            found: list[tuple[Callee, int]] = []
            for value in values:
                if value.kind == "external":
                    found += self.handed(value.path, given)
                else:
                    found += self.callees(value, "argument", given if passing else None)
            return found
        finally:
            memo.context = outer

    def handed(self, name: str, given: Given) -> Iterator[tuple[Callee, int]]:
        """What a function of the library calls of what it is given."""
        specials = _BUILTINS.get(name, ())
        if given is None or not (specials or self.hands_on(name)):
            return
        passed = self.passed(given)
        for value, handed in self.handed_on(name, passed):
            if value.kind in ("symbol", "bound"):
                yield from self.callees(value, "argument", handed)
        for special in specials:
            for values in passed.positional:
                yield from self.implicit(known(values), special, "builtin")

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
        for scope, expression, role, position, named, general in asked[1]:
            if held.isdisjoint(named):
                continue
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
    def openings(self, path: str, symbol: int) -> tuple[frozenset[str], tuple[Opening, ...]]:
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
                    runs = self.runs(index, scope, expression, role, position, 0, passing=False)
                    general = frozenset([callee[:2] for callee, _ in runs]) if named else frozenset()
                    places.append(Opening(scope, expression, role, position, deciding, general))
        return frozenset(found), tuple(places)

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
        return bool(values) and all(v.kind != "unknown" and not v.context for v in values)

    def _handed(self, index: FileIndex, symbol: int, scope: int, row: int, position: int) -> frozenset[str]:
        """The parameters of a function that a call in it hands to where they decide what is called."""
        _, function, arguments = index.facts.expressions[row]
        spread = [isinstance(part, list | tuple) for part in arguments]
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
            return self.hands_on(value.path) or value.path in _BUILTINS
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
            for row in self.sources.references(path):
                if row[2] in _CALLING:
                    bodies[index.caller(row[0])].append(row)
            found = self._bodies[path] = dict(bodies)
        return found

    def _line(self, path: str, symbol: int, position: int) -> int:
        from bisect import bisect_right

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
                for callee, context in self.handed(value.path, given):
                    own.append(callee)
                    if context > RESULT:
                        flows.update(dict.fromkeys(self.flow(callee.path, callee.number, context)))
            else:
                for callee, context in self.callees(value, "argument", given):
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
        return tuple(
            value
            for value in values
            if (
                (self.hands_on(value.path) or value.path in _BUILTINS)
                if value.kind == "external"
                else self.listens(value.kind, value.path, value.number)
            )
        )

    @question
    def listens(self, kind: str, path: str, number: int) -> bool:
        """Whether what is passed may decide what is called when something of the repository is called."""
        functions = self.callees(Value(kind, path, number), "")
        return any(
            callee.number in self.indexes[callee.path].functions and bool(self.relevant(callee.path, callee.number))
            for callee, _ in functions
        )

    def decorating(self, index: FileIndex, symbol: int) -> tuple[tuple[Callee, ...], Iterable[Flow]]:
        """What decorating a function or class runs beside the decorators that are named, and edges elsewhere."""
        own: list[Callee] = []
        flows: dict[Flow, None] = {}
        position = index.symbols[symbol].name_byte
        around, decorators = self.decorators(index, symbol)
        values: Values = (Value("symbol", index.path, symbol),)
        for decorator in reversed(decorators):
            functions = self.evaluate(index, around, decorator, position)
            for value in functions:
                for callee, context in self.callees(value, "decorator", Passed((values,))):
                    if isinstance(decorator, int):
                        own.append(callee)
                    if context > RESULT:
                        flows.update(dict.fromkeys(self.flow(callee.path, callee.number, context)))
            if len(decorators) == 1:
                break
            made = [v for value in functions for v in self.call(value, Passed((values,)))]
            values = tuple(v for v in made if v.kind in ("symbol", "bound")) or values
        return tuple(own), flows


def dispatching(site: Site) -> tuple[str, int]:
    """The class whose subclasses may have the member that was found at a site; ("", -1) if none can."""
    receiver = site.receiver
    return ("", -1) if receiver is None or receiver.kind != "instance" else (receiver.path, receiver.number)


def special_name(index: FileIndex, expression: Expression) -> str:
    """The method that an implicit call names."""
    if isinstance(expression, str):
        return expression.rpartition(".")[2]
    return str(index.facts.expressions[expression or 0][2])


def _marked(callee: Callee) -> Callee:
    """A callee reached through an argument; the marks of implicit calls stay."""
    if callee.evidence in ("constructor", "type", "scope", "inheritance", "member"):
        return callee._replace(evidence="argument")
    return callee
