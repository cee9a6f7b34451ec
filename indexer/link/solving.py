"""What type variables stand for in a call: `def first(xs: list[T]) -> T` called with a list of Foo gives a Foo."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from indexer.link.arguments import Given
from indexer.link.generics import Variable, Variables, type_arguments
from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.passing import Passing
from indexer.link.shapes import all_parameters
from indexer.link.taint import parameters
from indexer.link.types import CALLABLE, CLASS_OF, ITERABLES, MAPPINGS, TUPLES, WRAPPERS
from indexer.link.values import CONTAINERS, INSTANCES, Value, Values, known, union
from indexer.model import BindingKind, Expression

_STAR: Final = int(BindingKind.STAR)
Solved = Iterator[tuple[Variable, Values]]


class Solving(Passing):
    """Type variables in calls."""

    def awaited(self, values: Values) -> Values:
        raise NotImplementedError

    @question
    def generic_parameters(self, path: str, symbol: int) -> frozenset[str]:
        """The parameters that say what the type variables in the declared result of a function stand for."""
        index = self.indexes[path]
        function = index.functions[symbol]
        self.look_up_name(path, f"{index.symbols[symbol].qualname}()")
        wanted = frozenset(self.mentioned(index, function.origin, function.annotation))
        return self._mentioning(index, symbol, wanted) if wanted else frozenset()

    def _mentioning(self, index: FileIndex, symbol: int, wanted: frozenset[Variable]) -> frozenset[str]:
        """The parameters of a function in whose types some type variables occur."""
        origin = index.functions[symbol].origin
        self.look_up_name(index.path, f"{index.symbols[symbol].qualname}{{}}")
        self.look_up_name(index.path, all_parameters(index.symbols[symbol].qualname))
        found = set()
        for number in parameters(index, symbol).named.values():
            binding = index.bindings[number]
            self.look_up(index, origin, binding.name)
            mentioned = self.mentioned(index, index.scopes[origin].parent, binding.annotation)
            if not wanted.isdisjoint(mentioned):
                found.add(binding.name)
        star = parameters(index, symbol).star
        if star >= 0 and not wanted.isdisjoint(self.mentioned(index, origin, index.bindings[star].annotation)):
            found.add(index.bindings[star].name)
        return frozenset(found)

    def solved(self, function: Value, given: Given) -> int:
        """The context of a call of a generic function: with what its type variables stand for."""
        names = self.generic_parameters(function.path, function.number) if given is not None else None
        if not names:
            return function.context
        found = self._stand_for(function, given, names)
        if not found:
            return function.context
        index = self.indexes[function.path]
        row = self.contexts[function.context]
        own = row.symbol == function.number and row.path == function.path
        held = dict(row.held) if own else {}
        for variable, values in found.items():
            held[self.held_variable(function.path, function.number, variable)] = values
        scope = index.functions[function.number].origin
        return self.contexts.make(index, function.number, scope, held, row.around if own else function.context)

    def _stand_for(self, function: Value, given: Given, names: frozenset[str]) -> dict[Variable, Values]:
        """What the arguments of a call say of type variables in the types of the parameters named."""
        index = self.indexes[function.path]
        wanted = parameters(index, function.number)
        positional = wanted.positional[1:] if self._receives(index, function) else wanted.positional
        found: defaultdict[Variable, list[Values]] = defaultdict(list)
        for number, values in self._matched(self.passed(given), wanted, list(positional)).items():
            binding = index.bindings[number]
            if binding.name not in names or binding.annotation is None:
                continue
            if binding.kind == _STAR:
                values = known(self.iterate(values))
            for variable, stands in self._solve(index, index.scopes[binding.scope].parent, binding.annotation, values):
                if known(stands):
                    found[variable].append(known(stands))
        return {variable: union(groups) for variable, groups in found.items()}

    def made_with(self, value: Value, given: Given) -> Value:
        """A class that is called, with what the call or its bases say of its type variables."""
        variables = self.type_parameters(value.path, value.number)
        if not variables:
            context = self.inherited_arguments(value.path, value.number, 0) or 0
            return value._replace(context=context) if context else value
        constructor = None if value.context or given is None else self.generic_constructor(value.path, value.number)
        if constructor is None:
            return value
        names = self._mentioning(self.indexes[constructor.path], constructor.number, frozenset(variables))
        found = self._stand_for(constructor, given, names) if names else {}
        return self.with_arguments(value, {v: values for v, values in found.items() if v in variables})

    @question
    def generic_constructor(self, path: str, symbol: int) -> Value | None:
        """The constructor that a generic class itself defines."""
        index = self.indexes[path]
        self.look_up_name(path, f"{index.symbols[symbol].qualname}.{index.language.constructor}")
        for number in index.children.get(symbol, {}).get(index.language.constructor, ()):
            if number in index.functions:
                return Value("bound", path, number)
        return None

    # -- types beside values

    def _solve(self, index: FileIndex, scope: int, annotation: Expression, values: Values) -> Solved:
        if isinstance(annotation, str):
            variable = self.variable(index, scope, annotation)
            if variable is not None:
                yield variable, values
            return
        if annotation is None:
            return
        row = index.facts.expressions[annotation]
        if row[0] == "union":
            for part in row[1]:
                yield from self._solve(index, scope, part, values)
        elif row[0] == "item" and isinstance(row[1], str):
            inner = type_arguments(index, row[2])
            if inner:
                yield from self._solve_generic(index, scope, row[1], inner, values)

    def _solve_generic(
        self, index: FileIndex, scope: int, base: str, inner: list[Expression], values: Values
    ) -> Solved:
        last = base.rpartition(".")[2]
        containers = [value for value in values if value.kind in CONTAINERS]
        if last in CLASS_OF:
            made = tuple([Value("instance", v.path, v.number) for v in values if self.is_class(v)])
            yield from self._solve(index, scope, inner[0], made)
        elif last in MAPPINGS:
            yield from self._solve(index, scope, inner[0], union([self.keys(v) for v in containers] or [()]))
            yield from self._solve(index, scope, inner[-1], union([self.items(v) for v in containers] or [()]))
        elif last in TUPLES:
            for number, part in enumerate(inner):
                at = (("int", number),)
                yield from self._solve(index, scope, part, union([self.items(v, at) for v in containers] or [()]))
        elif last in ITERABLES:
            yield from self._solve(index, scope, inner[0], known(self.iterate(values)))
        elif last in CALLABLE:
            yield from self._solve(index, scope, inner[-1], known(self._results(values)))
        elif last in WRAPPERS:
            yield from self._solve(index, scope, inner[-1], known(self.awaited(values)))
        else:
            yield from self._solve_class(index, scope, base, inner, values)

    def _results(self, values: Iterable[Value]) -> Values:
        return union([self.call(value) for value in values if value.kind != "external"] or [()])

    def _solve_class(self, index: FileIndex, scope: int, base: str, inner: list[Expression], values: Values) -> Solved:
        """`Box[T]`: from what the type variables of an object's class stand for."""
        for declared in self.instances(index, scope, base):
            variables: Variables = ()
            if declared.kind == "instance":
                variables = self.type_parameters(declared.path, declared.number)
            for part, variable in zip(inner, variables, strict=False):
                number = self.held_variable(declared.path, declared.number, variable)
                stands = [self.held_in(v.context, number) or () for v in values if v.kind in INSTANCES]
                yield from self._solve(index, scope, part, union(stands or [()]))
