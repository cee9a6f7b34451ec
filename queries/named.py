"""Which files an answer speaks of: those whose content on disk decides whether it is still true."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from queries.answers import Node
    from queries.history import History
    from queries.relations import FileRelations, Relations, Route

Answer: TypeAlias = "Relations | Route | FileRelations | History | tuple[Node, ...]"


def named_files(answer: Answer) -> set[str]:
    """Paths of the files that an answer names."""
    from queries.relations import FileRelations, Relations, Route

    if isinstance(answer, FileRelations):
        return {answer.path, *(end for edge in answer.edges for end in (edge.source, edge.target))}
    if isinstance(answer, Relations):
        edges = (*answer.edges, *answer.candidates)
        ends = {end.path for edge in edges for end in (edge.source, edge.target)}
        return ends | {node.path for node in answer.symbols}
    if isinstance(answer, Route):
        return {node.path for node in answer.nodes}
    if isinstance(answer, tuple):
        return {node.path for node in answer}
    return {node.path for node in (*answer.symbols, *(each.node for each in answer.companions))}
