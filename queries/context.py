"""A line of a file → the symbol it is in, and what has to do with that, within a budget: for an editor's cursor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from indexer.errors import NotFoundError, UsageError
from indexer.store.dispatch import EdgeRow
from indexer.store.neighbours import surer
from indexer.store.reader import Reader, SymbolRow
from queries import locate
from queries.answers import Edge, Node, Staleness, Tokens
from queries.dependents import dependents_of
from queries.effects import RELATIONS, Context, Effect
from queries.files import one_file
from queries.listfit import fitted
from queries.nodes import in_order, is_test, node
from queries.session import Session
from queries.staleness import Freshness
from queries.tokens import Measure
from queries.words import Place

TEST_HOPS = 3  # edges between a test and the symbol
_TYPES = frozenset({"class", "interface", "enum", "type"})
# (what comes before the first one, what comes between two) in the list of all there is to show
_PLACES = {
    "calls": (0.0, 2.0),
    "callers": (0.5, 2.0),
    "types": (1.0, 3.0),
    "overrides": (1.5, 3.0),
    "tests": (2.0, 3.0),
    "uses": (8.0, 3.0),
    "candidates": (12.0, 4.0),
}


class Renderer(Protocol):
    """The exact text that will be sent for an answer, its own token figures included."""

    def render(self, context: Context, /) -> str: ...


class _Related(NamedTuple):
    row: SymbolRow
    edge: EdgeRow
    distance: int
    resolution: str


class _Item(NamedTuple):
    place: float
    relation: str
    rank: int
    size: int  # characters, roughly


def context(
    session: Session, path: str, line: int, *, budget: int = 2000, measure: Measure, renderer: Renderer
) -> Context:
    """The innermost symbol around a line, with what it calls, who calls it, its class, its types and its tests.

    line     1-based
    budget   tokens that the whole answer, as `renderer` writes it, may cost by `measure`
    Raises NotFoundError for a file that is not mapped or a line it does not have, AmbiguousError, BudgetTooSmallError.
    """
    if budget < 1:
        raise UsageError("the budget must be at least 1 token")
    with session.read() as reader:
        row = _innermost(reader, path, line)
        around = _around(reader, row)
        related = _related(session, reader, row)
        items = _plan(related)
        known = {row.id: row, **{each.row.id: each.row for group in related.values() for each in group}}
        _add_ends(reader, known, related)
        fresh = Freshness(session)

        def build(count: int, estimate: int, budget: int) -> Context:
            figures = measure.figures(estimate, budget)
            return _answer(line, row, around, _chosen(related, items[:count]), related, known, figures, fresh.of)

        return fitted(build, [item.size for item in items], lambda made: measure.count(renderer.render(made)), budget)


def _innermost(reader: Reader, path: str, line: int) -> SymbolRow:
    file = one_file(reader, path)
    if not 1 <= line <= max(1, file.lines):
        raise NotFoundError(f"{file.path} has {file.lines} lines; there is no line {line}")
    found = locate.innermost(reader, Place(file.path, line), [file.path])
    return found[0] if found else reader.symbols_in(file.path)[0]


def _around(reader: Reader, row: SymbolRow) -> list[SymbolRow]:
    """What the symbol is in, innermost first, without the module."""
    found = []
    while row.parent:
        row = reader.symbols([row.parent])[row.parent]
        if row.kind != "module":
            found.append(row)
    return found


def _related(session: Session, reader: Reader, row: SymbolRow) -> dict[str, list[_Related]]:
    """Each symbol once, in the relation that says most, by its first line."""
    neighbours = session.neighbours
    out, into = neighbours.out_of([row.id]), neighbours.into([row.id])
    maybe = neighbours.candidates_out([row.id])
    if row.kind in ("function", "method"):
        maybe = maybe + neighbours.candidates_into({row.id: row.name})
    ends = {end for edge in (*out, *into, *maybe) for end in (edge.source, edge.target)}
    rows = reader.symbols(ends)
    found: dict[str, list[_Related]] = {relation: [] for relation in RELATIONS}
    seen = {row.id}
    dependents = dependents_of(session, [row], TEST_HOPS).found
    for each in dependents:
        if is_test(each.row):
            found["tests"].append(_Related(each.row, each.edge, each.distance, "resolved"))
        elif each.distance == 1 and each.edge.kind in ("calls", "imports", "inherits", "references"):
            found["callers"].append(_Related(each.row, each.edge, 1, "resolved"))
        elif each.distance == 1:
            found["overrides"].append(_Related(each.row, each.edge, 1, "resolved"))
    seen.update(each.row.id for group in found.values() for each in group)
    for edge in _first(out, rows):
        if edge.target not in seen and edge.target in rows:
            seen.add(edge.target)
            relation = _relation(edge, rows[edge.target])
            found[relation].append(_Related(rows[edge.target], edge, 1, "resolved"))
    for edge in _first(maybe, rows):
        other = edge.target if edge.source == row.id else edge.source
        if other not in seen and other in rows:
            seen.add(other)
            found["candidates"].append(_Related(rows[other], edge, 1, "candidate"))
    return found


def _first(edges: Iterable[EdgeRow], rows: Mapping[int, SymbolRow]) -> list[EdgeRow]:
    """By line, what says most first; calls before other edges between the same two."""
    best: dict[tuple[int, int, str], EdgeRow] = {}
    for edge in edges:
        before = best.get(edge[:3])
        if before is None or edge.line < before.line:
            best[edge[:3]] = edge
        elif edge.line == before.line:
            best[edge[:3]] = surer(before, edge)
    return sorted(
        (edge for edge in best.values() if edge.source in rows and edge.target in rows),
        key=lambda edge: (edge.kind != "calls", edge.line, *in_order(rows[edge.target]), *in_order(rows[edge.source])),
    )


def _relation(edge: EdgeRow, target: SymbolRow) -> str:
    if edge.kind in ("overrides", "inherits"):
        return "overrides"
    if edge.kind == "calls":
        return "types" if target.kind in _TYPES else "calls"
    return "types" if target.kind in _TYPES else "uses"


def _add_ends(reader: Reader, known: dict[int, SymbolRow], related: Mapping[str, Sequence[_Related]]) -> None:
    """Edges of tests lead to what is not in the answer itself."""
    ends = {end for group in related.values() for each in group for end in (each.edge.source, each.edge.target)}
    known.update(reader.symbols(ends - known.keys()))


def _plan(related: Mapping[str, Sequence[_Related]]) -> list[_Item]:
    items = [
        _Item(lag + pace * rank, relation, rank, len(each.row.path) + len(each.row.qualname) + len(each.row.doc) + 14)
        for relation, (lag, pace) in _PLACES.items()
        for rank, each in enumerate(related[relation])
    ]
    return sorted(items, key=lambda item: (item.place, item.relation, item.rank))


def _chosen(related: Mapping[str, Sequence[_Related]], items: Iterable[_Item]) -> dict[str, list[_Related]]:
    counts = Counter(item.relation for item in items)
    return {relation: list(group[: counts[relation]]) for relation, group in related.items()}


def _answer(
    line: int,
    row: SymbolRow,
    around: Sequence[SymbolRow],
    chosen: Mapping[str, Sequence[_Related]],
    related: Mapping[str, Sequence[_Related]],
    known: Mapping[int, SymbolRow],
    tokens: Tokens,
    staleness: Callable[[Iterable[str]], Staleness],
) -> Context:
    shown = {relation: tuple(_effect(each, known) for each in group) for relation, group in chosen.items()}
    paths = {row.path, *(each.node.path for group in shown.values() for each in group)}
    left = {relation: len(related[relation]) - len(shown[relation]) for relation in RELATIONS}
    return Context(
        line=line,
        symbol=node(row),
        around=tuple(node(each) for each in around),
        related=shown,
        omitted={relation: number for relation, number in left.items() if number},
        tokens=tokens,
        staleness=staleness(frozenset(paths)),
    )


def _effect(each: _Related, known: Mapping[int, SymbolRow]) -> Effect:
    row, edge, distance, resolution = each
    source: Node = node(known[edge.source])
    target: Node = node(known[edge.target])
    made = Edge(source, target, edge.kind, resolution, edge.line, edge.evidence, edge.overrides)
    return Effect(node(row, hop=distance), made)
