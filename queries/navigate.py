"""Exact questions about one symbol or file: where it is, who calls it, what it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from indexer.store.dispatch import EdgeRow
from indexer.store.reader import Reader, SymbolRow
from queries import find
from queries import nodes as values
from queries.answers import Edge, Node
from queries.definition import DefinitionFinder, Definitions, Place
from queries.files import dependencies, dependents
from queries.find import find_symbols, one_symbol
from queries.relations import Relations
from queries.route import path_between
from queries.session import Session

__all__ = [
    "all_edges",
    "all_symbols",
    "callees",
    "callers",
    "definition",
    "dependencies",
    "dependents",
    "find_symbols",
    "one_symbol",
    "path_between",
    "references",
]

_CALLABLE = ("function", "method")


def callers(session: Session, name: str) -> Relations:
    """Calls of a symbol, each with the symbol it is made in. Raises as `one_symbol` does."""
    with session.read() as reader:
        rows = find.rows(reader, name)
        into = [edge for edge in session.neighbours.into(row.id for row in rows) if edge.kind == "calls"]
        named = {row.id: row.name for row in rows if row.kind in _CALLABLE}
        return _relations(reader, rows, into, session.neighbours.candidates_into(named))


def callees(session: Session, name: str) -> Relations:
    """Calls made in a symbol. Raises as `one_symbol` does."""
    with session.read() as reader:
        rows = find.rows(reader, name)
        ids = [row.id for row in rows]
        out = [edge for edge in session.neighbours.out_of(ids) if edge.kind == "calls"]
        return _relations(reader, rows, out, session.neighbours.candidates_out(ids))


def references(session: Session, name: str) -> Relations:
    """Every place that names a symbol: calls, imports, subclasses, overrides and other uses."""
    with session.read() as reader:
        rows = find.rows(reader, name)
        named = {row.id: row.name for row in rows if row.kind in _CALLABLE}
        into = session.neighbours.into(row.id for row in rows)
        return _relations(reader, rows, into, session.neighbours.candidates_into(named))


def definition(
    session: Session, path: str, line: int, column: int, linker_factory: Callable[[], DefinitionFinder]
) -> tuple[Node, ...]:
    """What the name at a place denotes; empty where that is not known.

    line, column     1-based, and 0-based in characters
    linker_factory   makes the linker; called only for a mapped file
    Raises NotFoundError for a file that is not mapped or not there, or a place outside it.
    """
    return Definitions(session, linker_factory).one(Place(path, line, column))


def all_symbols(session: Session) -> Iterator[Node]:
    """Every symbol, streamed, by path and line."""
    with session.read() as reader:
        for row in reader.all_symbols():
            yield values.node(row)


def all_edges(session: Session, kinds: Iterable[str] | None = None) -> Iterator[Edge]:
    """Every edge, streamed by the source's path and line: the resolved ones, then the candidates.

    kinds   which kinds; None: all
    """
    wanted = None if kinds is None else set(kinds)
    with session.read() as reader:
        nodes = {row.id: values.node(row) for row in reader.all_symbols()}
        for row in session.neighbours.all_edges(wanted):
            yield values.edge(row, nodes, "resolved")
        if wanted is None or "calls" in wanted:
            yield from _all_candidates(session, nodes)


def _relations(
    reader: Reader, rows: Iterable[SymbolRow], resolved: list[EdgeRow], candidates: list[EdgeRow]
) -> Relations:
    ids = {end for edge in (*resolved, *candidates) for end in (edge.source, edge.target)}
    nodes = {symbol: values.node(row) for symbol, row in reader.symbols(ids).items()}
    certain, possible = values.edges(resolved, candidates, nodes)
    return Relations(tuple(values.node(row) for row in rows), certain, possible)


def _all_candidates(session: Session, nodes: Mapping[int, Node]) -> Iterator[Edge]:
    neighbours = session.neighbours
    sources = neighbours.pending_sources()
    found = []
    for start in range(0, len(sources), 1000):
        chunk = sources[start : start + 1000]
        certain = {(edge.source, edge.target, edge.line) for edge in neighbours.out_of(chunk) if edge.kind == "calls"}
        found += [
            values.edge(row, nodes, "candidate")
            for row in set(neighbours.candidates_out(chunk))
            if (row.source, row.target, row.line) not in certain
        ]
    yield from sorted(found, key=values.edge_order)
