"""What becomes of one name of a reference: its state, what it names, and what runs when it is called."""

from __future__ import annotations

from typing import NamedTuple

from indexer.link.engine import Engine
from indexer.link.index import FileIndex
from indexer.link.values import Site, Value
from indexer.model import BindingKind, ExpressionRow

FUNCTIONS = frozenset({"function", "method", "lambda"})
RESOLVED, EXTERNAL, PENDING = "resolved", "external", "pending"
DEFINITE = frozenset({"no such member", "not defined in the module", "not exported by the module", "no such module"})
"""Reasons that rule out every definition in the repository: no name-alike may be offered instead."""


class Outcome(NamedTuple):
    """What became of one link of a chain."""

    state: str  # resolved | external | pending | "unresolved: <reason>"
    targets: tuple[tuple[str, int], ...]  # (path, symbol) of what is named
    callees: tuple[tuple[str, int, str], ...]  # (path, symbol, evidence) of what runs if it is called


NOTHING = Outcome(RESOLVED, (), ())


class Outcomes:
    """Outcomes for the references of one file."""

    def __init__(self, engine: Engine, index: FileIndex) -> None:
        self._engine = engine
        self._index = index

    def member(self, scope: int, row: ExpressionRow, position: int, calling: bool) -> Outcome:
        """The outcome of a "member" row."""
        values = self._engine.evaluate(self._index, scope, row[1], position)
        sites = tuple(dict.fromkeys(site for value in values for site in self._engine.sites(value, row[2])))
        return self.outcome(sites, calling, member=True)

    def called_row(self, scope: int, expression: int, position: int) -> Outcome:
        """The outcome of calling what an expression row gives."""
        values = self._engine.evaluate(self._index, scope, expression, position)
        return self.outcome(tuple(Site("value", "", 0, "type", value) for value in values), True)

    def chain(self, selection: tuple[int, ...], chain: str, calling: bool) -> tuple[Outcome, ...]:
        """The outcome of each link of a chain whose head is bound by `selection`."""
        engine, path = self._engine, self._index.path
        parts = chain.split(".")
        sites = tuple(dict.fromkeys(s for number in selection for s in engine.binding_sites(path, number)))
        sites = tuple(s._replace(evidence="scope") if s.kind == "binding" and s.path == path else s for s in sites)
        first = self.outcome(sites, calling and len(parts) == 1)
        return (first, *self._members_of(sites, parts[1:], calling)) if len(parts) > 1 else (first,)

    def unbound(self, scope: int, chain: str, calling: bool) -> tuple[Outcome, ...]:
        """Outcomes of a chain whose head no scope binds."""
        engine, index = self._engine, self._index
        parts = chain.split(".")
        starred = engine.star_sites(index.path, parts[0]) if index.stars else ()
        sites = starred or tuple(Site("value", "", 0, "scope", v) for v in engine.unbound(index, scope, parts[0]))
        own = index.language.receiver == "this" and parts[0] in ("this", "super")
        first = NOTHING if own and len(parts) > 1 else self.outcome(sites, calling and len(parts) == 1)
        if own and parts == ["super"] and calling:
            first = self._super_call(sites)
        return (first, *self._members_of(sites, parts[1:], calling)) if len(parts) > 1 else (first,)

    def _super_call(self, sites: tuple[Site, ...]) -> Outcome:
        constructor = self._index.language.constructor
        found = [s for site in sites if site.value for s in self._engine.sites(site.value, constructor)]
        return self.outcome(tuple(found), True)

    def _members_of(self, sites: tuple[Site, ...], names: list[str], calling: bool) -> list[Outcome]:
        engine = self._engine
        outcomes: list[Outcome] = []
        for depth, name in enumerate(names, 1):
            values = dict.fromkeys(v for site in sites for v in engine.site_values(site))
            last = depth == len(names)
            found = dict.fromkeys(site for value in values for site in engine.sites(value, name))
            sites = tuple(found)
            outcomes.append(self.outcome(sites, calling and last, member=True))
        return outcomes

    def outcome(self, sites: tuple[Site, ...], calling: bool, member: bool = False) -> Outcome:
        """The state of a name found at `sites`, what it names and, if it is called, what runs."""
        targets: dict[tuple[str, int], str] = {}
        outside, reason, local = False, "", False
        for site in sites:
            if site.value is None:
                number = self.symbol_of(site)
                if number >= 0:
                    targets[site.path, number] = site.evidence
                else:
                    local = True
            elif site.value.kind in ("module", "folder", "symbol", "instance", "super", "generator"):
                local = True
            elif site.value.kind == EXTERNAL:
                outside = True
            else:
                reason = reason or site.value.path
        callees = self._callees(sites) if calling else ()
        if targets or local:
            return Outcome(RESOLVED, tuple(targets), callees)
        if outside:
            return Outcome(EXTERNAL, (), callees)
        if member and calling and reason not in DEFINITE:
            return Outcome(PENDING, (), ())
        return Outcome(f"unresolved: {reason or 'receiver is not known'}", (), callees)

    def symbol_of(self, site: Site) -> int:
        """The symbol defined at a site without a value; -1 for a parameter or local variable."""
        if site.kind == "symbol":
            return site.number
        binding = self._engine.index(site.path).bindings[site.number]
        return binding.target if binding.kind in (BindingKind.SYMBOL, BindingKind.VALUE) else -1

    def _callees(self, sites: tuple[Site, ...]) -> tuple[tuple[str, int, str], ...]:
        """The functions that run when what stands at `sites` is called."""
        found: dict[tuple[str, int], str] = {}
        for site in sites:
            if site.value is None:
                number = self.symbol_of(site)
                if number >= 0 and self._engine.index(site.path).symbols[number].kind in FUNCTIONS:
                    found.setdefault((site.path, number), site.evidence)
                    continue
            for value in self._engine.site_values(site):
                for path, number, evidence in self._called(value, site.evidence):
                    found.setdefault((path, number), evidence)
        return tuple((path, number, evidence) for (path, number), evidence in found.items())

    def _called(self, value: Value, evidence: str) -> list[tuple[str, int, str]]:
        if value.kind == "instance":
            return [(s.path, self.symbol_of(s), "type") for s in self._functions(value, "__call__")]
        if value.kind != "symbol":
            return []
        index = self._engine.index(value.path)
        kind = index.symbols[value.number].kind
        if kind in FUNCTIONS:
            return [(value.path, value.number, evidence)]
        if kind == "class":
            made = self._functions(value, index.language.constructor)
            if made:
                return [(s.path, self.symbol_of(s), "constructor") for s in made]
            return [(value.path, value.number, "constructor")]
        return []

    def _functions(self, value: Value, name: str) -> list[Site]:
        sites = self._engine.sites(value, name)
        return [
            site
            for site in sites
            if site.value is None
            and self.symbol_of(site) >= 0
            and self._engine.index(site.path).symbols[self.symbol_of(site)].kind in FUNCTIONS
        ]
