"""Answers, or the whole map, as a networkx graph, to compute with."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

from queries.answers import Edge, Node, Subgraph
from queries.relations import FileRelations, Relations, Route

if TYPE_CHECKING:
    import networkx

    from queries.session import Session


def graph(answer: Subgraph | Relations | Route | FileRelations) -> networkx.MultiDiGraph:
    """An answer as a graph: nodes are `path:qualname` (a path, for files), edges are keyed by kind and line.

    Nodes bear kind, path, qualname, start_line, end_line, signature, doc and test; those of a subgraph also hop, score
    and seed. Edges bear kind, resolution, line, evidence and overrides; those between files kind, count and lines;
    those of what changes together also support and confidence.
    Symbols that one file defines several times under one name are told apart by `@line`.
    """
    if isinstance(answer, FileRelations):
        return _of_files(answer)
    if isinstance(answer, Subgraph):
        made = _of_symbols(answer.nodes, answer.edges)
        seeds = {seed.id for seed in answer.seeds}
        keys = _keys(answer.nodes)
        for node in answer.nodes:
            made.add_node(keys[node.id], hop=node.hop, score=node.score, seed=node.id in seeds)
        return made
    if isinstance(answer, Route):
        return _of_symbols(answer.nodes, answer.edges)
    edges = (*answer.edges, *answer.candidates)
    return _of_symbols((*answer.symbols, *(end for edge in edges for end in (edge.source, edge.target))), edges)


def whole(session: Session, kinds: Iterable[str] | None = None) -> networkx.MultiDiGraph:
    """The whole map, with candidates and what changes together; `kinds` chooses edges, None: all of these."""
    from queries.navigate import all_edges, all_symbols
    from queries.together import CHANGES_WITH, all_together

    wanted = None if kinds is None else set(kinds)
    said = all_edges(session, None if wanted is None else wanted - {CHANGES_WITH})
    changed = all_together(session) if wanted is None or CHANGES_WITH in wanted else ()
    return _of_symbols(tuple(all_symbols(session)), chain(said, changed))


def _of_symbols(nodes: Iterable[Node], edges: Iterable[Edge]) -> networkx.MultiDiGraph:
    import networkx

    nodes = tuple(nodes)
    made = networkx.MultiDiGraph()
    keys = _keys(nodes)
    for node in nodes:
        made.add_node(
            keys[node.id],
            kind=node.kind,
            path=node.path,
            qualname=node.qualname,
            start_line=node.start_line,
            end_line=node.end_line,
            signature=node.signature,
            doc=node.doc,
            test=node.test,
        )
    for edge in edges:
        made.add_edge(
            keys[edge.source.id],
            keys[edge.target.id],
            key=f"{edge.kind}@{edge.line}",
            kind=edge.kind,
            resolution=edge.resolution,
            line=edge.line,
            evidence=edge.evidence,
            overrides=edge.overrides,
            **({"support": edge.support, "confidence": edge.confidence} if edge.support else {}),
        )
    return made


def _of_files(answer: FileRelations) -> networkx.MultiDiGraph:
    import networkx

    made = networkx.MultiDiGraph()
    made.add_node(answer.path, path=answer.path)
    for edge in answer.edges:
        for path in (edge.source, edge.target):
            made.add_node(path, path=path)
        for kind, count in edge.kinds:
            made.add_edge(edge.source, edge.target, key=kind, kind=kind, count=count, lines=edge.lines)
    return made


def _keys(nodes: Iterable[Node]) -> dict[int, str]:
    """What each symbol is called in the graph; in the order of lines, the first of a name keeps it plain."""
    keys: dict[int, str] = {}
    taken: set[str] = set()
    for node in sorted({node.id: node for node in nodes}.values(), key=lambda node: (node.path, node.start_line)):
        name = f"{node.path}:{node.qualname}"
        keys[node.id] = name if name not in taken else f"{name}@{node.start_line}"
        taken.add(name)
    return keys
