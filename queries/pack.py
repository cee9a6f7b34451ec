"""Choose how much of each symbol, file and edge to show, within a hard budget on the whole serialised answer.

First come symbols, as many of the best as fit a share of the budget with one short line each; then, with what is left,
what makes them clearer: header lines, documentation, edges, full signatures, bodies, the most telling first. Both steps
take the longest beginning of a ranked list that fits, measured on the text that will be sent, so that a larger budget
keeps every symbol that a smaller one shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, Protocol

from indexer.errors import BudgetTooSmallError
from queries.answers import Edge, FileCard, Node, Omitted, Staleness, Subgraph, Tokens
from queries.fit import longest
from queries.tokens import Measure

SHORT_SIGNATURE = 80  # characters of a signature that is not shown in full
SHORT_HEADER = 100  # characters of a header's first line
QUERY_ECHO = 200  # characters of the question that are repeated in the answer
EDGE_SHARE = 0.25  # of the budget, at most
EDGE_COST = 9  # tokens, roughly, of one edge in either form

SYMBOL_SHARE = 0.95  # of the first SMALL tokens
SMALL = 1000
LARGE_SHARE = 0.6  # of the tokens above those
WITH_BODIES = 0.5  # of either, where bodies are asked for


class Renderer(Protocol):
    """The exact text that will be sent for an answer, its own token figures included."""

    def render(self, subgraph: Subgraph) -> str: ...


class Material(NamedTuple):
    """All there is to choose from, each list best first."""

    query: str
    nodes: tuple[Node, ...]
    seeds: frozenset[int]
    cards: Mapping[str, FileCard]
    edges: tuple[Edge, ...]
    tokens: Tokens  # without an estimate
    staleness: Callable[[frozenset[str]], Staleness]
    bodies: Mapping[int, str]


class _Extra(NamedTuple):
    """Something that makes a shown symbol or file clearer."""

    value: float
    kind: str  # title header doc signature edge body
    subject: int | str  # symbol id, path, or index of an edge


class _Plan(NamedTuple):
    """What to show: the first `count` symbols, with their short signatures or by name alone, and some extras."""

    symbols: int
    bare: bool
    extras: tuple[_Extra, ...] = ()


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
        self._by_id = {node.id: node for node in material.nodes}
        self._kinds = Counter(edge.kind for edge in material.edges)

    def pack(self, budget: int) -> Subgraph:
        base = self._symbols(budget)
        extras = self._extras(base, budget)

        def cost(count: int) -> int:
            return self._cost(base._replace(extras=extras[:count]), budget)

        sizes = [self._size(extra) for extra in extras]
        taken = longest(cost, sizes, least=0, limit=budget)
        while True:
            answer = self._settled(base._replace(extras=extras[:taken]), budget)
            if answer is not None:
                return answer
            # The figures within the answer cost a token more than they did in the trial.
            if taken:
                taken -= 1
            elif base.symbols > 1:
                base = base._replace(symbols=base.symbols - 1)
                extras = ()
            else:
                raise self._too_small(budget)

    def _symbols(self, budget: int) -> _Plan:
        """As many symbols as their share of the budget holds; one at least."""
        one = _Plan(1, bare=False)
        if self._cost(one, budget) > budget:
            one = _Plan(1, bare=True)
            if self._settled(one, budget) is None:
                raise self._too_small(budget)
            return one

        def cost(count: int) -> int:
            return self._cost(_Plan(count, bare=False), budget)

        share = WITH_BODIES if self._material.bodies else 1.0
        sizes, paths = [], set()
        for node in self._material.nodes:
            heading = 0 if node.path in paths else len(node.path) + 2
            paths.add(node.path)
            sizes.append(heading + min(len(node.signature), SHORT_SIGNATURE) + 14)
        return _Plan(longest(cost, sizes, least=1, limit=int(_allowance(budget) * share)), bare=False)

    def _size(self, extra: _Extra) -> int:
        """Characters, roughly, that an extra adds."""
        subject = extra.subject
        if isinstance(subject, str):
            header = self._material.cards[subject].header
            return len(_title(header)) + 3 if extra.kind == "title" else len(header)
        if extra.kind == "edge":
            return len(self._material.edges[subject].target.qualname) + 12
        node = self._by_id[subject]
        return {"doc": len(node.doc) + 3, "body": len(self._material.bodies.get(subject, ""))}.get(extra.kind, 80)

    def _extras(self, plan: _Plan, budget: int) -> tuple[_Extra, ...]:
        """What could be added to the symbols shown, most telling first. Nothing is added to a bare name."""
        if plan.bare:
            return ()
        nodes = self._material.nodes[: plan.symbols]
        best = nodes[0].score or 1.0
        found = [*_of_files(nodes, self._material.cards, best), *_of_symbols(nodes, self._material.bodies, best)]
        found += self._of_edges(nodes, budget, best)
        order = {"title": 0, "edge": 1, "doc": 2, "header": 3, "signature": 4, "body": 5}
        found.sort(key=lambda extra: (-extra.value, order[extra.kind]))
        return tuple(found)

    def _of_edges(self, nodes: Sequence[Node], budget: int, best: float) -> list[_Extra]:
        shown = {node.id for node in nodes}
        room = int(EDGE_SHARE * budget) // EDGE_COST
        inside = [
            _Extra(_EDGE_VALUES.get(edge.kind, 0.1) * _SURE[edge.resolution] * _weaker(edge) / best, "edge", index)
            for index, edge in enumerate(self._material.edges)
            if edge.source.id in shown and edge.target.id in shown
        ]
        inside.sort(key=lambda extra: (-extra.value, extra.subject))
        return inside[:room]

    def _cost(self, plan: _Plan, budget: int) -> int:
        """Tokens of an answer, were its estimate as long as the budget."""
        return self._measure.count(self._renderer.render(self._build(plan, budget, budget)))

    def _settled(self, plan: _Plan, budget: int) -> Subgraph | None:
        """The answer whose own estimate is its cost; None where it does not fit."""
        estimate = 0
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
        one = _Plan(1, bare=True)
        smallest = self._cost(one, budget)
        while self._settled(one, smallest) is None:
            smallest += 1
        while smallest > 1 and self._settled(one, smallest - 1) is not None:
            smallest -= 1
        return BudgetTooSmallError(
            f"a budget of {budget} tokens holds no answer: the smallest that works is {smallest}", smallest
        )

    def _build(self, plan: _Plan, budget: int, estimate: int) -> Subgraph:
        material = self._material
        chosen = {(extra.kind, extra.subject) for extra in plan.extras}
        nodes = tuple(self._shown(node, plan.bare, chosen) for node in material.nodes[: plan.symbols])
        edges = tuple(material.edges[int(extra.subject)] for extra in plan.extras if extra.kind == "edge")
        paths = tuple(dict.fromkeys(node.path for node in nodes))
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

    def _shown(self, node: Node, bare: bool, chosen: set[tuple[str, int | str]]) -> Node:
        """A symbol with as much of it as was chosen; made once for each way to show it."""
        doc, body = ("doc", node.id) in chosen, ("body", node.id) in chosen
        whole = ("signature", node.id) in chosen
        key = node.id, bare, doc, body, whole
        shown = self._nodes.get(key)
        if shown is None:
            signature = node.signature if whole else _cut(node.signature, SHORT_SIGNATURE)
            shown = self._nodes[key] = replace(
                node,
                signature="" if bare else signature,
                doc=node.doc if doc else "",
                body=self._material.bodies[node.id] if body else None,
            )
        return shown

    def _omitted(self, symbols: int, files: int, edges: Sequence[Edge]) -> Omitted:
        left = self._kinds - Counter(edge.kind for edge in edges)
        return Omitted(
            symbols=len(self._material.nodes) - symbols,
            files=len(self._material.cards) - files,
            edges=dict(sorted(left.items())),
        )


_EDGE_VALUES = {"calls": 0.8, "inherits": 0.75, "overrides": 0.6, "references": 0.3, "imports": 0.2}
_SURE = {"resolved": 1.0, "candidate": 0.3}


def _weaker(edge: Edge) -> float:
    return min(edge.source.score, edge.target.score)


def _allowance(budget: int) -> float:
    """Tokens for symbols; never less for a larger budget."""
    return SYMBOL_SHARE * min(budget, SMALL) + LARGE_SHARE * max(0, budget - SMALL)


def _of_files(nodes: Sequence[Node], cards: Mapping[str, FileCard], best: float) -> list[_Extra]:
    """The first line of every file's header comes before all else; the rest of it has to earn its place."""
    found = []
    for node in {node.path: node for node in reversed(nodes)}.values():
        header = cards[node.path].header
        if header:
            found.append(_Extra(10.0 + node.score / best, "title", node.path))
            if header != _title(header):
                found.append(_Extra(0.2 * node.score / best, "header", node.path))
    return found


def _of_symbols(nodes: Sequence[Node], bodies: Mapping[int, str], best: float) -> list[_Extra]:
    found = []
    for node in nodes:
        if node.doc:
            found.append(_Extra(0.6 * node.score / best, "doc", node.id))
        if len(node.signature) > SHORT_SIGNATURE:
            found.append(_Extra(0.3 * node.score / best, "signature", node.id))
        if node.id in bodies:
            found.append(_Extra(0.9 * node.score / best, "body", node.id))
    return found


def _card(card: FileCard, chosen: set[tuple[str, int | str]]) -> FileCard:
    if ("header", card.path) in chosen:
        return card
    return replace(card, header=_title(card.header) if ("title", card.path) in chosen else "")


def _title(header: str) -> str:
    return _cut(header.strip().partition("\n")[0], SHORT_HEADER)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
