"""What a file declares: the edges of its imports and classes."""

from __future__ import annotations

from collections import Counter
from typing import Final

from indexer.link.attributes import is_static
from indexer.link.ends import EXTERNAL, READ, RESOLVED
from indexer.link.index import FileIndex
from indexer.link.outcomes import Outcomes
from indexer.link.values import Value
from indexer.model import Binding, BindingKind
from indexer.ports import FactsSource

_HELD: Final = frozenset({"class", "function", "lambda"})
_VALUE: Final = int(BindingKind.VALUE)


class Declarations:
    """The part of a file's link that needs no references."""

    def __init__(self, engine: Outcomes, sources: FactsSource, index: FileIndex) -> None:
        self.edges: set[tuple[int, int, str, int, str, int]] = set()
        self.counts: Counter[str] = Counter()
        self._engine = engine
        self._sources = sources
        self._index = index
        self._ids = sources.symbol_ids(index.path)
        self._callers = [self._ids[index.caller(scope)] for scope in range(len(index.scopes))]

    def link_imports(self) -> None:
        """Edges from the importing code to the module and to what is taken from it."""
        engine, index = self._engine, self._index
        for number, row in enumerate(index.facts.imports):
            caller = self._callers[row.scope]
            module = engine.import_target(index.path, number)
            if module.kind == "module":
                target = self._sources.symbol_ids(module.path)[0]
                self.edges.add((caller, target, "imports", row.line, "import", 0))
            if not row.name or row.kind == "star":
                self._count_module(module)
                continue
            sites = engine.import_sites(index.path, number)
            outcome = engine.outcome(sites, READ)
            self.counts[outcome.state] += 1
            for path, symbol in outcome.targets:
                target = self._sources.symbol_ids(path)[symbol]
                self.edges.add((caller, target, "imports", row.line, "import", 0))
            for site in sites:
                if site.value is not None and site.value.kind == "module":
                    target = self._sources.symbol_ids(site.value.path)[0]
                    self.edges.add((caller, target, "imports", row.line, "import", 0))

    def _count_module(self, module: Value) -> None:
        if module.kind in ("module", "folder"):
            self.counts[RESOLVED] += 1
        elif module.kind == EXTERNAL:
            self.counts[EXTERNAL] += 1
        else:
            self.counts[f"unresolved: {module.path}"] += 1

    def link_classes(self) -> None:
        """Inheritance, and the methods that override one of a base class."""
        engine, index = self._engine, self._index
        for symbol, row in index.classes.items():
            line = index.symbols[symbol].name_line
            bases = engine.bases(index.path, symbol)
            for place, base in enumerate(bases, 1):
                if base.kind == "symbol":
                    target = self._sources.symbol_ids(base.path)[base.number]
                    order = place if len(bases) > 1 else 0
                    self.edges.add((self._ids[symbol], target, "inherits", line, "inheritance", order))
            self._link_held(symbol)
            if row.bases or row.implements:
                self._link_overrides(symbol)
            if index.language.receiver == "first":
                self._link_creation(symbol, self._callers[row.origin], line)

    def link_registered(self) -> None:
        """The functions that are registered for a type with a generic one: each stands in for it."""
        engine, index = self._engine, self._index
        for value, generic in engine.registrations(index):
            source = self._sources.symbol_ids(value.path)[value.number]
            target = self._sources.symbol_ids(generic.path)[generic.number]
            line = index.symbols[value.number].name_line if value.path == index.path else 0
            if source != target:
                self.edges.add((source, target, "overrides", line, "decorator", 0))

    def _link_held(self, symbol: int) -> None:
        """Functions and classes that the attributes of a class are bound to in its body: subclasses choose them so."""
        engine, index = self._engine, self._index
        for numbers in index.names[index.symbols[symbol].scope].values():
            for number in index.final(numbers):
                if not is_held(index, index.bindings[number]):
                    continue
                attribute = index.bindings[number].target
                for value in engine.binding_values(index.path, number):
                    if value.kind == "symbol" and engine.indexes[value.path].symbols[value.number].kind in _HELD:
                        target = self._sources.symbol_ids(value.path)[value.number]
                        line = index.symbols[attribute].name_line
                        self.edges.add((self._ids[attribute], target, "references", line, "scope", 0))

    def _link_creation(self, symbol: int, caller: int, line: int) -> None:
        """The functions that making a class runs."""
        for site in self._engine.creating(self._index, symbol):
            found = self._engine.symbol_of(site) if site.value is None else -1
            if found >= 0 and self._engine.indexes[site.path].symbols[found].kind == "method":
                target = self._sources.symbol_ids(site.path)[found]
                self.edges.add((caller, target, "calls", line, "inheritance", 0))

    def _link_overrides(self, symbol: int) -> None:
        engine, index = self._engine, self._index
        above = Value("super", index.path, symbol)
        for name, numbers in index.children.get(symbol, {}).items():
            if name == index.language.constructor:  # constructors are not reached by dispatch
                continue
            for number in numbers:
                if index.symbols[number].kind != "method":
                    continue
                for site in engine.sites(above, name):
                    found = engine.symbol_of(site) if site.value is None else -1
                    if found >= 0 and engine.indexes[site.path].symbols[found].kind == "method":
                        target = self._sources.symbol_ids(site.path)[found]
                        line = index.symbols[number].name_line
                        self.edges.add((self._ids[number], target, "overrides", line, "inheritance", 0))


def is_held(index: FileIndex, binding: Binding) -> bool:
    """Whether a binding of a class's body gives an attribute something by its name: `form_class = Form`."""
    if binding.kind != _VALUE or binding.target < 0 or index.symbols[binding.target].kind != "attribute":
        return False
    return isinstance(binding.expression, str) or is_static(index, binding)
