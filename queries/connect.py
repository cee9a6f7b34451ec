"""What connects the best matches: where no chain of shown symbols joins two, a cheapest one is worth showing.

A chain says how two matches have to do with each other, which many more leaves around either would not. It is looked
for in the edges that relevance spread along, so nothing more is read from the map.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

ENDS = 6  # best matches that are joined
JOINS = 3  # chains at most
BETWEEN = 2  # symbols in between, at most
DEAREST = 9.0  # cost of a chain; an edge costs 1 and more, the more neighbours share it
SHARE = 0.6  # of the lower end's score, for what lies between
FREE = 20  # of the best symbols, which are shown anyway: a chain through them costs its edges alone
TOLL = 1.0  # for each symbol in between that is not

Links = dict[int, dict[int, float]]
"""Neighbours of each symbol, with the strength of the edge, up to 1."""


_Step: TypeAlias = tuple[int, float, float]
"""A neighbour, the logarithm of the strength of the edge to it, and what it costs beside that in between."""


class _Chain(NamedTuple):
    cost: float
    symbols: tuple[int, ...]  # from one end to the other


def linked(flows: Iterable[tuple[int, int, float]], known: Container[int]) -> Links:
    """The links between known symbols along what passed from one to another, (source, target, weight): either way."""
    links: Links = {}
    for source, target, weight in flows:
        if source in known and target in known:
            for here, there in ((source, target), (target, source)):
                around = links.setdefault(here, {})
                if weight > around.get(there, 0.0):
                    around[there] = weight
    return links


def connecting(
    links: Links, ranked: Sequence[int], ends: Sequence[int], scores: Mapping[int, float]
) -> dict[int, float]:
    """Symbols that join the best matches, with what they are worth for it.

    ranked   all symbols, best first
    ends     the matches, best first
    Only ranked symbols lie on a chain; modules are better left out of them, since they join all that is in a file.
    """
    ends = ends[:ENDS]
    free = set(ranked[:FREE])
    place = {symbol: rank for rank, symbol in enumerate(ranked)}
    found: dict[int, float] = {}
    joined, apart = set(ends[:1]), list(ends[1:])
    around: dict[int, list[_Step]] = {}
    for _ in range(JOINS + len(ends)):
        if not apart or len(found) >= JOINS * BETWEEN:
            break
        chain = _cheapest(links, joined, set(apart), free, place, around)
        if chain is None:
            break
        worth = SHARE * min(scores[chain.symbols[0]], scores[chain.symbols[-1]])
        for symbol in chain.symbols[1:-1]:
            found[symbol] = max(found.get(symbol, 0.0), worth)
        joined.update(chain.symbols)
        apart = [symbol for symbol in apart if symbol not in joined]
    return found


def _cheapest(
    links: Links,
    starts: Iterable[int],
    ends: set[int],
    free: set[int],
    place: Mapping[int, int],
    around: dict[int, list[_Step]],
) -> _Chain | None:
    """Dijkstra from all starts at once; among equals, by rank. around: takes what is worked out for other searches."""
    heap: list[tuple[float, int, tuple[int, ...], tuple[int, ...]]] = [
        (0.0, 0, (place[start],), (start,)) for start in starts
    ]
    heapq.heapify(heap)
    done: set[tuple[int, int]] = set()
    least: dict[tuple[int, int], float] = {}  # cost of the cheapest chain seen, by symbol and length
    while heap:
        cost, length, order, symbols = heapq.heappop(heap)
        here = symbols[-1]
        if here in ends:
            return _Chain(cost, symbols)
        if (here, length) in done or length > BETWEEN:
            continue
        done.add((here, length))
        steps = around.get(here)
        if steps is None:
            steps = around[here] = _steps(links.get(here, {}), free, place)
        after = length + 1
        for there, weakness, toll in steps:
            if there in symbols:
                continue
            more = cost + 1.0 - weakness + (0.0 if there in ends else toll)
            if more <= DEAREST and more <= least.get((there, after), DEAREST):
                least[there, after] = more
                heapq.heappush(heap, (round(more, 6), after, (*order, place[there]), (*symbols, there)))
    return None


def _steps(links: Mapping[int, float], free: set[int], place: Mapping[int, int]) -> list[_Step]:
    """Where a chain can go from a symbol."""
    return [
        (there, math.log(min(1.0, strength)), 0.0 if there in free else TOLL)
        for there, strength in links.items()
        if there in place and strength > 0
    ]
