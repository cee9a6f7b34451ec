"""Valid source that the grammar reads as something else."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.expressions import refer, visit_children
from indexer.languages.python.kinds import VALUE, VISIT
from indexer.languages.python.walk import MAX_DEPTH, UNKNOWN, Walk
from indexer.model import Expression, Role

WRITE: Final = int(Role.WRITE)
READ: Final = int(Role.READ)


def is_type_call(w: Walk, left: Node) -> bool:
    """Whether a `type` statement is an assignment to a member or an item of `type(…)`."""
    return w.source.startswith("(", left.start_byte)


def assign_to_type_call(w: Walk, left: Node, right: Node) -> None:
    """`type(x).name = value`, read as `type <left> = <right>`."""
    inner = left.children[0] if left.kind_id == k.TYPE else left
    if inner.kind_id == k.CONSTRAINED_TYPE:  # type(x).name: T = value
        visit_children(w, inner.named_children[-1])
        inner = inner.named_children[0].children[0]
    given = right.children[0] if right.kind_id == k.TYPE else right
    if inner.kind_id != k.ATTRIBUTE:
        _target(w, inner, WRITE)
        return visit_children(w, right)
    owner = _target(w, inner.children[0], READ)
    last = inner.children[-1]
    name = w.name(last)
    refer(w, w.row(("member", owner, name)), WRITE, last.start_byte)
    value = VALUE[given.kind_id](w, given)
    w.stores.append((w.frame.index, "attribute", owner, name, value, last.start_byte, w.block()))
    return None


def _target(w: Walk, node: Node, role: int) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    result: Expression = UNKNOWN
    kind = node.kind_id
    if kind == k.PARENTHESIZED or kind == k.TUPLE:
        arguments = [VALUE[child.kind_id](w, child) for child in node.named_children if child.kind_id not in k.EXTRAS]
        w.calls["type"].append(w.source.rindex("type", 0, node.start_byte))
        result = w.row(("call", "type", tuple(arguments)))
    elif kind == k.ATTRIBUTE:
        children = node.children
        owner = _target(w, children[0], READ)
        result = w.row(("member", owner, w.name(children[-1])))
        refer(w, result, role, children[-1].start_byte)
    else:
        first, *others = node.named_children
        _target(w, first, READ)
        for child in others:
            visit = VISIT[child.kind_id]
            if visit is not None:
                visit(w, child)
    w.depth -= 1
    return result
