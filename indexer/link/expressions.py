"""What the rows of a file's expressions denote."""

from __future__ import annotations

from typing import Any, Final

from indexer.link.arguments import CallSite
from indexer.link.containers import ITEM, Keys
from indexer.link.generics import type_arguments
from indexer.link.index import FileIndex
from indexer.link.library import CASTS, FUTURE, IS_DYNAMIC, MADE
from indexer.link.memo import question
from indexer.link.plugins import PLUGIN_METHODS
from indexer.link.records import RECORD_METHODS
from indexer.link.reflected import REFLECTED, Reflected
from indexer.link.types import NEW_TYPES
from indexer.link.values import CONTAINERS, DEFINITE, INSTANCES, Value, Values, external, known, union, unknown
from indexer.model import Expression, ExpressionRow

_EMPTY: Final = frozenset({"list", "dict", "set", "tuple"})
_ITEM_METHODS: Final = frozenset(
    {"get", "get_nowait", "getlist", "pop", "popleft", "setdefault", "__getitem__", "__next__", "__anext__"}
)
_SELF_METHODS: Final = frozenset({"copy", "values", "__iter__", "union", "most_common"})
_JOINS: Final = frozenset({"__add__", "__or__"})
_OPERATORS: Final = frozenset(
    f"__{name}__"
    for name in "add sub mul truediv floordiv mod matmul pow and or xor lshift rshift neg pos invert".split()
) | frozenset(REFLECTED.values())
_CONTAINER_METHODS: Final = (
    _OPERATORS
    | _ITEM_METHODS
    | _SELF_METHODS
    | RECORD_METHODS
    | PLUGIN_METHODS
    | {"items", "keys", "enter_context", "enter_async_context", "result"}
)
_GROUP_METHODS: Final = RECORD_METHODS | PLUGIN_METHODS
_DISPLAYS: Final = frozenset({"list", "tuple", "set", "dict", "each"})
_MAX_CONSTANT: Final = 60
_TEXTS: Final = ("builtins.str", "builtins.bytes", "os.environ", "sys.argv")
"""What holds nothing but text."""


class Expressions(Reflected):
    """Values of expressions that are more than a chain of names."""

    def evaluate(self, index: FileIndex, scope: int, expression: Expression, position: int) -> Values:
        if isinstance(expression, str):
            return self.chain_values(index, scope, expression, position)
        if expression is None:
            return (unknown("no value"),)
        row = index.facts.expressions[expression]
        kind = row[0]
        if kind == "literal":
            return self._literal_values(index, scope, expression, row, position)
        if kind in _DISPLAYS:
            return self.display(index, scope, expression, position)
        if kind == "call" and isinstance(row[1], str):  # not worth keeping: few links, asked once or twice
            return self._call_values(index, scope, expression, row, position)
        context = self.memo.context
        if context:
            context = self.contexts.around(context, index, scope)
        return self.row_values(index.path, scope, expression, position, context)

    @question
    def row_values(self, path: str, scope: int, number: int, position: int, context: int) -> Values:
        """What a row of `expressions` denotes."""
        self.memo.context = context
        return self.row(self.indexes[path], scope, number, position)

    def row(self, index: FileIndex, scope: int, number: int, position: int) -> Values:
        row = index.facts.expressions[number]
        handler = _HANDLERS.get(row[0])
        if handler is None:
            return (unknown("expression is not followed"),)
        found: Values = handler(self, index, scope, number, row, position)
        return found

    def _literal_values(self, index: FileIndex, scope: int, number: int, row: ExpressionRow, position: int) -> Values:
        kind = row[1]
        if kind == "none":
            return ()
        if len(row) > 2:
            if kind == "int" or kind == "bool" or (kind == "str" and len(row[2]) <= _MAX_CONSTANT):
                return (self.constant(kind, row[2]),)
            if kind == "affix":
                return (external("builtins.str"),)
        elif kind in _EMPTY and (index.facts.stores or index.facts.calls):
            return self.display(index, scope, number, position)
        return (external(f"builtins.{kind}"),)

    def _display_values(self, index: FileIndex, scope: int, number: int, row: ExpressionRow, position: int) -> Values:
        return self.display(index, scope, number, position)

    # -- calls

    def _call_values(self, index: FileIndex, scope: int, number: int, row: ExpressionRow, position: int) -> Values:
        function, arguments = row[1], row[2]
        if function == "super" and index.language.receiver == "first" and index.find(scope, "super") is None:
            return self._super(index, scope, arguments, position)
        callees = self.evaluate(index, scope, function, position)
        if callees == (ITEM,) and isinstance(function, int) and index.facts.expressions[function][0] == "item":
            return self.instances(index, scope, function)  # `ContextVar[Foo]("name")`, `list[Foo]()`
        if len(callees) == 1:
            value = callees[0]
            if value.kind != "external" and not (value.kind == "unknown" and value.path in DEFINITE):
                return self.call(value, CallSite(index, scope, arguments, position, self.memo.context))
        groups: list[Values] = []
        for value in callees:
            if (
                value.kind == "unknown"
                and value.path in DEFINITE
                and (found := self.by_right(index, scope, row, position))
            ):
                groups.append(found)
            elif value.kind != "external":
                groups.append(self.call(value, CallSite(index, scope, arguments, position, self.memo.context)))
            elif value.path in CASTS and arguments and isinstance(arguments[0], str | int):
                groups.append(self._cast(index, scope, arguments, position))
            elif value.path in NEW_TYPES and len(arguments) == 1:
                groups.append(self.instances(index, scope, function))
            elif value.path in MADE:
                groups.append(self.display(index, scope, number, position))
            else:
                groups.append(self._external_values(index, scope, row, position, value))
        return union(groups) if groups else ()

    def _cast(self, index: FileIndex, scope: int, arguments: Any, position: int) -> Values:
        """What `cast(type, value)` gives: the value, where the type says less."""
        declared = self.instances(index, scope, arguments[0])
        if len(arguments) == 2 and isinstance(arguments[1], str | int) and all(map(self.is_open_type, declared)):
            return known(self.evaluate(index, scope, arguments[1], position)) or declared
        return declared

    def _external_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int, value: Value) -> Values:
        last = value.path.rpartition(".")[2]
        if last in _CONTAINER_METHODS:
            held = self.receiver_of(index, scope, row[1], position)
            found = self._container_call(index, scope, held, last, row[2], position)
            if found:
                return found
            if last in _OPERATORS:
                if found := self.by_right(index, scope, row, position):
                    return found
                return (external(value.path.rpartition(".")[0]),)
        return self.call_external(value, CallSite(index, scope, row[2], position, self.memo.context))

    def _container_call(
        self, index: FileIndex, scope: int, held: Values, method: str, arguments: Any, position: int
    ) -> Values:
        """What a method of a container gives."""
        plain = [part for part in arguments if not isinstance(part, (list, tuple))]
        if method in ("enter_context", "enter_async_context"):
            return self.enter(self.evaluate(index, scope, plain[0], position)) if plain else ()
        found: list[Values] = []
        for value in held:
            if value.kind not in CONTAINERS:
                continue
            if method in _GROUP_METHODS:
                if value.kind == "group":
                    passed = self.passed(CallSite(index, scope, arguments, position, self.memo.context))
                    found.append(self.record_method(value, method, passed) or self.plugin_method(value, method, passed))
            elif method in _ITEM_METHODS:
                keys = self._keys(index, scope, plain[0], position) if plain else None
                found.append(self.items(value, keys, (index, scope, position)))
                if len(plain) > 1:
                    found.append(known(self.evaluate(index, scope, plain[1], position)))
            elif method == "result":
                is_future = value.kind == "group" and value.path == FUTURE
                found.append(self.items(value) if is_future else self.awaited((value,)))
            elif method in _JOINS:
                found.append(self.joined(value, self.evaluate(index, scope, plain[0], position) if plain else ()))
            elif method == "__mul__":
                found.append(self.bag(self.items(value)))
            elif method in _OPERATORS:
                found.append((value,))
            elif method == "items":
                found.append(self.entries(value))
            elif method == "keys":
                found.append(self.bag(self.keys(value)))
            elif method == "values":
                found.append(self.bag(self.items(value)))
            elif method in _SELF_METHODS:
                found.append((value,))
        return union(found) if found else ()

    def _new_values(self, index: FileIndex, scope: int, number: int, row: ExpressionRow, position: int) -> Values:
        """`new f()` of a function gives an object that has the function's prototype methods."""
        made = [
            (Value("made", value.path, value.number),) if self.is_function(value) else self.call(value)
            for value in self.evaluate(index, scope, row[1], position)
        ]
        return union(made) if made else ()

    def _super(self, index: FileIndex, scope: int, arguments: object, position: int) -> Values:
        if isinstance(arguments, (list, tuple)) and arguments and isinstance(arguments[0], str | int):
            named = self.evaluate(index, scope, arguments[0], position)
            return tuple(Value("super", v.path, v.number) for v in named if v.kind == "symbol") or (
                unknown("super() of an unknown class"),
            )
        self.look_up_name(index.path, f"{index.scope_names[scope]}()")
        method = index.method(scope)
        if method < 0:
            return (unknown("super() outside a class"),)
        return (Value("super", index.path, index.symbols[method].parent),)

    # -- parts of other values

    def _member_values(self, index: FileIndex, scope: int, number: int, row: ExpressionRow, position: int) -> Values:
        return self.members(self.evaluate(index, scope, row[1], position), str(row[2]))

    def _item_values(self, index: FileIndex, scope: int, number: int, row: ExpressionRow, position: int) -> Values:
        """An item of a container; a subscript of a class is the class (`Generic[T]`)."""
        key = row[2]
        groups: list[Values] = []
        for value in self.evaluate(index, scope, row[1], position):
            if value.kind in CONTAINERS:
                groups.append(self._item(index, scope, value, key, position))
            elif self.is_class(value):
                groups.append((self.given_arguments(value, index, scope, type_arguments(index, key)),))
            elif value.kind == "external":
                groups.append(_item_outside(value))
            elif value == IS_DYNAMIC:
                groups.append((value,))
            elif value.kind in INSTANCES:
                groups.append(self._object_item(index, scope, value, key, position))
        return union(groups) if any(groups) else (ITEM,)

    def _item(self, index: FileIndex, scope: int, value: Value, key: Expression, position: int) -> Values:
        row = index.facts.expressions[key] if isinstance(key, int) else ("",)
        if row[0] == "slice":
            lower, upper = (None if e is None else self._keys(index, scope, e, position) or () for e in row[1:])
            return self.sliced(value, lower, upper)
        return self.items(value, self._keys(index, scope, key, position), (index, scope, position))

    def _object_item(self, index: FileIndex, scope: int, value: Value, key: Expression, position: int) -> Values:
        """By `__getitem__`; a field of a named tuple or typed dict; where there is neither, `a, b = value` is meant."""
        if self.fields(value.path, value.number):
            return self.field_items(value, self._keys(index, scope, key, position))
        methods = self.methods(value, "__getitem__") or self.methods(value, "__missing__")
        return union([self.call(m) for m in methods]) if methods else known(self.iterated_object(value))

    def _keys(self, index: FileIndex, scope: int, key: Expression, position: int) -> Keys:
        return self.keys_of(self.evaluate(index, scope, key, position))

    def _iterate_values(self, index: FileIndex, scope: int, number: int, row: ExpressionRow, position: int) -> Values:
        return self.iterate(self.evaluate(index, scope, row[1], position))

    def _enter_values(self, index: FileIndex, scope: int, number: int, row: ExpressionRow, position: int) -> Values:
        return self.enter(self.evaluate(index, scope, row[1], position))

    def _either_values(self, index: FileIndex, scope: int, number: int, row: ExpressionRow, position: int) -> Values:
        return union([self.evaluate(index, scope, part, position) for part in row[1]])

    def _await_values(self, index: FileIndex, scope: int, number: int, row: ExpressionRow, position: int) -> Values:
        return self.awaited(self.evaluate(index, scope, row[1], position))

    def _symbol_values(self, index: FileIndex, scope: int, number: int, row: ExpressionRow, position: int) -> Values:
        context = self.memo.context
        if context:
            context = self.contexts.around(context, index, scope)
        return (Value("symbol", index.path, row[1], context),)

    def _import_values(self, index: FileIndex, scope: int, number: int, row: ExpressionRow, position: int) -> Values:
        return self.import_values(index.path, row[1])

    def _except_values(self, index: FileIndex, scope: int, number: int, row: ExpressionRow, position: int) -> Values:
        """An object of a class, or of any of a tuple of classes."""
        return self.instances(index, scope, row[1])

    def chain_values(self, index: FileIndex, scope: int, chain: str, position: int) -> Values:
        raise NotImplementedError


def _item_outside(value: Value) -> Values:
    """An item of something outside the repository, where it is known not to come from the repository either."""
    if value.path == "sys.modules":
        return (IS_DYNAMIC,)
    if value.path.startswith(_TEXTS):
        return (external("builtins.bytes" if value.path.startswith("builtins.bytes") else "builtins.str"),)
    return ()


_HANDLERS: Final = {
    "literal": Expressions._literal_values,
    **dict.fromkeys(_DISPLAYS, Expressions._display_values),
    "call": Expressions._call_values,
    "new": Expressions._new_values,
    "member": Expressions._member_values,
    "item": Expressions._item_values,
    "iterate": Expressions._iterate_values,
    "enter": Expressions._enter_values,
    "except": Expressions._except_values,
    "either": Expressions._either_values,
    "await": Expressions._await_values,
    "symbol": Expressions._symbol_values,
    "import": Expressions._import_values,
}
