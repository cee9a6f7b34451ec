"""Statements: what they bind, what they return, and the references in them."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.expressions import named, operands, value, visit, visit_children
from indexer.languages.python.implicit import INERT, invoke, operand, start_of
from indexer.languages.python.kinds import VALUE, VISIT, visits
from indexer.languages.python.narrowing import narrow_rest, says_types
from indexer.languages.python.targets import bind_target, delete_target
from indexer.languages.python.walk import MAX_DEPTH, UNKNOWN, VALUE_BINDING, Walk
from indexer.model import BindingKind, Expression, Role

GLOBAL: Final = int(BindingKind.GLOBAL)
NONLOCAL: Final = int(BindingKind.NONLOCAL)
THROW: Final = int(Role.THROW)
WRITE: Final = int(Role.WRITE)
MAX_RETURNS: Final = 20

EXPRESSION_STATEMENT: Final = k.EXPRESSION_STATEMENT
IDENTIFIER: Final = k.IDENTIFIER
FINALLY: Final = k.kind("finally_clause")
WITH_CLAUSE: Final = k.kind("with_clause")
NOT_PLAIN: Final = frozenset((k.ASSIGNMENT, k.AUGMENTED_ASSIGNMENT, k.COMMENT, k.LINE_CONTINUATION, k.TYPE))
MANAGED: Final = ("__enter__", "__exit__")
MANAGED_ASYNC: Final = ("__aenter__", "__aexit__")

visits(
    "else_clause", "exec_statement", "finally_clause", "print_statement",
    "with_clause", "with_item",
)(visit_children)  # fmt: skip


@visits("block")
def visit_block(w: Walk, node: Node) -> None:
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    visit_body(w, node)
    w.depth -= 1
    return None


def visit_body(w: Walk, node: Node) -> Node:
    """Visit the statements of a body, or of the whole module; returns the last child."""
    statement = node
    for statement in node.children:
        kind = statement.kind_id
        if kind == EXPRESSION_STATEMENT and statement.child_count == 1:
            statement = statement.child(0)
            kind = statement.kind_id
        handler = VISIT[kind]
        if handler is not None:
            handler(w, statement)
    return statement


visits("expression_statement")(visit_children)


@visits("assert_statement")
def visit_assert(w: Walk, node: Node) -> None:
    visit_children(w, node)
    for condition in operands(node)[:1]:
        if says_types(w, condition):
            narrow_rest(w, node, condition, True)


@visits("return_statement")
def visit_return(w: Walk, node: Node) -> None:
    if node.child_count < 2:
        return
    child = node.child(node.child_count - 1)
    returns = w.frame.home.returns
    if len(returns) < MAX_RETURNS:
        returns.append(VALUE[child.kind_id](w, child))
    else:
        visit(w, child)


@visits("delete_statement")
def visit_delete(w: Walk, node: Node) -> None:
    for child in node.named_children:
        delete_target(w, child)


@visits("raise_statement")
def visit_raise(w: Walk, node: Node) -> None:
    for index in range(node.named_child_count):
        child = node.named_child(index)
        if index == 0 and child.kind_id in (k.IDENTIFIER, k.ATTRIBUTE):
            named(w, child, THROW)
        else:
            visit(w, child)


@visits("global_statement")
def visit_global(w: Walk, node: Node) -> None:
    _redirect(w, node, GLOBAL, 0)


@visits("nonlocal_statement")
def visit_nonlocal(w: Walk, node: Node) -> None:
    _redirect(w, node, NONLOCAL, -1)


def _redirect(w: Walk, node: Node, kind: int, scope: int) -> None:
    frame = w.frame
    for child in node.named_children:
        name = w.name(child) if child.kind_id == k.IDENTIFIER else ""
        if name:
            if frame.index != 0:
                if frame.redirect is None:
                    frame.redirect = {}
                frame.redirect[name] = scope
            w.bindings.append((frame.index, name, kind, child.start_byte, -1, None, None, frame.index, -1, 0))


@visits("with_statement")
def visit_with(w: Walk, node: Node) -> None:
    """Unlike other blocks, its body runs whenever what comes after it does."""
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    methods = MANAGED if w.source[node.start_byte] == "w" else MANAGED_ASYNC
    for number in range(node.named_child_count):
        child = node.named_child(number)
        if child.kind_id != WITH_CLAUSE:
            visit(w, child)
            continue
        for index in range(child.named_child_count):
            item = child.named_child(index)
            _manager(w, item, methods)
    w.depth -= 1
    return None


def _manager(w: Walk, item: Node, methods: tuple[str, str]) -> None:
    """`manager` or `manager as target`."""
    node = item
    while node.named_child_count == 1 and (node is item or node.kind_id == k.PARENTHESIZED):
        node = node.named_child(0)
    parts = operands(node) if node.kind_id == k.AS_PATTERN else []
    manager = parts[0] if len(parts) == 2 else node
    if node is item or w.depth >= MAX_DEPTH:
        return visit(w, node)
    result = operand(w, manager) if len(parts) != 2 else value(w, manager)
    if result != UNKNOWN and manager.kind_id not in INERT:
        start = start_of(manager)
        invoke(w, result, methods[0], start)
        invoke(w, result, methods[1], start)
    if len(parts) == 2:
        _enter(w, parts[1], result)
    return None


def _enter(w: Walk, target: Node, manager: Expression) -> None:
    w.span = (target.start_byte, target.end_byte, 0)
    w.effect = -1
    bind_target(w, target, w.row(("enter", manager)) if manager != UNKNOWN else UNKNOWN)


@visits("as_pattern")
def visit_as(w: Walk, node: Node) -> None:
    """`manager as target` where the grammar sees no `with` around."""
    parts = operands(node)
    if len(parts) != 2 or w.depth >= MAX_DEPTH:
        return visit_children(w, node)
    w.depth += 1
    _enter(w, parts[1], value(w, parts[0]))
    w.depth -= 1
    return None


@visits("except_clause")
def visit_except(w: Walk, node: Node) -> None:
    for child in operands(node):
        parts = operands(child) if child.kind_id == k.AS_PATTERN else []
        if len(parts) == 2:
            caught = value(w, parts[0])
            target = parts[1].children[-1]
            name = w.name(target) if target.kind_id == k.IDENTIFIER else ""
            if name:
                index = w.frame.index
                row = w.row(("except", caught)) if caught != UNKNOWN else UNKNOWN
                w.bindings.append((index, name, VALUE_BINDING, target.start_byte, -1, row, None, index, -1, w.block()))
        else:
            visit(w, child)
