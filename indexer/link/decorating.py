"""What decorating a function or class makes of it."""

from __future__ import annotations

from typing import Final

from indexer.link.arguments import Passed
from indexer.link.calls import SAYS_NOTHING, Calls
from indexer.link.contexts import WRAPPED
from indexer.link.index import END_OF_FILE, FileIndex
from indexer.link.memo import question
from indexer.link.values import Value, Values, known, union
from indexer.model import BindingKind, Expression

_PARAMETER: Final = int(BindingKind.PARAMETER)
_TRANSPARENT_DECORATORS: Final = frozenset(
    {"property", "cached_property", "staticmethod", "classmethod", "abstractmethod", "wraps", "lru_cache", "cache"}
    | {"overload", "override", "final", "setter", "getter", "deleter", "deprecated", "abstractproperty"}
    | {"contextmanager", "asynccontextmanager", "singledispatch", "singledispatchmethod", "total_ordering"}
    | {"dataclass", "runtime_checkable", "unique"}
)


class Decorating(Calls):
    """Decorators."""

    @question
    def decorated(self, path: str, symbol: int, context: int) -> Values:
        """What the name of a decorated function or class denotes: itself, or what the decorators made of it."""
        index = self.indexes[path]
        self.look_up_name(path, f"{index.symbols[symbol].qualname}()")
        values: Values = (Value("symbol", path, symbol, context),)
        around, decorators = self.decorators(index, symbol)
        position = index.symbols[symbol].name_byte
        self.memo.context = context
        for decorator in reversed(decorators):
            if self._is_transparent(index, around, decorator, position):
                continue
            made = [self.call(v, Passed((values,))) for v in self.applying(index, around, decorator, position, values)]
            results = union(made or [()])
            followed = tuple(v for v in results if v.kind not in SAYS_NOTHING)
            if any(map(self.is_class, values)) and not any(map(self.is_class, followed)) and followed != results:
                continue  # it may give the class
            if not followed:
                return tuple(v._replace(context=WRAPPED) if self.is_running(v) else v for v in values)
            values = self._applied(followed, values)
        return values

    def _applied(self, made: Values, values: Values) -> Values:
        """Of what a decorator may give, what it gives when it is applied: not the decorator that it is itself when it
        is called with arguments first."""
        decorators = self._decorators_among(made, values)
        return tuple([value for value in made if value not in decorators]) or made

    def applying(self, index: FileIndex, around: int, decorator: Expression, position: int, values: Values) -> Values:
        """What is applied to some values by a decorator: of what one gives that is called with arguments first, the
        decorators, where it may give as well what they make of a function that it is given."""
        found = self.evaluate(index, around, decorator, position)
        return self._decorators_among(found, values) or found if isinstance(decorator, int) else found

    def wrapping(self, decorator: Value, values: Values) -> Values:
        """What applying a decorator gives, whatever its types say of that."""
        given = Passed((values,))
        if not self.is_running(decorator):
            return self.call(decorator, given)
        index = self.indexes[decorator.path]
        function = index.functions[decorator.number]
        if function.annotation is None:
            return self.call(decorator, given)
        names = self.in_result(decorator.path, decorator.number)
        context = self.activation(decorator, given, names, objects=True)
        returned = [self.read(index, function.origin, part, END_OF_FILE, context) for part in function.returns]
        return union(returned or [()])

    def _decorators_among(self, made: Values, values: Values) -> Values:
        """Of some values those that, applied to others, give nothing but some of the rest."""
        if len(made) == 1:
            return ()
        known_as = {value[:3] for value in made}
        found = []
        for value in made:
            if value not in values and self.is_running(value):
                given = self.call(value, Passed((values,)))
                results = {result[:3] for result in given if result.kind not in SAYS_NOTHING}
                if results and results <= known_as and results != {value[:3]}:
                    found.append(value)
        return tuple(found)

    @staticmethod
    def decorators(index: FileIndex, symbol: int) -> tuple[int, tuple[Expression, ...]]:
        """The scope that decorators of a function or class are read in, and those, outermost first."""
        function = index.functions.get(symbol)
        if function is not None:
            return index.scopes[function.origin].parent, function.decorators
        row = index.classes[symbol]
        return row.origin, row.decorators

    def _is_transparent(self, index: FileIndex, scope: int, decorator: Expression, position: int) -> bool:
        """Whether a decorator leaves what a function gives: a known one, or one whose types say so."""
        if isinstance(decorator, int):
            row = index.facts.expressions[decorator]
            decorator = row[1] if row[0] == "call" else None
            return isinstance(decorator, str) and decorator.rpartition(".")[2] in _TRANSPARENT_DECORATORS
        if not isinstance(decorator, str):
            return False
        if decorator.rpartition(".")[2] in _TRANSPARENT_DECORATORS:
            return True
        values = self.chain_values(index, scope, decorator, position)
        return bool(known(values)) and all(self._types_say_so(value) for value in values)

    def _types_say_so(self, value: Value) -> bool:
        """Whether a function returns what it is given by its types: `def f(x: T) -> T`."""
        if value.kind != "symbol" or value.number not in self.indexes[value.path].functions:
            return False
        index = self.indexes[value.path]
        self.look_up_name(value.path, f"{index.symbols[value.number].qualname}()")
        function = index.functions[value.number]
        for numbers in index.names[function.origin].values():
            binding = index.bindings[numbers[0]]
            if binding.kind == _PARAMETER and binding.target == 0:
                self.look_up_name(value.path, f"{index.scope_names[function.origin]}.{binding.name}")
                return isinstance(binding.annotation, str) and binding.annotation == function.annotation
        return False
