"""Methods that syntax and built-in functions run by their special names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from indexer.link.engine import Engine
from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.values import DEFINITE, INSTANCES, Site, Sites, Value, Values
from indexer.model import BindingKind, Expression

_ARITHMETIC: Final = "add sub mul truediv floordiv mod matmul pow and or xor lshift rshift".split()
_DISPATCHERS: Final = frozenset({"singledispatch", "singledispatchmethod"})
_SYMBOL: Final = int(BindingKind.SYMBOL)
_ORDER: Final = ("__lt__", "__le__", "__gt__", "__ge__")
_FALLBACKS: Final = {
    **{f"__i{name}__": (f"__{name}__",) for name in _ARITHMETIC},
    "__contains__": ("__iter__", "__getitem__"),
    "__iter__": ("__getitem__",),
    "__ne__": ("__eq__",),
    "__bool__": ("__len__",),
    "__str__": ("__repr__",),
    "__format__": ("__str__", "__repr__"),
}
"""What runs in place of a method that a class does not have.

Source: https://docs.python.org/3/reference/datamodel.html#special-method-names
"""


class Special(Engine):
    """Special methods of objects and classes."""

    def special_sites(self, value: Value, name: str) -> tuple[str, Sites]:
        """The method that runs when syntax calls one of an object or class, and where it is defined."""
        if value.kind in INSTANCES:
            return self._of_object(value, name)
        if not self.is_class(value):
            return name, ()
        for meta in self.metaclasses(value.path, value.number):
            found = self._of_object(Value("instance", meta.path, meta.number), name)
            if found[1]:
                return found
        if name == "__getitem__":
            return name, tuple([site for site in self.sites(value, "__class_getitem__") if site.value is None])
        return name, ()

    def _of_object(self, value: Value, name: str) -> tuple[str, Sites]:
        sites = self.sites(value, name)
        defined = tuple([site for site in sites if site.value is None])
        if not defined and name == "__getitem__":  # of `dict`, outside
            missing = tuple([site for site in self.sites(value, "__missing__") if site.value is None])
            if missing:
                return name, missing
        if defined or not _are_absent(sites):
            return name, defined
        others = _FALLBACKS.get(name, ())
        if name in _ORDER and self.is_ordered(value.path, value.number):
            others = tuple([other for other in _ORDER if other != name])
        for other in others:
            found = tuple([site for site in self.sites(value, other) if site.value is None])
            if found:
                return other, found
        return name, ()

    def creating(self, index: FileIndex, symbol: int) -> Iterator[Site]:
        """Where the functions are defined that making a class runs: hooks of its bases, metaclass and attributes."""
        row = index.classes[symbol]
        bases = self.bases(index.path, symbol)
        if len(bases) == 1 and not row.keywords:
            if bases[0].kind == "symbol":
                yield from self.below(bases[0].path, bases[0].number)
        elif row.bases:
            yield from self.sites(Value("super", index.path, symbol), "__init_subclass__")
        if len(bases) > 1 or row.keywords:
            yield from self._by_metaclass(index.path, symbol)
        for numbers in index.names[index.symbols[symbol].scope].values():
            for number in numbers:
                if self.may_describe(index, number):
                    for value in self.objects_of(index, number):
                        if value.kind in INSTANCES and self.is_named(value.path, value.number):
                            yield from self.sites(value, "__set_name__")

    def objects_of(self, index: FileIndex, number: int) -> Values:
        """What a name of a class's body denotes, as far as it is an object; without what that is made with, which may
        take long to find."""
        binding = index.bindings[number]
        if binding.kind == _SYMBOL:
            return self.binding_values(index.path, number) if self._makes_objects(index, binding.target) else ()
        expression = binding.expression
        alone = binding.annotation is None and len(index.names[binding.scope][binding.name]) == 1
        if alone and isinstance(expression, int):  # a call, see `may_describe`
            function = index.facts.expressions[expression][1]
            made = self.evaluate(index, binding.origin, function, binding.position)
            if all(map(self.is_class, made)):
                return tuple([Value("made", value.path, value.number) for value in made])
        return self.binding_values(index.path, number)

    def _makes_objects(self, index: FileIndex, symbol: int) -> bool:
        """Whether a decorator of a function or class gives an object, whatever it is applied to."""
        around, decorators = self.decorators(index, symbol)
        position = index.symbols[symbol].name_byte
        applied = [value for part in decorators for value in self.evaluate(index, around, part, position)]
        return any(made.kind in INSTANCES for value in applied for made in self.call(value))

    @question
    def below(self, path: str, symbol: int) -> Sites:
        """Where the functions are defined that making a class runs whose only base is this one."""
        hooks = self.sites(Value("symbol", path, symbol), "__init_subclass__")
        return (*hooks, *self._by_metaclass(path, symbol))

    def _by_metaclass(self, path: str, symbol: int) -> Sites:
        return tuple(
            site
            for meta in self.metaclasses(path, symbol)
            for name in ("__new__", "__init__")
            for site in self.sites(Value("symbol", meta.path, meta.number), name)
        )

    @question
    def is_named(self, path: str, symbol: int) -> bool:
        """Whether the objects of a class are told under which name a class holds them: `__set_name__`."""
        return any(site.value is None for site in self.sites(Value("instance", path, symbol), "__set_name__"))

    def registered(self, path: str, symbol: int) -> tuple[int, ...]:
        """The functions of its file that a function under `functools.singledispatch` may hand a call on to."""
        return self.registered_with(path, symbol) if self.is_generic(path, symbol) else ()

    @question
    def registered_with(self, path: str, symbol: int) -> tuple[int, ...]:
        """The functions of its file that are registered with a generic function."""
        index = self.indexes[path]
        self.look_up_name(path, "[]")
        found = []
        for number in sorted(index.decorated.intersection(index.functions)):
            around, decorators = self.decorators(index, number)
            for decorator in decorators:
                chain = _chain(index, decorator)
                if chain.endswith(".register"):
                    values = self.evaluate(index, around, chain.rpartition(".")[0], index.symbols[number].name_byte)
                    if any((v.path, v.number) == (path, symbol) for v in values if v.kind in ("symbol", "bound")):
                        found.append(number)
        return tuple(found)

    def is_generic(self, path: str, symbol: int) -> bool:
        """Whether a function hands its calls on to those that are registered with it: `functools.singledispatch`."""
        index = self.indexes[path]
        if symbol not in index.decorated or symbol not in index.functions:
            return False
        self.look_up_name(path, f"{index.symbols[symbol].qualname}()")
        return any(_last_name(index, part) in _DISPATCHERS for part in index.functions[symbol].decorators)

    def registrations(self, index: FileIndex) -> Iterator[tuple[Value, Value]]:
        """The functions that a file registers with generic ones, wherever those are: (function, generic function).

        By `@g.register`, `@g.register(T)`, `g.register(T, f)` and `g.register(T)(f)`.
        """
        for number in sorted(index.decorated.intersection(index.functions)):
            around, decorators = self.decorators(index, number)
            for decorator in decorators:
                position = index.symbols[number].name_byte
                for generic in self._generics(index, around, _chain(index, decorator), position):
                    yield Value("symbol", index.path, number), generic
        for scope, chain, function, position in self._registering(index):
            for generic in self._generics(index, scope, chain, position):
                for value in self.evaluate(index, scope, function, position):
                    if self.is_running(value):
                        yield value, generic

    @staticmethod
    def _registering(index: FileIndex) -> Iterator[tuple[int, str, Expression, int]]:
        """The calls `g.register(T, f)` and `g.register(T)(f)` of a file: scope, `g.register`, `f` and position."""
        for scope, row, position in index.calls_named("register"):
            _, chain, arguments = index.facts.expressions[row]
            if len(arguments) == 2 and isinstance(chain, str) and not isinstance(arguments[1], (list, tuple)):
                yield scope, chain, arguments[1], position
        for call in index.facts.calls:
            _, function, arguments = index.facts.expressions[call.row]
            inner = index.facts.expressions[function] if isinstance(function, int) else ("",)
            chain = inner[1] if inner[0] == "call" and len(inner[2]) == 1 == len(arguments) else None
            if not isinstance(chain, str) or not chain.endswith(".register") or isinstance(arguments[0], (list, tuple)):
                continue
            for position in call.positions:
                yield call.scope, chain, arguments[0], position

    def _generics(self, index: FileIndex, scope: int, chain: str, position: int) -> Values:
        """The generic functions whose `register` a chain names."""
        named, _, last = chain.rpartition(".")
        values = self.evaluate(index, scope, named, position) if named and last == "register" else ()
        return tuple([v for v in values if v.kind in ("symbol", "bound") and self.is_generic(v.path, v.number)])

    def is_ordered(self, path: str, symbol: int) -> bool:
        """Whether `functools.total_ordering` gives a class the comparisons that it does not define."""
        return self.has_decorator(path, symbol, "total_ordering")

    @question
    def has_decorator(self, path: str, symbol: int, name: str) -> bool:
        """Whether a class, or one that it inherits from, stands under a decorator of that last name, called or not."""
        for value in self.lineage(path, symbol):
            if value.kind != "symbol":
                continue
            index = self.indexes[value.path]
            self.look_up_name(value.path, f"{index.symbols[value.number].qualname}:")
            row = index.classes.get(value.number)
            decorators = () if row is None else row.decorators
            if any(_last_name(index, part) == name for part in decorators):
                return True
        return False


def _chain(index: FileIndex, decorator: Expression) -> str:
    """The chain that a decorator names or calls; "" for any other."""
    row = index.facts.expressions[decorator] if isinstance(decorator, int) else ("",)
    named = row[1] if row[0] == "call" else decorator
    return named if isinstance(named, str) else ""


def _last_name(index: FileIndex, decorator: Expression) -> str:
    return _chain(index, decorator).rpartition(".")[2]


def _are_absent(sites: Sites) -> bool:
    """Whether a class surely has no method of its own, neither in the repository nor from outside."""
    values = [site.value for site in sites if site.value is not None]
    return all(
        value.path in DEFINITE if value.kind == "unknown" else value.path.startswith("builtins.object.")
        for value in values
    )
