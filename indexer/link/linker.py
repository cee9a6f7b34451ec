"""One file's references → edges, states and recorded look-ups."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from indexer.link.index import FileIndex
from indexer.link.lookup import definitions_at
from indexer.link.outcomes import EXTERNAL, PENDING, RESOLVED, Outcome, Outcomes
from indexer.link.values import Value
from indexer.model import BindingKind, Reference, Role, line_starts
from indexer.ports import Definition, FactsSource, Link, LinkRules, Resolver, Target

_CALLING = frozenset(map(int, (Role.CALL, Role.NEW, Role.RENDER, Role.DECORATOR)))
_READ, _BASE = int(Role.READ), int(Role.BASE)
_DEFINING = frozenset({int(BindingKind.SYMBOL), int(BindingKind.IMPORT)})
_LOCAL_SCOPES = frozenset({"function", "block"})


class Linker:
    """Links files one at a time; answers that several files need are found once and kept."""

    def __init__(
        self, sources: FactsSource, resolvers: Mapping[str, Resolver], languages: Mapping[str, LinkRules]
    ) -> None:
        self._sources = sources
        self._resolvers = resolvers
        self._engine = Outcomes(sources, resolvers, languages)

    def link(self, path: str) -> Link:
        """Every reference, import, base and override of one mapped file. KeyError if the file is not mapped."""
        self._engine.memo.begin()
        run = _Run(self._engine, self._sources, self._engine.indexes[path])
        run.link_references(self._sources.references(path))
        run.link_imports()
        run.link_classes()
        lookups, modules = self._split(path)
        return Link(
            edges=tuple(sorted(run.edges)),
            pending=tuple(sorted(run.pending)),
            counts=dict(sorted(run.counts.items())),
            lookups=lookups,
            modules=modules,
        )

    def answer(self, question: tuple[str, ...]) -> tuple[str, str] | None:
        """What the resolver says now to a question recorded in `Link.modules`."""
        kind, family, *words = question
        resolver = self._resolvers[family]
        if kind == "resolve":
            importer, specifier, level = words
            target: Target | None = resolver.resolve(importer, specifier, int(level))
        else:
            target = resolver.member(Target(words[0], words[1]), words[2])
        return None if target is None else (target.kind, target.value)

    def definition(self, path: str, position: int) -> tuple[Definition, ...]:
        """The definitions of the name at a byte offset of the normalised text; empty where there is none."""
        return definitions_at(self._engine, self._sources, path, position)

    def _split(
        self, path: str
    ) -> tuple[dict[str, tuple[str, ...]], tuple[tuple[tuple[str, ...], tuple[str, str] | None], ...]]:
        others: defaultdict[str, list[str]] = defaultdict(list)
        for file, name in self._engine.memo.lookups:
            if file != path:
                others[file].append(name)
        questions = [tuple(text.split("\0")) for text in sorted(others.pop("", ()))]
        lookups = {file: tuple(sorted(names)) for file, names in sorted(others.items())}
        return lookups, tuple((question, self.answer(question)) for question in questions)


class _Run:
    """The linking of one file."""

    def __init__(self, engine: Outcomes, sources: FactsSource, index: FileIndex) -> None:
        self.edges: set[tuple[int, int, str, int, str]] = set()
        self.pending: set[tuple[int, str, int]] = set()
        self.counts: Counter[str] = Counter()
        self._engine = engine
        self._sources = sources
        self._index = index
        self._known: dict[tuple[tuple[int, ...], str, bool], tuple[Outcome, ...]] = {}
        self._ids = sources.symbol_ids(index.path)
        self._starts = line_starts(index.facts.line_lengths)
        self._callers = [self._ids[index.caller(scope)] for scope in range(len(index.scopes))]

    # -- references

    def link_references(self, references: Sequence[Reference]) -> None:
        index = self._index
        find, counts, scopes = index.find, self.counts, index.scopes
        for scope, expression, role, positions in references:
            if not isinstance(expression, str):
                self._link_row(scope, expression, role, positions)
                continue
            name, dot, _ = expression.partition(".")
            calling = role in _CALLING
            found = find(scope, name)
            if found is None:
                outcomes = self._engine.unbound_chain(index, scope, expression, calling)
                self._emit(scope, expression, role, positions, outcomes)
                continue
            bound, numbers = found
            if not dot and not calling and scopes[bound].kind in _LOCAL_SCOPES and self._is_local(numbers):
                counts[RESOLVED] += len(positions)
            elif len(numbers) == 1:
                self._emit(scope, expression, role, positions, self._chain((numbers[0],), expression, calling))
            else:
                for position in positions:
                    selection = index.select(scope, bound, numbers, position)
                    self._emit(scope, expression, role, (position,), self._chain(selection, expression, calling))

    def _is_local(self, numbers: list[int]) -> bool:
        bindings = self._index.bindings
        return all(bindings[n].kind not in _DEFINING for n in numbers)

    def _chain(self, selection: tuple[int, ...], chain: str, calling: bool) -> tuple[Outcome, ...]:
        """The outcome of each link of a chain whose head is one of `selection`."""
        key = (selection, chain, calling)
        outcomes = self._known.get(key)
        if outcomes is None:
            engine, path = self._engine, self._index.path
            _, _, rest = chain.partition(".")
            if rest:
                first = engine.heads(path, selection, False)
                outcomes = (first, *engine.rest(engine.head_values(path, selection), rest, calling))
            else:
                outcomes = (engine.heads(path, selection, calling),)
            self._known[key] = outcomes
        return outcomes

    def _link_row(self, scope: int, expression: int | None, role: int, positions: tuple[int, ...]) -> None:
        """References that are not pure chains: members of other expressions, and calls of what they give."""
        if expression is None:
            return
        index, calling = self._index, role in _CALLING
        row = index.facts.expressions[expression]
        if row[0] == "member":
            outcome = self._engine.member_row(index, scope, row, positions[0], calling)
            self._emit_one(scope, str(row[2]), role, positions, outcome)
        elif calling:
            self._emit_one(scope, "", role, positions, self._engine.called_row(index, scope, expression, positions[0]))

    # -- output

    def _emit(
        self, scope: int, chain: str, role: int, positions: tuple[int, ...], outcomes: tuple[Outcome, ...]
    ) -> None:
        if len(outcomes) > 1:
            for outcome in outcomes[:-1]:
                self._emit_one(scope, "", _READ, positions, outcome)
        name = chain.rpartition(".")[2] if outcomes[-1].state == PENDING else ""
        self._emit_one(scope, name, role, positions, outcomes[-1])

    def _emit_one(self, scope: int, name: str, role: int, positions: tuple[int, ...], outcome: Outcome) -> None:
        state, targets, callees = outcome
        self.counts[state] += len(positions)
        if state == PENDING:
            caller = self._callers[scope]
            self.pending.update((caller, name, bisect_right(self._starts, position)) for position in positions)
            return
        if role == _BASE:
            return
        if callees:
            self._edges(scope, [(path, number, "calls", evidence) for path, number, evidence in callees], positions)
        elif targets:
            self._edges(scope, [(path, number, "references", "scope") for path, number in targets], positions)

    def _edges(self, scope: int, targets: list[tuple[str, int, str, str]], positions: tuple[int, ...]) -> None:
        caller, starts, edges = self._callers[scope], self._starts, self.edges
        for path, number, kind, evidence in targets:
            target = self._sources.symbol_ids(path)[number]
            for position in positions:
                edges.add((caller, target, kind, bisect_right(starts, position), evidence))

    # -- imports and classes

    def link_imports(self) -> None:
        """Edges from the importing code to the module and to what is taken from it."""
        engine, index = self._engine, self._index
        for number, row in enumerate(index.facts.imports):
            caller = self._callers[row.scope]
            module = engine.import_target(index.path, number)
            if module.kind == "module":
                target = self._sources.symbol_ids(module.path)[0]
                self.edges.add((caller, target, "imports", row.line, "import"))
            if not row.name or row.kind == "star":
                self._count_module(module)
                continue
            sites = engine.import_sites(index.path, number)
            outcome = engine.outcome(sites, False)
            self.counts[outcome.state] += 1
            for path, symbol in outcome.targets:
                target = self._sources.symbol_ids(path)[symbol]
                self.edges.add((caller, target, "imports", row.line, "import"))
            for site in sites:
                if site.value is not None and site.value.kind == "module":
                    target = self._sources.symbol_ids(site.value.path)[0]
                    self.edges.add((caller, target, "imports", row.line, "import"))

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
            for base in engine.bases(index.path, symbol):
                if base.kind == "symbol":
                    target = self._sources.symbol_ids(base.path)[base.number]
                    self.edges.add((self._ids[symbol], target, "inherits", line, "inheritance"))
            if row.bases or row.implements:
                self._link_overrides(symbol)

    def _link_overrides(self, symbol: int) -> None:
        engine, index = self._engine, self._index
        above = Value("super", index.path, symbol)
        for name, numbers in index.children.get(symbol, {}).items():
            for number in numbers:
                if index.symbols[number].kind != "method":
                    continue
                for site in engine.sites(above, name):
                    found = engine.symbol_of(site) if site.value is None else -1
                    if found >= 0 and engine.indexes[site.path].symbols[found].kind == "method":
                        target = self._sources.symbol_ids(site.path)[found]
                        line = index.symbols[number].name_line
                        self.edges.add((self._ids[number], target, "overrides", line, "inheritance"))
