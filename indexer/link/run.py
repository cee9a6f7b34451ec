"""One file's references → edges and states."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from indexer.evidence import AFTER
from indexer.link.callees import Callee, special_name
from indexer.link.contexts import RESULT
from indexer.link.declarations import Declarations
from indexer.link.ends import BASE, CALL, DELETE, PENDING, READ, RESOLVED, THROW, WRITE, Links, Plan, links, together
from indexer.link.flows import Flow
from indexer.link.index import FileIndex
from indexer.link.outcomes import Outcomes
from indexer.link.values import INSTANCES, Site, Sites, Values
from indexer.model import BindingKind, Reference, Role, line_starts
from indexer.ports import FactsSource

_VALUE: Final = int(BindingKind.VALUE)
_PARAMETERS: Final = frozenset(
    map(int, (BindingKind.PARAMETER, BindingKind.STAR, BindingKind.KEYWORD_ONLY, BindingKind.DOUBLE_STAR))
)
_DEFINING: Final = frozenset({int(BindingKind.SYMBOL), int(BindingKind.IMPORT)})
_LOCAL_SCOPES: Final = frozenset({"function", "block"})
_LOCAL: Final = Links((RESOLVED,), ())

_CALLING: Final = frozenset({Role.CALL, Role.NEW, Role.RENDER, Role.DECORATOR})
_USES: Final = [CALL if role in _CALLING else READ for role in Role]
_USES[Role.BASE], _USES[Role.THROW] = BASE, THROW
_USES[Role.WRITE], _USES[Role.DELETE] = WRITE, DELETE
_IMPLICIT: Final = int(Role.IMPLICIT)


class _Head(NamedTuple):
    """What the head of a chain denotes, and what becomes of it when it is only read."""

    sites: Sites
    links: Links
    values: Values


class Run(Declarations):
    """The linking of one file."""

    def __init__(self, engine: Outcomes, sources: FactsSource, index: FileIndex) -> None:
        super().__init__(engine, sources, index)
        self.pending: set[tuple[int, str, int, int]] = set()
        self._plans: dict[tuple[int, str, int], Plan] = {}
        self._heads: dict[tuple[int, ...], int] = {}  # selection → index of `_denoted`
        self._denoted: list[_Head] = []
        self._numbers: dict[object, int] = {}
        self._tally: dict[tuple[str, ...], int] = {}  # states of a chain → occurrences
        self._narrowed = index.narrowed_heads
        self._implicit: dict[tuple[int, str | int | None], list[tuple[Callee, int]]] = {}
        self._listeners: dict[tuple[int, str], Values] = {}
        self._starts = line_starts(index.facts.line_lengths)

    # -- references

    def link_references(self, references: Sequence[Reference]) -> None:
        index, heads, plans, tally = self._index, self._heads, self._plans, self._tally
        find, scopes, bindings, local = index.find, index.scopes, index.bindings, 0
        narrowed = self._narrowed
        for scope, expression, role, positions in references:
            use = _USES[role]
            if role == _IMPLICIT:
                self._link_implicit(scope, expression, positions)
                continue
            if not isinstance(expression, str):
                self._link_row(scope, expression, use, positions)
                continue
            name, dot, _ = expression.partition(".")
            if narrowed and name in narrowed and dot:
                positions = self._link_narrowed(scope, expression, use, positions)
            found = find(scope, name)
            if found is None:
                unbound = self._engine.unbound_chain(index, scope, expression, use)
                self._apply(self._plan(expression, unbound), scope, positions)
                continue
            bound, numbers = found
            if bound == scope and scopes[scope].kind == "class":
                self._link_in_class(scope, expression, use, positions)
                continue
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

    def _link_in_class(self, scope: int, chain: str, use: int, positions: tuple[int, ...]) -> None:
        """Link a chain whose head the class's body binds that it stands in, somewhere."""
        for position in positions:
            head = self._engine.head(self._index, scope, chain.partition(".")[0], position)
            if head is None:
                plan = self._plan(chain, self._engine.unbound_chain(self._index, scope, chain, use))
            else:
                plan = self._chain(head[1], chain, use)
            self._apply(plan, scope, (position,))

    def _chain(self, selection: tuple[int, ...], chain: str, use: int) -> Plan:
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
            return together(head.links, self._engine.rest(head.values, rest, use))
        return head.links if use == READ else links([self._engine.outcome(head.sites, use)], use)

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
        self._denoted.append(_Head(sites, links([engine.outcome(sites, READ)], READ), engine.values_at(sites)))
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

    def _link_narrowed(self, scope: int, chain: str, use: int, positions: tuple[int, ...]) -> tuple[int, ...]:
        """Link the occurrences of a chain where part of it is known by a test of its type; returns the others."""
        others = []
        for position in positions:
            found = self._engine.narrowed_chain(self._index, scope, chain, position, use)
            if found is None:
                others.append(position)
            else:
                self._apply(self._plan(chain, found), scope, (position,))
        return tuple(others)

    # -- calls that are not written as such

    def _link_implicit(self, scope: int, expression: str | int | None, positions: tuple[int, ...]) -> None:
        """Methods that syntax runs. They are not counted: no name is used."""
        engine, index = self._engine, self._index
        name = special_name(index, expression)
        key = self._head_number(scope, expression)
        known = None if key is None else self._implicit.get((key, expression))
        for position in positions:
            if known is None:
                values = engine.called(index, scope, expression, position, True)
                relevant = any(v.kind in INSTANCES or v.kind == "symbol" or engine.may_make(v, name) for v in values)
                found = list(engine.implicit(values, name)) if relevant else []
                if key is not None:
                    known = self._implicit[key, expression] = found
            else:
                found = known
            if found:
                self._add_callees(found, scope, position)

    def _head_number(self, scope: int, expression: str | int | None) -> int | None:
        """The only binding that the head of a chain may have anywhere, -1 for none; None if there are more."""
        if not isinstance(expression, str):
            return None
        name = expression.partition(".")[0]
        found = self._index.find(scope, name)
        if (found is not None and len(found[1]) > 1) or name in self._index.narrowed_heads:
            return None
        return -1 if found is None else found[1][0]

    def link_arguments(self) -> None:
        """Edges through arguments, and what decorating runs."""
        engine, index = self._engine, self._index
        for call in index.facts.calls:
            for position in call.positions:
                listening = self._listening(call.scope, index.facts.expressions[call.row][1])
                if listening == ():
                    continue
                own, flows = engine.passing(index, call.scope, call.row, position, listening)
                self._add_callees(((callee, 0) for callee in own), call.scope, position)
                self._add_flows(flows)
        for symbol in index.classes if index.language.receiver == "first" else ():
            self._add_flows(engine.describing(index, symbol))
        for symbol in index.decorated:
            own, flows = engine.decorating(index, symbol)
            scope = engine.decorators(index, symbol)[0]
            self._add_callees(((callee, 0) for callee in own), scope, index.symbols[symbol].start_byte)
            self._add_flows(flows)

    def _listening(self, scope: int, function: str | int | None) -> Values | None:
        """What is called, as far as it listens to what is passed; None where that depends on the place."""
        index = self._index
        number = self._head_number(scope, function)
        if number is None or not isinstance(function, str):
            return None
        key = (number, function)
        values = self._listeners.get(key)
        if values is None:
            called = self._engine.evaluate(index, scope, function, 0)
            values = self._engine.listening(self._engine.from_elsewhere(index, called, function))
            self._listeners[key] = values
        return values

    def _add_callees(self, callees: Iterable[tuple[Callee, int]], scope: int, position: int) -> None:
        caller, ids = self._callers[scope], self._sources.symbol_ids
        line = bisect_right(self._starts, position)
        for callee, context in callees:
            target = ids(callee.path)[callee.number]
            self.edges.add((caller, target, "calls", line, callee.evidence, self._receiver(callee.receiver)))
            if context > RESULT:
                self._add_flows(self._engine.flow(callee.path, callee.number, context))

    def _add_flows(self, flows: Iterable[Flow]) -> None:
        ids, index = self._sources.symbol_ids, self._index
        for flow in flows:
            line = flow.line + index.symbols[flow.symbol].start_line if flow.source == index.path else flow.line
            callee = flow.callee
            source, target = ids(flow.source)[flow.symbol], ids(callee.path)[callee.number]
            self.edges.add((source, target, "calls", line, callee.evidence, self._receiver(callee.receiver)))

    # -- output

    def _receiver(self, receiver: tuple[str, int]) -> int:
        path, number = receiver
        if number >= 0:
            return self._sources.symbol_ids(path)[number]
        return 0 if number == -1 else -self._sources.symbol_ids(path)[~number]

    def _plan(self, chain: str, found: Links) -> Plan:
        states, edges, flows, receiver, spelled, after = found
        pending = chain.rpartition(".")[2] if states[-1] == PENDING else None
        if spelled:
            pending = spelled
        elif pending is None and after[1] >= 0:
            pending, receiver = f"{AFTER}{chain.rpartition('.')[2]}", (after[0], ~after[1])
        if flows:
            self._add_flows(flows)
        if not edges:
            return states, (), pending, self._receiver(receiver)
        ids = self._sources.symbol_ids
        rows = [
            (ids(path)[number], kind, evidence, self._receiver(about) if about[1] >= 0 else 0)
            for path, number, kind, evidence, about in edges
        ]
        return states, tuple(rows), pending, self._receiver(receiver)

    def _apply(self, plan: Plan, scope: int, positions: Sequence[int]) -> None:
        states, targets, pending, receiver = plan
        self._tally[states] = self._tally.get(states, 0) + len(positions)
        if not targets and pending is None:
            return
        caller, starts, add = self._callers[scope], self._starts, self.edges.add
        for position in positions:
            line = bisect_right(starts, position)
            for target, kind, evidence, about in targets:
                add((caller, target, kind, line, evidence, about))
            if pending is not None:
                self.pending.add((caller, pending, line, receiver))

    def count(self) -> None:
        """Add what the occurrences of every chain come to."""
        counts = self.counts
        for states, occurrences in self._tally.items():
            for state in states:
                counts[state] += occurrences
