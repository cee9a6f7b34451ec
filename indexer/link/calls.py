"""What calling a value gives."""

from __future__ import annotations

from typing import Final

from indexer.link.arguments import CallSite, Given
from indexer.link.contexts import OPEN, RESULT, WRAPPED
from indexer.link.index import END_OF_FILE, FileIndex
from indexer.link.memo import question
from indexer.link.reach import Reach
from indexer.link.taint import origins
from indexer.link.types import OPEN_TYPES
from indexer.link.values import CONTAINERS, INSTANCES, Site, Value, Values, known, union, unknown
from indexer.model import BindingKind, Expression, Flag, Function

_ASYNC: Final = int(Flag.ASYNC)
_ABSTRACT: Final = int(Flag.ABSTRACT)
_DECLARATION: Final = int(Flag.DECLARATION)
_GENERATOR: Final = int(Flag.GENERATOR)

SAYS_NOTHING: Final = frozenset({"unknown", "external", "typed"})
FUNCTIONS: Final = frozenset({"function", "method", "lambda"})
_OPEN: Final = CONTAINERS | {"unknown", "awaitable"}
_NOT_FOLLOWED: Final = (unknown("called value is not followed"),)
_IS_WRAPPED: Final = (unknown("function is wrapped by a decorator"),)


class Calls(Reach):
    """Values of calls."""

    def site_values(self, site: Site) -> Values:
        raise NotImplementedError

    def is_function(self, value: Value) -> bool:
        return value.kind == "symbol" and self.indexes[value.path].symbols[value.number].kind == "function"

    def call(self, value: Value, given: Given = None) -> Values:
        """What calling a value gives."""
        kind = value.kind
        if kind == "symbol" or kind == "bound":
            symbol = self.indexes[value.path].symbols[value.number]
            if symbol.kind == "class":
                return (self._made(value, given),)
            return self._run(value, given) if symbol.kind in FUNCTIONS else _NOT_FOLLOWED
        if kind in INSTANCES:
            called = [found for found in self.members((value,), "__call__") if found.kind in ("symbol", "bound")]
            return union([self.call(found, given) for found in called]) if called else _NOT_FOLLOWED
        if kind == "external":
            return self.call_external(value, given)
        if kind == "typed":
            return self.typed_result(value) or _NOT_FOLLOWED
        if kind == "group":
            return self.call_group(value, given) or _NOT_FOLLOWED
        return (value,) if kind == "unknown" else _NOT_FOLLOWED

    def _run(self, value: Value, given: Given) -> Values:
        if value.context == WRAPPED:
            return _IS_WRAPPED
        context = value.context
        index = self.indexes[value.path]
        function = index.functions.get(value.number)
        if function is not None and given is not None:
            if function.annotation is not None and not says_little(index, function.annotation):
                context = self.solved(value, given)
            elif self.may_be_overloaded(index, value.number) and self.overloads(value.path, value.number):
                return self.call_overloads(value, given)
            elif back := self.given_back(value, given):
                return back
            elif names := self.in_result(value.path, value.number):
                general = self.function_values(value.path, value.number, context)
                if not self._may_differ(general):
                    return general
                context = self.activation(value, given, names, objects=True)
        return self.function_values(value.path, value.number, context)

    def _may_differ(self, general: Values) -> bool:
        """Whether a call may give something else where code is passed: what is not known, a closure, a container."""
        return any(v.kind in _OPEN or (v.kind in ("symbol", "bound") and self.is_running(v)) for v in general)

    # -- objects

    def _made(self, value: Value, given: Given) -> Value:
        """An object of a class, with what its constructor keeps of what it is given."""
        kind = "instance" if value.context == OPEN else "made"
        value = self.made_with(exactly(value), given)
        context = value.context
        if given is not None:
            made = self.constructor(value.path, value.number)
            if made:
                context = self._constructed_with(made._replace(context=context), given)
        return Value(kind, value.path, value.number, context)

    @question
    def constructor(self, path: str, symbol: int) -> Value | None:
        """The constructor of a class, if it keeps arguments in attributes or hands them to one that may."""
        name = self.indexes[path].language.constructor
        for site in self.sites(Value("symbol", path, symbol), name):
            number = self.site_symbol(site)
            if number < 0 or number not in self.indexes[site.path].functions:
                continue
            index = self.indexes[site.path]
            self.look_up_name(site.path, f"{index.symbols[number].qualname}{{}}")
            if self.kept_names(site.path, number):
                return Value("bound", site.path, number)
        return None

    def site_symbol(self, site: Site) -> int:
        """The symbol defined at a site; -1 where there is none."""
        if site.value is not None or site.kind == "store":
            return -1
        if site.kind == "symbol":
            return site.number
        binding = self.indexes[site.path].bindings[site.number]
        return binding.target if binding.kind == BindingKind.SYMBOL else -1

    @staticmethod
    def _handing_on(index: FileIndex, symbol: int) -> list[tuple[int, int, int]]:
        """Calls in a constructor of those of its bases: (scope, row, position)."""
        known = index.handing.get(symbol)
        if known is not None:
            return known
        name = index.language.constructor
        origin = index.functions[symbol].origin
        found = index.handing[symbol] = []
        for call in index.facts.calls:
            if call.scope == origin:
                function = index.facts.expressions[call.row][1]
                last: object
                if isinstance(function, str):
                    last = function.rpartition(".")[2] if "." in function else ""
                else:
                    last = index.facts.expressions[function][-1]
                if last == name:
                    found += [(call.scope, call.row, position) for position in call.positions]
        return found

    @question
    def kept_names(self, path: str, symbol: int) -> frozenset[str]:
        """The parameters of a constructor that it keeps, or hands to one that may."""
        index = self.indexes[path]
        self.look_up_name(path, f"{index.symbols[symbol].qualname}{{}}")
        found = self.in_attributes(path, symbol)
        for _, number, _ in self._handing_on(index, symbol):
            found |= origins(index, symbol, number)
        return found

    def _constructed_with(self, constructor: Value, given: Given, depth: int = 0) -> int:
        """The context of a constructor's call, within that the contexts of the base constructors it calls."""
        index = self.indexes[constructor.path]
        names = self.kept_names(constructor.path, constructor.number)
        context = self.activation(constructor, given, names)
        if context == constructor.context or depth > 3:
            return context
        for scope, number, position in self._handing_on(index, constructor.number):
            row = index.facts.expressions[number]
            memo = self.memo
            outer, memo.context = memo.context, context
            try:
                above = self.evaluate(index, scope, row[1], position)
            finally:
                memo.context = outer
            passed = CallSite(index, scope, row[2], position, context)
            for value in above:
                if value.kind in ("bound", "symbol") and value.number in self.indexes[value.path].functions:
                    given_to = Value(value.kind, value.path, value.number, context)
                    context = self._constructed_with(given_to, passed, depth + 1)
        return context

    # -- functions

    @question
    def function_values(self, path: str, symbol: int, context: int) -> Values:
        """What a call of a function gives: its declared type, else what it returns."""
        index = self.indexes[path]
        self.look_up_name(path, f"{index.symbols[symbol].qualname}()")
        function = index.functions.get(symbol)
        if function is None:
            return (unknown("function without facts"),)
        flags = index.symbols[symbol].flags
        if flags & _GENERATOR:
            return (Value("generator", path, symbol, context),)
        if flags & _ASYNC or self.is_awaitable(index, function.annotation):
            return (Value("awaitable", path, symbol, context),)
        self.memo.context = context or (RESULT if self.in_result(path, symbol) else 0)
        found = self._result(index, function, flags)
        if function.annotation is None and not known(found):
            return self.declared_in_stub(index, symbol) or found
        return found

    @question
    def awaited_values(self, path: str, symbol: int, context: int) -> Values:
        """What awaiting the result of a function gives."""
        index = self.indexes[path]
        self.look_up_name(path, f"{index.symbols[symbol].qualname}()")
        self.memo.context = context or (RESULT if self.in_result(path, symbol) else 0)
        return self._result(index, index.functions[symbol], index.symbols[symbol].flags)

    def awaited(self, values: Values) -> Values:
        """What awaiting any of some values gives."""
        groups: list[Values] = []
        for value in values:
            if value.kind == "awaitable":
                groups.append(self.awaited_values(value.path, value.number, value.context))
            elif value.kind == "typed":
                groups.append(self.typed_awaited(value))
            else:
                groups.append((value,))
        return union(groups) if groups else ()

    def _are_callbacks(self, declared: Values) -> bool:
        return bool(declared) and all(v.kind == "instance" and self.is_callback(v.path, v.number) for v in declared)

    def _result(self, index: FileIndex, function: Function, flags: int) -> Values:
        if function.annotation is not None:
            if self.is_awaitable(index, function.annotation):
                return self.awaited_instances(index, function.origin, function.annotation)
            declared = self.instances(index, function.origin, function.annotation)
            if not function.returns or not (says_little(index, function.annotation) or self._are_callbacks(declared)):
                return declared
            returned = [self.evaluate(index, function.origin, part, END_OF_FILE) for part in function.returns]
            return tuple(v for v in union(returned) if v.kind not in SAYS_NOTHING) or declared
        if flags & (_ABSTRACT | _DECLARATION) or not function.returns:
            return (unknown("function returns nothing known"),)
        return union([self.evaluate(index, function.origin, part, END_OF_FILE) for part in function.returns])


def exactly(value: Value) -> Value:
    """A class, without that a subclass may be meant."""
    return value._replace(context=0) if value.context == OPEN else value


def says_little(index: FileIndex, annotation: Expression) -> bool:
    """Whether what a function returns says more than its declared type: `Callable[…]`, `Any`."""
    row = index.facts.expressions[annotation] if isinstance(annotation, int) else ("item", annotation)
    return row[0] == "item" and isinstance(row[1], str) and row[1].rpartition(".")[2] in OPEN_TYPES
