"""Annotations: which classes a declared type stands for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from indexer.link.generics import VARIABLES, Generics, type_arguments
from indexer.link.index import END_OF_FILE, FileIndex
from indexer.link.members import is_record
from indexer.link.memo import question
from indexer.link.values import INSTANCES, Place, Value, Values, external, known, union, unknown
from indexer.model import BindingKind, Expression, ExpressionRow

_CLASSLIKE: Final = frozenset({"class", "interface", "enum"})
_TRANSPARENT: Final = frozenset({"ClassVar", "Final", "Annotated", "Required", "NotRequired", "ReadOnly", "Optional"})
WRAPPERS: Final = frozenset({"Awaitable", "Coroutine", "Promise", "PromiseLike"})
_WRAPPED: Final = frozenset({"Readonly", "Partial", "NonNullable", "Required"})
CLASS_OF: Final = frozenset({"type", "Type"})
ITERABLES: Final = frozenset(
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
MAPPINGS: Final = frozenset(
    {"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "DefaultDict", "OrderedDict", "WeakValueDictionary"}
    | {"Map", "ReadonlyMap", "Record", "ChainMap", "ItemsView"}
)
HOLDERS: Final = frozenset({"ContextVar", "Queue", "SimpleQueue", "LifoQueue", "PriorityQueue", "WeakSet", "UserList"})
"""Generic types of the library that give what they hold, beside the iterables."""

FUTURES: Final = frozenset({"Future", "Task"})
REFERENCES: Final = frozenset({"ref", "ReferenceType", "WeakMethod"})
TUPLES: Final = frozenset({"tuple", "Tuple"})
CALLABLE: Final = frozenset({"Callable"})
OPEN_TYPES: Final = frozenset({"Any", "Callable", "object"})
_UNIONS: Final = frozenset({"Union", "Optional"})
NEW_TYPES: Final = frozenset({"typing.NewType", "typing_extensions.NewType"})
_VALUE: Final = int(BindingKind.VALUE)
_RECORDS: Final = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple", "collections.namedtuple"})
_BOUNDS: Final = (("=", "bound"), ["=", "bound"])
_TYPED: Final = ITERABLES | MAPPINGS | HOLDERS | FUTURES | REFERENCES | TUPLES | CALLABLE | WRAPPERS
_CALLED: Final = CALLABLE | REFERENCES
_AWAITED: Final = WRAPPERS | FUTURES
_NO_CLASS: Final = (unknown("annotation does not name a class"),)


class Types(Generics):
    """Values that annotations declare."""

    def chain_values(self, index: FileIndex, scope: int, chain: str, position: int) -> Values:
        raise NotImplementedError

    def items(self, value: Value, keys: Any = None, reader: Any = None) -> Values:
        raise NotImplementedError

    def record_of(self, value: Value) -> Values:
        raise NotImplementedError

    def instances(self, index: FileIndex, scope: int, annotation: Expression) -> Values:
        """What a value annotated so may be: instances of the classes that the annotation names."""
        if annotation is None:
            return (unknown("no annotation"),)
        if isinstance(annotation, str):
            return self._named(index, scope, annotation)
        row = index.facts.expressions[annotation]
        if row[0] == "union":
            return union([self.instances(index, scope, part) for part in row[1]] or [()])
        if row[0] == "item":
            return self._generic(index, scope, row, annotation)
        if row[0] == "literal":
            if row[1] == "str" and len(row) > 2 and row[2].replace(".", "_").isidentifier():  # `cast("Foo", x)`
                return self._named(index, scope, row[2])
            if row[1] == "str":  # a type in quotes where an expression stands: `cast("Foo", x)`
                text = str(row[2]) if len(row) > 2 else ""
                quoted = text.replace(".", "").isidentifier()
                return self._named(index, scope, text) if quoted else (unknown("type is not followed"),)
            return () if row[1] == "none" else (external(f"builtins.{row[1]}"),)
        if row[0] == "tuple":
            return union(
                [self.instances(index, scope, part) for part in row[1] if not isinstance(part, (list, tuple))] or [()]
            )
        if row[0] == "member":
            return union([self._instance(v) for v in self.evaluate(index, scope, annotation, END_OF_FILE)] or [()])
        return (unknown("type is not followed"),)

    def _named(self, index: FileIndex, scope: int, name: str) -> Values:
        """Instances of what a name in an annotation stands for."""
        if name.rpartition(".")[2] == "Self" and index.method(scope) >= 0:
            return self.receiver_type(index, index.method(scope))
        if "." not in name:
            found = index.find(scope, name)
            if found is not None and index.bindings[found[1][0]].kind == _VALUE:
                argument = self.argument(index, scope, name)
                if argument is not None:
                    return argument
                if self.is_of_receiver(index, scope, name):
                    return self.receiver_type(index, index.method(scope))
                aliased = self._variable(index, scope, name)
                if aliased is not None:
                    return aliased
        values = self.chain_values(index, scope, name, END_OF_FILE)
        if not known(values) or any(v.path in NEW_TYPES for v in values):
            return self._imported_variable(index, scope, name) or values
        if len(values) == 1 and values[0].kind == "external" and values[0].path in VARIABLES:
            argument = self.argument(index, scope, name)
            variable = self.variable(index, scope, name)
            return argument or (values if variable is None else self.variable_type(*variable))
        return union([self._instance(v) for v in values] or [()])

    def _imported_variable(self, index: FileIndex, scope: int, name: str) -> Values:
        """Instances of what a variable of another module stands for in annotations."""
        head = self.head(index, scope, name, END_OF_FILE) if "." not in name else None
        if head is None or len(head[1]) != 1:
            return ()
        sites = self.binding_sites(index.path, head[1][0])
        return union([self.variable_type(s.path, s.number) for s in sites if s.kind == "binding"] or [()])

    def _variable(self, index: FileIndex, scope: int, name: str) -> Values | None:
        """Instances of what a variable stands for in annotations; None where it is read like any other value."""
        head = self.head(index, scope, name, END_OF_FILE)
        if head is None or len(head[1]) != 1:
            return None
        number = head[1][0]
        expression = index.bindings[number].expression
        if not isinstance(expression, int) or index.facts.expressions[expression][0] not in ("call", "item", "union"):
            return None
        return self.variable_type(index.path, number)

    def _generic(self, index: FileIndex, scope: int, row: ExpressionRow, number: int) -> Values:
        base, key = row[1], row[2]
        last = base.rpartition(".")[2] if isinstance(base, str) else ""
        inner = type_arguments(index, key)
        if last in _TRANSPARENT and inner:
            return self.instances(index, scope, inner[0])
        if last in _WRAPPED and inner:
            return self.instances(index, scope, inner[-1])
        if last in _UNIONS:
            return union([self.instances(index, scope, part) for part in inner] or [()])
        if last in CLASS_OF and inner:
            return self._class_named(index, scope, inner[0])
        declared = self.instances(index, scope, base)
        if inner and last in _TYPED:
            typed = Value("typed", index.path, Place(number, scope, 0).pack(), self._needed(index, scope, number))
            return tuple(typed if v.kind == "external" else v for v in declared)
        if not inner or all(v.kind != "instance" for v in declared):
            return declared
        return tuple(self.given_arguments(v, index, scope, inner) if v.kind == "instance" else v for v in declared)

    def _class_named(self, index: FileIndex, scope: int, part: Expression) -> Values:
        """The class of `type[Foo]`; classes of `type[Foo | Bar]`."""
        made = [v for v in self.instances(index, scope, part) if v.kind in INSTANCES]
        return tuple([Value("symbol", v.path, v.number, v.context) for v in made]) or (unknown("type is not followed"),)

    def _needed(self, index: FileIndex, scope: int, annotation: int) -> int:
        """The context that a declared container is to be read in: none where its type has no type variables."""
        return self.memo.context if self.memo.context and self.mentioned(index, scope, annotation) else 0

    def typed_parts(self, value: Value, parts: Iterable[Expression]) -> Values:
        """Instances of some parts of the annotation of a container, or of something that is called."""
        index, place, _, _ = self._typed(value)
        memo = self.memo
        outer, memo.context = memo.context, value.context
        try:
            return union([self.instances(index, place.scope, part) for part in parts] or [()])
        finally:
            memo.context = outer

    def typed_items(self, value: Value, keys: object) -> Values:
        """The items of a container by its annotation: `Foo` of `list[Foo]` and of `dict[str, Foo]`."""
        index, _, last, inner = self._typed(value)
        if last in TUPLES:
            fixed = [part for part in inner if not self._is_ellipsis(index, part)]
            wanted = [key[1] for key in keys if key[0] == "int"] if isinstance(keys, tuple) else []
            if len(wanted) == 1 and len(fixed) == len(inner) and -len(fixed) <= wanted[0] < len(fixed):
                return self.typed_parts(value, (fixed[wanted[0]],))
            return self.typed_parts(value, fixed)
        part = inner[-1] if last in MAPPINGS else inner[0]
        return () if last in _CALLED or last in _AWAITED else self.typed_parts(value, (part,))

    def typed_keys(self, value: Value) -> Values:
        return self.typed_parts(value, self._typed(value)[3][:1])

    def typed_result(self, value: Value) -> Values:
        """What calling something declared as `Callable[…, Foo]` or `weakref.ref[Foo]` gives."""
        _, _, last, inner = self._typed(value)
        return self.typed_parts(value, inner[-1:]) if last in _CALLED else ()

    def is_open_type(self, declared: Value) -> bool:
        """Whether a declared type says less than the value that is there: `Callable[…]`, `Any`, `F`, a protocol of
        functions."""
        if declared.kind == "instance":
            return self.is_callback(declared.path, declared.number)
        if declared.kind == "typed":
            return self._typed(declared)[2] in CALLABLE
        if declared.kind == "external":
            return declared.path.rpartition(".")[2] in OPEN_TYPES
        return declared.kind == "unknown"

    def typed_parameters(self, value: Value) -> tuple[Values, ...]:
        """What something declared as `Callable[[Foo, Bar], …]` is called with; `()` where that is not said."""
        index, _, last, inner = self._typed(value)
        taken = inner[0] if last in CALLABLE and inner else None
        row = index.facts.expressions[taken] if isinstance(taken, int) else ("",)
        return tuple(self.typed_parts(value, (part,)) for part in row[1]) if row[0] == "list" else ()

    def typed_awaited(self, value: Value) -> Values:
        """What awaiting something declared as `Awaitable[Foo]` gives; anything else is given as it is."""
        _, _, last, inner = self._typed(value)
        return self.typed_parts(value, inner[-1:]) if last in _AWAITED else (value,)

    def _typed(self, value: Value) -> tuple[FileIndex, Place, str, list[Expression]]:
        index = self.indexes[value.path]
        place = Place.unpack(value.number)
        row = index.facts.expressions[place.row]
        return index, place, str(row[1]).rpartition(".")[2], type_arguments(index, row[2])

    @staticmethod
    def _is_ellipsis(index: FileIndex, part: Expression) -> bool:
        return part is None or (isinstance(part, int) and index.facts.expressions[part][0] in ("unknown", "literal"))

    def is_awaitable(self, index: FileIndex, annotation: Expression) -> bool:
        """Whether a declared type is one that has to be awaited: `Awaitable[T]`, `Promise<T>`."""
        row = index.facts.expressions[annotation] if isinstance(annotation, int) else ("",)
        return row[0] == "item" and isinstance(row[1], str) and row[1].rpartition(".")[2] in WRAPPERS

    def awaited_instances(self, index: FileIndex, scope: int, annotation: int | str) -> Values:
        """What awaiting a value of such a type gives."""
        row = index.facts.expressions[annotation]  # type: ignore[index]
        inner = type_arguments(index, row[2])
        return self.instances(index, scope, inner[-1]) if inner else (unknown("has to be awaited"),)

    def _instance(self, value: Value) -> Values:
        if value.kind == "display":
            return union([self._instance(item) for item in self.items(value)] or [()])
        if is_record(value):
            return self.record_of(value)
        if value.kind != "symbol":
            return (value,)
        index = self.indexes[value.path]
        kind = index.symbols[value.number].kind
        if kind == "type":
            return self.alias_instances(value.path, value.number)
        if kind in _CLASSLIKE:
            context = self.inherited_arguments(value.path, value.number, 0) or 0  # `()` in a cycle
            return (Value("instance", value.path, value.number, context),)
        return _NO_CLASS

    @question
    def variable_type(self, path: str, number: int) -> Values:
        """Instances of what a variable stands for in annotations: the bound of a `TypeVar`, or an alias' classes."""
        index = self.indexes[path]
        binding = index.bindings[number]
        self.look_up(index, binding.scope, binding.name)
        expression = binding.expression
        row = index.facts.expressions[expression] if isinstance(expression, int) else ("",)
        if row[0] in ("item", "union"):
            return self.instances(index, binding.origin, expression)
        if row[0] == "call" and isinstance(row[1], str):
            made = self.chain_values(index, binding.origin, row[1], binding.position)
            if any(v.path in NEW_TYPES for v in made) and len(row[2]) == 2:
                return self.instances(index, binding.origin, row[2][1])
            if any(v.path in _RECORDS for v in made):
                return union([self._instance(v) for v in self.evaluate(index, binding.origin, expression, END_OF_FILE)])
            if any(v.path in VARIABLES for v in made):
                parts = [part for part in row[2] if isinstance(part, (list, tuple)) and part[:2] in _BOUNDS]
                return union([self.instances(index, binding.origin, part[2]) for part in parts] or [_NO_CLASS])
        return _NO_CLASS

    @question
    def alias_instances(self, path: str, symbol: int) -> Values:
        """Instances of a type alias: of what it stands for, and of itself where it has members of its own."""
        index = self.indexes[path]
        row = index.symbols[symbol]
        owner = index.symbols[row.parent]
        self.look_up_name(path, f"{owner.qualname if owner.parent >= 0 else ''}.{row.name}")
        self.look_up_name(path, f"{row.qualname}.*")
        own: Values = (Value("instance", path, symbol),) if symbol in index.children else ()
        binding = index.aliased(symbol)
        if binding is None or binding.annotation is None:
            return own or (unknown("type is not followed"),)
        return (*own, *self.instances(index, binding.origin, binding.annotation))
