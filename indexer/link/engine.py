"""What names and expressions denote: one demand-driven engine for every language, over facts alone.

Questions go downwards through these modules:

    linker, lookup → outcomes → wrapping → flows → callees → special → engine (names) → expressions → reflected
        → iteration → attributes → descriptors → decorating → calls → reach → handed → library → functional → plugins
        → getters → spelled → records → stubs → overloads → solving (type variables in calls) → passing (arguments)
        → filling → containers → types → generics → members (classes) → dynamic → modules (imports)
"""

from __future__ import annotations

from typing import Final

from indexer.link.contexts import OPEN
from indexer.link.expressions import Expressions
from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.values import DEFINITE, INSTANCES, UNKNOWN_RECEIVER, Value, Values, external, known, union, unknown
from indexer.model import Binding, BindingKind, Expression, Flag

_CLASSMETHOD: Final = int(Flag.CLASSMETHOD)
_STATIC: Final = int(Flag.STATIC)
_SYMBOL: Final = int(BindingKind.SYMBOL)
_IMPORT: Final = int(BindingKind.IMPORT)
_PARAMETER: Final = int(BindingKind.PARAMETER)
_VALUE: Final = int(BindingKind.VALUE)

_SAYING_NOTHING: Final = frozenset(
    f"{module}.{name}"
    for module in ("typing", "typing_extensions")
    for name in ("Any", "ClassVar", "Final", "TypeAlias")
) | {"builtins.object"}
"""Annotations of variables beside which the value says more."""

_OUTSIDE: Final = frozenset({"external", "typed"})
_SAYS_MORE: Final = frozenset({"call", "dict", "either", "list", "tuple"})
_SAYS_LESS: Final = frozenset({"external", "typed", "unknown"})
_PARAMETER_KINDS: Final = frozenset({BindingKind.PARAMETER, BindingKind.KEYWORD_ONLY})
_COLLECTED: Final = {int(BindingKind.STAR): "tuple", int(BindingKind.DOUBLE_STAR): "dict"}
_NO_TYPE: Final = unknown("parameter without a type")


class Engine(Expressions):
    """Answers questions about any file; see `Members` and `Modules` for those about classes and modules."""

    # -- names

    def head(self, index: FileIndex, scope: int, name: str, position: int) -> tuple[int, tuple[int, ...]] | None:
        """The scope that binds a name for code in `scope` at `position`, and the bindings that may hold there."""
        found = index.find(scope, name)
        self.look_up(index, found[0] if found else 0, name)
        if found is None:
            return None
        bound, numbers = found
        if bound == scope and index.scopes[scope].kind == "class" and not index.begun(numbers, position):
            return self.head(index, index.around_class(scope), name, position)
        return bound, index.select(scope, bound, numbers, position)

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
        context = self.memo.context
        if context:
            context = self.contexts.around(context, index, binding.scope)
        if kind == _SYMBOL:
            if binding.target in index.decorated:
                return self.decorated(path, binding.target, context)
            return (Value("symbol", path, binding.target, context),)
        if kind == _IMPORT:
            return self.import_values(path, binding.target)
        if context and kind != _VALUE:
            held = self.contexts.held(context, number)
            if held is not None:
                return held
            if kind in _COLLECTED and binding.annotation is None:
                return (external(f"builtins.{_COLLECTED[kind]}"),)
        if kind == _PARAMETER and binding.annotation is None and binding.expression is None:
            return self._parameter_values(index, binding, context)
        return self.variable_values(path, number, context)

    @question
    def variable_values(self, path: str, number: int, context: int) -> Values:
        """`binding_values` of a variable or parameter."""
        index = self.indexes[path]
        binding = index.bindings[number]
        kind = binding.kind
        self.memo.context = context
        if kind == _VALUE:
            found = self.assigned(index, binding.expression, binding.annotation, binding.origin, binding.position)
            numbers = index.names[binding.scope][binding.name]
            return found if len(numbers) == 1 or known(found) else self._declared(index, number, numbers) or found
        if kind in _PARAMETER_KINDS:
            return self._parameter_values(index, binding, context)
        if kind in _COLLECTED:
            return self._collected(index, binding)
        return (unknown("name is deleted or declared elsewhere"),)

    def _declared(self, index: FileIndex, number: int, numbers: list[int]) -> Values:
        """Instances of the type that another binding of a variable declares."""
        for other in numbers:
            binding = index.bindings[other]
            if other != number and binding.kind == _VALUE and binding.annotation is not None:
                return known(self.instances(index, binding.origin, binding.annotation))
        return ()

    def _collected(self, index: FileIndex, binding: Binding) -> Values:
        """`*args: Foo` is a tuple of Foo."""
        given = () if self.memo.context else self._given(index, index.scopes[binding.scope].symbol, binding)
        if given:
            return given
        kind = _COLLECTED[binding.kind]
        if binding.annotation is not None:
            items = known(self.instances(index, index.scopes[binding.scope].parent, binding.annotation))
            if items:
                return self.bag(items, kind)
        return (external(f"builtins.{kind}"),)

    def assigned(
        self, index: FileIndex, expression: Expression, annotation: Expression, origin: int, position: int
    ) -> Values:
        """The values of a variable: its declared type if that is known, else what is assigned."""
        if annotation is not None:
            declared = known(self.instances(index, origin, annotation))
            if declared and not (expression is not None and all(v.path in _SAYING_NOTHING for v in declared)):
                return self._more_than_declared(declared, index, expression, origin, position)
        if expression is None:
            return (unknown("assigned from something that is not followed"),)
        if isinstance(expression, int):
            return self.row(index, origin, expression, position)
        return self.chain_values(index, origin, expression, position)

    def _more_than_declared(
        self, declared: Values, index: FileIndex, expression: Expression, origin: int, position: int
    ) -> Values:
        """Declared values, and before them what is assigned where a type of the library hides an object or functions of
        the repository: `x: Mapping[str, Callable[…]] = {"a": f}`."""
        if not isinstance(expression, int) or any(value.kind not in _OUTSIDE for value in declared):
            return declared
        row = index.facts.expressions[expression]
        if row[0] == "literal" and self._hold_anything(declared):
            return (*self.row(index, origin, expression, position), *declared)  # whatever is put into it: no cycle
        if row[0] not in _SAYS_MORE:
            return declared
        made = tuple(v for v in self.row(index, origin, expression, position) if v.kind not in _SAYS_LESS)
        return (*made, *declared) if made and self.matters(made, True) else declared

    def _hold_anything(self, declared: Values) -> bool:
        """Whether declared types say of containers what kind they are, and little of what is in them."""
        return all(v.kind == "typed" and all(map(self.is_open_type, self.items(v))) for v in declared)

    def _parameter_values(self, index: FileIndex, binding: Binding, context: int) -> Values:
        symbol = index.scopes[binding.scope].symbol
        row = index.symbols[symbol]
        owner = index.symbols[row.parent] if row.parent >= 0 else None
        first = index.language.receiver == "first" and binding.target == 0 and binding.kind == _PARAMETER
        if first and owner is not None and owner.kind == "class" and not row.flags & _STATIC:
            is_class = row.flags & _CLASSMETHOD or row.name in ("__new__", "__init_subclass__")
            return (
                Value("symbol", index.path, row.parent, OPEN)
                if is_class
                else Value("instance", index.path, row.parent),
            )
        if binding.annotation is not None:
            declared = self.instances(index, index.scopes[binding.scope].parent, binding.annotation)
            if context or not all(map(self.is_open_type, declared)):
                return declared
            given = (*self._default(index, binding), *self._given(index, symbol, binding))
            return (*(v for v in given if v.kind != "instance"), *declared)  # which may have been ruled out by a test
        given = () if context else self._given(index, symbol, binding)  # one call is not given what others are
        expected = self.expected(index, symbol, binding.target) if row.kind == "lambda" else ()
        return expected or (*self._default(index, binding), *given, _NO_TYPE)

    def _default(self, index: FileIndex, binding: Binding) -> Values:
        if binding.expression is None:
            return ()
        default = known(self.evaluate(index, binding.origin, binding.expression, binding.position))
        return default if any(value.kind != "external" or value.number for value in default) else ()

    def _given(self, index: FileIndex, symbol: int, binding: Binding) -> Values:
        """What the calls of a function in its own file give to a parameter."""
        number = index.names[binding.scope][binding.name][0]
        return next((values for given, values in self.given_here(index.path, symbol) if given == number), ())

    # -- chains

    def chain_values(self, index: FileIndex, scope: int, chain: str, position: int) -> Values:
        name, _, rest = chain.partition(".")
        if name in index.narrowed_heads:
            return self._narrowed_chain_values(index, scope, chain, position)
        values = self.name_values(index, scope, name, position)
        return self.rest_values(values, rest) if rest else values

    # -- tests of types

    def _narrowed_chain_values(self, index: FileIndex, scope: int, chain: str, position: int) -> Values:
        """`chain_values` in a file that tests the types of some names or chains."""
        name, _, rest = chain.partition(".")
        values = self.name_values(index, scope, name, position)
        reached = name
        while True:
            if reached in index.narrowed:
                values = self._narrowed(index, scope, reached, position, values)
            if not rest:
                return values
            link, _, rest = rest.partition(".")
            values = self.rest_values(values, link)
            reached = f"{reached}.{link}"

    def _narrowed(self, index: FileIndex, scope: int, chain: str, position: int, values: Values) -> Values:
        tested = self.tested(index, scope, chain, position)
        if not tested:
            return values
        kept = tuple(v for v in values if v.kind in INSTANCES and any(self._is_one(v, of) for of in tested))
        return kept or tested

    def tested(self, index: FileIndex, scope: int, chain: str, position: int) -> Values:
        """Instances of what a chain was tested to be where it stands; `()` where it was not."""
        for row in index.narrowed.get(chain, ()):
            if row.start <= position < row.end and index.within(scope, row.scope):
                found = known(self.instances(index, row.scope, row.type))
                if found:
                    return found
        return ()

    def _is_one(self, value: Value, of: Value) -> bool:
        """Whether an object is surely one of a class."""
        if of.kind != "instance":
            return False
        wanted = (of.path, of.number)
        return any((v.path, v.number) == wanted for v in self.lineage(value.path, value.number) if v.kind == "symbol")

    def rest_values(self, values: Values, rest: str) -> Values:
        """What the links of a chain lead to from what its head denotes."""
        if len(values) == 1:
            kind, path, _, _ = values[0]
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
