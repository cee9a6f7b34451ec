"""Names, members, calls and subscripts: the references of an expression, and its row where the value is used."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.chains import KNOWN, learn
from indexer.languages.python.implicit import INERT, applied, invoke, start_of
from indexer.languages.python.kinds import VALUE, VISIT, values, visits
from indexer.languages.python.literals import MAX_STRING, affixes, constant_key, name_of, plain_string, string_value
from indexer.languages.python.walk import MAX_DEPTH, UNKNOWN, Walk
from indexer.model import Expression, ExpressionRow, Role

CALL: Final = int(Role.CALL)
READ: Final = int(Role.READ)
STR: Final = ("literal", "str")
COLON: Final = k.kind(":", named=False)
_PLACES: Final = re.compile(r"\{\w*\}")

# Globals of this module are found faster than attributes of another.
ARGUMENT_LIST: Final = k.ARGUMENT_LIST
ATTRIBUTE: Final = k.ATTRIBUTE
CALL_KIND: Final = k.CALL
EXTRAS: Final = k.EXTRAS
IDENTIFIER: Final = k.IDENTIFIER
KEYWORD_ARGUMENT: Final = k.KEYWORD_ARGUMENT
LIST_SPLAT: Final = k.LIST_SPLAT
PARENTHESIZED: Final = k.PARENTHESIZED


def visit_children(w: Walk, node: Node) -> None:
    """Visit every child: the way of all nodes that have nothing of their own to record."""
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    for index in range(node.named_child_count):
        child = node.named_child(index)
        visit = VISIT[child.kind_id]
        if visit is not None:
            visit(w, child)
    w.depth -= 1
    return None


def operands(node: Node) -> list[Node]:
    """The named children that are no comments."""
    return [child for i in range(node.named_child_count) if (child := node.named_child(i)).kind_id not in EXTRAS]


def visit(w: Walk, node: Node) -> None:
    handler = VISIT[node.kind_id]
    if handler is not None:
        handler(w, node)


def value(w: Walk, node: Node) -> Expression:
    return VALUE[node.kind_id](w, node)


@visits("identifier")
def visit_identifier(w: Walk, node: Node) -> None:
    start = node.start_byte
    raw = w.source[start : node.end_byte]
    name = KNOWN.get(raw) or learn(raw)
    if name:
        w.reads[name].append(start)


@values("identifier")
def value_identifier(w: Walk, node: Node) -> Expression:
    start = node.start_byte
    raw = w.source[start : node.end_byte]
    name = KNOWN.get(raw) or learn(raw)
    if not name:
        return UNKNOWN
    w.reads[name].append(start)
    return name


@visits("attribute")
def visit_attribute(w: Walk, node: Node) -> None:
    start = node.start_byte
    raw = w.source[start : node.end_byte]
    chain = KNOWN.get(raw) or learn(raw)
    if chain:
        w.reads[chain].append(start)
    else:
        member(w, node, READ)


@values("attribute")
def value_attribute(w: Walk, node: Node) -> Expression:
    start = node.start_byte
    raw = w.source[start : node.end_byte]
    chain = KNOWN.get(raw) or learn(raw)
    if not chain:
        return member(w, node, READ)
    w.reads[chain].append(start)
    return chain


def chain_of(w: Walk, node: Node) -> tuple[str, int]:
    """The chain a node is, through blanks, comments and parentheses, and where it starts; "" if it is none.

    Records nothing.
    """
    names = []
    while True:
        kind = node.kind_id
        if kind == ATTRIBUTE:
            children = node.children
            last = children[-1]
            names.append(w.name(last))
            node = children[0]
        elif kind == PARENTHESIZED:
            inner = operands(node)
            if len(inner) != 1:
                return "", 0
            node = inner[0]
        elif kind == LIST_SPLAT:  # the grammar reads `*a.b` in a display as `(*a).b`
            node = node.children[-1]
        elif kind == IDENTIFIER:
            names.append(w.name(node))
            names.reverse()
            return ("", 0) if "" in names else (".".join(names), node.start_byte)
        else:
            return "", 0


def refer(w: Walk, expression: Expression, role: int, position: int) -> None:
    """Record a reference of any role."""
    if role == READ:
        w.reads[expression].append(position)
    elif role == CALL:
        w.calls[expression].append(position)
    else:
        w.refer(expression, role, position)


def member(w: Walk, node: Node, role: int) -> Expression:
    """An attribute that is no chain in its spelling: a reference in that role; its object's own are recorded, too."""
    inner = node.child(0)
    kind = inner.kind_id
    if kind != CALL_KIND:
        chain, position = chain_of(w, node)
        if chain:
            refer(w, chain, role, position)
            return chain
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    value = owner(w, node)
    last = node.child(node.child_count - 1)
    name = w.name(last)
    if not name:
        return UNKNOWN
    row = w.row(("member", value, name))
    refer(w, row, role, last.start_byte)
    return row


def owner(w: Walk, node: Node) -> Expression:
    """The object of an attribute that is no chain; the caller has seen to the depth."""
    w.depth += 2  # several calls deep for each level
    inner = node.child(0)
    kind = inner.kind_id
    if kind == LIST_SPLAT:
        inner = inner.children[-1]
        kind = inner.kind_id
    if kind == k.STRING:
        visit_string(w, inner)
        value: Expression = w.row(_formatted(w, node, inner))
    else:
        value = VALUE[kind](w, inner)
    w.depth -= 2
    return value


def _formatted(w: Walk, node: Node, text: Node) -> ExpressionRow:
    """The row of a text with a method: of `"visit_{}".format` that of the name it spells."""
    last = node.child(node.child_count - 1)
    if w.source[last.start_byte : last.end_byte] != "format":
        return STR
    said = plain_string(w, text)
    return (name_of(_PLACES.split(said)) if said else None) or STR


def named(w: Walk, node: Node, role: int) -> Expression:
    """A name or an attribute in a role that is neither a read nor a call."""
    start = node.start_byte
    raw = w.source[start : node.end_byte]
    chain = KNOWN.get(raw) or learn(raw)
    if chain:
        w.refer(chain, role, start)
        return chain
    return member(w, node, role) if node.kind_id == ATTRIBUTE else VALUE[node.kind_id](w, node)


@values("subscript")
def value_subscript(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    inner, *others = operands(node)
    value = VALUE[inner.kind_id](w, inner)
    if inner.kind_id not in INERT:
        invoke(w, value, "__getitem__", start_of(inner))
    key = keys(w, others)
    w.depth -= 1
    if value == UNKNOWN or not others:
        return UNKNOWN
    return w.row(("item", value, key))


@visits("subscript")
def visit_subscript(w: Walk, node: Node) -> None:
    subscript(w, node, "__getitem__")


def subscript(w: Walk, node: Node, method: str) -> None:
    """Visit a subscript for which that method is called and whose value nobody uses."""
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    inner, *others = operands(node)
    applied(w, inner, method)
    for child in others:
        visit(w, child)
    w.depth -= 1
    return None


def keys(w: Walk, nodes: list[Node]) -> Expression:
    """What stands between the brackets of a subscript."""
    if len(nodes) == 1:
        return key(w, nodes[0])
    return w.row(("tuple", tuple([key(w, node) for node in nodes])))


def key(w: Walk, node: Node) -> Expression:
    """A key of an item, with its value if it is a constant."""
    kind = node.kind_id
    if kind == IDENTIFIER or kind == k.STRING:
        return VALUE[kind](w, node)
    if kind == k.SLICE:
        return _slice(w, node)
    if kind == k.LIST and w.depth < MAX_DEPTH:  # types, some perhaps in quotes: `Callable[["Foo"], None]`
        w.depth += 1
        parts = [key(w, part) for part in operands(node)]
        w.depth -= 1
        return w.row(("list", tuple(parts)))
    row = constant_key(w, node)
    return VALUE[kind](w, node) if row is None else w.row(row)


def _slice(w: Walk, node: Node) -> Expression:
    bounds: list[Expression] = [None]
    for child in node.children:
        if child.kind_id == COLON:
            bounds.append(None)
        elif child.kind_id not in EXTRAS:
            bounds[-1] = key(w, child)
    return w.row(("slice", *bounds[:2]) if len(bounds) == 2 or bounds[2:] == [None] else ("slice", None, None))


@visits("string")
def visit_string(w: Walk, node: Node) -> None:
    start = node.start_byte
    first = w.source[start]
    if first != '"' and first != "'" and "f" in w.source[start : start + 2].lower():
        visit_children(w, node)


@values("string")
def value_string(w: Walk, node: Node) -> Expression:
    start, end = node.start_byte, node.end_byte
    source = w.source
    row: ExpressionRow | None = None
    first = source[start]
    if end - start < MAX_STRING and (first == "'" or first == '"') and source[start + 1] != first:
        content = source[start + 1 : end - 1]
        if content.isascii() and "\\" not in content:
            row = ("literal", "str", content)
    if row is None:
        row = string_value(w, node)
        if row is None:
            visit_children(w, node)
            row = affixes(w, node) or STR
    rows = w.rows
    return rows.setdefault(row, len(rows))
