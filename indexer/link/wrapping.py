"""What decorating a function or class runs, and what the wrappers call that decorators make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from indexer.link.arguments import Passed
from indexer.link.callees import Callee
from indexer.link.contexts import RESULT
from indexer.link.descriptors import GET, SET
from indexer.link.flows import Flow, Flows
from indexer.link.index import FileIndex
from indexer.link.values import INSTANCES, Site, Value, Values
from indexer.model import BindingKind, Flag

_TEST: Final = int(Flag.TEST)
_VALUE: Final = int(BindingKind.VALUE)
_WITH_SYMBOL: Final = frozenset({int(BindingKind.SYMBOL), int(BindingKind.VALUE)})


class Wrapping(Flows):
    """Edges of decorators."""

    def symbol_of(self, site: Site) -> int:
        """The symbol defined at a site without a value; -1 for a parameter or local variable."""
        if site.kind == "symbol":
            return site.number
        if site.kind == "store":
            return -1
        binding = self.indexes[site.path].bindings[site.number]
        return binding.target if binding.kind in _WITH_SYMBOL else -1

    def decorating(self, index: FileIndex, symbol: int) -> tuple[tuple[Callee, ...], Iterable[Flow]]:
        """What decorating a function or class runs beside the decorators that are named, and edges elsewhere."""
        own: list[Callee] = []
        flows: dict[Flow, None] = {}
        position = index.symbols[symbol].name_byte
        around, decorators = self.decorators(index, symbol)
        values: Values = (Value("symbol", index.path, symbol),)
        is_test = bool(index.symbols[symbol].flags & _TEST)  # who runs it is no question, and they are many
        for decorator in reversed(decorators):
            made: list[Value] = []
            functions = self.applying(index, around, decorator, position, values)
            for value in functions:
                for callee, context in self.callees(value, "decorator", Passed((values,))):
                    if isinstance(decorator, int):
                        own.append(callee)
                    if context > RESULT:
                        flows.update(dict.fromkeys(self.flow(callee.path, callee.number, context)))
                if value.path in self.indexes and not is_test:
                    made += self.wrapping(value, values)
            for value in made:
                flows.update(dict.fromkeys(self._wrapped(value)))
            if is_test and len(decorators) > 1:
                made = [v for f in functions for v in self.call(f, Passed((values,)))]
            values = tuple(v for v in made if v.kind in ("symbol", "bound")) or values
        return tuple(own), flows

    def describing(self, index: FileIndex, symbol: int) -> Iterator[Flow]:
        """The calls that the descriptors in a class's body make because of what they are made with, whoever reads the
        attributes."""
        for numbers in index.names[index.symbols[symbol].scope].values():
            for number in numbers:
                if index.bindings[number].kind == _VALUE and self.may_describe(index, number):
                    for value in self.objects_of(index, number):
                        if value.kind in INSTANCES and self.is_descriptor(value.path, value.number):
                            for made in self.binding_values(index.path, number):
                                yield from self._wrapped(made)

    def _wrapped(self, value: Value) -> Iterator[Flow]:
        """The calls in what a decorator made that depend on what it was given, whoever calls that."""
        if value.context <= RESULT:
            return
        if value.kind in ("symbol", "bound"):
            if self.is_running(value):
                yield from self.flow(value.path, value.number, value.context)
        elif value.kind in INSTANCES:
            for name in ("__call__", GET, SET):
                for method in self.members((value,), name):
                    if method.kind == "bound" and method.context > RESULT:
                        yield from self.flow(method.path, method.number, method.context)
