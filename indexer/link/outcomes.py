"""What becomes of one name of a reference: its state, what it names, and what runs when it is called."""

from __future__ import annotations

from typing import NamedTuple

from indexer.link.engine import Engine
from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.values import DEFINITE, UNKNOWN_RECEIVER, Site, Sites, Value, Values, union
from indexer.model import BindingKind, ExpressionRow

FUNCTIONS = frozenset({"function", "method", "lambda"})
RESOLVED, EXTERNAL, PENDING = "resolved", "external", "pending"

_WITH_SYMBOL = frozenset({int(BindingKind.SYMBOL), int(BindingKind.VALUE)})
_NAMELESS = frozenset({"module", "folder", "symbol", "instance", "super", "generator", "awaitable"})


class Outcome(NamedTuple):
    """What became of one link of a chain."""

    state: str  # resolved | external | pending | "unresolved: <reason>"
    targets: tuple[tuple[str, int], ...]  # (path, symbol) of what is named
    callees: tuple[tuple[str, int, str], ...]  # (path, symbol, evidence) of what runs if it is called


class Links(NamedTuple):
    """What became of a whole chain: the state of each link, and the edges of all together."""

    states: tuple[str, ...]
    edges: tuple[tuple[str, int, str, str], ...]  # path, symbol, kind, evidence


NOTHING = Outcome(RESOLVED, (), ())
OUTSIDE = Outcome(EXTERNAL, (), ())
WAITING = Outcome(PENDING, (), ())

READ, CALL, BASE = 0, 1, 2
"""What a chain is there for: the edges of its last link depend on it."""


def links(outcomes: list[Outcome], use: int) -> Links:
    """Outcomes put together. The last link of a base makes no edge: the class does."""
    edges: list[tuple[str, int, str, str]] = []
    for _, targets, callees in outcomes[:-1] if use == BASE else outcomes:
        if callees:
            edges += [(path, number, "calls", evidence) for path, number, evidence in callees]
        elif targets:
            edges += [(path, number, "references", "scope") for path, number in targets]
    return Links(tuple([outcome[0] for outcome in outcomes]), tuple(edges))


class Outcomes(Engine):
    """The questions that linking asks, answered for all files together."""

    def head_sites(self, path: str, selection: tuple[int, ...]) -> Sites:
        """Where a name is defined that these bindings of a file may hold."""
        sites = [site for number in selection for site in self.binding_sites(path, number)]
        if len(sites) == 1 and sites[0].kind != "binding":
            return tuple(sites)
        return tuple(
            Site("binding", path, s.number, "scope") if s.kind == "binding" and s.path == path else s
            for s in dict.fromkeys(sites)
        )

    def rest(self, values: Values, chain: str, use: int) -> Links:
        """What becomes of the links of a chain, read from what its head denotes."""
        if len(values) == 1:
            kind, reason, _ = values[0]
            if kind == EXTERNAL:
                return Links((EXTERNAL,) * (chain.count(".") + 1), ())
            if kind == "unknown":
                state = f"unresolved: {UNKNOWN_RECEIVER if reason in DEFINITE else reason}"
                return Links((state,) * chain.count(".") + (PENDING if use == CALL else state,), ())
        return self.known_rest(values, chain, use)

    @question
    def known_rest(self, values: Values, chain: str, use: int) -> Links:
        """`rest` of what is in the repository."""
        outcomes: list[Outcome] = []
        *names, last = chain.split(".")
        for name in names:
            sites = self.sites_of(values, name)
            outcomes.append(self.outcome(sites, False, True))
            values = self.values_at(sites)
        outcomes.append(self.outcome(self.sites_of(values, last), use == CALL, True))
        return links(outcomes, use)

    def unbound_chain(self, index: FileIndex, scope: int, chain: str, use: int) -> Links:
        """What becomes of a chain whose head no scope binds."""
        name, _, rest = chain.partition(".")
        sites = self.star_sites(index.path, name) if index.stars else ()
        sites = sites or tuple([Site("value", "", 0, "scope", value) for value in self.unbound(index, scope, name)])
        receiver = index.language.receiver == "this" and name in ("this", "super")
        if not rest:
            if receiver and name == "super" and use == CALL:
                found = [s for site in sites if site.value for s in self.sites(site.value, index.language.constructor)]
                sites = tuple(found)
            return links([self.outcome(sites, use == CALL)], use)
        first = links([NOTHING if receiver else self.outcome(sites, False)], READ)
        following = self.rest(self.values_at(sites), rest, use)
        return Links(first.states + following.states, first.edges + following.edges)

    def member_row(self, index: FileIndex, scope: int, row: ExpressionRow, position: int, use: int) -> Links:
        """What becomes of a "member" row."""
        return self.rest(self.evaluate(index, scope, row[1], position), row[2], use)

    def called_row(self, index: FileIndex, scope: int, expression: int, position: int) -> Links:
        """What becomes of a call of what an expression row gives."""
        values = self.evaluate(index, scope, expression, position)
        return links([self.outcome(tuple([Site("value", "", 0, "type", value) for value in values]), True)], CALL)

    def values_at(self, sites: Sites) -> Values:
        """What a name denotes that is defined at `sites`."""
        return (
            self.site_values(sites[0]) if len(sites) == 1 else union([self.site_values(site) for site in sites] or [()])
        )

    def sites_of(self, values: Values, name: str) -> Sites:
        if len(values) == 1:
            return self.sites(values[0], name)
        return tuple(dict.fromkeys(site for value in values for site in self.sites(value, name)))

    def outcome(self, sites: Sites, calling: bool, member: bool = False) -> Outcome:
        """The state of a name found at `sites`, what it names and, if it is called, what runs."""
        targets: dict[tuple[str, int], None] = {}
        outside, reason, nameless = False, "", False
        for site in sites:
            value = site.value
            if value is None:
                number = self.symbol_of(site)
                if number >= 0:
                    targets[site.path, number] = None
                else:
                    nameless = True
            elif value.kind == EXTERNAL:
                outside = True
            elif value.kind in _NAMELESS:
                nameless = True
            else:
                reason = reason or value.path
        if targets or nameless:
            return Outcome(RESOLVED, tuple(targets), self._callees(sites) if calling else ())
        if outside:
            return OUTSIDE
        if member and calling and reason not in DEFINITE:
            return WAITING
        return Outcome(f"unresolved: {reason or 'receiver is not known'}", (), ())

    def symbol_of(self, site: Site) -> int:
        """The symbol defined at a site without a value; -1 for a parameter or local variable."""
        if site.kind == "symbol":
            return site.number
        binding = self.indexes[site.path].bindings[site.number]
        return binding.target if binding.kind in _WITH_SYMBOL else -1

    # -- callees

    def _callees(self, sites: Sites) -> tuple[tuple[str, int, str], ...]:
        """The functions that run when what stands at `sites` is called."""
        found: dict[tuple[str, int], str] = {}
        for site in sites:
            if site.value is None:
                number = self.symbol_of(site)
                if number >= 0 and self.indexes[site.path].symbols[number].kind in FUNCTIONS:
                    found.setdefault((site.path, number), site.evidence)
                    continue
            for value in self.site_values(site):
                for path, number, evidence in self._called(value, site.evidence):
                    found.setdefault((path, number), evidence)
        return tuple((path, number, evidence) for (path, number), evidence in found.items())

    def _called(self, value: Value, evidence: str) -> list[tuple[str, int, str]]:
        if value.kind == "instance":
            return [(path, number, "type") for path, number in self._functions(value, "__call__")]
        if value.kind != "symbol":
            return []
        index = self.indexes[value.path]
        kind = index.symbols[value.number].kind
        if kind in FUNCTIONS:
            return [(value.path, value.number, evidence)]
        if kind == "class":
            made = self._functions(value, index.language.constructor)
            return [(path, number, "constructor") for path, number in made or [(value.path, value.number)]]
        return []

    def _functions(self, value: Value, name: str) -> list[tuple[str, int]]:
        found = [(site.path, self.symbol_of(site)) for site in self.sites(value, name) if site.value is None]
        return [(p, n) for p, n in found if n >= 0 and self.indexes[p].symbols[n].kind in FUNCTIONS]
