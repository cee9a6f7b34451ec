"""Seeds → the graph around them. Relevance spreads along edges, is shared among many neighbours, and fades with hops.

A personalised PageRank would do the same at the cost of the whole graph; two bounded rounds of it are enough here. Hubs
pass little on: what everything calls says nothing of the question.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from indexer.evidence import DISPATCH
from indexer.store.dispatch import EdgeRow
from indexer.store.reader import SymbolRow
from queries.connect import Links, connecting
from queries.nodes import in_order
from queries.search import KIND_FACTORS, TEST_FACTOR, Found, best_first
from queries.session import Session
from queries.together import companions

SEEDS = 40  # that relevance spreads from
SEED_SHARE = 0.3  # of the best score: what matches less is shown, but spreads nothing
FRONTIER = 40  # symbols a later hop starts from
HUB = 120  # edges at one end; a symbol with more is not followed in that direction
LEAST = 0.01  # of the best score: less is left out
UNIT = 1 << 40

_Flow: TypeAlias = tuple[int, int, float]
"""Relevance that may pass from one symbol to another: (source, target, weight)."""

DECAY = 0.45
# By kind of edge; a kind that is not here carries nothing.
WEIGHTS_OUT = {"calls": 1.0, "inherits": 0.9, "overrides": 0.7, "references": 0.4, "imports": 0.15}
WEIGHTS_IN = {"calls": 0.8, "inherits": 0.7, "overrides": 0.7, "references": 0.3, "imports": 0.08}
TOGETHER = 0.25  # what changed together, times its confidence
CHANGED = 8  # of the best matches: definitions whose companions are looked for
CANDIDATE_FACTOR = 0.35
DISPATCH_FACTOR = 0.5
TO_PARENT = 0.7
TO_CHILDREN = 0.9
AGAIN = 0.85  # for each better symbol of the same name
CLASS_SHARE = 0.6  # of its best member's score


class Reached(NamedTuple):
    """A symbol of the graph around the seeds. hop: least number of edges from one."""

    row: SymbolRow
    score: float
    hop: int


def expand(session: Session, found: Sequence[Found], hops: int) -> list[Reached]:
    """The matches and what lies within `hops` edges of the best of them, most relevant first."""
    best = found[0].score if found else 0.0
    seeds = spreading(found)
    scores = {each.row.id: each.score for each in found}
    rows = {each.row.id: each.row for each in found}
    hop = {each.row.id: 0 for each in found}
    spread: dict[int, float] = {}
    frontier = {each.row.id: each.score for each in seeds}
    visited = set(frontier)
    links: Links = {}
    changed = together(session, [each.row for each in seeds])
    for distance in range(1, hops + 1):
        gained = _round(session, {symbol: rows[symbol] for symbol in frontier}, frontier, changed, LEAST * best, links)
        changed = []
        rows.update(session_rows(session, gained.keys() - rows.keys()))
        for symbol, value in gained.items():
            spread[symbol] = spread.get(symbol, 0.0) + value * _factor(rows[symbol])
            hop.setdefault(symbol, distance)
        ahead = [symbol for symbol in gained if symbol not in visited]
        ahead.sort(key=lambda symbol: (-spread[symbol], *in_order(rows[symbol])))
        frontier = {symbol: spread[symbol] for symbol in ahead[:FRONTIER]}
        visited |= frontier.keys()
    reached = [
        Reached(row, _combined(scores.get(symbol, 0.0), min(spread.get(symbol, 0.0), best)), hop[symbol])
        for symbol, row in rows.items()
    ]
    kept = [each for each in _with_classes(session, reached) if each.score >= LEAST * best]
    kept.sort(key=best_first)
    return _joined(_varied(kept), links, [each.row.id for each in seeds])


def spreading(found: Sequence[Found]) -> list[Found]:
    """The matches that relevance spreads from."""
    return [each for each in found[:SEEDS] if each.score >= SEED_SHARE * found[0].score]


def together(session: Session, best: Sequence[SymbolRow]) -> list[_Flow]:
    """What passes from the best matches, in their order, to the definitions that commits changed with them."""
    units = [(row.id, (row.path, row.qualname)) for row in best if row.parent][:CHANGED]
    return [(source, target, TOGETHER * confidence) for source, target, confidence in companions(session, units)]


def _joined(reached: list[Reached], links: Links, seeds: Sequence[int]) -> list[Reached]:
    """The same, with what connects the best matches raised."""
    scores = {each.row.id: each.score for each in reached}
    ranked = [each.row.id for each in reached if each.row.kind != "module"]
    known = set(ranked)
    ends = [symbol for symbol in seeds if symbol in known]
    worth = connecting(links, ranked, ends, scores)
    if not worth:
        return reached
    raised = [each._replace(score=max(each.score, worth.get(each.row.id, 0.0))) for each in reached]
    return sorted(raised, key=best_first)


def session_rows(session: Session, ids: Iterable[int]) -> dict[int, SymbolRow]:
    with session.read() as reader:
        return reader.symbols(ids)


def _varied(reached: Sequence[Reached]) -> list[Reached]:
    """The same in another order: what bears a name that better ones bear already says less each time."""
    times: dict[str, int] = {}
    found = []
    for each in reached:
        name = each.row.name
        again = times.get(name, 0)
        times[name] = again + 1
        if again and not name.startswith("__"):
            each = Reached(each.row, each.score * AGAIN**again, each.hop)
        found.append(each)
    found.sort(key=best_first)
    return found


def _with_classes(session: Session, reached: Sequence[Reached]) -> Iterable[Reached]:
    """A class is worth nearly as much as the best of its members: it says what they are members of."""
    best: dict[int, Reached] = {}
    for each in reached:
        if "." in each.row.qualname:
            before = best.get(each.row.parent)
            if before is None or (each.score, -each.hop) > (before.score, -before.hop):
                best[each.row.parent] = each
    found = {each.row.id: each for each in reached}
    missing = session_rows(session, best.keys() - found.keys())
    for parent, member in best.items():
        row = found[parent].row if parent in found else missing[parent]
        if row.kind not in ("function", "method"):
            hop = found[parent].hop if parent in found else member.hop + 1
            score = max(found[parent].score if parent in found else 0.0, CLASS_SHARE * member.score)
            found[parent] = Reached(row, score, hop)
    return found.values()


def _combined(lexical: float, spread: float) -> float:
    """The better evidence counts whole, the other adds a little."""
    return max(lexical, spread) + 0.3 * min(lexical, spread)


def _factor(row: SymbolRow) -> float:
    factor = KIND_FACTORS.get(row.kind, 1.0)
    return factor * TEST_FACTOR if row.test_file else factor


def _round(
    session: Session,
    rows: Mapping[int, SymbolRow],
    relevance: Mapping[int, float],
    also: Sequence[_Flow],
    least: float,
    links: Links,
) -> dict[int, float]:
    """What each neighbour receives from some symbols, one hop away; nothing below `least`. Edges are noted in `links`.

    also   what passes beside edges and containment

    Sums are of whole numbers, so that they do not depend on the order of rows in the map.
    """
    gained: dict[int, int] = {}
    for source, target, weight in (*_along_edges(session, rows), *_along_containment(session, rows), *also):
        amount = round(UNIT * DECAY * weight * relevance[source])
        gained[target] = gained.get(target, 0) + amount
        _link(links, source, target, weight)
    return {symbol: amount / UNIT for symbol, amount in gained.items() if amount >= least * UNIT}


def _link(links: Links, source: int, target: int, weight: float) -> None:
    for here, there in ((source, target), (target, source)):
        around = links.setdefault(here, {})
        if weight > around.get(there, 0.0):
            around[there] = weight


def _along_edges(session: Session, rows: Mapping[int, SymbolRow]) -> list[_Flow]:
    neighbours = session.neighbours
    callers = neighbours.degrees(rows, column="target", limit=HUB + 1)
    callees = neighbours.degrees(rows, column="source", limit=HUB + 1)
    out = neighbours.out_of([symbol for symbol in rows if callees[symbol] <= HUB])
    into = neighbours.into([symbol for symbol in rows if callers[symbol] <= HUB], limit=HUB)
    maybe_out = neighbours.candidates_out([symbol for symbol in rows if callees[symbol] <= HUB])
    named = {symbol: row.name for symbol, row in rows.items() if row.kind in ("function", "method")}
    maybe_into = neighbours.candidates_into(named)
    popular = neighbours.degrees({edge.target for edge in out}, column="target", limit=HUB + 1)
    certain = _both(out, WEIGHTS_OUT, forward=True)
    flows = [(source, target, weight / math.sqrt(1 + popular[target] / 8)) for source, target, weight in certain]
    flows += _both(into, WEIGHTS_IN, forward=False)
    flows += _flows(maybe_out, WEIGHTS_OUT, forward=True, factor=CANDIDATE_FACTOR)
    flows += _flows(maybe_into, WEIGHTS_IN, forward=False, factor=CANDIDATE_FACTOR)
    return flows


def _both(edges: Iterable[EdgeRow], weights: Mapping[str, float], *, forward: bool) -> list[_Flow]:
    """What is declared, and apart from it, so that it takes nothing away, what dispatch adds."""
    declared: list[EdgeRow] = []
    dispatched: list[EdgeRow] = []
    for edge in edges:
        (dispatched if edge.evidence == DISPATCH else declared).append(edge)
    return _flows(declared, weights, forward=forward, factor=1.0) + _flows(
        dispatched, weights, forward=forward, factor=DISPATCH_FACTOR
    )


def _flows(edges: Iterable[EdgeRow], weights: Mapping[str, float], *, forward: bool, factor: float) -> list[_Flow]:
    """One flow for each pair, by its strongest edge, shared among the neighbours on that side."""
    strongest: dict[tuple[int, int], float] = {}
    for source, target, kind, *_ in edges:
        pair = (source, target) if forward else (target, source)
        weight = weights.get(kind, 0.0) * factor
        if source != target and weight > strongest.get(pair, 0.0):
            strongest[pair] = weight
    shares: dict[int, int] = {}
    for source, _ in strongest:
        shares[source] = shares.get(source, 0) + 1
    return [(source, target, weight / math.sqrt(shares[source])) for (source, target), weight in strongest.items()]


def _along_containment(session: Session, rows: Mapping[int, SymbolRow]) -> list[_Flow]:
    """Up to the class or function around, down to the members of a class. A module passes nothing to its content."""
    flows = [
        (symbol, row.parent, TO_PARENT if "." in row.qualname else TO_PARENT / 2)
        for symbol, row in rows.items()
        if row.parent
    ]
    with session.read() as reader:
        inside = reader.children(row for row in rows.values() if row.kind not in ("module", "function", "method"))
    shares: dict[int, int] = {}
    for child in inside:
        shares[child.parent] = shares.get(child.parent, 0) + 1
    flows += [(child.parent, child.id, TO_CHILDREN / math.sqrt(shares[child.parent])) for child in inside]
    return flows
