"""Assignments of every form, and `type` statements."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.annotations import annotation, type_parameters
from indexer.languages.python.chains import KNOWN, learn
from indexer.languages.python.expressions import chain_of, operands, value, visit, visit_children
from indexer.languages.python.implicit import ADDED, AUGMENTED, INERT, invoke, operand, reflect, start_of
from indexer.languages.python.kinds import VALUE, visits
from indexer.languages.python.misread import assign_to_type_call, is_type_call
from indexer.languages.python.special import EXPORTS, add_exports
from indexer.languages.python.targets import NESTED, SPLATS, bind, bind_target, sets_attribute
from indexer.languages.python.walk import UNKNOWN, Walk
from indexer.model import Expression, Role

WRITE: Final = int(Role.WRITE)
IDENTIFIER: Final = k.IDENTIFIER
DULL: Final = k.DULL
EXTENDING: Final = frozenset((k.kind("+=", named=False), k.kind("|=", named=False)))
NOT_PLAIN: Final = frozenset((k.ASSIGNMENT, k.AUGMENTED_ASSIGNMENT, k.COMMENT, k.LINE_CONTINUATION, k.TYPE))


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
        elif (
            len(targets) == 1 and targets[0].kind_id in NESTED and _assign_pairwise(w, targets[0], right, (start, end))
        ):
            return None
        elif kind not in DULL or _kept(w, targets):
            assigned = VALUE[kind](w, right)
            if kind not in INERT and any(target.kind_id in NESTED for target in targets):
                invoke(w, assigned, "__iter__", start_of(right))
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
    """Whether a literal that is assigned is used by a binding or an attribute of the object."""
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
    kind = target.kind_id
    read = value(w, target)
    operator = node.child(1).kind_id
    if operator in AUGMENTED and kind not in INERT:
        invoke(w, read, AUGMENTED[operator], start_of(target))
    if isinstance(read, str) and right.kind_id not in DULL and operator in EXTENDING:
        added = value(w, right)
        w.stores.append((w.frame.index, "extend", read, None, added, target.start_byte, w.block()))
    else:
        added = operand(w, right)
    if operator in AUGMENTED and UNKNOWN not in (read, added) and right.kind_id not in INERT | ADDED:
        reflect(w, read, added, (AUGMENTED[operator], f"__r{AUGMENTED[operator][3:]}"), start_of(right))
    w.span = (node.start_byte, node.end_byte, 0)
    w.effect = node.end_byte
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
    elif kind == k.SUBSCRIPT:
        chain, start = chain_of(w, target.child(0))
        if chain:
            invoke(w, chain, "__setitem__", start)
    return None


def _is_parameter(w: Walk, name: str) -> bool:
    index = w.frame.index
    position = w.frame.first_binding - 1
    while position >= 0 and w.bindings[position][0] == index:
        if w.bindings[position][1] == name:
            return True
        position -= 1
    return False


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
