"""Expressions: what they denote, and the names they use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from indexer.languages.javascript.kinds import Handler
from indexer.languages.javascript.walker import Walker
from indexer.model import Expression, Role

if TYPE_CHECKING:
    from tree_sitter import Node

READ, CALL, NEW, WRITE, DELETE = int(Role.READ), int(Role.CALL), int(Role.NEW), int(Role.WRITE), int(Role.DELETE)

chain_end = re.compile(rb"[A-Za-z_$][\w$]*(?:\.#?[A-Za-z_$][\w$]*)+").fullmatch
"""Matches a member expression that is a dotted chain of ASCII names without blanks."""

MAX_ITEMS = 50
MAX_STRING = 200

_LOGICAL = frozenset({b"||", b"&&", b"??"})
_COMPARING = frozenset({b"==", b"===", b"!=", b"!==", b"<", b">", b"<=", b">=", b"in", b"instanceof"})
_UNARY = {b"!": "bool", b"t": "str", b"v": "none"}


# -- names and members


def identifier(w: Walker, node: Node) -> Expression:
    start = node.start_byte
    name = w.text[start : node.end_byte].decode("utf-8", "replace")
    w.uses[w.scope, name, READ].append(start)
    return name


def this(w: Walker, node: Node) -> Expression:
    return "this"


def keyword(w: Walker, node: Node) -> Expression:
    return w.name(node)


def member(w: Walker, node: Node) -> Expression:
    start, end = node.start_byte, node.end_byte
    if chain_end(w.text, start, end):
        chain = w.text[start:end].decode()
        w.uses[w.scope, chain, READ].append(start)
        return chain
    return broken_member(w, node, READ)


def broken_member(w: Walker, node: Node, role: int) -> Expression:
    """A member of something that is not a plain chain: a call's result, `a?.b`, or a chain with blanks in it."""
    kids = node.named_children
    last = kids[-1]
    start, end = node.start_byte, node.end_byte
    plain = _pure(w, node)
    if plain:
        w.uses[w.scope, plain, role].append(start)
        return plain
    owner = w.expr(kids[0])
    row = w.row("member", owner, w.text[last.start_byte : end].decode("utf-8", "replace"))
    w.uses[w.scope, row, role].append(last.start_byte)
    return row


def _pure(w: Walker, node: Node) -> str:
    """A chain of names that are not all ASCII, or ""."""
    piece = w.text[node.start_byte : node.end_byte]
    if piece.isascii():
        return ""
    chain = piece.decode("utf-8", "replace")
    return chain if all(part.removeprefix("#").replace("$", "_").isidentifier() for part in chain.split(".")) else ""


def use(w: Walker, node: Node, role: int) -> Expression:
    """A name, chain or member in a role of its own; of anything else, a callee is a reference and the rest is not."""
    kind, ids = node.kind_id, w.ids
    if kind == ids.identifier or kind == ids.super or kind == ids.shorthand_property_identifier:
        start = node.start_byte
        name = w.text[start : node.end_byte].decode("utf-8", "replace")
        w.uses[w.scope, name, role].append(start)
        return name
    if kind == ids.member_expression:
        start, end = node.start_byte, node.end_byte
        if chain_end(w.text, start, end):
            chain = w.text[start:end].decode()
            w.uses[w.scope, chain, role].append(start)
            return chain
        return broken_member(w, node, role)
    if kind == ids.parenthesized_expression or kind == ids.non_null_expression:
        inner = first(w, node)
        return w.unknown() if inner is None else use(w, inner, role)
    expression = w.expr(node)
    if role in (CALL, NEW) and isinstance(expression, int):
        w.uses[w.scope, expression, CALL].append(node.start_byte)
    return expression


def first(w: Walker, node: Node) -> Node | None:
    """The first child that is not a comment."""
    comment = w.ids.comment
    for kid in node.named_children:
        if kid.kind_id != comment:
            return kid
    return None


def subscript(w: Walker, node: Node) -> Expression:
    kids = node.named_children
    owner = w.expr(kids[0])
    return w.row("item", owner, w.expr(kids[-1]) if len(kids) > 1 else None)


def visit_subscript(w: Walker, node: Node) -> None:
    w.visit_all(node.named_children)


# -- literals and displays


def string(w: Walker, node: Node) -> Expression:
    if node.end_byte - node.start_byte <= MAX_STRING:
        return w.row("literal", "str", w.text[node.start_byte + 1 : node.end_byte - 1].decode("utf-8", "replace"))
    return w.row("literal", "str")


def number(w: Walker, node: Node) -> Expression:
    digits = w.text[node.start_byte : node.end_byte]
    if digits.isdigit() and len(digits) < 10:
        return w.row("literal", "int", int(digits))
    return w.row("literal", "float")


def literal(kind: str) -> Handler:
    def handler(w: Walker, node: Node) -> Expression:
        return w.row("literal", kind)

    return handler


def template(w: Walker, node: Node) -> Expression:
    w.visit_all(node.named_children)
    return w.row("literal", "str")


def array(w: Walker, node: Node) -> Expression:
    comment = w.ids.comment
    values = tuple([w.expr(kid) for kid in node.named_children if kid.kind_id != comment])
    return w.row("list", values) if len(values) <= MAX_ITEMS else w.row("literal", "list")


def spread(w: Walker, node: Node) -> Expression:
    inner = first(w, node)
    return w.row("*", w.unknown() if inner is None else w.expr(inner))


# -- operators


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


def unknown(w: Walker, node: Node) -> Expression:
    w.visit_all(node.named_children)
    return w.unknown()


VALUES: dict[str, Handler] = {
    "identifier": identifier,
    "shorthand_property_identifier": identifier,
    "this": this,
    "super": keyword,
    "meta_property": keyword,
    "member_expression": member,
    "subscript_expression": subscript,
    "string": string,
    "number": number,
    "true": literal("bool"),
    "false": literal("bool"),
    "null": literal("none"),
    "undefined": literal("none"),
    "regex": literal("regex"),
    "template_string": template,
    "array": array,
    "spread_element": spread,
    "binary_expression": binary,
    "ternary_expression": ternary,
    "unary_expression": unary,
    "update_expression": update,
    "parenthesized_expression": transparent,
    "sequence_expression": sequence,
    "await_expression": awaited,
    "yield_expression": yielded,
}

VISITS: dict[str, Handler] = {
    "identifier": identifier,
    "shorthand_property_identifier": identifier,
    "member_expression": member,
    "subscript_expression": visit_subscript,
    "binary_expression": visit_binary,
    "unary_expression": unary,
    "update_expression": update,
    "yield_expression": yielded,
}
