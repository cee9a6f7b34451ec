"""One file's references → edges, states and recorded look-ups."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from indexer.link.index import FileIndex
from indexer.link.lookup import definitions_at
from indexer.link.outcomes import EXTERNAL, NOTHING, PENDING, RESOLVED, Outcome, Outcomes
from indexer.link.values import Site, Sites, Value, Values
from indexer.model import BindingKind, Reference, Role, line_starts
from indexer.ports import Definition, FactsSource, Link, LinkRules, Resolver, Target

_CALLING = frozenset(map(int, (Role.CALL, Role.NEW, Role.RENDER, Role.DECORATOR)))
_BASE = int(Role.BASE)
_PARAMETER = int(BindingKind.PARAMETER)
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
        run.count()
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


class _Plan:
    """What every occurrence of a chain in a file adds: counted when it occurs, written once."""

    __slots__ = ("edges", "occurrences", "pending", "states")

    def __init__(self, states: tuple[str, ...], edges: tuple[tuple[int, str, str], ...], pending: str | None) -> None:
        self.states = states
        self.edges = edges  # target id, kind, evidence
        self.pending = pending  # the member called on an unknown receiver
        self.occurrences = 0


class _Run:
    """The linking of one file."""

    def __init__(self, engine: Outcomes, sources: FactsSource, index: FileIndex) -> None:
        self.edges: set[tuple[int, int, str, int, str]] = set()
        self.pending: set[tuple[int, str, int]] = set()
        self.counts: Counter[str] = Counter()
        self._engine = engine
        self._sources = sources
        self._index = index
        self._plans: dict[tuple[int, str, int], _Plan] = {}
        self._heads: dict[tuple[int, ...], int] = {}
        self._denoted: list[tuple[Sites, Outcome, Values]] = []
        self._numbers: dict[object, int] = {}
        self._ids = sources.symbol_ids(index.path)
        self._used: list[_Plan] = []
        self._starts = line_starts(index.facts.line_lengths)
        self._callers = [self._ids[index.caller(scope)] for scope in range(len(index.scopes))]

    # -- references

    def link_references(self, references: Sequence[Reference]) -> None:
        index = self._index
        find, scopes, bindings, local = index.find, index.scopes, index.bindings, 0
        for scope, expression, role, positions in references:
            if not isinstance(expression, str):
                self._link_row(scope, expression, role, positions)
                continue
            name, dot, _ = expression.partition(".")
            found = find(scope, name)
            if found is None:
                outcomes = self._engine.unbound_chain(index, scope, expression, role in _CALLING)
                self._apply(self._plan(expression, role, outcomes), scope, positions)
                continue
            bound, numbers = found
            if len(numbers) == 1:
                number = numbers[0]
                plain = not dot and role not in _CALLING and bindings[number][2] not in _DEFINING
                if plain and scopes[bound].kind in _LOCAL_SCOPES:
                    local += len(positions)
                    continue
                self._apply(self._chain((number,), expression, role), scope, positions)
                continue
            for position in positions:
                selection = index.select(scope, bound, numbers, position)
                self._apply(self._chain(selection, expression, role), scope, (position,))
        if local:
            self.counts[RESOLVED] += local

    def _chain(self, selection: tuple[int, ...], chain: str, role: int) -> _Plan:
        """The plan of a chain whose head is one of `selection`; made once for all heads that denote the same."""
        head = self._heads.get(selection)
        if head is None:
            head = self._heads[selection] = self._head(selection)
        key = (head, chain, role)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._plan(chain, role, self._outcomes(head, chain, role in _CALLING))
        return plan

    def _outcomes(self, head: int, chain: str, calling: bool) -> tuple[Outcome, ...]:
        sites, first, values = self._denoted[head]
        _, _, rest = chain.partition(".")
        if rest:
            return (first, *self._engine.rest(values, rest, calling))
        return (self._engine.outcome(sites, True) if calling else first,)

    def _head(self, selection: tuple[int, ...]) -> int:
        """The number of what a head denotes: its sites, its outcome when it is only read, and its values."""
        engine, path = self._engine, self._index.path
        if len(selection) == 1 and self._index.bindings[selection[0]][2] == _PARAMETER:
            values = engine.binding_values(path, selection[0])
            key: object = values
            if key not in self._numbers:
                sites: Sites = (Site("binding", path, selection[0], "scope"),)
                self._denoted.append((sites, NOTHING, values))
        else:
            key = selection
            sites = engine.head_sites(path, selection)
            self._denoted.append((sites, engine.outcome(sites, False), engine.values_at(sites)))
        return self._numbers.setdefault(key, len(self._denoted) - 1)

    def _link_row(self, scope: int, expression: int | None, role: int, positions: tuple[int, ...]) -> None:
        """References that are not pure chains: members of other expressions, and calls of what they give."""
        if expression is None:
            return
        index, calling = self._index, role in _CALLING
        row = index.facts.expressions[expression]
        if row[0] == "member":
            outcome = self._engine.member_row(index, scope, row, positions[0], calling)
            self._apply(self._plan(str(row[2]), role, (outcome,)), scope, positions)
        elif calling:
            outcome = self._engine.called_row(index, scope, expression, positions[0])
            self._apply(self._plan("", role, (outcome,)), scope, positions)

    # -- output

    def _plan(self, chain: str, role: int, outcomes: tuple[Outcome, ...]) -> _Plan:
        edges: list[tuple[int, str, str]] = []
        ids = self._sources.symbol_ids
        last = len(outcomes) - 1
        for depth, (_, targets, callees) in enumerate(outcomes):
            if depth == last and role == _BASE:
                continue
            if callees:
                edges += [(ids(path)[number], "calls", evidence) for path, number, evidence in callees]
            elif targets:
                edges += [(ids(path)[number], "references", "scope") for path, number in targets]
        pending = chain.rpartition(".")[2] if outcomes[-1].state == PENDING else None
        return _Plan(tuple(outcome.state for outcome in outcomes), tuple(edges), pending)

    def _apply(self, plan: _Plan, scope: int, positions: Sequence[int]) -> None:
        if not plan.occurrences:
            self._used.append(plan)
        plan.occurrences += len(positions)
        if plan.edges:
            caller, starts, add = self._callers[scope], self._starts, self.edges.add
            for position in positions:
                line = bisect_right(starts, position)
                for target, kind, evidence in plan.edges:
                    add((caller, target, kind, line, evidence))
        elif plan.pending is not None:
            caller, starts = self._callers[scope], self._starts
            for position in positions:
                self.pending.add((caller, plan.pending, bisect_right(starts, position)))

    def count(self) -> None:
        """Add what the occurrences of every plan come to."""
        counts = self.counts
        for plan in self._used:
            for state in plan.states:
                counts[state] += plan.occurrences

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
                        self.edges.add((self._ids[number], target, "overrides", line, "inheritance"))
