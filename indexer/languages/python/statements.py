"""Statements: what they bind, what they return, and the references in them."""

from __future__ import annotations

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.annotations import annotation, type_parameters
from indexer.languages.python.expressions import named, visit_children
from indexer.languages.python.kinds import VALUE, VISIT, visits
from indexer.languages.python.misread import assign_to_type_call, is_type_call
from indexer.languages.python.operators import operands, value, visit
from indexer.languages.python.special import EXPORTS, add_exports
from indexer.languages.python.targets import NESTED, SPLATS, bind, bind_target, delete_target, sets_attribute
from indexer.languages.python.walk import MAX_DEPTH, UNKNOWN, Walk
from indexer.model import BindingKind, Expression, Role

GLOBAL, NONLOCAL = int(BindingKind.GLOBAL), int(BindingKind.NONLOCAL)
THROW, WRITE = int(Role.THROW), int(Role.WRITE)
MAX_RETURNS = 20

EXPRESSION_STATEMENT = k.EXPRESSION_STATEMENT
TYPE_CHECKING = frozenset(("TYPE_CHECKING", "typing.TYPE_CHECKING", "t.TYPE_CHECKING"))

visits(
    "assert_statement", "exec_statement", "finally_clause", "else_clause", "elif_clause", "print_statement",
    "try_statement", "while_statement", "with_clause", "with_item",
)(visit_children)  # fmt: skip


@visits("block", "module")
def visit_block(w: Walk, node: Node) -> None:
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    for child in node.named_children:
        handler = VISIT[child.kind_id]
        if handler is not None:
            handler(w, child)
    w.depth -= 1
    return None


@visits("expression_statement")
def visit_expression_statement(w: Walk, node: Node) -> None:
    if node.child_count == 1:
        child = node.child(0)
        handler = VISIT[child.kind_id]
        if handler is not None:
            handler(w, child)
    else:
        visit_children(w, node)


@visits("assignment")
def visit_assignment(w: Walk, node: Node) -> None:
    start, end = node.start_byte, node.end_byte
    targets: list[Node] = []
    declared: Expression = None
    head = 0
    while True:
        parts = node.named_children
        if len(parts) > 2:
            parts = [part for part in parts if part.kind_id not in k.EXTRAS]
        targets.append(parts[0])
        right: Node | None = parts[-1]
        kind = right.kind_id  # type: ignore[union-attr]
        if parts[1].kind_id == k.TYPE:
            head = parts[1].end_byte
            declared = annotation(w, parts[1])
            if len(parts) == 2:
                right = None
        if kind != k.ASSIGNMENT or right is None:
            break
        node = right
    assigned: Expression = None
    if right is not None:
        if kind == k.AUGMENTED_ASSIGNMENT:
            visit(w, right)
        elif len(targets) == 1 and targets[0].kind_id in NESTED and _assign_pairwise(w, targets[0], right, (start, end, 0)):
            return
        elif _kept(w, targets):
            assigned = VALUE[kind](w, right)
        else:
            visit(w, right)
            assigned = UNKNOWN
    w.span = (start, end, head)
    for target in targets:
        bind_target(w, target, assigned, annotation=declared)
        if w.frame.index == 0 and right is not None and w.source[target.start_byte : target.end_byte] == EXPORTS:
            w.exports = None
            add_exports(w, right)


def _kept(w: Walk, targets: list[Node]) -> bool:
    """Whether the assigned value is used by a binding or an attribute of the object."""
    for target in targets:
        kind = target.kind_id
        if kind == k.ATTRIBUTE:
            if sets_attribute(w, target):
                return True
        elif kind != k.SUBSCRIPT:
            return True
    return False


def _assign_pairwise(w: Walk, left: Node, right: Node, span: tuple[int, int, int]) -> bool:
    """`a, b = c, d`: each name gets its own value. False if the sides do not match one to one."""
    if right.kind_id not in NESTED:
        return False
    targets, given = operands(left), operands(right)
    if len(targets) != len(given) or any(part.kind_id in SPLATS for part in targets + given):
        return False
    assigned = [value(w, part) for part in given]
    w.span = span
    for target, expression in zip(targets, assigned, strict=True):
        bind_target(w, target, expression)
    return True


@visits("augmented_assignment")
def visit_augmented(w: Walk, node: Node) -> None:
    """Reads and binds; a name or an attribute already bound keeps the type it has, so it is not bound again."""
    parts = operands(node)
    if len(parts) != 2:
        return visit_children(w, node)
    target, right = parts
    read = value(w, target)
    visit(w, right)
    w.span = (node.start_byte, node.end_byte, 0)
    kind = target.kind_id
    if kind == k.IDENTIFIER:
        name = w.name(target)
        frame = w.frame
        bound = any(row[0] == frame.index and row[1] == name for row in w.bindings[frame.first_binding :])
        if name and not bound and not _is_parameter(w, name):
            bind(w, frame, name, target.start_byte, UNKNOWN)
        if name == EXPORTS and frame.index == 0:
            add_exports(w, right)
    elif kind == k.ATTRIBUTE:
        if isinstance(read, str):
            bind_target(w, target, UNKNOWN)
        else:
            w.refer(read, WRITE, target.children[-1].start_byte)
    return None


def _is_parameter(w: Walk, name: str) -> bool:
    index = w.frame.index
    position = w.frame.first_binding - 1
    while position >= 0 and w.bindings[position][0] == index:
        if w.bindings[position][1] == name:
            return True
        position -= 1
    return False


@visits("return_statement")
def visit_return(w: Walk, node: Node) -> None:
    returns = w.frame.home.returns
    for child in node.named_children:
        kind = child.kind_id
        if len(returns) >= MAX_RETURNS:
            visit(w, child)
        elif kind not in k.EXTRAS:
            returns.append(VALUE[kind](w, child))


@visits("delete_statement")
def visit_delete(w: Walk, node: Node) -> None:
    for child in node.named_children:
        delete_target(w, child)


@visits("raise_statement")
def visit_raise(w: Walk, node: Node) -> None:
    for number, child in enumerate(operands(node)):
        if number == 0 and child.kind_id in (k.IDENTIFIER, k.ATTRIBUTE):
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
            w.bindings.append((frame.index, name, kind, child.start_byte, -1, None, None, frame.index))


@visits("if_statement")
def visit_if(w: Walk, node: Node) -> None:
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    children = node.named_children
    condition = children[0]
    only = w.type_only
    checking = w.source[condition.start_byte : condition.end_byte] in TYPE_CHECKING
    for child in children:
        if checking:
            w.type_only = only or child.kind_id == k.BLOCK
        handler = VISIT[child.kind_id]
        if handler is not None:
            handler(w, child)
    w.type_only = only
    w.depth -= 1
    return None


@visits("for_statement")
def visit_for(w: Walk, node: Node) -> None:
    parts = operands(node)
    if len(parts) < 3 or w.depth >= MAX_DEPTH:
        return visit_children(w, node)
    target, iterable, *blocks = parts
    result = value(w, iterable)
    w.span = (target.start_byte, target.end_byte, 0)
    bind_target(w, target, w.row(("iterate", result)) if result != UNKNOWN else UNKNOWN)
    w.depth += 1
    for block in blocks:
        visit(w, block)
    w.depth -= 1
    return None


@visits("with_statement")
def visit_with(w: Walk, node: Node) -> None:
    visit_children(w, node)


@visits("as_pattern")
def visit_as(w: Walk, node: Node) -> None:
    """`with manager as target`; the one of `except` is met in its clause."""
    parts = operands(node)
    if len(parts) != 2 or w.depth >= MAX_DEPTH:
        return visit_children(w, node)
    w.depth += 1
    result = value(w, parts[0])
    target = parts[1]
    w.span = (target.start_byte, target.end_byte, 0)
    bind_target(w, target, w.row(("enter", result)) if result != UNKNOWN else UNKNOWN)
    w.depth -= 1
    return None


@visits("except_clause")
def visit_except(w: Walk, node: Node) -> None:
    for child in node.named_children:
        parts = operands(child) if child.kind_id == k.AS_PATTERN else []
        if len(parts) == 2:
            caught = value(w, parts[0])
            target = parts[1].children[-1]
            name = w.name(target) if target.kind_id == k.IDENTIFIER else ""
            if name:
                index = w.frame.index
                row = w.row(("except", caught)) if caught != UNKNOWN else UNKNOWN
                w.bindings.append((index, name, int(BindingKind.VALUE), target.start_byte, -1, row, None, index))
        else:
            visit(w, child)


@visits("type_alias_statement")
def visit_type_alias(w: Walk, node: Node) -> None:
    parts = operands(node)
    left = parts[0].children[0] if parts and parts[0].kind_id == k.TYPE else node
    if len(parts) == 2 and is_type_call(w, left):
        return assign_to_type_call(w, parts[0], parts[1])
    around = w.frame
    if left.kind_id == k.GENERIC_TYPE:
        frame = w.open("block", around, around.symbol, around.qualname)
        frame.home = around.home
        type_parameters(w, left.named_children[-1], frame)
        w.enter(frame)
        left = left.named_children[0]
    if left.kind_id != k.IDENTIFIER or len(parts) != 2:
        w.enter(around)
        return visit_children(w, node)
    origin = w.frame.index
    denoted = annotation(w, parts[1])
    w.enter(around)
    w.span = (node.start_byte, node.end_byte, 0)
    name = w.name(left)
    if name:
        bind(w, around, name, left.start_byte, denoted, None, origin)
    return None
