"""A shortest chain of edges between two symbols."""

from __future__ import annotations

from indexer.errors import NotFoundError
from indexer.store.dispatch import EdgeRow
from indexer.store.reader import SymbolRow
from queries import nodes as values
from queries.answers import Node
from queries.find import one_symbol
from queries.nodes import in_order
from queries.relations import Route
from queries.session import Session

KINDS = ("calls", "inherits", "overrides", "references", "imports")
"""By how much each says; the first that joins two symbols is shown."""

MOST = 200_000  # symbols looked at before giving up


def path_between(session: Session, a: str, b: str) -> Route:
    """A shortest chain from `a` to `b` along edges; where there is none, from `b` to `a`; else along edges either way.

    Candidates are no part of it. Raises NotFoundError where the two are not connected, and as `one_symbol` does.
    """
    with session.read():
        starts, ends = one_symbol(session, a), one_symbol(session, b)
        for direction in ("forward", "reverse", "undirected"):
            steps = _search(session, [node.id for node in starts], {node.id for node in ends}, direction)
            if steps is not None:
                return _route(session, steps, starts, direction)
    raise NotFoundError(f"nothing connects {a} and {b}")


def _search(session: Session, starts: list[int], ends: set[int], direction: str) -> list[EdgeRow] | None:
    """Breadth first, one hop at a time; the edges of one shortest chain, None where there is no chain."""
    levels: list[dict[int, list[tuple[int, EdgeRow]]]] = []  # symbol → (symbol before, edge), for each hop
    seen, frontier = set(starts), list(starts)
    while not ends & set(frontier):
        if not frontier or len(seen) > MOST:
            return None
        before: dict[int, list[tuple[int, EdgeRow]]] = {}
        for here, there, edge in _steps(session, frontier, direction):
            if there not in seen:
                before.setdefault(there, []).append((here, edge))
        levels.append(before)
        seen |= before.keys()
        frontier = list(before)
    return _back(session, levels, ends & set(frontier))


def _steps(session: Session, frontier: list[int], direction: str) -> list[tuple[int, int, EdgeRow]]:
    """(from, to, edge) of every step out of some symbols."""
    found: list[tuple[int, int, EdgeRow]] = []
    if direction != "reverse":
        found += [(edge.source, edge.target, edge) for edge in session.neighbours.out_of(frontier)]
    if direction != "forward":
        found += [(edge.target, edge.source, edge) for edge in session.neighbours.into(frontier)]
    return [step for step in found if step[2].kind in KINDS]


def _back(session: Session, levels: list[dict[int, list[tuple[int, EdgeRow]]]], ends: set[int]) -> list[EdgeRow]:
    """One chain among equals: at each step the kind that says most, then the first by path and line."""
    steps: list[EdgeRow] = []
    for before in reversed(levels):
        options = [(here, edge) for end in ends for here, edge in before[end]]
        with session.read() as reader:
            rows = reader.symbols({end for _, edge in options for end in (edge.source, edge.target)})

        def order(option: tuple[int, EdgeRow], rows: dict[int, SymbolRow] = rows) -> tuple[object, ...]:
            _, edge = option
            around = rows[edge.source], rows[edge.target]
            return KINDS.index(edge.kind), *(part for row in around for part in in_order(row)), edge.line

        here, edge = min(options, key=order)
        steps.append(edge)
        ends = {here}
    return steps[::-1]


def _route(session: Session, steps: list[EdgeRow], starts: tuple[Node, ...], direction: str) -> Route:
    with session.read() as reader:
        rows = reader.symbols({end for step in steps for end in (step.source, step.target)})
    nodes = {symbol: values.node(row) for symbol, row in rows.items()}
    edges = tuple(values.edge(step, nodes, "resolved") for step in steps)
    first = next((start for start in starts if not steps or start.id in (steps[0].source, steps[0].target)), starts[0])
    chain = [first]
    for edge in edges:
        chain.append(edge.target if edge.source.id == chain[-1].id else edge.source)
    return Route(tuple(chain), edges, direction)
