"""Choose how much of each symbol, file and edge to show, within a hard budget on the whole serialised answer.

All that could be shown stands in one list (`queries.offers`). The answer is the longest beginning of that list that
fits, measured on the text that will be sent; so a larger budget keeps all that a smaller one shows, and nothing is left
unused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

from indexer.errors import BudgetTooSmallError
from queries.answers import Around, Edge, FileCard, Node, Omitted, Staleness, Subgraph, Tokens
from queries.expand import Reached
from queries.fit import longest
from queries.nodes import node
from queries.offers import SHORT_SIGNATURE, Item, cut, offers, title
from queries.tokens import Measure

AROUND_LAG, AROUND_PACE = 90, 40  # symbols before the counts of neighbours that are left out
QUERY_ECHO = 200  # characters of the question that are repeated in the answer


class Renderer(Protocol):
    """The exact text that will be sent for an answer, its own token figures included."""

    def render(self, subgraph: Subgraph) -> str: ...


class Tie(NamedTuple):
    """An edge that could be shown, between symbols given by id."""

    source: int
    target: int
    kind: str
    line: int
    evidence: str
    overrides: int
    resolution: str


class Material(NamedTuple):
    """All there is to choose from, each list best first."""

    query: str
    nodes: tuple[Reached, ...]
    seeds: frozenset[int]
    cards: Mapping[str, FileCard]
    ties: tuple[Tie, ...]
    tokens: Tokens  # without an estimate
    staleness: Callable[[frozenset[str]], Staleness]
    bodies: Mapping[int, str]
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
        self._nodes: dict[tuple[int, ...], Node] = {}
        self._kinds = Counter(tie.kind for tie in material.ties)

    def pack(self, budget: int) -> Subgraph:
        items = self._items()

        @cache
        def cost(count: int) -> int:
            return self._cost(items[:count], budget)

        taken = 1
        if cost(1) <= budget:
            taken = longest(cost, [item.size for item in items], least=1, limit=budget)
        while taken:
            answer = self._settled(items[:taken], budget, cost(taken))
            if answer is not None:
                return answer
            taken -= 1  # The figures within the answer cost a token more than they did in the trial.
        raise self._too_small(items[:1], budget)

    def _items(self) -> list[Item]:
        material = self._material
        names = {each.row.id: each.row.qualname for each in material.nodes}
        ties = [(tie.source, tie.target, names[tie.target]) for tie in material.ties]
        items = offers(material.nodes, material.cards, ties, material.bodies)
        items += [Item(AROUND_LAG + AROUND_PACE * i, "around", each, 60) for i, each in enumerate(material.around)]
        return sorted(items, key=lambda item: item.place)

    def _cost(self, items: Sequence[Item], budget: int) -> int:
        """Tokens of an answer, were its estimate as long as the budget and all omitted: never less for more items."""
        answer = self._build(items, budget, budget)
        around = self._around(
            {node.id: node for node in answer.nodes}, {(item.kind, item.subject) for item in items}, {}
        )
        return self._measure.count(self._renderer.render(replace(answer, omitted=self._omitted(0, 0, (), around))))

    def _settled(self, items: Sequence[Item], budget: int, guess: int) -> Subgraph | None:
        """The answer whose own estimate is its cost, which is likely `guess`; None where it does not fit."""
        estimate = guess
        for _ in range(8):
            answer = self._build(items, budget, estimate)
            cost = self._measure.count(self._renderer.render(answer))
            if cost == estimate:
                break
            estimate = cost
        else:
            # No figure is its own cost: the least that is not below it.
            while cost > estimate:
                estimate += 1
                answer = self._build(items, budget, estimate)
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

    def _build(self, items: Sequence[Item], budget: int, estimate: int) -> Subgraph:
        material = self._material
        chosen = {(item.kind, item.subject) for item in items}
        nodes = tuple([self._shown(each, chosen) for each in material.nodes if ("symbol", each.row.id) in chosen])
        by_id = {node.id: node for node in nodes}
        ties = [material.ties[int(item.subject)] for item in items if item.kind == "edge"]
        edges = tuple([_edge(tie, by_id) for tie in ties])
        paths = tuple(dict.fromkeys([node.path for node in nodes]))
        return Subgraph(
            query=cut(" ".join(material.query.split()), QUERY_ECHO),
            seeds=tuple(node for node in nodes if node.id in material.seeds),
            files=tuple(_card(material.cards[path], chosen) for path in paths),
            nodes=nodes,
            edges=edges,
            omitted=self._omitted(len(nodes), len(paths), edges, self._around(by_id, chosen, by_id)),
            tokens=replace(material.tokens, estimate=estimate, budget=budget),
            staleness=self._staleness(frozenset(paths)),
            notes=material.notes,
        )

    def _shown(self, each: Reached, chosen: set[tuple[str, int | str]]) -> Node:
        """A symbol with as much of it as was chosen; made once for each way to show it."""
        row, score, hop = each
        symbol = row.id
        key = symbol, *[(kind, symbol) in chosen for kind in ("signature", "whole", "doc", "body")]
        shown = self._nodes.get(key)
        if shown is None:
            _, signed, whole, doc, body = key
            signature = row.signature if whole else cut(row.signature, SHORT_SIGNATURE) if signed else ""
            text = self._material.bodies[symbol] if body else None
            row = row._replace(signature=signature, doc=row.doc if doc else "")
            shown = self._nodes[key] = node(
                row, hop=hop, score=score, body=text, why=self._material.reasons.get(symbol, ())
            )
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

    def _around(
        self, nodes: Mapping[int, Node], chosen: set[tuple[str, int | str]], known: Mapping[int, Node]
    ) -> tuple[Around, ...]:
        """How many neighbours the shown symbols have that are not `known`."""
        found = []
        for symbol, groups in self._material.around.items():
            if symbol in nodes and ("around", symbol) in chosen:
                counts = {relation: len(ids - known.keys()) for relation, ids in groups.items()}
                left = {relation: number for relation, number in counts.items() if number}
                found += [Around(nodes[symbol], left)] if left else []
        return tuple(found)


def _edge(tie: Tie, nodes: Mapping[int, Node]) -> Edge:
    return Edge(nodes[tie.source], nodes[tie.target], tie.kind, tie.resolution, tie.line, tie.evidence, tie.overrides)


def _card(card: FileCard, chosen: set[tuple[str, int | str]]) -> FileCard:
    if ("header", card.path) in chosen or not card.header:
        return card
    first = title(card.header) if ("title", card.path) in chosen else ""
    return FileCard(card.path, card.language, first, card.state)
