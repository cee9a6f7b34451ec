"""Questions to a map as values: they can be sent to another process, and answered there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from codemap.service.cut import cut
from queries.named import named_files

if TYPE_CHECKING:
    from codemap.api import CodeMap
    from codemap.render.formats import Format
    from queries.answers import Staleness

Relation = Literal["callers", "callees", "references"]

DEFAULT_IMPACT_HOPS = 5


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer as it is sent.

    text    within the budget asked for, in the form asked for
    paths   files of the repository it speaks of
    state   of the map, and of those files
    """

    text: str
    paths: tuple[str, ...]
    state: Staleness


class Question(Protocol):
    """Something to ask a map. Hashable: two that are equal have the same answer in one state of the map."""

    @property
    def name(self) -> str:
        """The command that answers the same, for the meter."""
        ...

    @property
    def form(self) -> Format:
        """How it is to be answered."""
        ...

    @property
    def lasting(self) -> bool:
        """Whether the answer is the same while the map, the files it names, head and configuration are."""
        ...

    def answer(self, code_map: CodeMap) -> Answered:
        """Ask it; all of the answer is from one state of the map."""
        ...


@dataclass(frozen=True, slots=True)
class SubgraphOf:
    """`CodeMap.subgraph`. What is None is as the repository's configuration says."""

    text: str
    budget: int | None = None
    hops: int | None = None
    include_bodies: bool = False
    model: str | None = None
    after: str | None = None
    form: Format = "text"
    expand: tuple[str, ...] = ()
    explain: bool = False

    name = "subgraph"
    lasting = True

    def answer(self, code_map: CodeMap) -> Answered:
        with code_map.session.read():
            found = code_map.subgraph(
                self.text,
                budget=self.budget,
                hops=self.hops,
                include_bodies=self.include_bodies,
                expand=[_relative(code_map, name) for name in self.expand],
                model=self.model,
                after=self.after,
                explain=self.explain,
                form=self.form,
            )
            text = code_map.render(found, self.form)
        return Answered(text, tuple(card.path for card in found.files), found.staleness)


@dataclass(frozen=True, slots=True)
class SymbolOf:
    """`CodeMap.symbol`; where the name fits several, all of them: who asks would have to ask again for each."""

    symbol: str
    budget: int | None = None
    form: Format = "text"

    name = "symbol"
    lasting = True

    def answer(self, code_map: CodeMap) -> Answered:
        name = _relative(code_map, self.symbol)
        nodes, state = code_map.stated(
            lambda: code_map.find(name) or code_map.symbol(name)
        )  # the second says what is near
        paths = _sorted(named_files(nodes))
        if self.form == "json":
            from codemap.render import json

            return Answered(json.symbols(nodes, state, code_map.measure), paths, state)
        from codemap.render import lists

        text = lists.symbols(nodes, state, code_map.measure)
        return Answered(cut(text, self.budget, code_map.measure), paths, state)


@dataclass(frozen=True, slots=True)
class RelationsOf:
    """`CodeMap.callers`, `callees` or `references`."""

    symbol: str
    relation: Relation
    budget: int | None = None
    form: Format = "text"

    lasting = True

    @property
    def name(self) -> str:
        return self.relation

    def answer(self, code_map: CodeMap) -> Answered:
        asked = {"callers": code_map.callers, "callees": code_map.callees, "references": code_map.references}
        name = _relative(code_map, self.symbol)
        found, state = code_map.stated(lambda: asked[self.relation](name))
        paths = _sorted(named_files(found))
        if self.form == "json":
            from codemap.render import json

            return Answered(json.relations(self.relation, found, state, code_map.measure), paths, state)
        from codemap.render import lists

        text = lists.relations(self.relation, found, state, code_map.measure)
        return Answered(cut(text, self.budget, code_map.measure), paths, state)


@dataclass(frozen=True, slots=True)
class PathOf:
    """`CodeMap.path`."""

    start: str
    end: str
    budget: int | None = None
    form: Format = "text"

    name = "path"
    lasting = True

    def answer(self, code_map: CodeMap) -> Answered:
        start, end = _relative(code_map, self.start), _relative(code_map, self.end)
        found, state = code_map.stated(lambda: code_map.path(start, end))
        paths = _sorted(named_files(found))
        if self.form == "json":
            from codemap.render import json

            return Answered(json.route(found, state, code_map.measure), paths, state)
        from codemap.render import lists

        text = lists.route(found, state, code_map.measure)
        return Answered(cut(text, self.budget, code_map.measure), paths, state)


@dataclass(frozen=True, slots=True)
class ImpactOf:
    """`CodeMap.impact`: of symbols, of what changed since a commit, or of what is not committed."""

    symbols: tuple[str, ...] = ()
    diff: str | None = None
    hops: int = DEFAULT_IMPACT_HOPS
    budget: int | None = None
    form: Format = "text"

    name = "impact"

    @property
    def lasting(self) -> bool:
        """What changed is known to git and the working tree, not to the map."""
        return bool(self.symbols) and self.diff is None

    def answer(self, code_map: CodeMap) -> Answered:
        with code_map.session.read():
            names = (_relative(code_map, name) for name in self.symbols)
            found = code_map.impact(*names, diff=self.diff, hops=self.hops, budget=self.budget, form=self.form)
            nodes = (*found.changed, *(each.node for each in (*found.dependents, *found.candidates)))
            paths = _sorted([*(node.path for node in nodes), *(file.path for file in found.tests)])
            text = code_map.render(found, self.form)
        return Answered(text, paths, found.staleness)


@dataclass(frozen=True, slots=True)
class StatusOf:
    """`CodeMap.status`."""

    budget: int | None = None
    form: Format = "text"

    name = "status"
    lasting = False  # it tells the size of the map's file

    def answer(self, code_map: CodeMap) -> Answered:
        from codemap.render import reports

        with code_map.session.read():
            found = code_map.status()
            place = reports.Place.of(code_map.root, code_map.map_path, code_map.facts_path)
            state = code_map.staleness(code_map.changed_files())
            if self.form == "json":
                return Answered(reports.json_status(found, place, state, code_map.measure), (), state)
            text = reports.text_status(found, place, state, code_map.measure)
        return Answered(cut(text, self.budget, code_map.measure), (), state)


def _sorted(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(paths)))


def _relative(code_map: CodeMap, name: str) -> str:
    """A symbol's name; a path in front of it made relative to the root, as it may be absolute."""
    root = str(code_map.root) + os.sep
    return name[len(root) :].replace(os.sep, "/") if name.startswith(root) else name
