"""Class attributes that run code when they are read from an object: properties made by calls, and descriptors."""

from __future__ import annotations

from typing import Final

from indexer.link.arguments import Passed
from indexer.link.decorating import Decorating
from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.shapes import filled
from indexer.link.taint import parameters
from indexer.link.values import INSTANCES, Site, Sites, Value, Values, union
from indexer.model import Binding, BindingKind

_SYMBOL: Final = int(BindingKind.SYMBOL)
_VALUE: Final = int(BindingKind.VALUE)
GET: Final = "__get__"
SET: Final = "__set__"
DELETE: Final = "__delete__"
_BUILT_IN: Final = frozenset(
    {"abstractmethod", "cached_property", "classmethod", "overload", "property", "staticmethod"}
)
_FUNCTIONS: Final = {GET: ("str", "get"), SET: ("str", "set")}


class Descriptors(Decorating):
    """What stands behind reading and setting attributes."""

    def bound(self, value: Value, receiver: Value) -> Value:
        raise NotImplementedError

    @question
    def descriptors(self, path: str, number: int) -> Values:
        """The descriptors that a binding of a class's body holds: objects with `__get__` or `__set__`, properties."""
        index = self.indexes[path]
        binding = index.bindings[number]
        self.look_up(index, binding.scope, binding.name)
        return tuple([v for v in self.binding_values(path, number) if self.is_property(v) or self._has_methods(v)])

    def getter_given(self, path: str, symbol: int) -> Sites:
        """The parameter of the constructor of a class below `property` that is the `fget` of its objects."""
        if all(value.path != "builtins.property" for value in self.lineage(path, symbol)):
            return ()
        made = self.constructor(path, symbol)
        if not made:
            return ()
        index = self.indexes[made.path]
        self.look_up_name(made.path, filled(index.symbols[made.number].qualname, 2))
        taken = parameters(index, made.number).positional[1:2]
        return tuple([Site("binding", made.path, number, "inheritance") for number in taken])

    def is_deleter(self, index: FileIndex, symbol: int) -> bool:
        """Whether a function is under `@name.deleter`."""
        self.look_up_name(index.path, f"{index.symbols[symbol].qualname}()")
        function = index.functions.get(symbol)
        decorators = () if function is None else function.decorators
        return any(isinstance(part, str) and part.endswith(".deleter") for part in decorators)

    def is_property(self, value: Value) -> bool:
        """Whether a value is what `property(f)` gives."""
        return value.kind == "group" and value.path == "property"

    def _has_methods(self, value: Value) -> bool:
        return value.kind in INSTANCES and self.is_descriptor(value.path, value.number)

    @question
    def is_descriptor(self, path: str, symbol: int) -> bool:
        """Whether a class in the repository defines `__get__` or `__set__`, itself or by inheritance."""
        lineage = [value for value in self.lineage(path, symbol) if value.kind == "symbol"]
        return any(self.own_sites(self.indexes[v.path], v.number, name, "") for v in lineage for name in _FUNCTIONS)

    def accessors(self, value: Value, receiver: Value, name: str) -> Values:
        """The functions that reading (`__get__`) or setting (`__set__`) a descriptor of an object runs."""
        if not self.is_property(value):
            return tuple([v for v in self.members((value,), name) if v.kind in ("bound", "symbol")])
        functions = union([v for key, v in self.groups[value.number].items if key == _FUNCTIONS.get(name)] or [()])
        return tuple([self.bound(v, receiver) for v in functions if self.is_running(v)])

    def described(self, value: Value, receiver: Value) -> Values:
        """What reading a class attribute of an object gives that holds this value."""
        if not self.is_property(value) and not self._has_methods(value):
            return (value,)
        functions = self.accessors(value, receiver, GET)
        given = None if self.is_property(value) else Passed(((receiver,), ()))
        return union([self.call(function, given) for function in functions]) if functions else (value,)

    def describes(self, site: Site) -> bool:
        """Whether reading or setting a class attribute of an object runs code."""
        receiver = site.receiver
        if site.kind != "binding" or receiver is None or receiver.kind not in INSTANCES:
            return False
        index = self.indexes[site.path]
        return self.may_describe(index, site.number) and bool(self.descriptors(site.path, site.number))

    def may_describe(self, index: FileIndex, number: int) -> bool:
        """Whether a binding of a class's body holds what a call or a decorator gives, as descriptors are written: cheap
        to ask."""
        binding = index.bindings[number]
        if binding.kind == _SYMBOL:
            return binding.target in index.decorated and not self._is_plain(index, binding)
        expression = binding.expression
        if binding.kind != _VALUE or not isinstance(expression, int) or binding.target < 0:
            return False
        return index.facts.expressions[expression][0] == "call" and index.scopes[binding.scope].kind == "class"

    @staticmethod
    def _is_plain(index: FileIndex, binding: Binding) -> bool:
        """Whether a decorated name of a class's body is surely no descriptor of the repository by its decorators."""
        function = index.functions.get(binding.target)
        if function is None or index.scopes[binding.scope].kind != "class":
            return True
        return all(isinstance(part, str) and part in _BUILT_IN for part in function.decorators)

    def accessed(self, site: Site, name: str) -> list[tuple[Value, int]]:
        """The functions that reading or setting what stands at a site runs, and the contexts of these calls."""
        receiver = site.receiver
        if receiver is None:
            return []
        found = [f for v in self.descriptors(site.path, site.number) for f in self.accessors(v, receiver, name)]
        return [(function, function.context) for function in found if self.is_running(function)]


def declared(index: FileIndex, symbol: int) -> list[str]:
    """The names that a class's body declares with a type, in order."""
    names = index.names[index.symbols[symbol].scope]
    return [name for name, numbers in names.items() if index.bindings[numbers[0]].annotation is not None]
