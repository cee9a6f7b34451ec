"""A text → the subgraph that matters for it, within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from indexer.errors import UsageError
from indexer.evidence import DISPATCH
from indexer.store.dispatch import EdgeRow
from indexer.store.neighbours import surer
from queries.answers import FileCard, Subgraph
from queries.around import COUNTED, expanded, left_out
from queries.expand import Reached, expand, spreading
from queries.misses import nothing, unknown_words
from queries.offers import order
from queries.pack import Material, Renderer, Tie, pack
from queries.pages import Pages
from queries.search import Found, search
from queries.session import Session
from queries.source import bodies
from queries.staleness import Freshness
from queries.tokens import Measure
from queries.wish import NOTHING_MORE, Wish
from queries.words import understand

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
    wish: Wish = NOTHING_MORE,
    measure: Measure,
    renderer: Renderer,
) -> Subgraph:
    """The symbols that match a text and what lies around them, most relevant first, as far as the budget goes.

    query      words, a name, an issue text, a stack trace
    budget     tokens that the whole answer, as `renderer` writes it, may cost by `measure`
    hops       edges away from a match that are looked at
    wish       symbols to expand, a cursor to go on from, whether to say what brought each symbol in
    Raises NotFoundError where nothing matches, BudgetTooSmallError where no answer fits, UsageError for bad numbers and
    for a cursor of something else; NotFoundError and AmbiguousError for a name to expand.
    """
    if budget < 1 or hops < 0:
        raise UsageError("the budget must be at least 1 token and the hops at least 0")
    question = understand(query)
    with session.read() as reader:
        found = search(session, question)
        if not found:
            raise nothing(session, question)
        seeds = _seeds(found)
        reached = expand(session, found, hops) if hops else _matches(found, seeds)
        ranked, centres = expanded(session, reached, wish.expand)
        ranked = _rounded(ranked[:MOST_NODES])
        ties = _ties(session, ranked)
        pages = Pages([" ".join(query.split()), hops, list(wish.expand)], reader.meta().get("commit"), ranked)
        start = pages.position(wish.after) if wish.after is not None else 0
        shown = set(order(ranked)[:start]) if start else set()
        reached = [each for each in ranked if each.row.id not in shown]
        material = _material(session, query, seeds, reached, ties, budget, measure)
        notes = unknown_words(session, question)
        material = material._replace(cursor=lambda count: pages.cursor(start + count), notes=notes)
        if not start:
            best = [each.row.id for each in reached if each.row.id in seeds][:COUNTED]
            material = material._replace(around=left_out(session, dict.fromkeys([*centres, *best])))
        if wish.explain:
            from queries.explain import reasons

            starts = [each.row.id for each in spreading(found)]
            material = material._replace(reasons=reasons(session, question, ranked, starts, centres, ties))
        if include_bodies:
            material = material._replace(bodies=bodies(session, [each.row for each in reached]))
        return pack(material, measure, renderer, budget)


def _seeds(found: Sequence[Found]) -> frozenset[int]:
    best = found[0].score
    return frozenset([each.row.id for each in found if each.score >= SHOWN_SEEDS * best][:MOST_SEEDS])


def _matches(found: Sequence[Found], seeds: frozenset[int]) -> list[Reached]:
    """The seeds alone: what lies no edge away from them."""
    return [Reached(each.row, each.score, 0) for each in found if each.row.id in seeds]


def _rounded(reached: Iterable[Reached]) -> list[Reached]:
    """Each once, with scores as they are shown."""
    return list({each.row.id: Reached(each.row, round(each.score, 4), each.hop) for each in reached}.values())


def _ties(session: Session, reached: Sequence[Reached]) -> tuple[Tie, ...]:
    nodes = {each.row.id: each for each in reached}
    candidates = session.neighbours.candidates_out(list(nodes)[:MOST_GUESSING])
    return _once(session.neighbours.among(nodes), candidates, nodes)


def _material(
    session: Session,
    query: str,
    seeds: frozenset[int],
    reached: Sequence[Reached],
    ties: Sequence[Tie],
    budget: int,
    measure: Measure,
) -> Material:
    with session.read() as reader:
        files = reader.files_at(sorted({each.row.path for each in reached}))
    nodes = {each.row.id for each in reached}
    return Material(
        query=query,
        nodes=tuple(reached),
        seeds=seeds & nodes,
        cards={row.path: FileCard(row.path, row.language, row.header, row.state) for row in files},
        ties=tuple([tie for tie in ties if tie.source in nodes and tie.target in nodes]),
        tokens=measure.figures(budget=budget),
        staleness=Freshness(session, known=files).of,
        bodies={},
    )


def _once(resolved: Iterable[EdgeRow], candidates: Iterable[EdgeRow], nodes: Mapping[int, Reached]) -> tuple[Tie, ...]:
    """Each relation between two symbols once, at its first line, the surest and nearest first."""
    certain: set[tuple[int, int, int]] = set()
    first: dict[tuple[int, int, str], EdgeRow] = {}
    for edge in resolved:
        certain.add((edge.source, edge.target, edge.line))
        _earlier(first, edge)
    maybe: dict[tuple[int, int, str], EdgeRow] = {}
    for edge in candidates:
        known = edge.source in nodes and edge.target in nodes
        if known and (edge.source, edge.target, edge.line) not in certain and edge[:3] not in first:
            _earlier(maybe, edge)
    ranked = [_ranked(Tie(*edge, "resolved"), nodes) for edge in first.values()]
    ranked += [_ranked(Tie(*edge, "candidate"), nodes) for edge in maybe.values()]
    return tuple([tie for *_, tie in sorted(ranked)])


def _ranked(tie: Tie, nodes: Mapping[int, Reached]) -> tuple[float, str, int, str, str, str, int, str, int, int, Tie]:
    """Weight, then by where the edge starts and leads; the tie itself, with its ids, is never compared."""
    source, target = nodes[tie.source], nodes[tie.target]
    sure = 0.3 if tie.resolution == "candidate" else 0.6 if tie.evidence == DISPATCH else 1.0
    weight = sure * EDGE_WEIGHTS.get(tie.kind, 0.1) * min(source.score, target.score)
    start, end = source.row, target.row
    place = start.path, tie.line, start.qualname, tie.kind, end.path, end.start_line, end.qualname
    return -weight, *place, start.ordinal, end.ordinal, tie


def _earlier(first: dict[tuple[int, int, str], EdgeRow], row: EdgeRow) -> None:
    before = first.get(row[:3])
    if row.source != row.target and (before is None or row.line <= before.line):
        first[row[:3]] = row if before is None or row.line < before.line else surer(before, row)
