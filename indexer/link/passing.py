"""What a call passes, and which parameters receive it."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from indexer.link.filling import Filling
from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.taint import parameters
from indexer.link.values import CONTAINERS, INSTANCES, Value, Values, union
from indexer.model import Flag

_CLASSMETHOD, _STATIC = int(Flag.CLASSMETHOD), int(Flag.STATIC)
_FUNCTIONS = frozenset({"function", "method", "lambda"})
_CALLABLE = _FUNCTIONS | {"class"}


class CallSite(NamedTuple):
    """A call as it is written: its arguments are read where it stands, if they are needed."""

    file: FileIndex
    scope: int
    arguments: Any
    position: int
    context: int


class Passed(NamedTuple):
    """What a call passes."""

    positional: tuple[Values, ...] = ()
    keywords: tuple[tuple[str, Values], ...] = ()
    starred: Values = ()  # containers given as `*x`, after the positional ones
    doubled: Values = ()  # given as `**x`


Given: TypeAlias = CallSite | Passed | None


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
                if not isinstance(part, list | tuple):
                    values = self.evaluate(given.file, given.scope, part, given.position)
                    if not starred:
                        positional.append(values)
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

    def matters(self, values: Values) -> bool:
        """Whether passing these values can make a difference to what the called code calls."""
        for value in values:
            kind = value.kind
            if kind in INSTANCES or kind in ("bound", "typed", "generator"):
                return True
            if kind == "display" and self.holds_what_matters(value):
                return True
            if kind == "group" and any(self.matters(values) for _, values in self.groups[value.number].items):
                return True
            if kind == "symbol" and self.indexes[value.path].symbols[value.number].kind in _CALLABLE:
                return True
        return False

    @question
    def holds_what_matters(self, display: Value) -> bool:
        """Whether some item of a display matters."""
        return any(self.matters(values) for _, values in self.contents(display))

    def activation(self, function: Value, given: Passed, wanted_names: frozenset[str]) -> int:
        """The context in which a call reads the body of a function; that of the function itself where nothing that
        matters is passed to one of the parameters named."""
        index = self.indexes[function.path]
        symbol = function.number
        wanted = parameters(index, symbol)
        row = self.contexts[function.context]
        own = row.symbol == symbol and row.path == function.path  # some parameters have been given already
        held = dict(row.held) if own else {}
        around = row.around if own else function.context
        scope = index.functions[symbol].origin
        positional = [number for number in wanted.positional if number not in held]
        if positional and wanted.positional[0] == positional[0] and self._receives(index, function):
            positional = positional[1:]
        found = self._matched(given, wanted, positional)
        found = {number: values for number, values in found.items() if index.bindings[number].name in wanted_names}
        if not any(self.matters(values) for values in found.values()):
            return function.context
        held.update({number: values for number, values in found.items() if values})
        return self.contexts.make(index, symbol, scope, held, around)

    def _receives(self, index: FileIndex, function: Value) -> bool:
        """Whether the first parameter is not among what the call passes: the object, or the class."""
        flags = index.symbols[function.number].flags
        return function.kind == "bound" or bool(flags & _CLASSMETHOD)

    def _matched(self, given: Passed, wanted: Any, positional: list[int]) -> dict[int, Values]:
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
        if wanted.star >= 0 and any(self.matters(values) for values in extra):
            found[wanted.star] = self.group("tuple", [(("int", n), values) for n, values in enumerate(extra)])
        if wanted.double >= 0 and rest:
            found[wanted.double] = self.group("dict", rest)
        return found

    def _kept(self, values: Values) -> Values:
        """The values that are worth a context: what is known of the repository, and constants."""
        return tuple(
            v
            for v in values
            if v.kind in INSTANCES
            or v.kind in CONTAINERS
            or v.kind in ("bound", "module")
            or (v.kind == "external" and v.number)
            or (v.kind == "symbol" and self.indexes[v.path].symbols[v.number].kind in _CALLABLE)
        )
