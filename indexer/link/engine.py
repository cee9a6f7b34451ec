"""What names and expressions denote: one demand-driven engine for every language, over facts alone.

Questions go downwards through these modules:

    linker, lookup → outcomes → engine (names, expressions) → calls → types → members (classes) → modules (imports)
"""

from __future__ import annotations

from indexer.link.calls import Calls
from indexer.link.index import END_OF_FILE, FileIndex
from indexer.link.memo import question
from indexer.link.values import DEFINITE, UNKNOWN_RECEIVER, Value, Values, external, known, union, unknown
from indexer.model import Binding, BindingKind, Expression, ExpressionRow, Flag

_CLASSMETHOD = int(Flag.CLASSMETHOD)
_STATIC = int(Flag.STATIC)
_SYMBOL, _IMPORT = int(BindingKind.SYMBOL), int(BindingKind.IMPORT)
_PARAMETER, _VALUE = int(BindingKind.PARAMETER), int(BindingKind.VALUE)

_CASTS = frozenset({"typing.cast", "typing_extensions.cast"})
_PARAMETER_KINDS = frozenset({BindingKind.PARAMETER, BindingKind.KEYWORD_ONLY})
_COLLECTED = {int(BindingKind.STAR): "tuple", int(BindingKind.DOUBLE_STAR): "dict"}


class Engine(Calls):
    """Answers questions about any file; see `Members` and `Modules` for those about classes and modules."""

    # -- names

    def head(self, index: FileIndex, scope: int, name: str, position: int) -> tuple[int, tuple[int, ...]] | None:
        """The scope that binds a name for code in `scope` at `position`, and the bindings that may hold there."""
        found = index.find(scope, name)
        self.look_up(index, found[0] if found else 0, name)
        if found is None:
            return None
        return found[0], index.select(scope, found[0], found[1], position)

    def name_values(self, index: FileIndex, scope: int, name: str, position: int) -> Values:
        head = self.head(index, scope, name, position)
        if head is None:
            return self.unbound(index, scope, name)
        numbers = head[1]
        if len(numbers) == 1:
            return self.binding_values(index.path, numbers[0])
        return union([self.binding_values(index.path, number) for number in numbers])

    def unbound(self, index: FileIndex, scope: int, name: str) -> Values:
        """What a name denotes that no scope binds: the receiver, a star import's, a built-in, or nothing known."""
        language = index.language
        if language.receiver == "this" and name in ("this", "super"):
            return self.receiver(index, scope, name)
        starred = self.star_values(index.path, name)
        if starred:
            return starred
        if name in language.builtins:
            return (external(f"builtins.{name}"),)
        return (unknown("name is not bound in the repository"),)

    def receiver(self, index: FileIndex, scope: int, name: str) -> Values:
        self.look_up_name(index.path, f"{index.scope_names[scope]}()")
        owner = self.this_owner(index, scope)
        if owner is None:
            return (unknown(f"`{name}` of a function that is not a method"),)
        number, static = owner
        if name == "super":
            return (Value("super", index.path, number),)
        kind = "symbol" if static or index.symbols[number].kind != "class" else "instance"
        return (Value(kind, index.path, number),)

    def this_owner(self, index: FileIndex, scope: int) -> tuple[int, bool] | None:
        """The class or object whose `this` code in `scope` sees, and whether it is the class itself."""
        while scope > 0:
            row = index.scopes[scope]
            symbol = index.symbols[row.symbol]
            if row.kind == "class":
                return row.symbol, False
            if row.kind == "function":
                parent = index.symbols[symbol.parent]
                if parent.kind == "class" or (symbol.kind == "method" and parent.kind == "variable"):
                    return symbol.parent, bool(symbol.flags & _STATIC)
                if symbol.kind == "function" and "=>" not in symbol.signature:
                    return None
            scope = row.parent
        return None

    # -- bindings

    def binding_values(self, path: str, number: int) -> Values:
        """What a bound name denotes, from this one binding."""
        index = self.indexes[path]
        binding = index.bindings[number]
        kind = binding.kind
        if kind == _SYMBOL:
            return (Value("symbol", path, binding.target),)
        if kind == _IMPORT:
            return self.import_values(path, binding.target)
        if kind == _PARAMETER and binding.annotation is None and binding.expression is None:
            return self._parameter_values(index, binding)
        return self.variable_values(path, number)

    @question
    def variable_values(self, path: str, number: int) -> Values:
        """`binding_values` of a variable or parameter."""
        index = self.indexes[path]
        binding = index.bindings[number]
        kind = binding.kind
        if kind == _VALUE:
            return self.assigned(index, binding.expression, binding.annotation, binding.origin, binding.position)
        if kind in _PARAMETER_KINDS:
            return self._parameter_values(index, binding)
        if kind in _COLLECTED:
            return (external(f"builtins.{_COLLECTED[kind]}"),)
        return (unknown("name is deleted or declared elsewhere"),)

    def assigned(
        self, index: FileIndex, expression: Expression, annotation: Expression, origin: int, position: int
    ) -> Values:
        """The values of a variable: its declared type if that is known, else what is assigned."""
        if annotation is not None:
            declared = known(self.instances(index, origin, annotation))
            if declared:
                return declared
        if expression is None:
            return (unknown("assigned from something that is not followed"),)
        if isinstance(expression, int):
            return self._row(index, origin, expression, position)
        return self.chain_values(index, origin, expression, position)

    def _parameter_values(self, index: FileIndex, binding: Binding) -> Values:
        symbol = index.scopes[binding.scope].symbol
        row = index.symbols[symbol]
        owner = index.symbols[row.parent] if row.parent >= 0 else None
        first = index.language.receiver == "first" and binding.target == 0 and binding.kind == _PARAMETER
        if first and owner is not None and owner.kind == "class" and not row.flags & _STATIC:
            is_class = row.flags & _CLASSMETHOD or row.name in ("__new__", "__init_subclass__")
            return (Value("symbol" if is_class else "instance", index.path, row.parent),)
        if binding.annotation is not None:
            return self.instances(index, index.scopes[binding.scope].parent, binding.annotation)
        if binding.expression is not None:
            default = known(self.evaluate(index, binding.origin, binding.expression, binding.position))
            if any(value.kind != "external" for value in default):
                return (*default, unknown("parameter without a type"))
        return (unknown("parameter without a type"),)

    # -- expressions

    def evaluate(self, index: FileIndex, scope: int, expression: Expression, position: int) -> Values:
        if isinstance(expression, str):
            return self.chain_values(index, scope, expression, position)
        if expression is None:
            return (unknown("no value"),)
        row = index.facts.expressions[expression]
        if row[0] == "call" and isinstance(row[1], str):  # not worth keeping: few links, asked once or twice
            return self._call_values(index, scope, row, position)
        return self.row_values(index.path, scope, expression, position)

    def chain_values(self, index: FileIndex, scope: int, chain: str, position: int) -> Values:
        name, _, rest = chain.partition(".")
        values = self.name_values(index, scope, name, position)
        return self.rest_values(values, rest) if rest else values

    def rest_values(self, values: Values, rest: str) -> Values:
        """What the links of a chain lead to from what its head denotes."""
        if len(values) == 1:
            kind, path, _ = values[0]
            if kind == "external":
                return (external(f"{path}.{rest}"),)
            if kind == "unknown":
                return (unknown(UNKNOWN_RECEIVER),) if path in DEFINITE else values
        return self.known_rest_values(values, rest)

    @question
    def known_rest_values(self, values: Values, rest: str) -> Values:
        """`rest_values` of what is in the repository."""
        for member in rest.split("."):
            values = self.members(values, member)
        return values

    @question
    def row_values(self, path: str, scope: int, number: int, position: int) -> Values:
        """What a row of `expressions` denotes."""
        return self._row(self.indexes[path], scope, number, position)

    def _row(self, index: FileIndex, scope: int, number: int, position: int) -> Values:
        row = index.facts.expressions[number]
        handler = getattr(self, f"_{row[0]}_values", None)
        if handler is None:
            return (unknown("expression is not followed"),)
        result: Values = handler(index, scope, row, position)
        return result

    def _call_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        function, arguments = row[1], row[2]
        if function == "super" and index.language.receiver == "first" and index.find(scope, "super") is None:
            return self._super(index, scope, arguments, position)
        callees = self.evaluate(index, scope, function, position)
        if len(callees) == 1 and callees[0].path not in _CASTS:
            return self.call_values(callees[0])
        casts = any(value.kind == "external" and value.path in _CASTS for value in callees)
        if casts and isinstance(arguments, list | tuple) and arguments and isinstance(arguments[0], str | int):
            return self.instances(index, scope, arguments[0])
        return union([self.call_values(value) for value in callees]) if callees else ()

    def _new_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        """`new f()` of a function gives an object that has the function's prototype methods."""
        made = [
            (Value("instance", value.path, value.number),) if self.is_function(value) else self.call_values(value)
            for value in self.evaluate(index, scope, row[1], position)
        ]
        return union(made) if made else ()

    def _super(self, index: FileIndex, scope: int, arguments: object, position: int) -> Values:
        if isinstance(arguments, list | tuple) and arguments and isinstance(arguments[0], str | int):
            named = self.evaluate(index, scope, arguments[0], position)
            return tuple(Value("super", v.path, v.number) for v in named if v.kind == "symbol") or (
                unknown("super() of an unknown class"),
            )
        self.look_up_name(index.path, f"{index.scope_names[scope]}()")
        method = index.method(scope)
        if method < 0:
            return (unknown("super() outside a class"),)
        return (Value("super", index.path, index.symbols[method].parent),)

    def _member_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        return self.members(self.evaluate(index, scope, row[1], position), str(row[2]))

    def _either_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        return union([self.evaluate(index, scope, part, position) for part in row[1]])

    def _await_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        groups = [
            self.awaited_values(value.path, value.number) if value.kind == "awaitable" else (value,)
            for value in self.evaluate(index, scope, row[1], position)
        ]
        return union(groups) if groups else ()

    def _symbol_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        return (Value("symbol", index.path, row[1]),)

    def _import_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        return self.import_values(index.path, row[1])

    def _except_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        return self.instances(index, scope, row[1])

    def _tuple_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        return (external("builtins.tuple"),)

    def _list_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        return (external("builtins.list"),)

    def _set_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        return (external("builtins.set"),)

    def _dict_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        return (external("builtins.dict"),)

    def _literal_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        return () if row[1] == "none" else (external(f"builtins.{row[1]}"),)

    def _item_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        """An item of a display is followed; a subscript of a class is the class (`Generic[T]`)."""
        base, key = row[1], row[2]
        items = index.facts.expressions[base] if isinstance(base, int) else None
        wanted = index.facts.expressions[key] if isinstance(key, int) else None
        if (
            items
            and wanted
            and items[0] in ("list", "tuple")
            and wanted[:2] in (["literal", "int"], ("literal", "int"))
        ):
            values, number = items[1], wanted[2] if len(wanted) > 2 else None
            if isinstance(number, int) and -len(values) <= number < len(values):
                return self.evaluate(index, scope, values[number], position)
        values = self.evaluate(index, scope, base, position)
        classes = tuple(v for v in values if self.is_class(v))
        return classes or (unknown("item of a container"),)

    def _iterate_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        source = row[1]
        items = index.facts.expressions[source] if isinstance(source, int) else None
        if items and items[0] in ("list", "tuple", "set"):
            return union([self.evaluate(index, scope, part, position) for part in items[1]] or [()])
        return self._yielded(self.evaluate(index, scope, source, position))

    def _enter_values(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        groups: list[Values] = []
        for value in self.evaluate(index, scope, row[1], position):
            if value.kind == "instance":
                entered = self.members((value,), "__enter__") or self.members((value,), "__aenter__")
                groups.append(union([self.call_values(method) for method in entered] or [()]))
            elif value.kind == "generator":
                groups.append(self._yielded((value,)))
            else:
                groups.append((value,) if value.kind == "external" else (unknown("context manager"),))
        return union(groups or [()])

    def _yielded(self, values: Values) -> Values:
        """What iterating over generators gives; items of other things are not followed."""
        groups: list[Values] = []
        for value in values:
            if value.kind == "generator":
                index = self.indexes[value.path]
                function = index.functions[value.number]
                groups += [self.evaluate(index, function.origin, part, END_OF_FILE) for part in function.yields]
        return union(groups) if groups else (unknown("item of a container"),)
