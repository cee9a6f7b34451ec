"""What becomes of one name of a reference: its state, what it names, and what runs when it is called."""

from __future__ import annotations

from typing import Final

from indexer.evidence import ARGUMENT
from indexer.link.callees import Callee, dispatching, is_open
from indexer.link.calls import FUNCTIONS
from indexer.link.contexts import RESULT
from indexer.link.descriptors import DELETE as DEL
from indexer.link.descriptors import GET, SET
from indexer.link.ends import (
    CALL,
    DELETE,
    EXTERNAL,
    NOBODY,
    NOTHING,
    OUTSIDE,
    PENDING,
    READ,
    RESOLVED,
    THROW,
    WAITING,
    WRITE,
    Links,
    Outcome,
    links,
    together,
)
from indexer.link.flows import Flow
from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.values import CONTAINERS, DEFINITE, INSTANCES, UNKNOWN_RECEIVER, Site, Sites, Values, union
from indexer.link.wrapping import Wrapping
from indexer.model import BindingKind, ExpressionRow, Flag

_PROPERTY: Final = int(Flag.PROPERTY)
_SETTER: Final = int(Flag.SETTER)
_TYPE_ONLY: Final = int(Flag.TYPE_ONLY)
_NAMELESS: Final = frozenset({"module", "folder", "symbol", "bound", "super", "awaitable"}) | INSTANCES | CONTAINERS
_PASSIVE: Final = frozenset({READ, WRITE, DELETE})
_ACCESS: Final = {WRITE: SET, DELETE: DEL}
_READING: Final = frozenset({READ, CALL})
_WRAPPERS: Final = frozenset({"wraps", "update_wrapper"})
_PARAMETERS: Final = frozenset(range(int(BindingKind.PARAMETER), int(BindingKind.DOUBLE_STAR) + 1))


class Outcomes(Wrapping):
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
            kind, reason, _, _ = values[0]
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
            outcomes.append(self.outcome(sites, READ, True))
            values = self.values_at(sites)
        outcome = self.outcome(self.sites_of(values, last), use, True)
        if outcome.state.startswith("unresolved") and use == CALL:
            receiver = next(((v.path, v.number) for v in values if is_open(v)), NOBODY)
            if receiver != NOBODY:
                lacks = outcome.state.removeprefix("unresolved: ") in DEFINITE
                owner = (receiver[0], ~receiver[1]) if lacks else receiver
                outcome = outcome._replace(state=PENDING, receiver=owner)
        outcomes.append(outcome)
        found = links(outcomes, use)
        if use == CALL and not outcome.targets:
            after = next(((v.path, v.number) for v in values if v.kind == "super"), NOBODY)
            if after != NOBODY and all(v.kind == "symbol" for v in self.lineage(*after)):
                return found._replace(after=after)
        return found

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
            return links([self.outcome(sites, use)], use)
        first = links([NOTHING if receiver else self.outcome(sites, READ)], READ)
        return together(first, self.rest(self.values_at(sites), rest, use))

    def narrowed_chain(self, index: FileIndex, scope: int, chain: str, position: int, use: int) -> Links | None:
        """What becomes of a chain part of which was tested for its type; None where none was."""
        parts = chain.split(".")
        for count in range(len(parts) - 1, 0, -1):
            known = ".".join(parts[:count])
            if known in index.narrowed and self.tested(index, scope, known, position):
                first = self.chain_links(index, scope, known, position)
                values = self.chain_values(index, scope, known, position)
                return together(first, self.rest(values, ".".join(parts[count:]), use))
        return None

    def chain_links(self, index: FileIndex, scope: int, chain: str, position: int) -> Links:
        """What becomes of a chain that is read."""
        name, _, rest = chain.partition(".")
        head = self.head(index, scope, name, position)
        if head is None:
            return self.unbound_chain(index, scope, chain, READ)
        sites = self.head_sites(index.path, head[1])
        first = links([self.outcome(sites, READ)], READ)
        return together(first, self.rest(self.values_at(sites), rest, READ)) if rest else first

    def member_row(self, index: FileIndex, scope: int, row: ExpressionRow, position: int, use: int) -> Links:
        """What becomes of a "member" row."""
        return self.rest(self.evaluate(index, scope, row[1], position), row[2], use)

    def called_row(self, index: FileIndex, scope: int, expression: int, position: int) -> Links:
        """What becomes of a call of what an expression row gives."""
        values = self.evaluate(index, scope, expression, position)
        return links([self.outcome(tuple([Site("value", "", 0, "type", value) for value in values]), CALL)], CALL)

    def values_at(self, sites: Sites) -> Values:
        """What a name denotes that is defined at `sites`."""
        return (
            self.site_values(sites[0]) if len(sites) == 1 else union([self.site_values(site) for site in sites] or [()])
        )

    def sites_of(self, values: Values, name: str) -> Sites:
        if len(values) == 1:
            return self.sites(values[0], name)
        return tuple(dict.fromkeys(site for value in values for site in self.sites(value, name)))

    def outcome(self, sites: Sites, use: int, member: bool = False) -> Outcome:
        """The state of a name found at `sites`, what it names and, if it is called, what runs."""
        targets: dict[tuple[str, int], None] = {}
        outside, reason, nameless, running, described = False, "", False, False, False
        looked_up: dict[Callee, int] = {}
        for site in sites:
            value = site.value
            if value is not None and site.path and site.number >= 0 and use in _READING:
                looked_up[Callee(site.path, site.number, "property")] = 0
            if value is None:
                number = self.symbol_of(site)
                if number >= 0:
                    targets[site.path, number] = None
                    if self.indexes[site.path].symbols[number].flags & _PROPERTY and self._is_read(site):
                        running = True
                    elif site.receiver is not None and self.describes(site):
                        running = described = True
                else:
                    nameless = True
            elif value.kind == EXTERNAL:
                outside = True
            elif value.kind in _NAMELESS:
                nameless = True
            else:
                reason = reason or value.path
        if targets or nameless:
            if not running and use in _PASSIVE:
                return Outcome(RESOLVED, tuple(targets), tuple(looked_up))
            found = looked_up | self._runs(sites, use)
            if use == CALL and nameless and self.calls_spelled and (spelled := self.spelled_at(sites)):
                pattern, owner = spelled
                callees = tuple(found)
                return Outcome(PENDING, tuple(targets), callees, self._flows(found), receiver=owner, spelled=pattern)
            read = tuple(targets) if described else ()
            held = self._held_at(sites) if use == CALL and not read else ()
            return Outcome(RESOLVED, tuple(targets), tuple(found), self._flows(found), read=read, held=held)
        if outside:
            return OUTSIDE
        if member and use == CALL and reason not in DEFINITE:
            return WAITING._replace(callees=tuple(looked_up)) if looked_up else WAITING
        return Outcome(f"unresolved: {reason or 'receiver is not known'}", (), tuple(looked_up))

    def _held_at(self, sites: Sites) -> tuple[tuple[tuple[str, int], tuple[str, int]], ...]:
        """The attributes at some sites in whose place a subclass of the receiver's class may have others."""
        found = {}
        for site in sites:
            about = NOBODY if site.value is not None else dispatching(site)
            number = -1 if about == NOBODY else self.symbol_of(site)
            if number >= 0 and self.indexes[site.path].symbols[number].kind == "attribute":
                found[site.path, number] = about
        return tuple(found.items())

    def _flows(self, found: dict[Callee, int]) -> tuple[Flow, ...]:
        flows: dict[Flow, None] = {}
        for callee, context in found.items():
            if context > RESULT:
                flows.update(dict.fromkeys(self.flow(callee.path, callee.number, context)))
        return tuple(flows)

    # -- callees

    def _runs(self, sites: Sites, use: int) -> dict[Callee, int]:
        """The functions that run when what stands at `sites` is used so, each with its context."""
        found: dict[Callee, int] = {}
        for site in sites if len(sites) == 1 else self._existing(sites):
            number = self.symbol_of(site) if site.value is None else -1
            if number >= 0:
                index = self.indexes[site.path]
                symbol = index.symbols[number]
                if site.receiver is not None and symbol.kind != "function" and self.describes(site):
                    for value, context in self.accessed(site, _ACCESS.get(use, GET)):
                        found.setdefault(Callee(value.path, value.number, "property"), context)
                elif symbol.flags & _PROPERTY and self._is_read(site):
                    self._property_at(site, number, use, found)
                    if use != CALL:
                        continue
                elif symbol.kind in FUNCTIONS and use == CALL and self._plain(site, number):
                    found.setdefault(Callee(site.path, number, site.evidence, dispatching(site)), 0)
                    continue
            if use == CALL:
                self._called_at(site, number, found)
            elif use == THROW:
                for value in self.site_values(site):
                    if self.is_class(value):
                        found.update(self.callees(value, "constructor"))
        return found

    def _is_read(self, site: Site) -> bool:
        """Whether a property is read: from an object, not from its class, nor by its name in the class's body."""
        if site.receiver is not None:
            return site.receiver.kind != "symbol"
        index = self.indexes[site.path]
        return site.kind != "binding" or index.scopes[index.bindings[site.number].scope].kind != "class"

    def _existing(self, sites: Sites) -> Sites:
        """Of several definitions those that there are when the code runs: not those under `if TYPE_CHECKING`."""
        numbers = [self.symbol_of(site) if site.value is None else -1 for site in sites]
        kept = tuple([
            site for site, n in zip(sites, numbers, strict=True)
            if n < 0 or not self.indexes[site.path].symbols[n].flags & _TYPE_ONLY
        ])  # fmt: skip
        return kept or sites

    def _plain(self, site: Site, number: int) -> bool:
        """Whether a function is itself and nothing more is known of its receiver than the class it stands in."""
        receiver = site.receiver
        if receiver is not None and (receiver.context > RESULT or receiver.kind == "made"):
            return False
        return number not in self.indexes[site.path].decorated

    def _called_at(self, site: Site, number: int, found: dict[Callee, int]) -> None:
        about = dispatching(site)
        evidence = ARGUMENT if self._is_parameter(site) else site.evidence
        named = number >= 0 and self.indexes[site.path].symbols[number].kind in FUNCTIONS
        for value in self.site_values(site):
            for callee, context in self.callees(value, evidence):
                if named and callee[:2] == (site.path, number):
                    callee = callee._replace(receiver=about)
                elif named:
                    callee = callee._replace(evidence="decorator")
                    if self._wraps(callee):
                        found.setdefault(Callee(site.path, number, site.evidence, about), 0)
                found.setdefault(callee, context)

    def _is_parameter(self, site: Site) -> bool:
        if site.kind != "binding" or site.value is not None:
            return False
        return self.indexes[site.path].bindings[site.number].kind in _PARAMETERS

    def _wraps(self, callee: Callee) -> bool:
        """Whether a function stands in for another one: `functools.wraps`."""
        index = self.indexes[callee.path]
        function = index.functions.get(callee.number)
        for decorator in () if function is None else function.decorators:
            row = index.facts.expressions[decorator] if isinstance(decorator, int) else ("",)
            if row[0] == "call" and isinstance(row[1], str) and row[1].rpartition(".")[2] in _WRAPPERS:
                return True
        return False

    def _property_at(self, site: Site, number: int, use: int, found: dict[Callee, int]) -> None:
        """What reading or setting a property runs."""
        index = self.indexes[site.path]
        symbol = index.symbols[number]
        if use == WRITE or use == DELETE:
            for other in index.children.get(symbol.parent, {}).get(symbol.name, ()):
                if index.symbols[other].flags & _SETTER and self.is_deleter(index, other) == (use == DELETE):
                    found.setdefault(Callee(site.path, other, "property", dispatching(site)), 0)
            return
        found.setdefault(Callee(site.path, number, "property", dispatching(site)), 0)
