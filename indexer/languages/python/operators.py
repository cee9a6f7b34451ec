"""Operators, literals and the other expressions made of expressions."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.expressions import STR, operands, value, visit, visit_children
from indexer.languages.python.implicit import (
    BINARY,
    INERT,
    UNARY,
    added,
    applied,
    compared,
    invoke,
    operand,
    pair,
    result,
    start_of,
)
from indexer.languages.python.kinds import values, visits
from indexer.languages.python.literals import integer_key, name_of, plain_string
from indexer.languages.python.targets import bind_in
from indexer.languages.python.texts import formatted
from indexer.languages.python.walk import MAX_DEPTH, UNKNOWN, Walk
from indexer.model import Expression, ExpressionRow

YIELD_FROM: Final = k.kind("from", named=False)
IN: Final = (k.kind("in", named=False), k.kind("not in", named=False), k.kind("is", named=False))
FORMAT: Final = k.kind("%", named=False)
PLUS: Final = k.kind("+", named=False)
NUMBERS: Final = frozenset((k.INTEGER, k.FLOAT))

visits(
    "argument_list", "chevron", "concatenated_string", "constrained_type", "decorator",
    "format_specifier", "generic_type", "list_pattern", "list_splat_pattern",
 "parenthesized_expression", "parenthesized_list_splat", "slice", "tuple_pattern", "type",
    "type_parameter", "union_type",
)(visit_children)  # fmt: skip


def _literal(row: ExpressionRow, *names: str) -> None:
    @values(*names)
    def constant(w: Walk, node: Node) -> Expression:
        return w.row(row)


_literal(("literal", "bool"), "true", "false")
_literal(("literal", "none"), "none")


@values("integer", "float")
def value_number(w: Walk, node: Node) -> Expression:
    if w.source[node.end_byte - 1] in "jJ":
        return w.row(("literal", "complex"))
    return w.row(integer_key(w, node) if node.kind_id == k.INTEGER else ("literal", "float"))


@values("concatenated_string")
def value_concatenated(w: Walk, node: Node) -> Expression:
    visit_children(w, node)
    return w.row(("literal", "bytes" if _is_bytes(w, node) else "str"))


def _is_bytes(w: Walk, string: Node) -> bool:
    prefix = w.source[string.start_byte : string.start_byte + 2]
    return prefix[0] in "bB" or prefix in ("rb", "rB", "Rb", "RB")


@visits("binary_operator")
def visit_binary(w: Walk, node: Node) -> None:
    _binary(w, *spine(node))


def spine(node: Node) -> tuple[list[Node], Node, Node]:
    """The operands of operators that lean to the left, the innermost node and the one around it (itself if there is
    none): a loop, since sums can be long."""
    kind = node.kind_id
    found: list[Node] = []  # from right to left
    innermost = around = node
    while node.kind_id == kind:
        around, innermost = innermost, node
        if node.child_count == 3:
            found.append(node.child(2))
            node = node.child(0)
        else:
            first, *others = operands(node)
            found += reversed(others)
            node = first
    found.append(node)
    found.reverse()
    return found, innermost, around


def _binary(w: Walk, parts: list[Node], innermost: Node, around: Node, wanted: bool = False) -> Expression:
    """The first operator calls a method of the first operand; the others that of what it gives, if that is `wanted` and
    there are no more than two of them."""
    operator = innermost.child(1).kind_id if innermost.child_count == 3 else 0
    methods = BINARY.get(operator)
    if operator == FORMAT and parts[0].kind_id == k.STRING:
        formatted(w, parts)
        return UNKNOWN
    if methods is None:
        for part in parts:
            visit(w, part)
        return UNKNOWN
    found = pair(w, parts[0], parts[1], methods, wanted)
    if found != UNKNOWN and len(parts) == 3 and around.child_count == 3:
        following = BINARY.get(around.child(1).kind_id)
        if following is not None:
            return result(w, found, following[0], added(w, parts[2]))
    for part in parts[2:]:
        visit(w, part)
    return found if len(parts) == 2 else UNKNOWN


@values("binary_operator")
def value_binary(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    parts, innermost, around = spine(node)
    found = _binary(w, parts, innermost, around, True)
    kind = parts[0].kind_id
    if kind == k.STRING or kind == k.CONCATENATED_STRING:  # "…" % x
        found = w.row(("literal", "bytes") if _is_bytes(w, parts[0]) else _joined(w, parts, innermost, around))
    elif found == UNKNOWN and (kind == k.LIST or kind == k.TUPLE):
        found = w.row(("literal", "list" if kind == k.LIST else "tuple"))
    w.depth -= 1
    return found


def _joined(w: Walk, parts: list[Node], innermost: Node, around: Node) -> ExpressionRow:
    """The row of a text and what is added to it or, by `%`, put into it."""
    said = plain_string(w, parts[0]) if len(parts) <= 3 and parts[0].kind_id == k.STRING else None
    if said is None or innermost.child_count != 3:
        return STR
    if innermost.child(1).kind_id == FORMAT:
        return (name_of(said.split("%s")) if len(parts) == 2 else None) or STR
    if innermost.child(1).kind_id != PLUS or (len(parts) == 3 and around.child(1).kind_id != PLUS):
        return STR
    last = plain_string(w, parts[2]) if len(parts) == 3 and parts[2].kind_id == k.STRING else ""
    return name_of([said, last or ""]) or STR


@visits("comparison_operator")
def visit_comparison(w: Walk, node: Node) -> None:
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    compared(w, node.children)
    w.depth -= 1
    return None


@values("comparison_operator")
def value_comparison(w: Walk, node: Node) -> Expression:
    visit_comparison(w, node)
    if node.child_count == 3 and node.child(1).kind_id in IN:
        return w.row(("literal", "bool"))
    return UNKNOWN


@values("parenthesized_expression", "parenthesized_list_splat")
def value_inner(w: Walk, node: Node) -> Expression:
    inner = node.named_child(0)
    if w.depth >= MAX_DEPTH or node.named_child_count != 1 or inner is None:
        visit_children(w, node)
        return UNKNOWN
    w.depth += 1
    result = value(w, inner)
    w.depth -= 1
    return result if node.kind_id == k.PARENTHESIZED else UNKNOWN


@values("unary_operator")
def value_unary(w: Walk, node: Node) -> Expression:
    if node.named_child_count == 1 and node.named_child(0).kind_id in NUMBERS:
        return value(w, node.named_child(0))
    method = UNARY.get(w.source[node.start_byte])
    if w.depth >= MAX_DEPTH or node.named_child_count != 1 or method is None:
        visit_children(w, node)
        return UNKNOWN
    w.depth += 1
    found = operand(w, node.named_child(0))
    if found != UNKNOWN:
        invoke(w, found, method, start_of(node.named_child(0)))
        found = result(w, found, method)
    w.depth -= 1
    return found


@visits("unary_operator")
def visit_unary(w: Walk, node: Node) -> None:
    method = UNARY.get(w.source[node.start_byte])
    if w.depth >= MAX_DEPTH or node.named_child_count != 1 or method is None:
        return visit_children(w, node)
    w.depth += 1
    applied(w, node.named_child(0), method)
    w.depth -= 1
    return None


@values("await")
def value_await(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    inner = node.children[-1]
    result = value(w, inner)
    if inner.kind_id not in INERT:
        invoke(w, result, "__await__", start_of(inner))
    w.depth -= 1
    return w.row(("await", result))


@visits("await")
def visit_await(w: Walk, node: Node) -> None:
    value_await(w, node)


@values("yield")
def value_yield(w: Walk, node: Node) -> Expression:
    frame = w.frame.home
    frame.generator = True
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    for child in operands(node):
        result = value(w, child)
        if node.children[1].kind_id == YIELD_FROM:
            if child.kind_id not in INERT:
                invoke(w, result, "__iter__", start_of(child))
            result = w.row(("iterate", result))
        if len(frame.yields) < 20:
            frame.yields.append(result)
    w.depth -= 1
    return UNKNOWN


@visits("yield")
def visit_yield(w: Walk, node: Node) -> None:
    value_yield(w, node)


@visits("named_expression")
def visit_named(w: Walk, node: Node) -> None:
    value_named(w, node)


@values("named_expression")
def value_named(w: Walk, node: Node) -> Expression:
    parts = operands(node)
    if len(parts) != 2 or w.depth >= MAX_DEPTH:
        visit_children(w, node)
        return UNKNOWN
    w.depth += 1
    result = value(w, parts[1])
    w.span = (node.start_byte, node.end_byte, 0)
    w.effect = node.end_byte
    bind_in(w, w.frame.home, parts[0], result)
    w.depth -= 1
    return result
