"""Methods that run when objects are put into text: by f-strings and by `%`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.expressions import operands, visit
from indexer.languages.python.implicit import applied
from indexer.languages.python.kinds import visits
from indexer.languages.python.walk import MAX_DEPTH, Walk

CONVERSION: Final = k.kind("type_conversion")
_AS_VALUE: Final = k.kind("=", named=False)
_METHODS: Final = {"s": "__str__", "r": "__repr__", "a": "__repr__"}
_MAX_TEXT: Final = 2_000
"""Characters of a format that are searched for what it does with its values."""

_PLACE: Final = re.compile(r"%[-#0 +]*[\d.]*[hlL]?([a-zA-Z%])")


@visits("format_expression", "interpolation")
def visit_interpolation(w: Walk, node: Node) -> None:
    """`{x}` runs `__format__`, `{x!r}` and `{x=}` run `__repr__`."""
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return
    w.depth += 1
    method = "__format__"
    for child in node.children:
        if child.kind_id == CONVERSION:
            method = _METHODS.get(w.source[child.start_byte + 1 : child.end_byte], method)
        elif child.kind_id == _AS_VALUE and method == "__format__":
            method = "__repr__"
    parts = operands(node)
    if parts:
        applied(w, parts[0], method)
    for child in parts[1:]:
        visit(w, child)
    w.depth -= 1


def formatted(w: Walk, parts: Sequence[Node]) -> None:
    """Visit a text and what `%` puts into it."""
    visit(w, parts[0])
    values = parts[1:2]
    if (values and values[0].kind_id == k.TUPLE) or (values and values[0].kind_id == k.PARENTHESIZED):
        values = operands(values[0])
    places = _places(w.source[parts[0].start_byte : parts[0].end_byte])
    for number, value in enumerate(values):
        method = _METHODS.get(places[number]) if number < len(places) else None
        if method is None:
            visit(w, value)
        else:
            applied(w, value, method)
    for part in parts[2:]:
        visit(w, part)


def _places(text: str) -> list[str]:
    """What a format does with each of its values, as far as it takes them in order."""
    if len(text) > _MAX_TEXT or "%(" in text or "*" in text:
        return []
    return [letter for letter in _PLACE.findall(text) if letter != "%"]
