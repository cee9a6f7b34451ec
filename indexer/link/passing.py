"""What a call passes, and which parameters receive it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from indexer.link.arguments import CallSite, Given, Passed, is_plain, left_out
from indexer.link.contexts import RESULT
from indexer.link.filling import CALLABLE_KINDS, Filling
from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.shapes import filled, filled_by
from indexer.link.taint import Parameters, key_names, parameters
from indexer.link.values import CONTAINERS, INSTANCES, Site, Value, Values, union
from indexer.model import Flag

_CLASSMETHOD: Final = int(Flag.CLASSMETHOD)
_STATIC: Final = int(Flag.STATIC)
MAX_CALLS: Final = 20
"""Calls of a function in its own file that are looked at."""

MAX_GIVEN: Final = 20
"""Values of a parameter that those give."""

_WORTH: Final = INSTANCES | CONTAINERS | {"bound", "module"}


class _Chosen(NamedTuple):
    """The parameters whose arguments are wanted."""

    positional: list[bool]  # of those that the call gives by position
    star: bool
    named: set[str]
    double: bool


class Passing(Filling):
    """Arguments to parameters."""

    def passed(self, given: Given) -> Passed:
        """The values of a call's arguments."""
        if given is None:
            return Passed()
        if isinstance(given, Passed):
            return given
        positional: list[Values] = []
        keywords: list[tuple[str, Values]] = []
        starred: Values = ()
        doubled: Values = ()
        memo = self.memo
        outer, memo.context = memo.context, given.context
        try:
            for part in given.arguments:
                if not isinstance(part, (list, tuple)):
                    values = self.evaluate(given.file, given.scope, part, given.position) if part is not None else ()
                    if not starred:
                        positional.append(values)
                    continue
                if part[-1] is None:
                    continue
                values = self.evaluate(given.file, given.scope, part[-1], given.position)
                if part[0] == "=":
                    keywords.append((part[1], values))
                elif part[0] == "*":
                    starred += values
                else:
                    doubled += values
        finally:
            memo.context = outer
        return Passed(tuple(positional), tuple(keywords), starred, doubled)

    @question
    def given_here(self, path: str, symbol: int) -> tuple[tuple[int, Values], ...]:
        """What the calls of a function that its own file makes by its name give to each parameter."""
        index = self.indexes[path]
        function = index.functions.get(symbol)
        if function is None:
            return ()
        owner = index.symbols[index.symbols[symbol].parent]
        name = index.symbols[symbol].name
        called = owner.name if name == index.language.constructor and owner.kind == "class" else name
        self.look_up_name(path, f"{called}@")
        wanted = parameters(index, symbol)
        found: dict[int, dict[Value, None]] = {}
        for scope, row, position in index.calls_named(called)[:MAX_CALLS]:
            _, callee, arguments = index.facts.expressions[row]
            for value in self.evaluate(index, scope, callee, position):
                target = self._running(value, path, symbol)
                if target is None:
                    continue
                positional = wanted.positional[1:] if self._receives(index, target) else wanted.positional
                passed = self.passed(CallSite(index, scope, arguments, position, 0))
                for number, values in self._matched(passed, wanted, list(positional)).items():
                    for given in self._told(index, number, values):
                        found.setdefault(number, {})[given] = None
        return tuple(sorted((number, tuple(values)[:MAX_GIVEN]) for number, values in found.items()))

    def _running(self, value: Value, path: str, symbol: int) -> Value | None:
        """A function as a call of a value runs it; None if it runs another."""
        if value.kind not in ("symbol", "bound"):
            return None
        if value.kind == "symbol" and self.indexes[value.path].symbols[value.number].kind == "class":
            name = self.indexes[path].language.constructor
            for site in self.sites(value, name):
                if site.path == path and self.site_symbol(site) == symbol:
                    return Value("bound", path, symbol)
            return None
        return value if value.number == symbol and value.path == path else None

    def site_symbol(self, site: Site) -> int:
        raise NotImplementedError

    def activation(self, function: Value, given: Given, names: frozenset[str], objects: bool = False) -> int:
        """The context in which a call reads the body of a function; that of the function itself where nothing that
        matters is passed to one of the parameters named. Arguments for other parameters are not looked at."""
        if not names or given is None:
            return function.context
        index = self.indexes[function.path]
        symbol = function.number
        wanted = parameters(index, symbol)
        row = self.contexts[function.context]
        own = row.symbol == symbol and row.path == function.path  # some parameters have been given already
        held = dict(row.held) if own else {}
        if isinstance(given, CallSite) and all(is_plain(given.file, part) for part in given.arguments):
            return function.context
        self.look_up_filled(index, function, given, len(held))
        positional, chosen = self._chosen(index, function, held, names)
        classes = isinstance(given, Passed) or given.context > RESULT  # a decorator's, or in one
        passed = given if isinstance(given, Passed) else self._read(given, chosen, wanted)
        if passed is None or not self._passes(passed, objects, classes):
            return function.context
        bindings = index.bindings
        found = self._matched(passed, wanted, positional)
        found = {number: values for number, values in found.items() if values and bindings[number].name in names}
        if not any(self.matters(values, objects, classes) for values in found.values()):
            return function.context
        held.update({number: kept for number, values in found.items() if (kept := self._told(index, number, values))})
        scope = index.functions[symbol].origin
        return self.contexts.make(index, symbol, scope, held, row.around if own else function.context)

    def _chosen(
        self, index: FileIndex, function: Value, held: dict[int, Values], names: frozenset[str]
    ) -> tuple[list[int], _Chosen]:
        """The parameters that a call gives by position, and those of all that are wanted."""
        key = function.number, function.kind, names
        known = index.chosen.get(key) if not held else None
        if known is not None:
            return known  # type: ignore[no-any-return]
        wanted, bindings = parameters(index, function.number), index.bindings
        positional = [number for number in wanted.positional if number not in held]
        if positional and wanted.positional[0] == positional[0] and self._receives(index, function):
            positional = positional[1:]
        chosen = _Chosen(
            [bindings[number].name in names for number in positional],
            wanted.star >= 0 and bindings[wanted.star].name in names,
            {name for name in wanted.named if name in names},
            wanted.double >= 0 and bindings[wanted.double].name in names,
        )
        if not held:
            index.chosen[key] = positional, chosen
        return positional, chosen

    def hands_on_nothing(self, given: CallSite) -> bool:
        """Whether a call passes `*args` and `**kwargs` alone, of which nothing is known: wrappers do that."""
        if any(not isinstance(part, (list, tuple)) or part[0] == "=" for part in given.arguments):
            return False
        passed = self.passed(given)
        return not any(value.kind in CONTAINERS for value in (*passed.starred, *passed.doubled))

    def _passes(self, passed: Passed, objects: bool, classes: bool) -> bool:
        """Whether anything that is passed matters."""
        if passed.starred or passed.doubled:
            return True
        groups = (*passed.positional, *(values for _, values in passed.keywords))
        return any(self.matters(values, objects, classes) for values in groups if values)

    def _read(self, given: CallSite, chosen: _Chosen, wanted: Parameters) -> Passed | None:
        """The values of the arguments for chosen parameters, `()` in place of the others; None where there is none."""
        parts: list[Any] = []
        some = False
        place = 0
        for part in given.arguments:
            if not isinstance(part, (list, tuple)):
                needed = chosen.positional[place] if place < len(chosen.positional) else chosen.star
                place += 1
            elif part[0] == "=":
                needed = part[1] in chosen.named or (chosen.double and part[1] not in wanted.named)
            else:
                needed = True
            some = some or (needed and not is_plain(given.file, part))
            parts.append(part if needed else left_out(part))
        return self.passed(given._replace(arguments=parts)) if some else None

    def takes(self, function: Value, argument: Any, names: frozenset[str]) -> bool:
        """Whether the argument at a place, or ("=", name, …), ("*", …), ("**", …), goes to one of some parameters."""
        if not names:
            return False
        if not isinstance(argument, int):
            return argument[1] in names if argument[0] == "=" else True
        index = self.indexes[function.path]
        places = argument + 1 + self._receives(index, function)
        self.look_up_name(function.path, filled(index.symbols[function.number].qualname, places))
        wanted = parameters(index, function.number)
        positional = wanted.positional[1:] if self._receives(index, function) else wanted.positional
        number = positional[argument] if argument < len(positional) else wanted.star
        return number >= 0 and index.bindings[number].name in names

    def look_up_filled(self, index: FileIndex, function: Value, given: CallSite | Passed, held: int = 0) -> None:
        """Record that the answer rests on the parameters that a call fills. held: how many have been given already."""
        before = held + self._receives(index, function)
        self.look_up_name(index.path, filled_by(index.symbols[function.number].qualname, given, before))

    def _receives(self, index: FileIndex, function: Value) -> bool:
        """Whether the first parameter is not among what the call passes: the object, or the class."""
        flags = index.symbols[function.number].flags
        return function.kind == "bound" or bool(flags & _CLASSMETHOD)

    def _matched(self, given: Passed, wanted: Parameters, positional: list[int]) -> dict[int, Values]:
        found: dict[int, Values] = {}
        extra: list[Values] = []
        for number, values in enumerate(given.positional):
            if number < len(positional):
                found[positional[number]] = self._kept(values)
            else:
                extra.append(self._kept(values))
        for container in given.starred:
            if container.kind not in CONTAINERS:
                continue
            for number in range(len(given.positional), len(positional)):
                at = ("int", number - len(given.positional))
                values = self._kept(self.items(container, (at,)))
                found[positional[number]] = union([found.get(positional[number], ()), values])
            if len(given.positional) >= len(positional) and wanted.star >= 0:
                found[wanted.star] = (container,)
        named: list[tuple[Any, Values]] = [(("str", name), values) for name, values in given.keywords]
        for container in given.doubled:
            if container.kind == "display":
                named += self.contents(container)
            elif container.kind == "group":
                named += self.groups[container.number].items
        rest = []
        for key, values in named:
            target = wanted.named.get(key[1]) if key is not None else None
            if target is not None:
                found[target] = self._kept(values)
            elif self._kept(values):
                rest.append((key, self._kept(values)))
        if wanted.star >= 0 and any(self.matters(values, True) for values in extra):
            found[wanted.star] = self.group("tuple", [(("int", n), values) for n, values in enumerate(extra)])
        if wanted.double >= 0 and rest:
            found[wanted.double] = self.group("dict", rest)
        return found

    def _told(self, index: FileIndex, number: int, values: Values) -> Values:
        """What is held of a parameter: constants only where its file uses the name as a key, and of objects what they
        were made with only where that is code."""
        contexts = self.contexts
        if index.bindings[number].name not in key_names(index):
            values = tuple(v for v in values if v.kind != "external")
        return tuple(
            v._replace(context=0) if v.context and v.kind == "made" and not contexts[v.context].code else v
            for v in values
        )

    def _kept(self, values: Values) -> Values:
        """The values that are worth a context: what is known of the repository, and constants."""
        return tuple(
            [
                v
                for v in values
                if v[0] in _WORTH
                or (v[0] == "external" and v[2])
                or (v[0] == "symbol" and self.indexes[v[1]].symbols[v[2]].kind in CALLABLE_KINDS)
            ]
        )
