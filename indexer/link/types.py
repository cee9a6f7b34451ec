"""Annotations: which classes a declared type stands for."""

from __future__ import annotations

from indexer.link.index import END_OF_FILE, FileIndex
from indexer.link.members import Members
from indexer.link.memo import question
from indexer.link.values import Value, Values, external, union, unknown
from indexer.model import Expression, ExpressionRow

_CLASSLIKE = frozenset({"class", "interface", "enum"})
_TRANSPARENT = frozenset({"ClassVar", "Final", "Annotated", "Required", "NotRequired", "ReadOnly", "Optional"})
_AWAITABLE = frozenset({"Awaitable", "Coroutine", "Promise", "PromiseLike"})
_WRAPPED = frozenset({"Readonly", "Partial", "NonNullable", "Required"})
_CLASS_OF = frozenset({"type", "Type"})


class Types(Members):
    """Values that annotations declare."""

    def chain_values(self, index: FileIndex, scope: int, chain: str, position: int) -> Values:
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
            return self._generic(index, scope, row)
        if row[0] == "literal":
            return () if row[1] == "none" else (external(f"builtins.{row[1]}"),)
        if row[0] in ("member", "tuple"):
            return union([self._instance(v) for v in self.evaluate(index, scope, annotation, END_OF_FILE)] or [()])
        return (unknown("type is not followed"),)

    def _generic(self, index: FileIndex, scope: int, row: ExpressionRow) -> Values:
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
        return self.instances(index, scope, base)

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
        if value.kind != "symbol":
            return (value,)
        index = self.indexes[value.path]
        kind = index.symbols[value.number].kind
        if kind == "type":
            return self.alias_instances(value.path, value.number)
        if kind in _CLASSLIKE:
            return (Value("instance", value.path, value.number),)
        return (unknown("annotation does not name a class"),)

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
