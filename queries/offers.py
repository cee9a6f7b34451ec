"""All that an answer could show, in the order in which it is shown as room grows.

Relevance is taken to fall with the rank r of a symbol (from 0) as 1 / (r + HALF), and each thing to be worth its share
of that for every character it costs. So what is denser comes first: the names of many symbols before the signature of
the tenth, the signature of the first before the name of the thirtieth. An answer is a beginning of this list, whatever
the budget: a larger one keeps all that a smaller one shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from indexer.store.reader import SymbolRow
from queries.answers import FileCard
from queries.expand import Reached
from queries.ties import TieOrder

SHORT_SIGNATURE = 80  # characters of a signature that is not shown in full
SHORT_HEADER = 80  # characters of a header's first line

HALF = 10.0  # the rank at which a symbol matters half as much as the first
NAME = 24.0  # characters of a symbol shown by its name
LISTED, THINNED = 70, 2.5  # symbols beyond so many say little: detail of better ones comes before them
WORTH = {"signature": 0.55, "doc": 0.35, "title": 0.45, "edge": 0.35, "whole": 0.2, "header": 0.2, "lines": 6.0}
"""What else can be shown of a symbol, a file or an edge, beside a name: value, before it is divided by the cost."""


IN_FILE = 0.8
"""What detail of a symbol is worth for each better one of its file: names say that a file matters, and where."""


class Item(NamedTuple):
    """Something that can be shown: a symbol by its name, or what makes shown symbols and files clearer."""

    place: float  # in the list: number of symbols before it
    kind: str  # symbol signature whole doc lines edge title header; lines: those of the next step, several times
    subject: int | str  # symbol id, path, or index of an edge
    size: int  # characters, roughly


def offers(
    nodes: Sequence[Reached],
    cards: Mapping[str, FileCard],
    ties: Sequence[tuple[int, int, str]],
    steps: Callable[[SymbolRow], Sequence[int]] | None = None,
    within: float = math.inf,
    better: Callable[[int], TieOrder] | None = None,
) -> list[Item]:
    """The best first: everything that has fewer than `within` symbols before it.

    nodes     best first
    ties      edges as (source, target, name of the target)
    better    the order of edges that are worth the same, given by index; None: that of `ties`
    steps     characters of a symbol's source after each step in which it can be shown; None: none is wanted
    """
    items: list[Item] = []
    first: dict[str, int] = {}
    again: dict[str, int] = {}  # symbols of a file so far
    placed = _with_containers(nodes, within)
    for rank, row in placed:
        heading = 0 if row.path in first else len(row.path) + 2
        first.setdefault(row.path, rank)
        items.append(Item(_place(rank), "symbol", row.id, heading + len(row.name) + 8))
        share = IN_FILE ** max(0, again.get(row.path, 0) - 1)
        again[row.path] = again.get(row.path, 0) + 1
        items += _of_symbol(rank, row, share)
        if steps is not None:
            items += _of_source(rank, row, steps(row))
    for path, rank in first.items():
        items += _of_file(rank, cards[path])
    places = {row.id: rank for rank, row in placed}
    joining = []
    for index, (source, target, name) in enumerate(ties):
        if source in places and target in places:
            joining.append(_extra("edge", max(places[source], places[target]), index, len(name) + 12))
    items = [item for item in items if item[0] < within]
    joining = [item for item in joining if item[0] < within]
    if better is not None:
        known = better
        joining.sort(key=lambda item: known(int(item.subject)))
    items += joining
    items.sort(key=lambda item: (item[0], _ORDER[item[1]]))
    return items


def order(nodes: Sequence[Reached]) -> list[int]:
    """The ids of symbols, best first, in the order in which they are shown."""
    return [row.id for _, row in _with_containers(nodes)]


def _with_containers(nodes: Sequence[Reached], within: float = math.inf) -> list[tuple[int, SymbolRow]]:
    """The symbols with the ranks at which they are shown, those below `within`: what is around one comes with it, which
    costs less than to say its name in that of each member."""
    found: dict[int, tuple[int, SymbolRow]] = {}
    ranks = {each.row.id: rank for rank, each in enumerate(nodes)}
    for rank, each in enumerate(nodes):
        if rank >= within:
            break
        chain = [each.row]
        while (parent := ranks.get(chain[-1].parent)) is not None and nodes[parent].row.kind != "module":
            chain.append(nodes[parent].row)
        for row in reversed(chain):
            found.setdefault(row.id, (rank, row))
    return list(found.values())


def _of_symbol(rank: int, row: SymbolRow, share: float) -> Iterator[Item]:
    if row.signature:
        size = min(len(row.signature), SHORT_SIGNATURE) - len(row.name) + 4
        yield _extra("signature", rank, row.id, size, share)
    if len(row.signature) > SHORT_SIGNATURE:
        yield _extra("whole", rank, row.id, len(row.signature) - SHORT_SIGNATURE, share)
    if row.doc:
        yield _extra("doc", rank, row.id, len(row.doc) + 3, share)


def _of_source(rank: int, row: SymbolRow, sizes: Sequence[int]) -> Iterator[Item]:
    """What each step adds, placed by what all up to it costs: a step never comes before the one it adds to."""
    before = 0
    for size in sizes:
        yield _extra("lines", rank, row.id, size)._replace(size=max(1, size - before))
        before = size


def _of_file(rank: int, card: FileCard) -> Iterator[Item]:
    """The first line of a file's header, and the rest of it."""
    first = title(card.header)
    if first:
        yield _extra("title", rank, card.path, len(first) + 3)
        if first != card.header:
            yield _extra("header", rank, card.path, len(card.header) - len(first))


def _extra(kind: str, rank: int, subject: int | str, size: int, share: float = 1.0) -> Item:
    """Placed among the names where they are worth as much for what they cost; never before what it belongs to.

    share   of the usual worth
    """
    dear = max(1.0, size / (NAME * WORTH[kind])) / share
    return Item(max((rank + HALF) * dear - HALF, _place(rank)) + 0.5, kind, subject, max(1, size))


def _place(rank: int) -> float:
    """Where the name of a symbol is in the list."""
    return rank if rank <= LISTED else LISTED + THINNED * (rank - LISTED)


def title(header: str) -> str:
    return cut(header.strip().partition("\n")[0], SHORT_HEADER)


def cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


_ORDER = {"symbol": 0, "title": 1, "signature": 2, "edge": 3, "doc": 4, "lines": 5, "header": 6, "whole": 7}
KINDS = (*_ORDER, "around")
