"""Rows of the map → the values of answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from indexer.store.dispatch import EdgeRow
from indexer.store.neighbours import surer
from indexer.store.reader import SymbolRow
from queries.answers import Edge, Node, Passage


def node(
    row: SymbolRow,
    *,
    hop: int = 0,
    score: float = 0.0,
    body: str | None = None,
    passages: tuple[Passage, ...] = (),
    why: tuple[str, ...] = (),
) -> Node:
    return Node(
        id=row.id,
        path=row.path,
        qualname=row.qualname,
        kind=row.kind,
        start_line=row.start_line,
        end_line=row.end_line,
        name_line=row.name_line,
        signature=row.signature,
        doc=row.doc,
        test=is_test(row),
        hop=hop,
        score=score,
        body=body,
        passages=passages,
        why=why,
    )


TEST_FLAG = 1 << 7
"""`indexer.model.Flag.TEST`, of which a question needs no more: the vocabulary of facts takes a while to load."""


def is_test(row: SymbolRow) -> bool:
    return bool(row.test_file or row.flags & TEST_FLAG)


def edges(
    resolved: Iterable[EdgeRow], candidates: Iterable[EdgeRow], nodes: Mapping[int, Node]
) -> tuple[tuple[Edge, ...], tuple[Edge, ...]]:
    """Edges with both ends among `nodes`, by the source's path and line; no candidate where an edge is resolved."""
    known: dict[tuple[int, int, str, int], EdgeRow] = {}
    for row in resolved:
        _put(known, row, nodes)
    certain = {(source, target, line) for source, target, _, line in known}
    possible: dict[tuple[int, int, str, int], EdgeRow] = {}
    for row in candidates:
        if (row.source, row.target, row.line) not in certain:
            _put(possible, row, nodes)
    return _sorted(known.values(), nodes, "resolved"), _sorted(possible.values(), nodes, "candidate")


def edge(row: EdgeRow, nodes: Mapping[int, Node], resolution: str) -> Edge:
    """The edge between two of `nodes`."""
    source, target, kind, line, evidence, overrides = row
    return Edge(nodes[source], nodes[target], kind, resolution, line, evidence, overrides)


def edge_order(edge: Edge) -> tuple[str, int, str, str, str, int, str]:
    """By where the edge starts, then by where it leads."""
    source, target = edge.source, edge.target
    return source.path, edge.line, source.qualname, edge.kind, target.path, target.start_line, target.qualname


def in_order(row: SymbolRow) -> tuple[str, int, str, int]:
    """What breaks ties: never an id."""
    return row.path, row.start_line, row.qualname, row.ordinal


def _put(found: dict[tuple[int, int, str, int], EdgeRow], row: EdgeRow, nodes: Mapping[int, Node]) -> None:
    if row.source in nodes and row.target in nodes:
        before = found.get(row[:4])
        found[row[:4]] = row if before is None else surer(before, row)


def _sorted(rows: Iterable[EdgeRow], nodes: Mapping[int, Node], resolution: str) -> tuple[Edge, ...]:
    return tuple(sorted([edge(row, nodes, resolution) for row in rows], key=edge_order))
