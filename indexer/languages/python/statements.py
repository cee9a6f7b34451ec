"""Statements: what they bind, what they return, and the references in them."""

from __future__ import annotations

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.annotations import annotation, type_parameters
from indexer.languages.python.chains import KNOWN, learn
from indexer.languages.python.expressions import named, operands, visit_children
from indexer.languages.python.kinds import VALUE, VISIT, visits
from indexer.languages.python.misread import assign_to_type_call, is_type_call
from indexer.languages.python.operators import value, visit
from indexer.languages.python.special import EXPORTS, add_exports
from indexer.languages.python.targets import NESTED, SPLATS, bind, bind_target, delete_target, sets_attribute
from indexer.languages.python.walk import MAX_DEPTH, UNKNOWN, VALUE_BINDING, Walk
from indexer.model import BindingKind, Expression, Role

GLOBAL, NONLOCAL = int(BindingKind.GLOBAL), int(BindingKind.NONLOCAL)
THROW, WRITE = int(Role.THROW), int(Role.WRITE)
MAX_RETURNS = 20

EXPRESSION_STATEMENT, IDENTIFIER = k.EXPRESSION_STATEMENT, k.IDENTIFIER
FINALLY = k.kind("finally_clause")
WITH_CLAUSE = k.kind("with_clause")
NOT_PLAIN = frozenset((k.ASSIGNMENT, k.AUGMENTED_ASSIGNMENT, k.COMMENT, k.LINE_CONTINUATION, k.TYPE))
NAMES = frozenset((k.IDENTIFIER, k.ATTRIBUTE))
TYPE_CHECKING = frozenset(("TYPE_CHECKING", "typing.TYPE_CHECKING", "t.TYPE_CHECKING"))

visits(
    "assert_statement", "elif_clause", "else_clause", "exec_statement", "finally_clause", "print_statement",
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
    child_of = node.named_child
    for index in range(node.named_child_count):
        statement = child_of(index)
        kind = statement.kind_id
        if kind == EXPRESSION_STATEMENT and statement.child_count == 1:
            statement = statement.child(0)
            kind = statement.kind_id
        handler = VISIT[kind]
        if handler is not None:
            handler(w, statement)
    return statement


visits("expression_statement")(visit_children)


@visits("assignment")
def visit_assignment(w: Walk, node: Node) -> None:
    if node.child_count == 3:  # target = value, or target: type
        left, right = node.child(0), node.child(2)
        kind = right.kind_id
        if kind not in NOT_PLAIN and left.kind_id == IDENTIFIER:
            value = VALUE[kind](w, right)
            start = left.start_byte
            end = node.end_byte
            w.span = (start, end, 0)
            w.effect = end
            raw = w.source[start : left.end_byte]
            name = KNOWN.get(raw) or learn(raw)
            if name:
                bind(w, w.frame, name, start, value)
                if name == EXPORTS and w.frame.index == 0:
                    w.exports = None
                    add_exports(w, right)
            return
    _assign(w, node)


def _assign(w: Walk, node: Node) -> None:
    """Any assignment: several targets, unpacking, an annotation with or without a value."""
    start, end = node.start_byte, node.end_byte
    targets: list[Node] = []
    declared: Expression = None
    head = 0
    while True:
        parts = operands(node)
        if len(parts) < 2:
            return visit_children(w, node)
        targets.append(parts[0])
        right: Node | None = parts[-1]
        kind = parts[-1].kind_id
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
        elif len(targets) == 1 and targets[0].kind_id in NESTED and _assign_pairwise(w, targets[0], right, (start, end)):
            return None
        elif _kept(w, targets):
            assigned = VALUE[kind](w, right)
        else:
            visit(w, right)
            assigned = UNKNOWN
    w.span = (start, end, head)
    w.effect = end
    for target in targets:
        bind_target(w, target, assigned, annotation=declared)
        if w.frame.index == 0 and right is not None and w.source[target.start_byte : target.end_byte] == EXPORTS:
            w.exports = None
            add_exports(w, right)
    return None


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


def _assign_pairwise(w: Walk, left: Node, right: Node, span: tuple[int, int]) -> bool:
    """`a, b = c, d`: each name gets its own value. False if the sides do not match one to one."""
    if right.kind_id not in NESTED:
        return False
    targets, given = operands(left), operands(right)
    if len(targets) != len(given) or any(part.kind_id in SPLATS for part in targets + given):
        return False
    assigned = [value(w, part) for part in given]
    w.span = (*span, 0)
    w.effect = span[1]
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
    w.effect = node.end_byte
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
            w.bindings.append((frame.index, name, kind, child.start_byte, -1, None, None, frame.index, -1, 0))


@visits("if_statement")
def visit_if(w: Walk, node: Node) -> None:
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    condition = node.child(1)
    only = w.type_only
    checking = condition.kind_id in NAMES and w.source[condition.start_byte : condition.end_byte] in TYPE_CHECKING
    branch = w.branch
    child_of = node.named_child
    for index in range(node.named_child_count):
        child = child_of(index)
        if checking:
            w.type_only = only or child.kind_id == k.BLOCK
        if index:
            w.branch = w.inside(child.start_byte, child.end_byte)
        handler = VISIT[child.kind_id]
        if handler is not None:
            handler(w, child)
    w.branch = branch
    w.type_only = only
    w.depth -= 1
    return None


@visits("try_statement")
def visit_try(w: Walk, node: Node) -> None:
    """Each part but `finally` may not run to its end."""
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    branch = w.branch
    for child in operands(node):
        w.branch = branch if child.kind_id == FINALLY else w.inside(child.start_byte, child.end_byte)
        visit(w, child)
    w.branch = branch
    w.depth -= 1
    return None


@visits("for_statement")
def visit_for(w: Walk, node: Node) -> None:
    parts = operands(node)
    if len(parts) < 3 or w.depth >= MAX_DEPTH:
        return visit_children(w, node)
    target, iterable, *blocks = parts
    result = value(w, iterable)
    w.depth += 1
    branch = w.branch
    body = blocks[0]
    w.branch = w.inside(target.start_byte, body.end_byte, body.start_byte)
    w.span = (target.start_byte, target.end_byte, 0)
    w.effect = iterable.end_byte
    bind_target(w, target, w.row(("iterate", result)) if result != UNKNOWN else UNKNOWN)
    visit(w, body)
    for block in blocks[1:]:
        w.branch = branch
        w.branch = w.inside(block.start_byte, block.end_byte)
        visit(w, block)
    w.branch = branch
    w.depth -= 1
    return None


@visits("while_statement")
def visit_while(w: Walk, node: Node) -> None:
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    branch = w.branch
    for index, child in enumerate(operands(node)):
        if index:
            loop = node.start_byte if child.kind_id == k.BLOCK else -1
            w.branch = branch
            w.branch = w.inside(child.start_byte, child.end_byte, loop)
        visit(w, child)
    w.branch = branch
    w.depth -= 1
    return None


@visits("with_statement")
def visit_with(w: Walk, node: Node) -> None:
    """Unlike other blocks, its body runs whenever what comes after it does."""
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    for child in operands(node):
        if child.kind_id != WITH_CLAUSE:
            visit(w, child)
            continue
        for index in range(child.named_child_count):
            item = child.named_child(index)
            visit(w, item if item.named_child_count != 1 else item.named_child(0))
    w.depth -= 1
    return None


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
    w.effect = -1
    bind_target(w, target, w.row(("enter", result)) if result != UNKNOWN else UNKNOWN)
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
    w.effect = node.end_byte
    name = w.name(left)
    if name:
        bind(w, around, name, left.start_byte, denoted, None, origin)
    return None
