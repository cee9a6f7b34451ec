"""Where a syntax tree is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_ERRORS: Final = 1000


def error_lines(root: Node) -> list[tuple[int, int]]:
    """(first, last) line of each outermost ERROR or MISSING node, 1-based."""
    found: list[tuple[int, int]] = []
    pending = [root]
    while pending and len(found) < MAX_ERRORS:
        node = pending.pop()
        if node.is_error or node.is_missing:
            found.append((node.start_point[0] + 1, node.end_point[0] + 1))
        else:
            pending += [child for child in node.children if child.has_error or child.is_missing]
    return found
