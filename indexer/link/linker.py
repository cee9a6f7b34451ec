"""One file's references → edges, states and recorded look-ups."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from indexer.link.index import FileIndex
from indexer.link.lookup import definitions_at
from indexer.link.outcomes import BASE, CALL, EXTERNAL, PENDING, READ, RESOLVED, Links, Outcomes, links
from indexer.link.values import Site, Sites, Value, Values
from indexer.model import BindingKind, Reference, Role, line_starts
from indexer.ports import Definition, FactsSource, Link, LinkRules, Resolver, Target

_VALUE = int(BindingKind.VALUE)
_PARAMETERS = frozenset(
    map(int, (BindingKind.PARAMETER, BindingKind.STAR, BindingKind.KEYWORD_ONLY, BindingKind.DOUBLE_STAR))
)
_DEFINING = frozenset({int(BindingKind.SYMBOL), int(BindingKind.IMPORT)})
_LOCAL_SCOPES = frozenset({"function", "block"})
_LOCAL = Links((RESOLVED,), ())

_FRAMES = 20_000
"""Python frames that `memo.MAX_DEPTH` open questions may take."""

_CALLING = frozenset({Role.CALL, Role.NEW, Role.RENDER, Role.DECORATOR})
_USES = [CALL if role in _CALLING else BASE if role == Role.BASE else READ for role in Role]


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
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _FRAMES))
        self._engine.memo.begin()
        run = _Run(self._engine, self._sources, self._engine.indexes[path])
        run.link_references(self._sources.references(path))
        run.link_imports()
        run.link_classes()
        run.count()
        lookups, modules = self.looked_up(path)
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
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _FRAMES))
        return definitions_at(self._engine, self._sources, path, position)

    def looked_up(
        self, path: str
    ) -> tuple[dict[str, tuple[str, ...]], tuple[tuple[tuple[str, ...], tuple[str, str] | None], ...]]:
        """What the last link asked of other files and of the resolver, also where it failed half way."""
        others: defaultdict[str, list[str]] = defaultdict(list)
        for file, name in self._engine.memo.lookups:
            if file != path:
                others[file].append(name)
        questions = [tuple(text.split("\0")) for text in sorted(others.pop("", ()))]
        lookups = {file: tuple(sorted(names)) for file, names in sorted(others.items())}
        return lookups, tuple((question, self.answer(question)) for question in questions)


class _Head(NamedTuple):
    """What the head of a chain denotes, and what becomes of it when it is only read."""

    sites: Sites
    links: Links
    values: Values


_Plan = tuple[tuple[str, ...], tuple[tuple[int, str, str], ...], str | None]
"""What each occurrence of a chain adds: states; edges (target id, kind, evidence); the member it calls on an unknown
receiver."""


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
        self._heads: dict[tuple[int, ...], int] = {}  # selection → index of `_denoted`
        self._denoted: list[_Head] = []
        self._numbers: dict[object, int] = {}
        self._tally: dict[tuple[str, ...], int] = {}  # states of a chain → occurrences
        self._ids = sources.symbol_ids(index.path)
        self._starts = line_starts(index.facts.line_lengths)
        self._callers = [self._ids[index.caller(scope)] for scope in range(len(index.scopes))]

    # -- references

    def link_references(self, references: Sequence[Reference]) -> None:
        index, heads, plans, tally = self._index, self._heads, self._plans, self._tally
        find, scopes, bindings, local = index.find, index.scopes, index.bindings, 0
        for scope, expression, role, positions in references:
            use = _USES[role]
            if not isinstance(expression, str):
                self._link_row(scope, expression, use, positions)
                continue
            name, dot, _ = expression.partition(".")
            found = find(scope, name)
            if found is None:
                unbound = self._engine.unbound_chain(index, scope, expression, use)
                self._apply(self._plan(expression, unbound), scope, positions)
                continue
            bound, numbers = found
            if len(numbers) > 1:
                for position in positions:
                    selection = index.select(scope, bound, numbers, position)
                    self._apply(self._chain(selection, expression, use), scope, (position,))
                continue
            number = numbers[0]
            plain = use == READ and not dot and bindings[number][2] not in _DEFINING
            if plain and scopes[bound].kind in _LOCAL_SCOPES:
                local += len(positions)
                continue
            head = heads.get((number,))
            plan = None if head is None else plans.get((head, expression, use))
            if plan is None:
                plan = self._chain((number,), expression, use)
            states = plan[0]
            if plan[1] or plan[2] is not None:
                self._apply(plan, scope, positions)
            else:
                tally[states] = tally.get(states, 0) + len(positions)
        if local:
            self.counts[RESOLVED] += local

    def _chain(self, selection: tuple[int, ...], chain: str, use: int) -> _Plan:
        """The plan of a chain whose head is one of `selection`; made once for all heads that denote the same."""
        head = self._heads.get(selection)
        if head is None:
            head = self._heads[selection] = self._head(selection)
        key = (head, chain, use)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._plan(chain, self._links(self._denoted[head], chain, use))
        return plan

    def _links(self, head: _Head, chain: str, use: int) -> Links:
        _, _, rest = chain.partition(".")
        if rest:
            following = self._engine.rest(head.values, rest, use)
            return Links(head.links.states + following.states, head.links.edges + following.edges)
        return head.links if use == READ else links([self._engine.outcome(head.sites, use == CALL)], use)

    def _head(self, selection: tuple[int, ...]) -> int:
        """The index in `_denoted` of what a head denotes; local names that denote the same share it."""
        engine, path = self._engine, self._index.path
        binding = self._index.bindings[selection[0]]
        if len(selection) == 1 and (binding[2] in _PARAMETERS or (binding[2] == _VALUE and binding[4] < 0)):
            values = engine.binding_values(path, selection[0])
            number = self._numbers.get(values)
            if number is None:
                number = self._numbers[values] = len(self._denoted)
                self._denoted.append(_Head((Site("binding", path, selection[0], "scope"),), _LOCAL, values))
            return number
        sites = engine.head_sites(path, selection)
        self._denoted.append(_Head(sites, links([engine.outcome(sites, False)], READ), engine.values_at(sites)))
        return len(self._denoted) - 1

    def _link_row(self, scope: int, expression: int | None, use: int, positions: tuple[int, ...]) -> None:
        """References that are not pure chains: members of other expressions, and calls of what they give."""
        if expression is None:
            return
        index = self._index
        row = index.facts.expressions[expression]
        if row[0] == "member":
            found = self._engine.member_row(index, scope, row, positions[0], use)
            self._apply(self._plan(row[2], found), scope, positions)
        elif use == CALL:
            found = self._engine.called_row(index, scope, expression, positions[0])
            self._apply(self._plan("", found), scope, positions)

    # -- output

    def _plan(self, chain: str, found: Links) -> _Plan:
        states, edges = found
        pending = chain.rpartition(".")[2] if states[-1] == PENDING else None
        if not edges:
            return states, (), pending
        ids = self._sources.symbol_ids
        return states, tuple([(ids(path)[number], kind, evidence) for path, number, kind, evidence in edges]), pending

    def _apply(self, plan: _Plan, scope: int, positions: Sequence[int]) -> None:
        states, targets, pending = plan
        self._tally[states] = self._tally.get(states, 0) + len(positions)
        if not targets and pending is None:
            return
        caller, starts, add = self._callers[scope], self._starts, self.edges.add
        for position in positions:
            line = bisect_right(starts, position)
            for target, kind, evidence in targets:
                add((caller, target, kind, line, evidence))
            if pending is not None:
                self.pending.add((caller, pending, line))

    def count(self) -> None:
        """Add what the occurrences of every chain come to."""
        counts = self.counts
        for states, occurrences in self._tally.items():
            for state in states:
                counts[state] += occurrences

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
