"""What depends on some symbols: back along edges, level by level, and what may, by name alone.

Whoever calls, overrides, inherits from or names a symbol depends on it, and so, one edge further, does who depends on
them. But what overrides a method that merely calls what changed does something else in its place, and is not concerned.
An import ends a chain: what a module imports it does not hand on, and whoever uses it has an edge of its own. So does a
hub: that half of a program is reached through it says nothing; it is counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from indexer.evidence import DISPATCH
from indexer.store.dispatch import EdgeRow
from indexer.store.reader import SymbolRow
from queries.nodes import in_order
from queries.session import Session

HUB = 80  # edges into a symbol; one with more, that is itself reached, is not followed
MOST = 3000  # symbols; no level begins once there are more
WEIGHTS = {"overrides": 1.0, "calls": 0.9, "inherits": 0.8, "references": 0.5, "imports": 0.1}
DISPATCH_FACTOR = 0.6
_ENDS = "imports"
_BINDS = "overrides"
_CALLABLE = ("function", "method")


class Dependent(NamedTuple):
    """A symbol that depends on others. edge: its own first edge on the way to them, the source being the symbol."""

    row: SymbolRow
    distance: int  # edges
    edge: EdgeRow
    worth: float  # among those at the same distance


class Dependents(NamedTuple):
    """found: nearest first. hubs: not followed, with the edges into each. complete: no level was cut off by MOST."""

    found: tuple[Dependent, ...]
    hubs: tuple[tuple[SymbolRow, int], ...]
    complete: bool


def dependents_of(session: Session, roots: Sequence[SymbolRow], hops: int) -> Dependents:
    """What lies at most `hops` edges before some symbols."""
    known = {row.id: row for row in roots}
    worth = {row.id: 1.0 for row in roots}
    seen, bound = set(known), set(known)
    frontier = list(known)
    levels: list[list[Dependent]] = []
    hubs: dict[int, int] = {}
    for distance in range(1, hops + 1):
        if not frontier or len(seen) > MOST + len(roots):
            break
        level = _level(session, known, frontier, worth, (seen, bound), distance)
        bound.update(each.row.id for each in level if each.edge.kind == _BINDS)
        seen.update(each.row.id for each in level)
        known.update((each.row.id, each.row) for each in level)
        worth.update((each.row.id, each.worth) for each in level)
        levels.append(level)
        ahead = [each.row.id for each in level if each.edge.kind != _ENDS and each.row.kind != "module"]
        into = session.neighbours.degrees(ahead, column="target", limit=100_000)
        hubs.update((symbol, into[symbol]) for symbol in ahead if into[symbol] > HUB)
        frontier = [symbol for symbol in ahead if into[symbol] <= HUB]
    found = _without_spare_imports([each for level in levels for each in level], roots)
    ranked = sorted(hubs.items(), key=lambda hub: (-hub[1], *in_order(known[hub[0]])))
    complete = not frontier or len(levels) == hops
    return Dependents(tuple(found), tuple((known[symbol], number) for symbol, number in ranked), complete)


def possible(session: Session, roots: Sequence[SymbolRow], known: Iterable[int]) -> list[Dependent]:
    """Calls on unknown receivers that may reach some symbols, of symbols that are not known to depend on them."""
    named = {row.id: row.name for row in roots if row.kind in _CALLABLE}
    targets = {row.id: row for row in roots}
    seen = {*known, *targets}
    edges = [edge for edge in session.neighbours.candidates_into(named) if edge.source not in seen]
    with session.read() as reader:
        rows = reader.symbols({edge.source for edge in edges})
    best = _best(edges, targets, dict.fromkeys(targets, 1.0))
    found = [Dependent(rows[symbol], 1, edge, worth) for symbol, (worth, edge) in best.items() if symbol in rows]
    return sorted(found, key=_nearest)


def _level(
    session: Session,
    known: Mapping[int, SymbolRow],
    frontier: Sequence[int],
    worth: Mapping[int, float],
    sets: tuple[set[int], set[int]],
    distance: int,
) -> list[Dependent]:
    """sets: what is reached already; and those whose overrides are concerned."""
    seen, bound = sets
    edges = [
        edge
        for edge in session.neighbours.into(frontier)
        if edge.source not in seen and edge.kind in WEIGHTS and (edge.kind != _BINDS or edge.target in bound)
    ]
    with session.read() as reader:
        rows = reader.symbols({edge.source for edge in edges})
    best = _best(edges, known, worth)
    level = [Dependent(rows[symbol], distance, edge, value) for symbol, (value, edge) in best.items() if symbol in rows]
    return sorted(level, key=_nearest)


def _best(
    edges: Sequence[EdgeRow], targets: Mapping[int, SymbolRow], worth: Mapping[int, float]
) -> dict[int, tuple[float, EdgeRow]]:
    """For each source its strongest edge, and what that is worth: little where many have one to the same target."""
    sources: dict[int, set[int]] = {}
    for edge in edges:
        sources.setdefault(edge.target, set()).add(edge.source)
    found: dict[int, tuple[tuple[object, ...], float, EdgeRow]] = {}
    for edge in edges:
        sure = DISPATCH_FACTOR if edge.evidence == DISPATCH else 1.0
        value = round(worth[edge.target] * WEIGHTS[edge.kind] * sure / math.sqrt(1 + len(sources[edge.target]) / 8), 9)
        order = (-value, *in_order(targets[edge.target]), edge.line, edge.kind, edge.evidence)
        before = found.get(edge.source)
        if before is None or order < before[0]:
            found[edge.source] = order, value, edge
    return {source: (value, edge) for source, (_, value, edge) in found.items()}


def _nearest(each: Dependent) -> tuple[object, ...]:
    return each.distance, -each.worth, *in_order(each.row)


def _without_spare_imports(found: Sequence[Dependent], roots: Sequence[SymbolRow]) -> list[Dependent]:
    """Without modules that only import, where something else of their file is there: the import serves that."""
    files = {each.row.file for each in found if each.edge.kind != _ENDS} | {row.file for row in roots}
    return [each for each in found if each.edge.kind != _ENDS or each.row.file not in files]
