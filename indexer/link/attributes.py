"""What reading a member gives."""

from __future__ import annotations

from typing import Final

from indexer.link.calls import FUNCTIONS
from indexer.link.containers import Keys
from indexer.link.contexts import RESULT
from indexer.link.descriptors import Descriptors, declared
from indexer.link.index import FileIndex
from indexer.link.members import is_record
from indexer.link.memo import question
from indexer.link.taint import parameters
from indexer.link.values import INSTANCES, Site, Value, Values, known, union, unknown
from indexer.model import Attribute, Binding, BindingKind, Expression, Flag, Function

_CLASSMETHOD: Final = int(Flag.CLASSMETHOD)
_PROPERTY: Final = int(Flag.PROPERTY)
_STATIC: Final = int(Flag.STATIC)
_SYMBOL: Final = int(BindingKind.SYMBOL)
_VALUE: Final = int(BindingKind.VALUE)
_RECORDS: Final = frozenset(
    f"{module}.{name}" for module in ("typing", "typing_extensions") for name in ("NamedTuple", "TypedDict")
)
_ENUMS: Final = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})


class Attributes(Descriptors):
    """Values of members and attributes."""

    def assigned(
        self, index: FileIndex, expression: Expression, annotation: Expression, origin: int, position: int
    ) -> Values:
        raise NotImplementedError

    def relevant(self, path: str, symbol: int) -> frozenset[str]:
        raise NotImplementedError

    def site_values(self, site: Site) -> Values:
        """What a member found at a site denotes; reading a property runs it."""
        if site.value is not None:
            return (site.value,)
        index = self.indexes[site.path]
        receiver = site.receiver
        if site.kind == "store":
            store = index.facts.stores[site.number]
            return self.read(index, store.scope, store.value, store.position, 0)
        if site.kind == "binding":
            binding = index.bindings[site.number]
            if binding.kind == _SYMBOL:
                return self._symbol_values_at(index, binding.target, receiver)
            if receiver is not None and binding.kind == _VALUE:
                return self._class_attribute(index, site.number, receiver)
            if receiver is not None and receiver.context > RESULT:  # a parameter that the constructor keeps
                return self.read_in(site.path, site.number, receiver.context)
            return self.binding_values(site.path, site.number)
        return self._symbol_values_at(index, site.number, receiver)

    def read_in(self, path: str, number: int, context: int) -> Values:
        """What a binding denotes in a context."""
        memo = self.memo
        outer, memo.context = memo.context, context
        try:
            return self.binding_values(path, number)
        finally:
            memo.context = outer

    def _symbol_values_at(self, index: FileIndex, number: int, receiver: Value | None) -> Values:
        symbol = index.symbols[number]
        if symbol.flags & _PROPERTY and (receiver is None or receiver.kind != "symbol"):
            context = 0 if receiver is None else self._with_receiver(index, number, receiver)
            return self.function_values(index.path, number, context)
        if symbol.kind in ("attribute", "variable"):
            return self.attribute_values(index.path, number, _context_of(receiver))
        if number in index.decorated:
            found = self.decorated(index.path, number, 0)
        else:
            found = (Value("symbol", index.path, number),)
        if receiver is None or symbol.kind not in FUNCTIONS:
            return found
        if receiver.kind in INSTANCES and number in index.decorated:
            found = union([self.described(value, receiver) for value in found] or [()])
        return tuple([self.bound(value, receiver) for value in found])

    def bound(self, value: Value, receiver: Value) -> Value:
        """A method as it is taken from an object or a class."""
        if value.kind != "symbol":
            return value
        index = self.indexes[value.path]
        symbol = index.symbols[value.number]
        if symbol.kind not in FUNCTIONS or symbol.flags & _STATIC:
            return value
        if receiver.kind == "symbol" and not symbol.flags & _CLASSMETHOD:
            return value
        if value.context:
            return Value("bound", value.path, value.number, value.context)
        return Value("bound", value.path, value.number, self._with_receiver(index, value.number, receiver))

    def _with_receiver(self, index: FileIndex, method: int, receiver: Value) -> int:
        """The context of a method of an object that is known better than by the class the method stands in."""
        function = index.functions.get(method)
        if receiver.context <= RESULT:
            if (receiver.path, receiver.number) == (index.path, index.symbols[method].parent):
                return 0
            if function is None or not self._gives_receiver(index, function):
                return 0
        wanted = parameters(index, method).positional
        if function is None or not wanted or index.language.receiver != "first":
            return 0
        name = index.bindings[wanted[0]].name
        read = name in (self.in_result(index.path, method) or ())
        read = read or (receiver.context > RESULT and name in self.relevant(index.path, method))
        if not read and (function.annotation is None or not self.declares_by_object(index.path, method)):
            return 0
        return self.contexts.make(index, method, function.origin, {wanted[0]: (receiver,)}, 0)

    def _gives_receiver(self, index: FileIndex, function: Function) -> bool:
        """Whether what a method gives depends on the object's class: it returns the object or another of its class."""
        if function.annotation is not None:
            return self.declares_by_object(index.path, function.symbol)
        wanted = parameters(index, function.symbol).positional
        if not wanted or not any(isinstance(part, str) and "." not in part for part in function.returns):
            return False
        return index.bindings[wanted[0]].name in self.in_result(index.path, function.symbol)

    def _class_attribute(self, index: FileIndex, number: int, receiver: Value) -> Values:
        """What a name of a class's body denotes when it is read from the class or an object of it."""
        binding = index.bindings[number]
        scope = index.scopes[binding.scope]
        if scope.kind == "class" and self.is_enum(index.path, scope.symbol):
            return (Value("made", index.path, scope.symbol),)
        if receiver.kind not in INSTANCES:
            return self.binding_values(index.path, number)
        generic = receiver.context > RESULT and binding.annotation is not None
        if binding.target >= 0 and (generic or (binding.scope, binding.name) in index.attributes):  # may have another
            values = self.attribute_values(index.path, binding.target, receiver.context)
        else:
            values = self.binding_values(index.path, number)
        if self.may_describe(index, number) and self.descriptors(index.path, number):
            values = union([self.described(value, receiver) for value in values])
        if is_static(index, binding):
            return values
        return tuple([self.bound(value, receiver) if value.kind == "symbol" else value for value in values])

    @question
    def is_enum(self, path: str, symbol: int) -> bool:
        """Whether the names of a class's body are objects of the class."""
        return any(value.kind == "external" and value.path in _ENUMS for value in self.lineage(path, symbol))

    @question
    def fields(self, path: str, symbol: int) -> tuple[str, ...]:
        """The fields of a named tuple or typed dict, in order; `()` for other classes."""
        lineage = self.lineage(path, symbol)
        if not any((v.kind == "external" and v.path in _RECORDS) or is_record(v) for v in lineage):
            return ()
        found: dict[str, None] = {}
        for value in reversed(lineage):
            if is_record(value):
                return self.record_fields(value)
            if value.kind != "symbol":
                continue
            index = self.indexes[value.path]
            self.look_up_name(value.path, f"{index.symbols[value.number].qualname}[]")
            found.update(dict.fromkeys(declared(index, value.number)))
        return tuple(found)

    def field_items(self, value: Value, keys: Keys) -> Values:
        """The items of a named tuple, by number, or of a typed dict, by name; all of them where `keys` is None."""
        names = self.fields(value.path, value.number)
        if keys is not None:
            numbers = range(-len(names), len(names))
            names = tuple([names[key[1]] if key[0] == "int" else key[1] for key in keys
                           if (key[1] in numbers if key[0] == "int" else key[1] in names)])  # fmt: skip
        return union([known(self.members((value,), name)) for name in names] or [()])

    @question
    def attribute_values(self, path: str, symbol: int, context: int) -> Values:
        """What is assigned to an attribute, anywhere in its class; itself where it has members of its own."""
        index = self.indexes[path]
        row = index.symbols[symbol]
        owner = index.symbols[row.parent] if row.parent >= 0 else None
        scope = owner.scope if owner is not None else -1
        self.memo.context = context
        rows = [a for a in index.attributes.get((scope, row.name), ()) if a.target == symbol]
        bound = index.final(index.names[scope].get(row.name, [])) if scope >= 0 else ()
        numbers = [number for number in bound if index.bindings[number].kind == _VALUE]
        groups = [self._set(index, a) for a in rows if a.annotation is not None]
        groups += [self.binding_values(path, n) for n in numbers if index.bindings[n].annotation is not None]
        if not any(value.kind in INSTANCES for values in groups for value in values):
            groups += [self._set(index, a) for a in rows if a.annotation is None]
            groups += [self.binding_values(path, n) for n in numbers if index.bindings[n].annotation is None]
        self.look_up_name(path, f"{row.qualname}.*")
        if symbol in index.children:
            groups.append((Value("symbol", path, symbol),))
        return union(groups) if groups else (unknown("attribute without a known value"),)

    def _set(self, index: FileIndex, row: Attribute) -> Values:
        return self.assigned(index, row.expression, row.annotation, row.origin, row.position)

    def members(self, values: Values, name: str) -> Values:
        """What `name` of any of these values denotes."""
        if len(values) == 1:
            sites = self.sites(values[0], name)
            if len(sites) == 1:
                return self.site_values(sites[0])
        return union([self.site_values(site) for value in values for site in self.sites(value, name)] or [()])


def _context_of(receiver: Value | None) -> int:
    """What is known of the object or class whose attribute is read."""
    return 0 if receiver is None or receiver.context <= RESULT else receiver.context


def is_static(index: FileIndex, binding: Binding) -> bool:
    """`name = staticmethod(f)`."""
    row = index.facts.expressions[binding.expression] if isinstance(binding.expression, int) else ("",)
    return bool(row[0] == "call" and row[1] == "staticmethod")
