"""The edges that could be shown among the symbols of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from indexer.evidence import DISPATCH
from indexer.store.dispatch import EdgeRow
from indexer.store.neighbours import surer
from queries.expand import Reached
from queries.session import Session

EDGE_WEIGHTS = {"calls": 1.0, "inherits": 0.9, "overrides": 0.8, "references": 0.4, "imports": 0.2}
MOST_GUESSING = 150  # of the best nodes, whose calls on unknown receivers are looked at


class Tie(NamedTuple):
    """An edge that could be shown, between symbols given by id."""

    source: int
    target: int
    kind: str
    line: int
    evidence: str
    overrides: int
    resolution: str


TieOrder: TypeAlias = tuple[float, str, int, str, str, str, int, str, int, int]


def ties_between(session: Session, reached: Sequence[Reached]) -> list[Tie]:
    """Each relation between two of some symbols once, at its first line, in no particular order: see `tie_order`."""
    nodes = [each.row.id for each in reached]
    candidates = session.neighbours.candidates_out(nodes[:MOST_GUESSING])
    return _once(session.neighbours.among(nodes), candidates, set(nodes))


def tie_order(tie: Tie, nodes: Mapping[int, Reached]) -> TieOrder:
    """Weight, the surest and nearest first, then by where the edge starts and leads; never an id."""
    source, target = nodes[tie.source], nodes[tie.target]
    sure = 0.3 if tie.resolution == "candidate" else 0.6 if tie.evidence == DISPATCH else 1.0
    weight = sure * EDGE_WEIGHTS.get(tie.kind, 0.1) * min(source.score, target.score)
    start, end = source.row, target.row
    place = start.path, tie.line, start.qualname, tie.kind, end.path, end.start_line, end.qualname
    return -weight, *place, start.ordinal, end.ordinal


def _once(resolved: Iterable[EdgeRow], candidates: Iterable[EdgeRow], nodes: set[int]) -> list[Tie]:
    first: dict[tuple[int, int, str], EdgeRow] = {}
    resolved = list(resolved)
    for edge in resolved:
        _earlier(first, edge)
    maybe: dict[tuple[int, int, str], EdgeRow] = {}
    guessed = [edge for edge in candidates if edge.source in nodes and edge.target in nodes]
    if guessed:
        certain = {(edge.source, edge.target, edge.line) for edge in resolved}
        for edge in guessed:
            if (edge.source, edge.target, edge.line) not in certain and edge[:3] not in first:
                _earlier(maybe, edge)
    return [Tie(*edge, "resolved") for edge in first.values()] + [Tie(*edge, "candidate") for edge in maybe.values()]


def _earlier(first: dict[tuple[int, int, str], EdgeRow], row: EdgeRow) -> None:
    source, target, kind, line, _, _ = row
    if source != target:
        key = source, target, kind
        before = first.get(key)
        if before is None or line < before.line:
            first[key] = row
        elif line == before.line:
            first[key] = surer(before, row)
