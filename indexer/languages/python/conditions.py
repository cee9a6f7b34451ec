"""Conditions: `and`, `or`, `not`, and the choice between two values; what they say of types."""

from __future__ import annotations

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.expressions import operands, value, visit, visit_children
from indexer.languages.python.implicit import tested
from indexer.languages.python.kinds import values, visits
from indexer.languages.python.narrowing import is_and, narrow_if, says_types
from indexer.languages.python.operators import spine
from indexer.languages.python.walk import MAX_DEPTH, UNKNOWN, Walk
from indexer.model import Expression


@visits("not_operator")
def visit_not(w: Walk, node: Node) -> None:
    tested(w, node.child(node.child_count - 1))
    visit_children(w, node)


@values("not_operator")
def value_not(w: Walk, node: Node) -> Expression:
    visit_not(w, node)
    return w.row(("literal", "bool"))


@visits("boolean_operator")
def visit_boolean(w: Walk, node: Node) -> None:
    for operand in spine(node)[0]:
        tested(w, operand)
        visit(w, operand)
    if says_types(w, node):
        _narrow_right(w, node)


def _narrow_right(w: Walk, node: Node) -> None:
    """What an operand says of types holds in those of `and` that follow; what its opposite says, in those of `or`."""
    while node.kind_id == k.BOOLEAN_OPERATOR:
        conjunction = is_and(node)
        end = follower = node.end_byte
        while node.kind_id == k.BOOLEAN_OPERATOR and is_and(node) == conjunction:
            first, *others = operands(node)
            for operand in reversed(others):
                if follower < end and says_types(w, operand):
                    narrow_if(w, operand, conjunction, follower, end)
                follower = operand.start_byte
            node = first
        if says_types(w, node):
            narrow_if(w, node, conjunction, follower, end)


@values("boolean_operator")
def value_boolean(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    parts = spine(node)[0]
    for part in parts[:-1]:
        tested(w, part)
    row = w.row(("either", tuple([value(w, part) for part in parts])))
    if says_types(w, node):
        _narrow_right(w, node)
    w.depth -= 1
    return row


@values("conditional_expression")
def value_conditional(w: Walk, node: Node) -> Expression:
    parts = operands(node)
    if len(parts) != 3 or w.depth >= MAX_DEPTH:
        visit_children(w, node)
        return UNKNOWN
    w.depth += 1
    visit(w, parts[1])
    _narrow_choices(w, parts)
    row = w.row(("either", (value(w, parts[0]), value(w, parts[2]))))
    w.depth -= 1
    return row


def _narrow_choices(w: Walk, parts: list[Node]) -> None:
    tested(w, parts[1])
    if says_types(w, parts[1]):
        for part, holds in ((parts[0], True), (parts[2], False)):
            narrow_if(w, parts[1], holds, part.start_byte, part.end_byte)


@visits("conditional_expression")
def visit_conditional(w: Walk, node: Node) -> None:
    """The condition first: it is evaluated first, and lambdas are numbered in that order."""
    parts = operands(node)
    if len(parts) != 3 or w.depth >= MAX_DEPTH:
        return visit_children(w, node)
    w.depth += 1
    _narrow_choices(w, parts)
    for part in (parts[1], parts[0], parts[2]):
        visit(w, part)
    w.depth -= 1
    return None
