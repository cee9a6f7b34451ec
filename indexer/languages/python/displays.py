"""Lists, tuples, sets and dictionaries, written out or as comprehensions."""

from __future__ import annotations

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.calls import ARGUMENT
from indexer.languages.python.expressions import operands, value, visit, visit_children
from indexer.languages.python.kinds import VALUE, values, visits
from indexer.languages.python.targets import bind_target
from indexer.languages.python.walk import ALWAYS, MAX_DEPTH, UNKNOWN, Frame, Walk
from indexer.model import Expression, ExpressionRow

LITERALS = k.LITERALS
DISPLAYS = {k.LIST: "list", k.SET: "set"}
MAX_ITEMS = 50
"""Items of a display that are kept."""

visits(
    "dictionary", "dictionary_splat", "expression_list", "for_in_clause", "if_clause", "list", "list_splat", "pair",
    "pattern_list", "set", "tuple",
)(visit_children)  # fmt: skip


@values("list", "tuple", "set", "expression_list", "pattern_list")
def value_display(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    kind = DISPLAYS.get(node.kind_id, "tuple")
    w.depth += 1
    child_of = node.named_child
    kept: list[Expression] = []
    plain = True  # nothing but literals
    splat = False
    for index in range(node.named_child_count):
        child = child_of(index)
        inner = child.kind_id
        if inner == k.LIST_SPLAT:
            splat = True
            visit(w, child)
        elif len(kept) >= MAX_ITEMS:
            visit(w, child)
        elif inner not in k.EXTRAS:
            plain = plain and inner in LITERALS
            kept.append(ARGUMENT[inner](w, child))
    w.depth -= 1
    return w.row(("literal", kind) if plain or splat else (kind, tuple(kept)))


@values("dictionary")
def value_dictionary(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    kept: list[tuple[Expression, Expression]] = []
    for index in range(node.named_child_count):
        item = node.named_child(index)
        if item.kind_id == k.PAIR and item.child_count == 3 and len(kept) < MAX_ITEMS:
            key, held = item.child(0), item.child(2)
            kind = held.kind_id
            if kind not in LITERALS:
                kept.append((value(w, key), VALUE[kind](w, held)))
            else:
                visit(w, key)
                if kind == k.STRING:
                    visit(w, held)
        else:
            visit(w, item)
    w.depth -= 1
    return w.row(("dict", tuple(kept)) if kept else ("literal", "dict"))


@visits("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
def visit_comprehension(w: Walk, node: Node) -> None:
    """Opens a scope for the targets; the first iterable is evaluated in the scope around."""
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 2  # several calls deep for each level
    body, *clauses = operands(node)
    around = w.frame
    frame = w.open("block", around, around.symbol, around.qualname)
    frame.home = around.home
    w.enter(frame)
    visit(w, body)
    outside: Frame | None = around
    for clause in clauses:
        if clause.kind_id == k.FOR_IN_CLAUSE:
            _for_in(w, clause, outside or frame, frame)
            outside = None
        else:
            visit(w, clause)
    w.enter(around)
    w.depth -= 2
    return None


def _for_in(w: Walk, clause: Node, outside: Frame, frame: Frame) -> None:
    target, *iterables = operands(clause)
    w.enter(outside)
    iterable: Expression = UNKNOWN
    for part in iterables:
        iterable = value(w, part)
    w.enter(frame)
    element = w.row(("iterate", iterable)) if iterable != UNKNOWN and outside is frame else UNKNOWN
    w.effect = -1
    branch, w.branch = w.branch, ALWAYS
    bind_target(w, target, element, outside.index)
    w.branch = branch


def _comprehension(row: ExpressionRow, name: str) -> None:
    @values(name)
    def comprehension(w: Walk, node: Node) -> Expression:
        visit_comprehension(w, node)
        return w.row(row)


_comprehension(("literal", "list"), "list_comprehension")
_comprehension(("literal", "set"), "set_comprehension")
_comprehension(("literal", "dict"), "dictionary_comprehension")
