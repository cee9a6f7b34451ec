"""The neighbours of one symbol: raised in an answer when asked for, counted where they are left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from indexer.evidence import DISPATCH
from indexer.store.dispatch import EdgeRow
from indexer.store.leftovers import ends
from indexer.store.reader import SymbolRow
from queries import find
from queries.expand import CANDIDATE_FACTOR, DISPATCH_FACTOR, WEIGHTS_IN, WEIGHTS_OUT, Reached
from queries.nodes import in_order, is_test
from queries.search import TEST_FACTOR, best_first
from queries.session import Session

COUNTED = 3  # of the best matches: how many of their neighbours are left out is said
MEMBER = 0.6  # what a member of a class that is expanded is worth, beside the weights of edges
RAISED = 0.999  # of the best score: where expanded neighbours begin
STEP = 0.0005

_RELATIONS = {
    ("calls", True): "callees",
    ("calls", False): "callers",
    ("inherits", True): "bases",
    ("inherits", False): "subclasses",
    ("overrides", True): "overridden",
    ("overrides", False): "overrides",
    ("imports", True): "imports",
    ("imports", False): "importers",
    ("references", True): "uses",
    ("references", False): "users",
}
"""(kind, whether the symbol is the source) → what the other end is to it."""


def expanded(
    session: Session, reached: Sequence[Reached], names: Iterable[str]
) -> tuple[list[Reached], tuple[int, ...]]:
    """The same with the neighbours of some symbols right behind those; and the ids of these symbols.

    Raises NotFoundError and AmbiguousError for a name.
    """
    wanted = tuple(names)
    if not wanted:
        return list(reached), ()
    with session.read() as reader:
        centres = [row for name in wanted for row in find.rows(reader, name)]
        inside = reader.children([row for row in centres if row.kind not in ("module", "function", "method")])
    known = {each.row.id: each for each in reached}
    worth = _worth(session, centres, inside)
    rows = _rows(session, [*worth, *(row.id for row in centres)])
    best = reached[0].score if reached else 1.0
    order = sorted(worth, key=lambda symbol: (-_tested(rows[symbol], worth[symbol]), *in_order(rows[symbol])))
    raised = [row.id for row in centres] + [symbol for symbol in order if symbol not in {row.id for row in centres}]
    found = dict(known)
    for rank, symbol in enumerate(dict.fromkeys(raised)):
        hop = known[symbol].hop if symbol in known else 1 if rank >= len(centres) else 0
        found[symbol] = Reached(rows[symbol], best * max(0.1, RAISED - STEP * rank), hop)
    return sorted(found.values(), key=best_first), tuple(row.id for row in centres)


def left_out(session: Session, symbols: Iterable[int]) -> dict[int, dict[str, frozenset[int]]]:
    """The neighbours of some symbols by what they are to it."""
    found: dict[int, dict[str, frozenset[int]]] = {}
    with session.read() as reader:
        for symbol in symbols:
            groups: dict[str, set[int]] = {}
            for kind, source, target in ends(reader, symbol):
                relation = _RELATIONS.get((kind, source == symbol))
                if relation is not None and source != target:
                    groups.setdefault(relation, set()).add(target if source == symbol else source)
            found[symbol] = {relation: frozenset(groups[relation]) for relation in sorted(groups)}
    return found


def _worth(session: Session, centres: Sequence[SymbolRow], inside: Iterable[SymbolRow]) -> dict[int, float]:
    ids = {row.id for row in centres}
    named = {row.id: row.name for row in centres if row.kind in ("function", "method")}
    neighbours = session.neighbours
    worth: dict[int, float] = {}
    _add(worth, neighbours.out_of(ids), WEIGHTS_OUT, 1.0, forward=True)
    _add(worth, neighbours.into(ids), WEIGHTS_IN, 1.0, forward=False)
    _add(worth, neighbours.candidates_out(ids), WEIGHTS_OUT, CANDIDATE_FACTOR, forward=True)
    _add(worth, neighbours.candidates_into(named), WEIGHTS_IN, CANDIDATE_FACTOR, forward=False)
    around = {row.id: MEMBER for row in inside} | {row.parent: MEMBER for row in centres if row.parent}
    for symbol, value in around.items():
        worth[symbol] = max(worth.get(symbol, 0.0), value)
    return {symbol: value for symbol, value in worth.items() if symbol not in ids}


def _add(
    worth: dict[int, float], edges: Iterable[EdgeRow], weights: Mapping[str, float], factor: float, *, forward: bool
) -> None:
    for edge in edges:
        other = edge.target if forward else edge.source
        value = weights.get(edge.kind, 0.0) * factor * (DISPATCH_FACTOR if edge.evidence == DISPATCH else 1.0)
        worth[other] = max(worth.get(other, 0.0), value)


def _rows(session: Session, ids: Iterable[int]) -> dict[int, SymbolRow]:
    with session.read() as reader:
        return reader.symbols(ids)


def _tested(row: SymbolRow, value: float) -> float:
    return value * TEST_FACTOR if is_test(row) else value
