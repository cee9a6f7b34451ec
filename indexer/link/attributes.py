"""What reading a member gives."""

from __future__ import annotations

from indexer.link.calls import FUNCTIONS, Calls
from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.taint import parameters
from indexer.link.values import INSTANCES, Site, Value, Values, union, unknown
from indexer.model import BindingKind, Expression, Flag

_CLASSMETHOD, _PROPERTY, _STATIC = int(Flag.CLASSMETHOD), int(Flag.PROPERTY), int(Flag.STATIC)
_SYMBOL, _VALUE = int(BindingKind.SYMBOL), int(BindingKind.VALUE)
_ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})


class Attributes(Calls):
    """Values of members and attributes."""

    def assigned(
        self, index: FileIndex, expression: Expression, annotation: Expression, origin: int, position: int
    ) -> Values:
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
            return self.binding_values(site.path, site.number)
        return self._symbol_values_at(index, site.number, receiver)

    def _symbol_values_at(self, index: FileIndex, number: int, receiver: Value | None) -> Values:
        symbol = index.symbols[number]
        if symbol.flags & _PROPERTY and (receiver is None or receiver.kind != "symbol"):
            context = 0 if receiver is None else self._with_receiver(index, number, receiver)
            return self.function_values(index.path, number, context)
        if symbol.kind in ("attribute", "variable"):
            return self.attribute_values(index.path, number, receiver.context if receiver is not None else 0)
        if number in index.decorated:
            found = self.decorated(index.path, number, 0)
        else:
            found = (Value("symbol", index.path, number),)
        if receiver is None or symbol.kind not in FUNCTIONS:
            return found
        return tuple([self._bound(value, receiver) for value in found])

    def _bound(self, value: Value, receiver: Value) -> Value:
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
        if not receiver.context and (
            receiver.kind != "made" or (receiver.path, receiver.number) == (index.path, index.symbols[method].parent)
        ):
            return 0
        function = index.functions.get(method)
        wanted = parameters(index, method).positional
        if function is None or not wanted or index.language.receiver != "first":
            return 0
        return self.contexts.make(index, method, function.origin, {wanted[0]: (receiver,)}, 0)

    def _class_attribute(self, index: FileIndex, number: int, receiver: Value) -> Values:
        """What a name of a class's body denotes when it is read from the class or an object of it."""
        binding = index.bindings[number]
        scope = index.scopes[binding.scope]
        if scope.kind == "class" and self.is_enum(index.path, scope.symbol):
            return (Value("made", index.path, scope.symbol),)
        values = self.binding_values(index.path, number)
        if receiver.kind in INSTANCES:
            return tuple([self._bound(value, receiver) if value.kind == "symbol" else value for value in values])
        return values

    @question
    def is_enum(self, path: str, symbol: int) -> bool:
        """Whether the names of a class's body are objects of the class."""
        return any(value.kind == "external" and value.path in _ENUMS for value in self.lineage(path, symbol))

    @question
    def attribute_values(self, path: str, symbol: int, context: int) -> Values:
        """What is assigned to an attribute, anywhere in its class; itself where it has members of its own."""
        index = self.indexes[path]
        row = index.symbols[symbol]
        owner = index.symbols[row.parent] if row.parent >= 0 else None
        scope = owner.scope if owner is not None else -1
        self.memo.context = context
        groups = [
            self.assigned(index, attribute.expression, attribute.annotation, attribute.origin, attribute.position)
            for attribute in index.attributes.get((scope, row.name), ())
            if attribute.target == symbol
        ]
        if scope >= 0:
            bound = index.names[scope].get(row.name)
            if bound:
                groups += [self.binding_values(path, n) for n in index.final(bound) if index.bindings[n].kind == _VALUE]
        self.look_up_name(path, f"{row.qualname}.*")
        if symbol in index.children:
            groups.append((Value("symbol", path, symbol),))
        return union(groups) if groups else (unknown("attribute without a known value"),)

    def members(self, values: Values, name: str) -> Values:
        """What `name` of any of these values denotes."""
        if len(values) == 1:
            sites = self.sites(values[0], name)
            if len(sites) == 1:
                return self.site_values(sites[0])
        return union([self.site_values(site) for value in values for site in self.sites(value, name)] or [()])
