"""Single arguments: of functions that return what they are given, and lambdas that are called with what is known."""

from __future__ import annotations

from typing import Final

from indexer.link.arguments import CallSite, Passed
from indexer.link.index import FileIndex
from indexer.link.library import Library
from indexer.link.memo import question
from indexer.link.shapes import filled
from indexer.link.taint import parameters
from indexer.link.values import CONTAINERS, Site, Value, Values, known, union
from indexer.model import BindingKind, Expression, Flag

_GIVEN: Final = frozenset({int(BindingKind.PARAMETER), int(BindingKind.KEYWORD_ONLY)})
_LATER: Final = int(Flag.ASYNC) | int(Flag.GENERATOR)


class Handed(Library):
    """Arguments, one at a time."""

    # -- functions that return what they are given

    @question
    def handed_back(self, path: str, symbol: int) -> tuple[tuple[int, str], ...]:
        """What a function returns, if that is nothing but its parameters as they are given, or members of those: the
        parameter's binding, and a chain of members."""
        index = self.indexes[path]
        function = index.functions[symbol]
        self.look_up_name(path, f"{index.symbols[symbol].qualname}()")
        own = index.names[function.origin]
        found: dict[tuple[int, str], None] = {}
        for part in function.returns:
            name, _, rest = part.partition(".") if isinstance(part, str) else ("", "", "")
            numbers = own.get(name, ())
            if len(numbers) != 1 or index.bindings[numbers[0]].kind not in _GIVEN:
                return ()
            found[numbers[0], rest] = None
        return () if index.symbols[symbol].flags & _LATER else tuple(found)

    def given_back(self, function: Value, given: CallSite | Passed) -> Values:
        """What a call gives of a function that returns what it is given; `()` where that is not known."""
        parts = self.handed_back(function.path, function.number)
        if not parts or self.contexts[function.context].symbol == function.number:  # some are given already
            return ()
        groups = []
        for number, rest in parts:
            values = known(self._argument_for(function, given, number))
            groups.append(known(self.rest_values(values, rest)) if rest and values else values)
        return union(groups) if all(groups) else ()

    def _argument_for(self, function: Value, given: CallSite | Passed, number: int) -> Values:
        """What a call gives to one parameter, by its binding; `()` where it gives nothing, or not surely that."""
        index = self.indexes[function.path]
        self.look_up_filled(index, function, given)
        positional = parameters(index, function.number).positional
        place = positional.index(number) - self._receives(index, function) if number in positional else -1
        name = index.bindings[number].name
        if isinstance(given, Passed):
            if place >= 0 and place < len(given.positional):
                return given.positional[place]
            return dict(given.keywords).get(name, ())
        for at, part in enumerate(given.arguments):
            if isinstance(part, (list, tuple)):
                if part[0] == "*":
                    place = -1
                if part[:2] != ("=", name) and part[:2] != ["=", name]:
                    continue
            elif at != place:
                continue
            value = part[-1] if isinstance(part, (list, tuple)) else part
            return self.passed(given._replace(arguments=[value])).positional[0]
        return ()

    # -- lambdas

    def expected(self, index: FileIndex, symbol: int, place: int) -> Values:
        """What a parameter of a lambda holds by the type of the parameter that the lambda is passed to, or by what the
        function of the library does with it that it is passed to."""
        found = self.called_with(index.path, symbol)
        return known(found[place]) if place < len(found) else ()

    @question
    def called_with(self, path: str, symbol: int) -> tuple[Values, ...]:
        """What a lambda is called with, by position, as far as the call says that it is passed in."""
        index = self.indexes[path]
        qualname = index.symbols[symbol].qualname
        self.look_up_name(path, f"{qualname}@@")
        for scope, number, position in index.calls_named(f"{qualname}@")[:1]:
            row = index.facts.expressions[number]
            place = next((n for n, part in enumerate(row[2]) if _is_symbol(index, part, symbol)), -1)
            if place < 0:  # another lambda of the same name
                continue
            for value in self.evaluate(index, scope, row[1], position):
                found = self._declared_for(value, row[2][place], place)
                if not found and value.kind == "external" and self.hands_on(value.path):
                    given = CallSite(index, scope, row[2], position, 0)
                    called = self.handed_on(*self.sorting(index, scope, row[1], position, value.path, given))
                    found = next((p.positional for v, p in called if (v.path, v.number) == (path, symbol)), ())
                if any(known(values) for values in found):
                    return found
        return ()

    def sorting(
        self, index: FileIndex, scope: int, function: Expression, position: int, name: str, given: CallSite
    ) -> tuple[str, Passed]:
        """What of the library is called by `function`, and with what: `x.sort(key=f)` is read as `sorted(x, key=f)`."""
        passed = self.passed(given)
        if name.rpartition(".")[2] != "sort" or passed.positional:
            return name, passed
        row = index.facts.expressions[function] if isinstance(function, int) else ("member", str(function), "")
        receiver = row[1] if isinstance(function, int) else row[1].rpartition(".")[0]
        held = self.evaluate(index, scope, receiver, position) if row[0] == "member" and receiver else ()
        if not any(value.kind in CONTAINERS for value in held):
            return name, passed
        return "builtins.sorted", passed._replace(positional=(held,))

    def _declared_for(self, called: Value, argument: object, place: int) -> tuple[Values, ...]:
        """What the function that is passed as one argument of a call is called with, by its declared type."""
        if self.is_class(called):
            made = self.sites(called, self.indexes[called.path].language.constructor)[:1]
            called = next((Value("bound", site.path, self.site_symbol(site)) for site in made if site.path), called)
        if not self.is_running(called):
            return ()
        index = self.indexes[called.path]
        wanted = parameters(index, called.number)
        before = int(self._receives(index, called))
        names = (str(argument[1]),) if isinstance(argument, (list, tuple)) and argument[0] == "=" else ()
        self.look_up_name(called.path, filled(index.symbols[called.number].qualname, before + place + 1, names))
        positional = wanted.positional[before:]
        at = positional[place] if place < len(positional) else -1
        if isinstance(argument, (list, tuple)):
            at = wanted.named.get(str(argument[1]), -1) if argument[0] == "=" else -1
        if at < 0:
            return ()
        binding = index.bindings[at]
        self.look_up_name(called.path, f"{index.symbols[called.number].qualname}()")
        self.look_up_name(called.path, f"{index.scope_names[binding.scope]}.{binding.name}")
        declared = self.instances(index, index.scopes[binding.scope].parent, binding.annotation)
        found = (self.typed_parameters(value) for value in declared if value.kind == "typed")
        return next((types for types in found if types), ())

    def rest_values(self, values: Values, rest: str) -> Values:
        raise NotImplementedError

    def site_symbol(self, site: Site) -> int:
        raise NotImplementedError


def _is_symbol(index: FileIndex, part: object, symbol: int) -> bool:
    """Whether an argument is a lambda."""
    value = part[-1] if isinstance(part, (list, tuple)) else part
    row = index.facts.expressions[value] if isinstance(value, int) else ("",)
    return row[0] == "symbol" and bool(row[1] == symbol)
