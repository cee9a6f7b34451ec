"""Lists, tuples, sets and dictionaries, written out or as comprehensions."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.calls import ARGUMENT
from indexer.languages.python.expressions import key, operands, value, visit, visit_children
from indexer.languages.python.implicit import INERT, applied, invoke, start_of
from indexer.languages.python.kinds import values, visits
from indexer.languages.python.narrowing import narrow_if, says_types
from indexer.languages.python.targets import bind_target
from indexer.languages.python.walk import ALWAYS, MAX_DEPTH, UNKNOWN, Frame, Walk
from indexer.model import Expression, Part

DULL: Final = k.DULL
EXTRAS: Final = k.EXTRAS
LITERALS: Final = k.LITERALS
PAIR: Final = k.PAIR
DISPLAYS: Final = {k.LIST: "list", k.SET: "set"}
COMPREHENSION_KINDS: Final = (
    "list_comprehension",
    "set_comprehension",
    "dictionary_comprehension",
    "generator_expression",
)
COMPREHENSIONS: Final = dict(zip(map(k.kind, COMPREHENSION_KINDS), ("list", "set", "dict", "generator"), strict=True))
MAX_ITEMS: Final = 50
"""Items of a display that are kept."""

visits(
    "dictionary", "dictionary_splat", "expression_list", "for_in_clause", "if_clause", "list", "pair",
    "pattern_list", "set", "tuple",
)(visit_children)  # fmt: skip


@visits("list_splat")
def visit_splat(w: Walk, node: Node) -> None:
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    applied(w, node.children[-1], "__iter__")
    w.depth -= 1
    return None


@values("list", "tuple", "set", "expression_list", "pattern_list")
def value_display(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    kind = DISPLAYS.get(node.kind_id, "tuple")
    w.depth += 1
    kept: list[Part] = []
    plain = True  # nothing but literals
    for index in range(node.named_child_count):
        child = node.named_child(index)
        inner = child.kind_id
        if len(kept) >= MAX_ITEMS:
            visit(w, child)
        elif inner in LITERALS:
            kept.append(ARGUMENT[inner](w, child))
        elif inner not in EXTRAS:
            plain = False
            item = ARGUMENT[inner](w, child)
            if inner != k.LIST_SPLAT and w.source[child.start_byte] == "*":  # read as `(*a).b`
                item = ("*", item)
            kept.append(item)
    w.depth -= 1
    return bare(w, kind) if plain else w.row((kind, tuple(kept)))


def bare(w: Walk, kind: str) -> int:
    """The row of a display that says no more than its type."""
    row = w.row(("literal", kind))
    w.bare.add(row)
    return row


@values("dictionary")
def value_dictionary(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    items = operands(node)
    kept: list[tuple[Expression, Part]] = []
    plain = True
    for item in items:
        kind = item.kind_id
        if kind == k.DICTIONARY_SPLAT or (kind == PAIR and item.child(item.child_count - 1).kind_id not in DULL):
            plain = False
            break
    for item in items:
        kind = item.kind_id
        if plain or len(kept) >= MAX_ITEMS:
            visit(w, item)
        elif kind == PAIR:
            held = item.child(item.child_count - 1)
            kept.append((key(w, item.child(0)), ARGUMENT[held.kind_id](w, held)))
        elif kind == k.DICTIONARY_SPLAT:
            kept.append((None, value(w, item.child(item.child_count - 1))))
        else:
            visit(w, item)
    w.depth -= 1
    return bare(w, "dict") if plain else w.row(("dict", tuple(kept)))


@visits(*COMPREHENSION_KINDS)
def visit_comprehension(w: Walk, node: Node) -> None:
    value_comprehension(w, node, False)


def value_comprehension(w: Walk, node: Node, wanted: bool = True) -> Expression:
    """Opens a scope for the targets; the first iterable is evaluated in the scope around."""
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 2  # several calls deep for each level
    body, *clauses = operands(node)
    around = w.frame
    frame = w.open("block", around, around.symbol, around.qualname)
    frame.home = around.home
    w.enter(frame)
    if wanted and body.kind_id == PAIR:
        visit(w, body.child(0))
        body = body.child(body.child_count - 1)
    if wanted and body.kind_id not in DULL:
        item = value(w, body)
    else:
        item = UNKNOWN
        visit(w, body)
    outside: Frame | None = around
    for clause in clauses:
        if clause.kind_id == k.FOR_IN_CLAUSE:
            _for_in(w, clause, outside or frame, frame)
            outside = None
        else:
            visit(w, clause)
            for condition in operands(clause):
                if says_types(w, condition):
                    narrow_if(w, condition, True, body.start_byte, body.end_byte)
                    narrow_if(w, condition, True, clause.end_byte, node.end_byte)
    w.enter(around)
    w.depth -= 2
    kind = COMPREHENSIONS[node.kind_id]
    if item != UNKNOWN:
        return w.row(("each", kind, item, frame.index))
    return bare(w, kind) if wanted and kind != "generator" else UNKNOWN


values(*COMPREHENSION_KINDS)(value_comprehension)


def _for_in(w: Walk, clause: Node, outside: Frame, frame: Frame) -> None:
    target, *iterables = operands(clause)
    w.enter(outside)
    iterable: Expression = UNKNOWN
    for part in iterables:
        iterable = value(w, part)
        if part.kind_id not in INERT:
            invoke(w, iterable, "__iter__" if w.source[clause.start_byte] == "f" else "__aiter__", start_of(part))
    w.enter(frame)
    element = w.row(("iterate", iterable)) if iterable != UNKNOWN else UNKNOWN
    w.effect = -1
    branch, w.branch = w.branch, ALWAYS
    bind_target(w, target, element, outside.index)
    w.branch = branch
