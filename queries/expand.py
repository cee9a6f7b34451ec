"""Seeds → the graph around them. Relevance spreads along edges, is shared among many neighbours, and fades with hops.

A personalised PageRank would do the same at the cost of the whole graph; two bounded rounds of it are enough here. Hubs
pass little on: what everything calls says nothing of the question.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from indexer.evidence import DISPATCH
from indexer.store.dispatch import EdgeRow
from indexer.store.reader import SymbolRow
from queries.connect import connecting, linked
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
    flows: list[_Flow] = []
    changed = together(session, [each.row for each in seeds])
    for distance in range(1, hops + 1):
        gained = _round(session, {symbol: rows[symbol] for symbol in frontier}, frontier, changed, LEAST * best, flows)
        changed = []
        rows.update(session_rows(session, gained.keys() - rows.keys()))
        for symbol, value in gained.items():
            spread[symbol] = spread.get(symbol, 0.0) + value * _factor(rows[symbol])
            hop.setdefault(symbol, distance)
        ahead = [symbol for symbol in gained if symbol not in visited]
        ahead.sort(key=lambda symbol: (-spread[symbol], *in_order(rows[symbol])))
        frontier = {symbol: spread[symbol] for symbol in ahead[:FRONTIER]}
        visited |= frontier.keys()
    reached = {}
    for symbol, row in rows.items():
        lexical, around = scores.get(symbol, 0.0), min(spread.get(symbol, 0.0), best)
        # The better evidence counts whole, the other adds a little.
        score = lexical + 0.3 * around if lexical >= around else around + 0.3 * lexical
        reached[symbol] = Reached(row, score, hop[symbol])
    _with_classes(session, reached, LEAST * best)
    kept = [each for each in reached.values() if each.score >= LEAST * best]
    kept.sort(key=best_first)
    return _joined(_varied(kept), flows, [each.row.id for each in seeds])


def spreading(found: Sequence[Found]) -> list[Found]:
    """The matches that relevance spreads from."""
    return [each for each in found[:SEEDS] if each.score >= SEED_SHARE * found[0].score]


def together(session: Session, best: Sequence[SymbolRow]) -> list[_Flow]:
    """What passes from the best matches, in their order, to the definitions that commits changed with them."""
    units = [(row.id, (row.path, row.qualname)) for row in best if row.parent][:CHANGED]
    return [(source, target, TOGETHER * confidence) for source, target, confidence in companions(session, units)]


def _joined(reached: list[Reached], flows: Iterable[_Flow], seeds: Sequence[int]) -> list[Reached]:
    """The same, with what connects the best matches raised."""
    scores = {each.row.id: each.score for each in reached}
    ranked = [each.row.id for each in reached if each.row.kind != "module"]
    known = set(ranked)
    ends = [symbol for symbol in seeds if symbol in known]
    worth = connecting(linked(flows, known), ranked, ends, scores) if len(ends) > 1 else {}
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


def _with_classes(session: Session, reached: dict[int, Reached], least: float) -> None:
    """A class is worth nearly as much as the best of its members: it says what they are members of.

    least   members that score less count for nothing
    """
    best: dict[int, Reached] = {}
    for each in reached.values():
        row, score, hop = each
        if score >= least and "." in row.qualname:
            before = best.get(row.parent)
            if before is None or (score, -hop) > (before.score, -before.hop):
                best[row.parent] = each
    missing = session_rows(session, best.keys() - reached.keys())
    for parent, member in best.items():
        own = reached.get(parent)
        row = missing[parent] if own is None else own.row
        if row.kind not in ("function", "method"):
            hop, score = (member.hop + 1, 0.0) if own is None else (own.hop, own.score)
            reached[parent] = Reached(row, max(score, CLASS_SHARE * member.score), hop)


def _factor(row: SymbolRow) -> float:
    factor = KIND_FACTORS.get(row.kind, 1.0)
    return factor * TEST_FACTOR if row.test_file else factor


def _round(
    session: Session,
    rows: Mapping[int, SymbolRow],
    relevance: Mapping[int, float],
    also: Sequence[_Flow],
    least: float,
    flows: list[_Flow],
) -> dict[int, float]:
    """What each neighbour receives from some symbols, one hop away; nothing below `least`.

    also    what passes beside edges and containment
    flows   takes all that passes

    Sums are of whole numbers, so that they do not depend on the order of rows in the map.
    """
    gained: dict[int, int] = {}
    now = [*_along_edges(session, rows), *_along_containment(session, rows), *also]
    scale = UNIT * DECAY
    for source, target, weight in now:
        gained[target] = gained.get(target, 0) + round(scale * weight * relevance[source])
    flows += now
    return {symbol: amount / UNIT for symbol, amount in gained.items() if amount >= least * UNIT}


def _along_edges(session: Session, rows: Mapping[int, SymbolRow]) -> list[_Flow]:
    neighbours = session.neighbours
    callers = neighbours.degrees(rows, column="target", limit=HUB + 1)
    callees = neighbours.degrees(rows, column="source", limit=HUB + 1)
    forward = [symbol for symbol in rows if callees[symbol] <= HUB]
    out = neighbours.out_of(forward)
    into = neighbours.into([symbol for symbol in rows if callers[symbol] <= HUB], limit=HUB)
    maybe_out = neighbours.candidates_out(forward)
    named = {symbol: row.name for symbol, row in rows.items() if row.kind in ("function", "method")}
    maybe_into = neighbours.candidates_into(named)
    popular = neighbours.degrees({edge.target for edge in out}, column="target", limit=HUB + 1)
    certain = _both([(edge[0], edge[1], edge) for edge in out], WEIGHTS_OUT)
    flows = [(source, target, weight / math.sqrt(1 + popular[target] / 8)) for source, target, weight in certain]
    flows += _both([(edge[1], edge[0], edge) for edge in into], WEIGHTS_IN)
    flows += _alike({(edge[0], edge[1]) for edge in maybe_out}, WEIGHTS_OUT["calls"] * CANDIDATE_FACTOR)
    flows += _alike({(edge[1], edge[0]) for edge in maybe_into}, WEIGHTS_IN["calls"] * CANDIDATE_FACTOR)
    return flows


def _both(edges: Iterable[tuple[int, int, EdgeRow]], weights: Mapping[str, float]) -> list[_Flow]:
    """What is declared, and apart from it, so that it takes nothing away, what dispatch adds.

    edges   each with the symbols that relevance passes from and to
    """
    declared: dict[tuple[int, int], float] = {}
    dispatched: set[tuple[int, int]] = set()
    for source, target, (_, _, kind, _, evidence, _) in edges:
        pair = source, target
        if evidence == DISPATCH:
            dispatched.add(pair)
        elif source != target:
            weight = weights.get(kind, 0.0)
            if weight > declared.get(pair, 0.0):
                declared[pair] = weight
    return _shared(declared) + _alike(dispatched, weights["calls"] * DISPATCH_FACTOR)


def _alike(pairs: Iterable[tuple[int, int]], weight: float) -> list[_Flow]:
    """A flow of one weight for each pair."""
    return _shared({pair: weight for pair in pairs if pair[0] != pair[1]})


def _shared(weights: Mapping[tuple[int, int], float]) -> list[_Flow]:
    """One flow for each pair, shared among the neighbours on that side."""
    shares = Counter([source for source, _ in weights])
    return [(source, target, weight / math.sqrt(shares[source])) for (source, target), weight in weights.items()]


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
