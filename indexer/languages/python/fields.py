"""The fields of named tuples that a call makes: `NamedTuple("P", [("x", Foo)])`, `namedtuple("P", ["x", "y"])`."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.literals import string_value
from indexer.languages.python.walk import Walk
from indexer.model import Expression

MAKERS: Final = frozenset(("NamedTuple", "namedtuple"))
"""Last names of the functions."""

LISTS: Final = frozenset((k.LIST, k.TUPLE))
MAX_FIELDS: Final = 100


def field_list(w: Walk, node: Node, row: Expression) -> Expression:
    """The row of a list of fields with the names in it; `row`: the one without, its parts have been visited."""
    known = list(w.rows)
    nodes = [child for child in node.named_children if child.kind_id not in k.EXTRAS]
    parts = _parts(known, row, len(nodes))
    if len(nodes) > MAX_FIELDS or len(parts) != len(nodes):
        return row
    return w.row(("list", tuple([_field(w, known, *pair) for pair in zip(nodes, parts, strict=True)])))


def _field(w: Walk, known: list[tuple[object, ...]], node: Node, row: Expression) -> Expression:
    """A name, or a name and a type."""
    if node.kind_id == k.STRING:
        return _text(w, node, row)
    nodes = [child for child in node.named_children if child.kind_id not in k.EXTRAS]
    parts = _parts(known, row, len(nodes))
    if node.kind_id not in LISTS or len(nodes) != 2 or len(parts) != 2:
        return row
    return w.row(("tuple", (_text(w, nodes[0], parts[0]), _text(w, nodes[1], parts[1]))))


def _parts(known: list[tuple[object, ...]], row: Expression, count: int) -> tuple[Expression, ...]:
    """The parts of a display; of one of literals alone, which has none, as many as it should have."""
    display = known[row] if isinstance(row, int) else ("",)
    if display[0] in ("list", "tuple") and isinstance(display[1], tuple):
        return display[1]
    return (row,) * count


def _text(w: Walk, node: Node, row: Expression) -> Expression:
    said = string_value(w, node) if node.kind_id == k.STRING else None
    return row if said is None else w.row(said)
