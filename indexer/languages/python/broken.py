"""Source with syntax errors: where they are, and what can still be read in them."""

from __future__ import annotations

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.kinds import VISIT
from indexer.languages.python.walk import MAX_DEPTH, Walk


def error_lines(root: Node) -> list[tuple[int, int]]:
    """First and last line, 1-based, of each outermost error."""
    found: list[tuple[int, int]] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            found.append((node.start_point.row + 1, node.end_point.row + 1))
        elif node.has_error:
            stack += node.children
    return found


def visit_error(w: Walk, node: Node) -> None:
    """Visit what was recognised in a broken range; its bare names could be anything, so they are no references."""
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    for child in node.named_children:
        if child.kind_id != k.IDENTIFIER:
            visit = VISIT[child.kind_id]
            if visit is not None:
                visit(w, child)
    w.depth -= 1
    return None
