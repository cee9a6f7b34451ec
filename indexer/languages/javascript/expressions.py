"""Expressions: what they denote, and the names they use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexer.languages.javascript.kinds import Handler
from indexer.languages.javascript.walker import DEPTH_LIMIT, Walker
from indexer.model import Expression, Role

if TYPE_CHECKING:
    from tree_sitter import Node

READ: Final = int(Role.READ)
CALL: Final = int(Role.CALL)
NEW: Final = int(Role.NEW)
WRITE: Final = int(Role.WRITE)
DELETE: Final = int(Role.DELETE)

chain_end = re.compile(rb"[A-Za-z_$][\w$]*(?:\.#?[A-Za-z_$][\w$]*)+").fullmatch
"""Matches a member expression that is a dotted chain of ASCII names without blanks."""

_CALLS: Final = frozenset({CALL, NEW})

MAX_ITEMS: Final = 50
MAX_STRING: Final = 200


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
    if kind in ids.names:
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
    if kind in ids.wrappers:
        return _use_wrapped(w, node, role)
    if kind == ids.sequence_expression:
        *before, last = node.named_children
        w.visit_all(before)
        return use(w, last, role)
    expression = w.expr(node)
    if role in _CALLS:
        callee = w.row("either", (expression,)) if isinstance(expression, str) else expression
        w.uses[w.scope, callee, CALL].append(node.start_byte)
    return expression


def _use_wrapped(w: Walker, node: Node, role: int) -> Expression:
    """What stands in parentheses, or is cast; the types of a cast are read."""
    kids = [kid for kid in node.named_children if kid.kind_id != w.ids.comment]
    if not kids or w.depth >= DEPTH_LIMIT:
        return w.too_deep(node)
    if node.kind_id == w.ids.type_assertion:
        kids.reverse()
    w.depth += 1
    expression = _misparsed(w, kids[0], role) if kids[0].kind_id in w.ids.operations else use(w, kids[0], role)
    for kid in kids[1:]:
        w.type(kid)
    w.depth -= 1
    return expression


def _misparsed(w: Walker, node: Node, role: int) -> Expression:
    """The TypeScript grammar reads `a && !b.c!(d)` as a call of `(a && !b.c)!`: the callee is the last operand."""
    if w.text[node.end_byte : node.end_byte + 1] != b"!":
        return use(w, node, role)
    while node.kind_id in w.ids.operations:
        *before, node = node.named_children
        w.visit_all(before)
    use(w, node, role)
    return w.unknown()


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


def unknown(w: Walker, node: Node) -> Expression:
    w.visit_all(node.named_children)
    return w.unknown()


VALUES: Final[dict[str, Handler]] = {
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
}

VISITS: Final[dict[str, Handler]] = {
    "identifier": identifier,
    "shorthand_property_identifier": identifier,
    "member_expression": member,
    "subscript_expression": visit_subscript,
}
