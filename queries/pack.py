"""Choose how much of each symbol, file and edge to show, within a hard budget on the whole serialised answer.

All that could be shown stands in one list: the symbols, best first, each as one short line, and behind each of them
what makes those already shown clearer: header lines, documentation, edges, full signatures, bodies. The answer is the
longest beginning of that list that fits, measured on the text that will be sent; so a larger budget keeps every symbol
that a smaller one shows, and nothing is left unused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

from indexer.errors import BudgetTooSmallError
from indexer.store.reader import SymbolRow
from queries.answers import Edge, FileCard, Node, Omitted, Staleness, Subgraph, Tokens
from queries.expand import Reached
from queries.fit import longest
from queries.nodes import node
from queries.tokens import Measure

SHORT_SIGNATURE = 80  # characters of a signature that is not shown in full
SHORT_HEADER = 80  # characters of a header's first line
QUERY_ECHO = 200  # characters of the question that are repeated in the answer
# How many symbols come before the extras of the one at rank r (from 0), or of the file it is the first of.
TITLE_LAG = 8
DOC_LAG, DOC_PACE = 30, 0.7  # DOC_PACE * r + DOC_LAG
SIGNATURE_LAG, SIGNATURE_PACE = 60, 3.0
HEADER_LAG, HEADER_PACE = 60, 3.0
BODY_LAG, BODY_PACE = 3, 4.0
EDGE_LAG, EDGE_PACE = 30, 1.5  # symbols for each edge: one takes a third of the room of a symbol


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


class _Item(NamedTuple):
    """Something that can be shown: a symbol, or what makes shown symbols and files clearer."""

    place: float  # in the list: number of symbols before it
    kind: str  # symbol title edge doc signature header body
    subject: int | str  # symbol id, path, or index of an edge
    size: int  # characters, roughly


class _Plan(NamedTuple):
    """What to show: symbols and extras, or the best symbol by its name alone."""

    items: Sequence[_Item]
    bare: bool = False


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
        self._nodes: dict[tuple[int, bool, bool, bool, bool], Node] = {}
        self._kinds = Counter(tie.kind for tie in material.ties)

    def pack(self, budget: int) -> Subgraph:
        items = self._items()

        @cache
        def cost(count: int) -> int:
            return self._cost(_Plan(items[:count]), budget)

        if cost(1) > budget:
            answer = self._settled(_Plan(items[:1], bare=True), budget, 0)
            if answer is None:
                raise self._too_small(budget)
            return answer
        taken = longest(cost, [item.size for item in items], least=1, limit=budget)
        while taken:
            answer = self._settled(_Plan(items[:taken]), budget, cost(taken))
            if answer is not None:
                return answer
            taken -= 1  # The figures within the answer cost a token more than they did in the trial.
        raise self._too_small(budget)

    def _items(self) -> list[_Item]:
        """All that could be shown, in the order in which it is."""
        material = self._material
        items: list[_Item] = []
        first: dict[str, int] = {}
        for rank, (row, _, _) in enumerate(material.nodes):
            heading = 0 if row.path in first else len(row.path) + 2
            first.setdefault(row.path, rank)
            short = min(len(row.signature), SHORT_SIGNATURE)
            items.append(_Item(rank, "symbol", row.id, heading + (short or len(row.qualname)) + 14))
            items += _extras_of_symbol(rank, row, material.bodies.get(row.id))
        for path, rank in first.items():
            items += _extras_of_file(rank, material.cards[path])
        ranks = {each.row.id: rank for rank, each in enumerate(material.nodes)}
        for index, tie in enumerate(material.ties):
            shown = max(ranks[tie.source], ranks[tie.target])
            place = max(shown + 0.5, EDGE_PACE * index + EDGE_LAG)
            items.append(_Item(place, "edge", index, len(material.nodes[ranks[tie.target]].row.qualname) + 12))
        items.sort(key=lambda item: (item[0], _ORDER[item[1]]))
        return items

    def _cost(self, plan: _Plan, budget: int) -> int:
        """Tokens of an answer, were its estimate as long as the budget."""
        return self._measure.count(self._renderer.render(self._build(plan, budget, budget)))

    def _settled(self, plan: _Plan, budget: int, guess: int) -> Subgraph | None:
        """The answer whose own estimate is its cost, which is likely `guess`; None where it does not fit."""
        estimate = guess
        for _ in range(8):
            answer = self._build(plan, budget, estimate)
            cost = self._measure.count(self._renderer.render(answer))
            if cost == estimate:
                break
            estimate = cost
        else:
            # No figure is its own cost: the least that is not below it.
            while cost > estimate:
                estimate += 1
                answer = self._build(plan, budget, estimate)
                cost = self._measure.count(self._renderer.render(answer))
        return answer if answer.tokens.estimate <= budget else None

    def _too_small(self, budget: int) -> BudgetTooSmallError:
        one = _Plan(self._items()[:1], bare=True)
        smallest = self._cost(one, budget)
        while self._settled(one, smallest, 0) is None:
            smallest += 1
        while smallest > 1 and self._settled(one, smallest - 1, 0) is not None:
            smallest -= 1
        return BudgetTooSmallError(
            f"a budget of {budget} tokens holds no answer: the smallest that works is {smallest}", smallest
        )

    def _build(self, plan: _Plan, budget: int, estimate: int) -> Subgraph:
        material = self._material
        chosen = {(item.kind, item.subject) for item in plan.items}
        count = sum(1 for item in plan.items if item.kind == "symbol")
        nodes = tuple([self._shown(each, plan.bare, chosen) for each in material.nodes[:count]])
        by_id = {node.id: node for node in nodes}
        ties = [material.ties[int(item.subject)] for item in plan.items if item.kind == "edge"]
        edges = tuple([_edge(tie, by_id) for tie in ties])
        paths = tuple(dict.fromkeys([node.path for node in nodes]))
        return Subgraph(
            query=_cut(" ".join(material.query.split()), QUERY_ECHO),
            seeds=tuple(node for node in nodes if node.id in material.seeds),
            files=tuple(_card(material.cards[path], chosen) for path in paths),
            nodes=nodes,
            edges=edges,
            omitted=self._omitted(len(nodes), len(paths), edges),
            tokens=replace(material.tokens, estimate=estimate, budget=budget),
            staleness=self._staleness(frozenset(paths)),
        )

    def _shown(self, each: Reached, bare: bool, chosen: set[tuple[str, int | str]]) -> Node:
        """A symbol with as much of it as was chosen; made once for each way to show it."""
        row, score, hop = each
        symbol = row.id
        doc, body = ("doc", symbol) in chosen, ("body", symbol) in chosen
        whole = ("signature", symbol) in chosen
        key = symbol, bare, doc, body, whole
        shown = self._nodes.get(key)
        if shown is None:
            signature = "" if bare else row.signature if whole else _cut(row.signature, SHORT_SIGNATURE)
            text = self._material.bodies[symbol] if body else None
            row = row._replace(signature=signature, doc=row.doc if doc else "")
            shown = self._nodes[key] = node(row, hop=hop, score=score, body=text)
        return shown

    def _omitted(self, symbols: int, files: int, edges: Sequence[Edge]) -> Omitted:
        left = self._kinds - Counter(edge.kind for edge in edges)
        return Omitted(
            symbols=len(self._material.nodes) - symbols,
            files=len(self._material.cards) - files,
            edges=dict(sorted(left.items())),
        )


_ORDER = {"symbol": 0, "title": 1, "edge": 2, "doc": 3, "body": 4, "header": 5, "signature": 6}


def _edge(tie: Tie, nodes: Mapping[int, Node]) -> Edge:
    return Edge(nodes[tie.source], nodes[tie.target], tie.kind, tie.resolution, tie.line, tie.evidence, tie.overrides)


def _extras_of_symbol(rank: int, row: SymbolRow, body: str | None) -> Iterator[_Item]:
    if row.doc:
        yield _Item(DOC_PACE * rank + DOC_LAG, "doc", row.id, len(row.doc) + 3)
    if len(row.signature) > SHORT_SIGNATURE:
        yield _Item(SIGNATURE_PACE * rank + SIGNATURE_LAG, "signature", row.id, len(row.signature) - SHORT_SIGNATURE)
    if body is not None:
        yield _Item(BODY_PACE * rank + BODY_LAG, "body", row.id, len(body))


def _extras_of_file(rank: int, card: FileCard) -> Iterator[_Item]:
    """The first line of a file's header comes with its first symbol; the rest of it has to earn its place."""
    title = _title(card.header)
    if title:
        yield _Item(rank + TITLE_LAG, "title", card.path, len(title) + 3)
        if title != card.header:
            yield _Item(HEADER_PACE * rank + HEADER_LAG, "header", card.path, len(card.header) - len(title))


def _card(card: FileCard, chosen: set[tuple[str, int | str]]) -> FileCard:
    if ("header", card.path) in chosen or not card.header:
        return card
    title = _title(card.header) if ("title", card.path) in chosen else ""
    return FileCard(card.path, card.language, title, card.state)


def _title(header: str) -> str:
    return _cut(header.strip().partition("\n")[0], SHORT_HEADER)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
