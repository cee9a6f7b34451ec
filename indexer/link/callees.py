"""What runs when something is called, and what syntax runs by special names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from indexer.link.arguments import CallSite, Given, Passed
from indexer.link.calls import FUNCTIONS, exactly
from indexer.link.contexts import OPEN, WRAPPED
from indexer.link.getters import ATTRIBUTE, GETTERS, METHOD
from indexer.link.getters import ITEM as ITEM_GETTER
from indexer.link.index import FileIndex
from indexer.link.special import Special
from indexer.link.values import INSTANCES, Site, Value, Values, known
from indexer.model import Expression, Flag, Role

_PROPERTY: Final = int(Flag.PROPERTY)
_MARKS: Final = (
    dict.fromkeys(("__iter__", "__next__", "__aiter__", "__anext__"), "iteration")
    | dict.fromkeys(("__enter__", "__exit__", "__aenter__", "__aexit__"), "context")
    | dict.fromkeys(("__getitem__", "__setitem__", "__delitem__", "__class_getitem__"), "item")
)
_ITERATORS: Final = {"__iter__": "__next__", "__aiter__": "__anext__"}
BUILTINS: Final = {
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
    "builtins.str.format": ("__format__",),
    "builtins.divmod": ("__divmod__",), "contextlib.closing": ("close",), "contextlib.aclosing": ("aclose",),
    "operator.index": ("__index__",), "copy.copy": ("__copy__",), "copy.deepcopy": ("__deepcopy__",),
}  # fmt: skip


OF_ITEMS: Final = {
    "builtins.sorted": "__lt__", "builtins.min": "__lt__", "builtins.max": "__gt__", "builtins.sum": "__add__"
}  # fmt: skip
"""What builtins run of the items of their only positional argument, unless a `key` is given."""


class Callee(NamedTuple):
    """A function that a call runs. `receiver`: the class whose subclasses may stand in for it, ("", -1) for none."""

    path: str
    number: int
    evidence: str
    receiver: tuple[str, int] = ("", -1)


class Callees(Special):
    """Functions that run, each with the context that its body is read in."""

    def relevant(self, path: str, symbol: int) -> frozenset[str]:
        raise NotImplementedError

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
        elif kind == "group" and value.path in GETTERS:
            yield from self._got(value, given)

    def _got(self, value: Value, given: Given) -> Iterator[tuple[Callee, int]]:
        """What a function runs that `operator` made: a method, properties or `__getitem__` of what it is given."""
        objects = self.got_of(given)
        if value.path == METHOD and objects:
            name, passed = self.called_method(value)
            for held in objects:
                for site in self.sites(held, name):
                    yield from self._at(site, "argument", passed)
        elif value.path == ITEM_GETTER:
            yield from self.implicit(objects, "__getitem__")
        elif value.path == ATTRIBUTE:
            for chain in self.chains(value):
                yield from self._reading(objects, chain)

    def _reading(self, objects: Values, chain: str) -> Iterator[tuple[Callee, int]]:
        """The properties that reading a chain of members of some objects runs."""
        for name in chain.split("."):
            for held in objects:
                for site in self.sites(held, name) if held.kind in INSTANCES else ():
                    number = self.site_symbol(site)
                    if number >= 0 and self.indexes[site.path].symbols[number].flags & _PROPERTY:
                        yield Callee(site.path, number, "property", dispatching(site)), 0
            objects = known(self.members(objects, name))

    def _context(self, value: Value, given: Given) -> int:
        if value.context == WRAPPED:
            return 0
        if given is None or value.number not in self.indexes[value.path].functions:
            return value.context
        if isinstance(given, CallSite) and self.hands_on_nothing(given):
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
        value = exactly(value)
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
        if not found and self.has_decorator(value.path, value.number, "dataclass"):
            for site in self.sites(Value("made", value.path, value.number), "__post_init__"):
                yield from self._at(site, "constructor", None)
        if not found:
            yield Callee(value.path, value.number, "constructor"), 0

    def _constructing(self, index: FileIndex, value: Value) -> Sequence[str]:
        name = index.language.constructor
        return (name, "__new__") if name == "__init__" else (name,)

    def implicit(self, values: Values, name: str, mark: str = "") -> Iterator[tuple[Callee, int]]:
        """The methods of objects that syntax runs by their special names."""
        mark = mark or _MARKS.get(name, "operator")
        for value in values:
            if name == "__getitem__" and self.may_make(value):
                for factory in self.factories(value.path, value.number, value.context):
                    yield from self.callees(factory, mark, Passed())
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
        row = index.facts.expressions[expression or 0]
        found = self.evaluate(index, scope, row[1], position)
        if row[0] != "reflected" or not any(value.kind in INSTANCES for value in found):
            return found
        return self.reflecting(self.evaluate(index, scope, row[3], position), found, str(row[2]))

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
        specials = BUILTINS.get(name, ())
        if given is None or not (specials or self.hands_on(name)):
            return
        passed = self.passed(given)
        for value, handed in self.handed_on(name, passed):
            if value.kind in ("symbol", "bound") or (value.kind == "group" and value.path in GETTERS):
                yield from self.callees(value, "argument", handed)
        for special in specials:
            for values in passed.positional:
                yield from self.implicit(known(values), special, "builtin")
        if name == "builtins.str.format":
            for _, values in passed.keywords:
                yield from self.implicit(known(values), "__format__", "builtin")
        elif name in OF_ITEMS and passed.positional and "key" not in dict(passed.keywords):
            items = passed.positional[:1] if len(passed.positional) == 1 else ()
            for values in items:
                yield from self.implicit(self.items_of(values), OF_ITEMS[name], "builtin")


def dispatching(site: Site) -> tuple[str, int]:
    """The class whose subclasses may have the member that was found at a site; ("", -1) if none can."""
    receiver = site.receiver
    return (receiver.path, receiver.number) if receiver is not None and is_open(receiver) else ("", -1)


def is_open(receiver: Value) -> bool:
    """Whether something of a subclass may stand in for an object or class."""
    return receiver.kind == "instance" or (receiver.kind == "symbol" and receiver.context == OPEN)


def special_name(index: FileIndex, expression: Expression) -> str:
    """The method that an implicit call names."""
    if isinstance(expression, str):
        return expression.rpartition(".")[2]
    return str(index.facts.expressions[expression or 0][2])
