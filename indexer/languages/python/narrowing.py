"""Where a name is known to be an instance of a class: what `isinstance` and `type(x) is T` say of the code after."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import Any, Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.expressions import chain_of, operands
from indexer.languages.python.walk import MAX_DEPTH, Walk
from indexer.model import BindingKind, Expression, Role

AND: Final = k.kind("and", named=False)
BAR: Final = k.kind("|", named=False)
NAMED_EXPRESSION: Final = k.kind("named_expression")
SAME: Final = frozenset((k.kind("is", named=False), k.kind("==", named=False)))
OTHER: Final = frozenset((k.kind("is not", named=False), k.kind("!=", named=False)))
TESTS: Final = frozenset((k.BOOLEAN_OPERATOR, k.CALL, k.COMPARISON, k.NOT_OPERATOR, k.PARENTHESIZED))
LEAVING: Final = frozenset(
    k.kind(name) for name in ("break_statement", "continue_statement", "raise_statement", "return_statement")
)
PARAMETERS: Final = frozenset(
    (BindingKind.PARAMETER, BindingKind.STAR, BindingKind.KEYWORD_ONLY, BindingKind.DOUBLE_STAR)
)
CHANGING: Final = (int(Role.WRITE), int(Role.DELETE))

Fact = tuple[str, Expression]
"""A chain and the class, or tuple of classes, that it is an instance of."""


def says_types(w: Walk, condition: Node) -> bool:
    """Whether a condition may say what type something has: a glance at its text."""
    if condition.kind_id not in TESTS:
        return False
    text = w.source[condition.start_byte : condition.end_byte]
    return "isinstance(" in text or "type(" in text


def narrow(w: Walk, chain: str, type_: Expression, start: int, end: int) -> None:
    w.narrowings.append((w.frame.index, chain, type_, start, end))


def narrow_if(w: Walk, condition: Node, holds: bool, start: int, end: int) -> None:
    """Record for a range what is known where a condition holds, or where it does not."""
    for chain, type_ in facts(w, condition, holds):
        narrow(w, chain, type_, start, end)


def facts(w: Walk, node: Node, holds: bool, depth: int = 0) -> list[Fact]:
    """What a condition says of types if it is true (`holds`) or false."""
    kind = node.kind_id
    if depth > MAX_DEPTH:
        return []
    if kind == k.CALL:
        return _instance(w, node) if holds else []
    parts = operands(node)
    if kind == k.NOT_OPERATOR or kind == k.PARENTHESIZED:
        return facts(w, parts[-1], holds == (kind == k.PARENTHESIZED), depth + 1) if len(parts) == 1 else []
    if kind == k.BOOLEAN_OPERATOR and len(parts) == 2:
        if is_and(node) != holds:
            return []
        return facts(w, parts[0], holds, depth + 1) + facts(w, parts[1], holds, depth + 1)
    if kind == k.COMPARISON and len(parts) == 2 and node.child_count == 3:
        return _same_type(w, parts, node.child(1).kind_id in (SAME if holds else OTHER))
    return []


def is_and(node: Node) -> bool:
    return any(child.kind_id == AND for child in node.children)


def _instance(w: Walk, call: Node) -> list[Fact]:
    function, *others = operands(call)
    if len(others) != 1 or w.source[function.start_byte : function.end_byte] != "isinstance":
        return []
    arguments = operands(others[0])
    if len(arguments) != 2:
        return []
    chain, type_ = _chain(w, arguments[0]), _type(w, arguments[1])
    return [] if not chain or type_ is None else [(chain, type_)]


def _same_type(w: Walk, parts: list[Node], same: bool) -> list[Fact]:
    """`type(x) is T`."""
    inner = operands(parts[0])
    if not same or parts[0].kind_id != k.CALL or len(inner) != 2:
        return []
    arguments = operands(inner[1])
    if len(arguments) != 1 or w.source[inner[0].start_byte : inner[0].end_byte] != "type":
        return []
    chain, type_ = _chain(w, arguments[0]), _type(w, parts[1])
    return [] if not chain or type_ is None else [(chain, type_)]


def _chain(w: Walk, node: Node) -> str:
    if node.kind_id == NAMED_EXPRESSION:
        node = node.named_children[0]
    return chain_of(w, node)[0]


def _type(w: Walk, node: Node) -> Expression:
    """A class, or a row with the tuple of classes; None if there is anything else among them."""
    while node.kind_id == k.PARENTHESIZED and len(inner := operands(node)) == 1:
        node = inner[0]
    kind = node.kind_id
    if kind == k.TUPLE:
        nodes = operands(node)
    elif kind == k.BINARY_OPERATOR:
        nodes = []
        while node.kind_id == k.BINARY_OPERATOR and node.child_count == 3 and node.child(1).kind_id == BAR:
            nodes.append(node.child(2))
            node = node.child(0)
        nodes.append(node)
        nodes.reverse()
    else:
        return chain_of(w, node)[0] or None
    chains = [chain_of(w, part)[0] for part in nodes if part.kind_id != k.NONE]
    return w.row(("tuple", tuple(chains))) if chains and "" not in chains else None


def leaves(block: Node) -> bool:
    """Whether what stands after a block is not reached from it."""
    last = operands(block)[-1:]
    return bool(last) and last[0].kind_id in LEAVING


def narrow_rest(w: Walk, statement: Node, condition: Node, holds: bool) -> None:
    """Record what is known from after a statement to the end of the block it stands in."""
    found = facts(w, condition, holds)
    if found:
        block = statement.parent
        if block is not None and block.kind_id == k.EXPRESSION_STATEMENT:
            block = block.parent
        end = statement.end_byte if block is None else block.end_byte
        for chain, type_ in found:
            narrow(w, chain, type_, statement.end_byte, end)


def settled(w: Walk) -> list[tuple[Any, ...]]:
    """The narrowings in order, each ending where its chain may be bound anew."""
    names = {(row[0], row[1].partition(".")[0]) for row in w.narrowings}
    bound: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for row in w.bindings:
        for scope in (row[0], row[7]) if row[7] > row[0] else (row[0],):  # a scope inside binds a name of one around
            if (scope, row[1]) in names and row[2] not in PARAMETERS:
                bound[scope, row[1]].append(max(row[3], row[8]))
    rows: list[tuple[Any, ...]] = []
    for scope, chain, type_, start, end in w.narrowings:
        root, *members = chain.split(".")
        ends = _first(sorted(bound[scope, root]), start, end)
        for member in members:
            root = f"{root}.{member}"
            for role in CHANGING:
                ends = _first(w.frames[scope].others.get((root, role), []), start, ends)
        if ends > start:
            rows.append((scope, chain, type_, start, ends))
    rows.sort(key=lambda row: (row[3], row[4], row[1]))
    return rows


def _first(positions: list[int], start: int, end: int) -> int:
    index = bisect_left(positions, start)
    return min(positions[index], end) if index < len(positions) else end
