"""A text → the subgraph that matters for it, within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from indexer.errors import UsageError
from queries.answers import FileCard, Subgraph
from queries.around import COUNTED, expanded, left_out
from queries.expand import Reached, expand, spreading
from queries.misses import nothing, unknown_words
from queries.offers import order
from queries.pack import Material, Renderer, pack
from queries.pages import Pages
from queries.search import Found, search
from queries.session import Session
from queries.staleness import Freshness
from queries.ties import Tie, ties_between
from queries.tokens import Measure
from queries.wish import NOTHING_MORE, Wish
from queries.words import understand

SHOWN_SEEDS = 0.3
"""Share of the best score from which a match counts as a seed."""
MOST_SEEDS = 25
MOST_NODES = 400


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
        ties = ties_between(session, ranked)
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
            from queries.excerpts import Excerpts

            material = material._replace(source=Excerpts(session, question))
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
    )
