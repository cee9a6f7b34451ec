"""A text → the subgraph that matters for it, within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from indexer.errors import NotFoundError, UsageError
from indexer.store.neighbours import EdgeRow
from queries import nodes as values
from queries.answers import Edge, FileCard, Node, Subgraph, Tokens
from queries.expand import Reached, expand
from queries.find import near_names
from queries.pack import Material, Renderer, pack
from queries.search import Found, search
from queries.session import Session
from queries.source import bodies
from queries.staleness import Freshness
from queries.tokens import Measure
from queries.words import Question, understand

SHOWN_SEEDS = 0.3
"""Share of the best score from which a match counts as a seed."""
MOST_SEEDS = 25
MOST_NODES = 400
EDGE_WEIGHTS = {"calls": 1.0, "inherits": 0.9, "overrides": 0.8, "references": 0.4, "imports": 0.2}
MOST_GUESSING = 150  # of the best nodes, whose calls on unknown receivers are looked at


def subgraph(
    session: Session,
    query: str,
    *,
    budget: int = 4000,
    hops: int = 2,
    include_bodies: bool = False,
    measure: Measure,
    renderer: Renderer,
) -> Subgraph:
    """The symbols that match a text and what lies around them, most relevant first, as far as the budget goes.

    query      words, a name, an issue text, a stack trace
    budget     tokens that the whole answer, as `renderer` writes it, may cost by `measure`
    hops       edges away from a match that are looked at
    Raises NotFoundError where nothing matches, BudgetTooSmallError where no answer fits, UsageError for bad numbers.
    """
    if budget < 1 or hops < 0:
        raise UsageError("the budget must be at least 1 token and the hops at least 0")
    question = understand(query)
    with session.read():
        found = search(session, question)
        if not found:
            raise _nothing(session, question)
        reached = expand(session, found, hops)[:MOST_NODES]
        material = _material(session, query, found, reached, budget, measure)
        if include_bodies:
            material = material._replace(bodies=bodies(session, [each.row for each in reached]))
        return pack(material, measure, renderer, budget)


def _nothing(session: Session, question: Question) -> NotFoundError:
    words = list(question.words)[:8]
    near = tuple(dict.fromkeys(name for word in words for name in near_names(session, word)))[:8]
    return NotFoundError("nothing in the map matches these words", near)


def _material(
    session: Session, query: str, found: Sequence[Found], reached: Sequence[Reached], budget: int, measure: Measure
) -> Material:
    nodes = [values.node(each.row, hop=each.hop, score=round(each.score, 4)) for each in reached]
    by_id = {each.id: each for each in nodes}
    seeds = _seeds(found, by_id)
    with session.read() as reader:
        cards = {
            row.path: FileCard(row.path, row.language, row.header, row.state)
            for row in reader.files_at(sorted({node.path for node in nodes}))
        }
    resolved = session.neighbours.among(by_id)
    candidates = session.neighbours.candidates_out(list(by_id)[:MOST_GUESSING])
    return Material(
        query=query,
        nodes=tuple(nodes),
        seeds=seeds,
        cards=cards,
        edges=_once(resolved, candidates, by_id),
        tokens=Tokens(
            estimate=0,
            budget=budget,
            method=measure.method,
            model=measure.model,
            characters_per_token=measure.characters_per_token,
            calibrated_at=measure.calibrated_at,
            calibrated_on=measure.calibrated_on,
        ),
        staleness=Freshness(session).of,
        bodies={},
    )


def _seeds(found: Sequence[Found], nodes: dict[int, Node]) -> frozenset[int]:
    best = found[0].score
    chosen = [each.row.id for each in found if each.score >= SHOWN_SEEDS * best and each.row.id in nodes]
    return frozenset(chosen[:MOST_SEEDS])


def _once(resolved: Iterable[EdgeRow], candidates: Iterable[EdgeRow], nodes: Mapping[int, Node]) -> tuple[Edge, ...]:
    """Each relation between two symbols once, at its first line, the surest and nearest first."""
    certain: set[tuple[int, int, int]] = set()
    first: dict[tuple[int, int, str], EdgeRow] = {}
    for row in resolved:
        certain.add((row.source, row.target, row.line))
        _earlier(first, row)
    maybe: dict[tuple[int, int, str], EdgeRow] = {}
    for row in candidates:
        known = row.source in nodes and row.target in nodes
        if known and (row.source, row.target, row.line) not in certain and row[:3] not in first:
            _earlier(maybe, row)
    found = [Edge(nodes[row.source], nodes[row.target], row.kind, "resolved", *row[3:]) for row in first.values()]
    found += [Edge(nodes[row.source], nodes[row.target], row.kind, "candidate", *row[3:]) for row in maybe.values()]

    def rank(edge: Edge) -> tuple[object, ...]:
        sure = 1.0 if edge.resolution == "resolved" else 0.3
        weight = sure * EDGE_WEIGHTS.get(edge.kind, 0.1) * min(edge.source.score, edge.target.score)
        return -weight, *values.edge_order(edge)

    return tuple(sorted(found, key=rank))


def _earlier(first: dict[tuple[int, int, str], EdgeRow], row: EdgeRow) -> None:
    before = first.get(row[:3])
    if row.source != row.target and (before is None or row[3:] < before[3:]):
        first[row[:3]] = row
