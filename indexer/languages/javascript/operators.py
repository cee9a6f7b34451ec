"""Operators: what they give, and chains of them that are long without being deep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexer.languages.javascript.expressions import DELETE, READ, WRITE, first, use
from indexer.languages.javascript.kinds import Handler
from indexer.languages.javascript.walker import Walker
from indexer.model import Expression

if TYPE_CHECKING:
    from tree_sitter import Node

_LOGICAL: Final = frozenset({b"||", b"&&", b"??"})
_COMPARING: Final = frozenset({b"==", b"===", b"!=", b"!==", b"<", b">", b"<=", b">=", b"in", b"instanceof"})
_UNARY: Final = {b"!": "bool", b"t": "str", b"v": "none"}


def visit_binary(w: Walker, node: Node) -> None:
    for operand in _operands(w, node)[::-1]:
        w.visit(operand)


def binary(w: Walker, node: Node) -> Expression:
    kids = node.named_children
    if len(kids) < 2:
        w.visit_all(kids)
        return w.unknown()
    left, right = kids[0], kids[-1]
    operator = w.text[left.end_byte : right.start_byte].strip()
    if operator in _LOGICAL:
        return w.row("either", tuple([w.expr(operand) for operand in _operands(w, node)[::-1]]))
    strings = (w.ids.string, w.ids.template_string)
    kinds = {operand.kind_id for operand in _operands(w, node)}
    visit_binary(w, node)
    if operator in _COMPARING:
        return w.row("literal", "bool")
    return w.row("literal", "str") if operator == b"+" and not kinds.isdisjoint(strings) else w.unknown()


def _operands(w: Walker, node: Node) -> list[Node]:
    """Operands from right to left; a chain of operators is as long as it likes, but not deep."""
    operands: list[Node] = []
    kind, comment = w.ids.binary_expression, w.ids.comment
    while True:
        kids = node.named_children
        operands += [kid for kid in kids[:0:-1] if kid.kind_id != comment]
        if not kids:
            return operands
        node = kids[0]
        if node.kind_id != kind:
            operands.append(node)
            return operands


def ternary(w: Walker, node: Node) -> Expression:
    comment = w.ids.comment
    kids = [kid for kid in node.named_children if kid.kind_id != comment]
    w.visit_all(kids[:1])
    return w.row("either", tuple([w.expr(kid) for kid in kids[1:]]))


def unary(w: Walker, node: Node) -> Expression:
    kids = node.named_children
    operator = w.text[node.start_byte : node.start_byte + 1]
    if operator == b"d" and kids and kids[-1].kind_id == w.ids.member_expression:
        use(w, kids[-1], DELETE)
    else:
        w.visit_all(kids)
    kind = _UNARY.get(operator)
    return w.row("literal", kind) if kind else w.unknown()


def update(w: Walker, node: Node) -> Expression:
    for kid in node.named_children:
        use(w, kid, WRITE if kid.kind_id == w.ids.member_expression else READ)
    return w.unknown()


def transparent(w: Walker, node: Node) -> Expression:
    """Parentheses."""
    inner = first(w, node)
    return w.unknown() if inner is None else w.expr(inner)


def sequence(w: Walker, node: Node) -> Expression:
    kids = node.named_children
    w.visit_all(kids[:-1])
    return w.expr(kids[-1])


def awaited(w: Walker, node: Node) -> Expression:
    inner = first(w, node)
    return w.unknown() if inner is None else w.row("await", w.expr(inner))


def yielded(w: Walker, node: Node) -> Expression:
    inner = first(w, node)
    value = None if inner is None else w.expr(inner)
    if w.frame is not None and inner is not None and len(w.frame.yields) < 20:
        several = w.text[node.start_byte + 5 : inner.start_byte].strip() == b"*"
        w.frame.yields.append(w.row("iterate", value) if several else value)
    return w.unknown()


VALUES: Final[dict[str, Handler]] = {
    "binary_expression": binary,
    "ternary_expression": ternary,
    "unary_expression": unary,
    "update_expression": update,
    "parenthesized_expression": transparent,
    "sequence_expression": sequence,
    "await_expression": awaited,
    "yield_expression": yielded,
}

VISITS: Final[dict[str, Handler]] = {
    "binary_expression": visit_binary,
    "unary_expression": unary,
    "update_expression": update,
    "yield_expression": yielded,
}
