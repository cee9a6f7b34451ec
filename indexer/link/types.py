"""Annotations: which classes a declared type stands for."""

from __future__ import annotations

from typing import Any

from indexer.link.index import END_OF_FILE, FileIndex
from indexer.link.members import Members
from indexer.link.memo import question
from indexer.link.values import Place, Value, Values, external, union, unknown
from indexer.model import Expression, ExpressionRow

_CLASSLIKE = frozenset({"class", "interface", "enum"})
_TRANSPARENT = frozenset({"ClassVar", "Final", "Annotated", "Required", "NotRequired", "ReadOnly", "Optional"})
_AWAITABLE = frozenset({"Awaitable", "Coroutine", "Promise", "PromiseLike"})
_WRAPPED = frozenset({"Readonly", "Partial", "NonNullable", "Required"})
_CLASS_OF = frozenset({"type", "Type"})
_ITERATORS = frozenset(
    {
        "list",
        "List",
        "set",
        "Set",
        "frozenset",
        "FrozenSet",
        "deque",
        "Deque",
        "Sequence",
        "MutableSequence",
        "Iterable",
    }
    | {"Iterator", "Generator", "Collection", "Container", "AbstractSet", "MutableSet", "Reversible", "AsyncIterable"}
    | {"AsyncIterator", "AsyncGenerator", "Array", "ReadonlyArray", "ContextManager", "AsyncContextManager"}
    | {"AbstractContextManager", "AbstractAsyncContextManager", "ReadonlySet", "KeysView", "ValuesView"}
)
_MAPPINGS = frozenset(
    {"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "DefaultDict", "OrderedDict", "WeakValueDictionary"}
    | {"Map", "ReadonlyMap", "Record", "ChainMap", "ItemsView"}
)
_TUPLES = frozenset({"tuple", "Tuple"})
_CALLABLE = frozenset({"Callable"})
_VARIABLES = frozenset({"typing.TypeVar", "typing_extensions.TypeVar"})


class Types(Members):
    """Values that annotations declare."""

    def chain_values(self, index: FileIndex, scope: int, chain: str, position: int) -> Values:
        raise NotImplementedError

    def items(self, value: Value, keys: Any = None, reader: Any = None) -> Values:
        raise NotImplementedError

    def instances(self, index: FileIndex, scope: int, annotation: Expression) -> Values:
        """What a value annotated so may be: instances of the classes that the annotation names."""
        if annotation is None:
            return (unknown("no annotation"),)
        if isinstance(annotation, str):
            if annotation.rpartition(".")[2] == "Self" and index.method(scope) >= 0:
                return (Value("instance", index.path, index.symbols[index.method(scope)].parent),)
            return union([self._instance(v) for v in self.chain_values(index, scope, annotation, END_OF_FILE)] or [()])
        row = index.facts.expressions[annotation]
        if row[0] == "union":
            return union([self.instances(index, scope, part) for part in row[1]] or [()])
        if row[0] == "item":
            return self._generic(index, scope, row, annotation)
        if row[0] == "literal":
            return () if row[1] == "none" else (external(f"builtins.{row[1]}"),)
        if row[0] == "tuple":
            return union(
                [self.instances(index, scope, part) for part in row[1] if not isinstance(part, list | tuple)] or [()]
            )
        if row[0] == "member":
            return union([self._instance(v) for v in self.evaluate(index, scope, annotation, END_OF_FILE)] or [()])
        return (unknown("type is not followed"),)

    def _generic(self, index: FileIndex, scope: int, row: ExpressionRow, number: int) -> Values:
        base, key = row[1], row[2]
        last = base.rpartition(".")[2] if isinstance(base, str) else ""
        inner = self._type_arguments(index, key)
        if last in _TRANSPARENT and inner:
            return self.instances(index, scope, inner[0])
        if last in _WRAPPED and inner:
            return self.instances(index, scope, inner[-1])
        if last in _AWAITABLE:
            return (unknown("has to be awaited"),)
        if last in _CLASS_OF and inner and isinstance(inner[0], str):
            return self.chain_values(index, scope, inner[0], END_OF_FILE)
        declared = self.instances(index, scope, base)
        if inner and (last in _ITERATORS or last in _MAPPINGS or last in _TUPLES or last in _CALLABLE):
            typed = Value("typed", index.path, Place(number, scope, 0).pack())
            return tuple(typed if v.kind == "external" else v for v in declared)
        return declared

    def typed_items(self, value: Value, keys: object) -> Values:
        """The items of a container by its annotation: `Foo` of `list[Foo]` and of `dict[str, Foo]`."""
        index, place, last, inner = self._typed(value)
        if last in _TUPLES:
            fixed = [part for part in inner if not self._is_ellipsis(index, part)]
            wanted = [key[1] for key in keys if key[0] == "int"] if isinstance(keys, tuple) else []
            if len(wanted) == 1 and len(fixed) == len(inner) and -len(fixed) <= wanted[0] < len(fixed):
                return self.instances(index, place.scope, fixed[wanted[0]])
            return union([self.instances(index, place.scope, part) for part in fixed] or [()])
        part = inner[-1] if last in _MAPPINGS else inner[0]
        return () if last in _CALLABLE else self.instances(index, place.scope, part)

    def typed_keys(self, value: Value) -> Values:
        index, place, _, inner = self._typed(value)
        return self.instances(index, place.scope, inner[0])

    def typed_result(self, value: Value) -> Values:
        """What calling something declared as `Callable[…, Foo]` gives."""
        index, place, last, inner = self._typed(value)
        return self.instances(index, place.scope, inner[-1]) if last in _CALLABLE else ()

    def _typed(self, value: Value) -> tuple[FileIndex, Place, str, list[Expression]]:
        index = self.indexes[value.path]
        place = Place.unpack(value.number)
        row = index.facts.expressions[place.row]
        return index, place, str(row[1]).rpartition(".")[2], self._type_arguments(index, row[2])

    @staticmethod
    def _is_ellipsis(index: FileIndex, part: Expression) -> bool:
        return part is None or (isinstance(part, int) and index.facts.expressions[part][0] in ("unknown", "literal"))

    def is_awaitable(self, index: FileIndex, annotation: Expression) -> bool:
        """Whether a declared type is one that has to be awaited: `Awaitable[T]`, `Promise<T>`."""
        row = index.facts.expressions[annotation] if isinstance(annotation, int) else ("",)
        return row[0] == "item" and isinstance(row[1], str) and row[1].rpartition(".")[2] in _AWAITABLE

    def awaited_instances(self, index: FileIndex, scope: int, annotation: int | str) -> Values:
        """What awaiting a value of such a type gives."""
        row = index.facts.expressions[annotation]  # type: ignore[index]
        inner = self._type_arguments(index, row[2])
        return self.instances(index, scope, inner[-1]) if inner else (unknown("has to be awaited"),)

    def _type_arguments(self, index: FileIndex, key: object) -> list[Expression]:
        if isinstance(key, int):
            row = index.facts.expressions[key]
            if row[0] == "tuple":
                return list(row[1])
        return [key] if isinstance(key, str | int) else []

    def _instance(self, value: Value) -> Values:
        if value.kind == "display":
            return union([self._instance(item) for item in self.items(value)] or [()])
        if value.kind != "symbol":
            return (value,)
        index = self.indexes[value.path]
        kind = index.symbols[value.number].kind
        if kind == "variable":
            return self.variable_type(value.path, value.number)
        if kind == "type":
            return self.alias_instances(value.path, value.number)
        if kind in _CLASSLIKE:
            return (Value("instance", value.path, value.number),)
        return (unknown("annotation does not name a class"),)

    @question
    def variable_type(self, path: str, symbol: int) -> Values:
        """Instances of what a variable stands for in annotations: the bound of a `TypeVar`, or an alias' classes."""
        index = self.indexes[path]
        self.look_up_name(path, f".{index.symbols[symbol].qualname}")
        found: list[Values] = []
        for number in index.names[0].get(index.symbols[symbol].name, ()):
            binding = index.bindings[number]
            expression = binding.expression
            row = index.facts.expressions[expression] if isinstance(expression, int) else ("",)
            if row[0] == "call" and isinstance(row[1], str):
                made = self.chain_values(index, binding.origin, row[1], binding.position)
                if not any(v.path in _VARIABLES for v in made):
                    continue
                for part in row[2]:
                    if isinstance(part, list | tuple) and part[0] == "=" and part[1] == "bound":
                        found.append(self.instances(index, binding.origin, part[2]))
            elif row[0] in ("item", "union"):
                found.append(self.instances(index, binding.origin, expression))
        return union(found) if found else (unknown("annotation does not name a class"),)

    @question
    def alias_instances(self, path: str, symbol: int) -> Values:
        """Instances of a type alias: of what it stands for, and of itself where it has members of its own."""
        index = self.indexes[path]
        self.look_up_name(path, f".{index.symbols[symbol].qualname}")
        self.look_up_name(path, f"{index.symbols[symbol].qualname}.*")
        own: Values = (Value("instance", path, symbol),) if symbol in index.children else ()
        binding = index.aliased(symbol)
        if binding is None or binding.annotation is None:
            return own or (unknown("type is not followed"),)
        return (*own, *self.instances(index, binding.origin, binding.annotation))
