"""Statements with blocks that may not run, or may run often: conditions, loops, `try`."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.expressions import operands, value, visit, visit_children
from indexer.languages.python.implicit import INERT, invoke, start_of, tested
from indexer.languages.python.kinds import VISIT, visits
from indexer.languages.python.narrowing import LEAVING, leaves, narrow_if, narrow_rest, says_types
from indexer.languages.python.targets import bind_target
from indexer.languages.python.walk import ALWAYS, MAX_DEPTH, UNKNOWN, Walk
from indexer.model import LEAVES

ELSE: Final = k.kind("else_clause")
FINALLY: Final = k.kind("finally_clause")
NAMES: Final = frozenset((k.IDENTIFIER, k.ATTRIBUTE))
TYPE_CHECKING: Final = frozenset(("TYPE_CHECKING", "typing.TYPE_CHECKING", "t.TYPE_CHECKING"))


@visits("if_statement")
def visit_if(w: Walk, node: Node) -> None:
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    condition = node.child(1)
    only = w.type_only
    checked = condition.named_child(0) if condition.kind_id == k.NOT_OPERATOR else condition
    checking = (
        checked is not None
        and checked.kind_id in NAMES
        and w.source[checked.start_byte : checked.end_byte] in TYPE_CHECKING
    )
    narrows = says_types(w, condition)
    if not checking:
        tested(w, condition)
    branch = w.branch
    going_on = _going_on(node) if branch == ALWAYS else 0
    for index in range(node.named_child_count):
        child = node.named_child(index)
        if checking:
            w.type_only = only or (child.kind_id == k.BLOCK) == (checked is condition)
        if index:
            start, end = child.start_byte, child.end_byte
            how = LEAVES if branch == ALWAYS and _leaves(child) else going_on
            w.branch = w.inside(start, end, -2 - (node.end_byte << 6 | how))
            if narrows:
                narrow_if(w, condition, child.kind_id == k.BLOCK, start, end)
        handler = VISIT[child.kind_id]
        if handler is not None:
            handler(w, child)
    w.branch = branch
    w.type_only = only
    w.depth -= 1
    if narrows:
        _narrow_after(w, node, condition)
    return None


def _going_on(node: Node) -> int:
    """The number of branches of an `if` that are not left before their end, one of which runs; 0 where there is no
    `else`, or too many."""
    if node.named_child(node.named_child_count - 1).kind_id != ELSE:
        return 0
    children = map(node.named_child, range(1, node.named_child_count))
    number = sum(child.kind_id not in k.EXTRAS and not _leaves(child) for child in children)
    return number if number < LEAVES else 0


def _leaves(branch: Node) -> bool:
    """Whether what stands after an `if` is not reached from a branch of it."""
    count = branch.named_child_count
    if branch.kind_id != k.BLOCK and count:  # the clause around one
        branch = branch.named_child(count - 1)
        count = branch.named_child_count
    return count > 0 and branch.named_child(count - 1).kind_id in LEAVING


def _narrow_after(w: Walk, node: Node, condition: Node) -> None:
    """`if not isinstance(x, T): return` says what x is in the statements that follow."""
    for block in operands(node):
        if block.kind_id == k.BLOCK:
            if leaves(block):
                narrow_rest(w, node, condition, False)
            break


@visits("elif_clause")
def visit_elif(w: Walk, node: Node) -> None:
    parts = operands(node)
    if len(parts) == 2:
        tested(w, parts[0])
        if says_types(w, parts[0]):
            narrow_if(w, parts[0], True, parts[1].start_byte, parts[1].end_byte)
    visit_children(w, node)


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
    if iterable.kind_id not in INERT:
        invoke(w, result, "__iter__" if w.source[node.start_byte] == "f" else "__aiter__", start_of(iterable))
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
    condition = node.child(1)
    narrows = says_types(w, condition)
    tested(w, condition)
    for index, child in enumerate(operands(node)):
        if index:
            if narrows and child.kind_id == k.BLOCK:
                narrow_if(w, condition, True, child.start_byte, child.end_byte)
            loop = node.start_byte if child.kind_id == k.BLOCK else -1
            w.branch = branch
            w.branch = w.inside(child.start_byte, child.end_byte, loop)
        visit(w, child)
    w.branch = branch
    w.depth -= 1
    return None
