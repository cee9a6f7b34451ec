"""Choose how much of each symbol, file and edge to show, within a hard budget on the whole serialised answer.

All that could be shown stands in one list (`queries.offers`). The answer is the longest beginning of that list that
fits, measured on the text that will be sent; so a larger budget keeps all that a smaller one shows, and nothing is left
unused.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, Protocol, TypeAlias

from indexer.errors import BudgetTooSmallError
from queries.answers import Around, Edge, FileCard, Node, Omitted, Staleness, Subgraph, Tokens
from queries.excerpts import Excerpts
from queries.expand import Reached
from queries.fit import longest
from queries.nodes import node
from queries.offers import KINDS, SHORT_SIGNATURE, Item, cut, offers, title
from queries.ties import Tie, TieOrder, tie_order
from queries.tokens import Measure

AROUND_LAG, AROUND_PACE = 90, 40  # symbols before the counts of neighbours that are left out
LEAST_WITHIN, DEAREST_SYMBOL = 30, 11  # of a budget: symbols that it is likely to hold, and the tokens of each
FRAME = 90  # tokens of an answer without a symbol, about
QUERY_ECHO = 200  # characters of the question that are repeated in the answer


_Chosen: TypeAlias = dict[str, dict[int | str, int]]
"""What is shown, by kind: ids, paths and indexes of edges, and how often, which is told apart of lines alone."""


class Renderer(Protocol):
    """The exact text that will be sent for an answer, its own token figures included."""

    def render(self, subgraph: Subgraph) -> str: ...


class Material(NamedTuple):
    """All there is to choose from."""

    query: str
    nodes: tuple[Reached, ...]  # best first
    seeds: frozenset[int]
    cards: Mapping[str, FileCard]
    ties: tuple[Tie, ...]  # in any order
    tokens: Tokens  # without an estimate
    staleness: Callable[[frozenset[str]], Staleness]
    source: Excerpts | None = None  # where it is to be shown
    cursor: Callable[[int], str] | None = None  # what a number of symbols, from the first of `nodes`, is left with
    around: Mapping[int, Mapping[str, frozenset[int]]] = {}  # neighbours of some symbols, by what they are to it
    reasons: Mapping[int, tuple[str, ...]] = {}  # what brought symbols in, where that is to be said
    notes: tuple[str, ...] = ()


def pack(material: Material, measure: Measure, renderer: Renderer, budget: int) -> Subgraph:
    """The answer that shows the most within `budget` tokens of `measure`, counted on what `renderer` writes.

    Raises BudgetTooSmallError, with the least budget that works, where not even the name of the best symbol fits.
    """
    return _Packer(material, measure, renderer).pack(budget)


class _Packer:
    def __init__(self, material: Material, measure: Measure, renderer: Renderer) -> None:
        self._material = material
        self._measure = measure
        self._renderer = renderer
        self._staleness = lru_cache(maxsize=256)(material.staleness)
        self._nodes: dict[tuple[int, bool, bool, bool, int], Node] = {}
        self._costs: dict[int, int] = {}
        self._query = cut(" ".join(material.query.split()), QUERY_ECHO)
        self._kinds = Counter(tie.kind for tie in material.ties)

    def pack(self, budget: int) -> Subgraph:
        within = LEAST_WITHIN + budget / DEAREST_SYMBOL
        items = self._items(within)
        taken = self._taken(items, budget)
        if taken == len(items):  # All that was looked at fits: look at everything.
            items = self._items(math.inf)
            taken = self._taken(items, budget)
        while taken:
            answer = self._settled(items[:taken], budget, self._measured(items, taken, budget))
            if answer is not None:
                return answer
            taken -= 1  # The figures within the answer cost a token more than they did in the trial.
        raise self._too_small(items[:1], budget)

    def _taken(self, items: Sequence[Item], budget: int) -> int:
        """How many of some items fit; 1 where not even the first does."""
        sizes = [item.size for item in items]
        return max(1, longest(lambda count: self._measured(items, count, budget), sizes, limit=budget, start=FRAME))

    def _measured(self, items: Sequence[Item], count: int, budget: int) -> int:
        """What the first of the list cost, measured once, however much of it is looked at."""
        if count not in self._costs:
            self._costs[count] = self._cost(items[:count], budget)
        return self._costs[count]

    def _items(self, within: float) -> list[Item]:
        """The beginning of the list: what has fewer than so many symbols before it."""
        material = self._material
        nodes = {each.row.id: each for each in material.nodes}
        ties = [(tie.source, tie.target, nodes[tie.target].row.qualname) for tie in material.ties]

        def better(index: int) -> TieOrder:
            return tie_order(material.ties[index], nodes)

        steps = material.source.sizes if material.source is not None else None
        items = offers(material.nodes, material.cards, ties, steps, within, better)
        around = [AROUND_LAG + AROUND_PACE * i for i in range(len(material.around))]
        items += [Item(at, "around", each, 60) for at, each in zip(around, material.around, strict=True) if at < within]
        return sorted(items, key=itemgetter(0))

    def _cost(self, items: Sequence[Item], budget: int) -> int:
        """Tokens of an answer, were its estimate as long as the budget and all omitted: never less for more items."""
        return self._measure.count(self._renderer.render(self._build(items, budget, budget, trial=True)))

    def _settled(self, items: Sequence[Item], budget: int, guess: int) -> Subgraph | None:
        """The answer whose own estimate is its cost, which is likely `guess`; None where it does not fit."""
        estimate = guess
        answer = self._build(items, budget, estimate)
        for _ in range(8):
            cost = self._measure.count(self._renderer.render(answer))
            if cost == estimate:
                break
            estimate = cost
            answer = replace(answer, tokens=replace(answer.tokens, estimate=estimate))
        else:
            # No figure is its own cost: the least that is not below it.
            while cost > estimate:
                estimate += 1
                answer = replace(answer, tokens=replace(answer.tokens, estimate=estimate))
                cost = self._measure.count(self._renderer.render(answer))
        return answer if answer.tokens.estimate <= budget else None

    def _too_small(self, one: Sequence[Item], budget: int) -> BudgetTooSmallError:
        smallest = self._cost(one, budget)
        while self._settled(one, smallest, 0) is None:
            smallest += 1
        while smallest > 1 and self._settled(one, smallest - 1, 0) is not None:
            smallest -= 1
        return BudgetTooSmallError(
            f"a budget of {budget} tokens holds no answer: the smallest that works is {smallest}", smallest
        )

    def _build(self, items: Sequence[Item], budget: int, estimate: int, *, trial: bool = False) -> Subgraph:
        """trial: all counts as omitted, so that no more is said of that with more items."""
        material = self._material
        chosen = _chosen(items)
        named = chosen["symbol"]
        nodes = tuple([self._shown(each, chosen) for each in material.nodes if each.row.id in named])
        by_id = {node.id: node for node in nodes}
        ties = [material.ties[int(item.subject)] for item in items if item.kind == "edge"]
        edges = tuple([_edge(tie, by_id) for tie in ties])
        paths = tuple(dict.fromkeys([node.path for node in nodes]))
        return Subgraph(
            query=self._query,
            seeds=tuple(node for node in nodes if node.id in material.seeds),
            files=tuple(_card(material.cards[path], chosen) for path in paths),
            nodes=nodes,
            edges=edges,
            omitted=self._omitted(0, 0, (), self._around(by_id, chosen, {}))
            if trial
            else self._omitted(len(nodes), len(paths), edges, self._around(by_id, chosen, by_id)),
            tokens=replace(material.tokens, estimate=estimate, budget=budget),
            staleness=self._staleness(frozenset(paths)),
            notes=material.notes,
        )

    def _shown(self, each: Reached, chosen: _Chosen) -> Node:
        """A symbol with as much of it as was chosen; made once for each way to show it."""
        row, score, hop = each
        symbol = row.id
        key = (
            symbol,
            symbol in chosen["signature"],
            symbol in chosen["whole"],
            symbol in chosen["doc"],
            chosen["lines"].get(symbol, 0),
        )
        shown = self._nodes.get(key)
        if shown is None:
            _, signed, whole, doc, lines = key
            signature = row.signature if whole else cut(row.signature, SHORT_SIGNATURE) if signed else ""
            source = self._material.source
            body, passages = source.shown(row, lines) if lines and source is not None else (None, ())
            row = row._replace(signature=signature, doc=row.doc if doc else "")
            why = self._material.reasons.get(symbol, ())
            shown = self._nodes[key] = node(row, hop=hop, score=score, body=body, passages=passages, why=why)
        return shown

    def _omitted(self, symbols: int, files: int, edges: Sequence[Edge], around: tuple[Around, ...]) -> Omitted:
        left = self._kinds - Counter(edge.kind for edge in edges)
        cursor, number = self._material.cursor, len(self._material.nodes)
        return Omitted(
            symbols=number - symbols,
            files=len(self._material.cards) - files,
            edges=dict(sorted(left.items())),
            after=cursor(symbols) if cursor is not None and symbols < number else None,
            around=around,
        )

    def _around(self, nodes: Mapping[int, Node], chosen: _Chosen, known: Mapping[int, Node]) -> tuple[Around, ...]:
        """How many neighbours the shown symbols have that are not `known`."""
        found = []
        for symbol, groups in self._material.around.items():
            if symbol in nodes and symbol in chosen["around"]:
                counts = {relation: len(ids - known.keys()) for relation, ids in groups.items()}
                left = {relation: number for relation, number in counts.items() if number}
                found += [Around(nodes[symbol], left)] if left else []
        return tuple(found)


def _chosen(items: Iterable[Item]) -> _Chosen:
    found: _Chosen = {kind: {} for kind in KINDS}
    for _, kind, subject, _ in items:
        group = found[kind]
        group[subject] = group.get(subject, 0) + 1
    return found


def _edge(tie: Tie, nodes: Mapping[int, Node]) -> Edge:
    return Edge(nodes[tie.source], nodes[tie.target], tie.kind, tie.resolution, tie.line, tie.evidence, tie.overrides)


def _card(card: FileCard, chosen: _Chosen) -> FileCard:
    if card.path in chosen["header"] or not card.header:
        return card
    first = title(card.header) if card.path in chosen["title"] else ""
    return FileCard(card.path, card.language, first, card.state)
