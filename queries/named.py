"""Which files an answer speaks of: those whose content on disk decides whether it is still true."""

from __future__ import annotations

from collections.abc import Iterable

from queries.answers import FileRelations, Node, Relations, Route

Answer = Relations | Route | FileRelations | Iterable[Node]


def named_files(answer: Answer) -> set[str]:
    """Paths of the files that an answer names."""
    if isinstance(answer, FileRelations):
        return {answer.path, *(end for edge in answer.edges for end in (edge.source, edge.target))}
    if isinstance(answer, Relations):
        edges = (*answer.edges, *answer.candidates)
        ends = {end.path for edge in edges for end in (edge.source, edge.target)}
        return ends | {node.path for node in answer.symbols}
    nodes = answer.nodes if isinstance(answer, Route) else answer
    return {node.path for node in nodes}
