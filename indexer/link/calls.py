"""What calling a value gives, and what reading a member gives."""

from __future__ import annotations

from indexer.link.index import END_OF_FILE, FileIndex
from indexer.link.memo import question
from indexer.link.types import Types
from indexer.link.values import Site, Value, Values, external, union, unknown
from indexer.model import BindingKind, Expression, Flag, Function

_ASYNC = int(Flag.ASYNC)
_ABSTRACT = int(Flag.ABSTRACT)
_DECLARATION = int(Flag.DECLARATION)
_GENERATOR = int(Flag.GENERATOR)
_PROPERTY = int(Flag.PROPERTY)
_PARAMETER = int(BindingKind.PARAMETER)
_SYMBOL, _VALUE = int(BindingKind.SYMBOL), int(BindingKind.VALUE)

_TRANSPARENT_DECORATORS = frozenset(
    {"property", "cached_property", "staticmethod", "classmethod", "abstractmethod", "wraps", "lru_cache", "cache"}
    | {"overload", "override", "final", "setter", "getter", "deleter", "deprecated", "abstractproperty"}
)


class Calls(Types):
    """Values of calls, members and attributes."""

    def assigned(
        self, index: FileIndex, expression: Expression, annotation: Expression, origin: int, position: int
    ) -> Values:
        raise NotImplementedError

    def is_function(self, value: Value) -> bool:
        return value.kind == "symbol" and self.indexes[value.path].symbols[value.number].kind == "function"

    def call_values(self, value: Value) -> Values:
        """What calling a value gives."""
        if value.kind == "symbol":
            symbol = self.indexes[value.path].symbols[value.number]
            if symbol.kind == "class":
                return (Value("instance", value.path, value.number),)
            if symbol.kind in ("function", "method", "lambda"):
                return self.function_values(value.path, value.number)
            return (unknown("called value is not followed"),)
        if value.kind == "instance":
            groups = [self.call_values(found) for found in self.members((value,), "__call__") if found.kind == "symbol"]
            return union(groups) if groups else (unknown("called value is not followed"),)
        if value.kind == "external":
            return (external(value.path),)
        return (value if value.kind == "unknown" else unknown("called value is not followed"),)

    @question
    def function_values(self, path: str, symbol: int) -> Values:
        """What a call of a function gives: its declared type, else what it returns if nothing wraps it."""
        index = self.indexes[path]
        self.look_up_name(path, f"{index.symbols[symbol].qualname}()")
        function = index.functions.get(symbol)
        if function is None:
            return (unknown("function without facts"),)
        flags = index.symbols[symbol].flags
        if flags & _GENERATOR:
            return (Value("generator", path, symbol),)
        around = index.scopes[function.origin].parent
        if not all(self._is_transparent(index, around, decorator) for decorator in function.decorators):
            return (unknown("function is wrapped by a decorator"),)
        if flags & _ASYNC or self.is_awaitable(index, function.annotation):
            return (Value("awaitable", path, symbol),)
        return self._result(index, function, flags)

    @question
    def awaited_values(self, path: str, symbol: int) -> Values:
        """What awaiting the result of a function gives."""
        index = self.indexes[path]
        self.look_up_name(path, f"{index.symbols[symbol].qualname}()")
        return self._result(index, index.functions[symbol], index.symbols[symbol].flags)

    def _result(self, index: FileIndex, function: Function, flags: int) -> Values:
        if function.annotation is not None:
            if self.is_awaitable(index, function.annotation):
                return self.awaited_instances(index, function.origin, function.annotation)
            return self.instances(index, function.origin, function.annotation)
        if flags & (_ABSTRACT | _DECLARATION) or not function.returns:
            return (unknown("function returns nothing known"),)
        return union([self.evaluate(index, function.origin, part, END_OF_FILE) for part in function.returns])

    def _is_transparent(self, index: FileIndex, scope: int, decorator: Expression) -> bool:
        """Whether a decorator leaves what a function gives: a known one, or one that returns its argument."""
        if isinstance(decorator, int):
            row = index.facts.expressions[decorator]
            return row[0] == "call" and isinstance(row[1], str) and row[1].rpartition(".")[2] in _TRANSPARENT_DECORATORS
        if not isinstance(decorator, str):
            return False
        if decorator.rpartition(".")[2] in _TRANSPARENT_DECORATORS:
            return True
        values = self.chain_values(index, scope, decorator, END_OF_FILE)
        return bool(values) and all(self._returns_its_argument(value) for value in values)

    def _returns_its_argument(self, value: Value) -> bool:
        """Whether its types say so (`def f(x: T) -> T`), or it gives back nothing but its first parameter."""
        if value.kind != "symbol" or value.number not in self.indexes[value.path].functions:
            return False
        index = self.indexes[value.path]
        self.look_up_name(value.path, f"{index.symbols[value.number].qualname}()")
        function = index.functions[value.number]
        for binding in index.bindings:
            if binding.scope == function.origin and binding.kind == _PARAMETER and binding.target == 0:
                self.look_up_name(value.path, f"{index.scope_names[function.origin]}.{binding.name}")
                if binding.annotation is not None and function.annotation is not None:
                    return isinstance(binding.annotation, str) and binding.annotation == function.annotation
                return bool(function.returns) and all(part == binding.name for part in function.returns)
        return False

    def site_values(self, site: Site) -> Values:
        """What a member found at a site denotes; reading a property runs it."""
        if site.value is not None:
            return (site.value,)
        index = self.indexes[site.path]
        if site.kind == "binding":
            binding = index.bindings[site.number]
            if binding.kind == _SYMBOL:
                return self._symbol_site_values(index, binding.target)
            return self.binding_values(site.path, site.number)
        return self._symbol_site_values(index, site.number)

    def _symbol_site_values(self, index: FileIndex, number: int) -> Values:
        symbol = index.symbols[number]
        if symbol.flags & _PROPERTY:
            return self.function_values(index.path, number)
        if symbol.kind in ("attribute", "variable"):
            return self.attribute_values(index.path, number)
        return (Value("symbol", index.path, number),)

    @question
    def attribute_values(self, path: str, symbol: int) -> Values:
        """What is assigned to an attribute, anywhere in its class; itself where it has members of its own."""
        index = self.indexes[path]
        row = index.symbols[symbol]
        owner = index.symbols[row.parent] if row.parent >= 0 else None
        scope = owner.scope if owner is not None else -1
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
