"""What contains what: a module its functions and classes, a class its members, a function what is defined in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from queries import nodes as values
from queries.answers import Edge
from queries.navigate import all_edges
from queries.session import Session
from queries.together import CHANGES_WITH, all_together

CONTAINS = "contains"


def contained(session: Session) -> Iterator[Edge]:
    """An edge from every symbol to each one directly in it, at the line the inner one starts, by path and line."""
    with session.read() as reader:
        rows = list(reader.all_symbols())
        nodes = {row.id: values.node(row) for row in rows}
        for row in rows:
            if row.parent in nodes:
                yield Edge(nodes[row.parent], nodes[row.id], CONTAINS, "resolved", row.start_line, "scope")


def every_edge(session: Session, kinds: Iterable[str] | None = None) -> Iterator[Edge]:
    """What contains what, what sources say, candidates, then what changes together; `kinds` chooses, None: all."""
    wanted = None if kinds is None else set(kinds)
    if wanted is None or CONTAINS in wanted:
        yield from contained(session)
    if wanted is None or wanted - {CONTAINS, CHANGES_WITH}:
        yield from all_edges(session, None if wanted is None else wanted - {CONTAINS, CHANGES_WITH})
    if wanted is None or CHANGES_WITH in wanted:
        yield from all_together(session)
