"""The patterns of `match`: captures bind names to parts of the subject, dotted names and classes are references."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.expressions import operands, value, visit, visit_children
from indexer.languages.python.kinds import visits
from indexer.languages.python.literals import integer_key, string_value
from indexer.languages.python.narrowing import narrow
from indexer.languages.python.targets import bind, item_at
from indexer.languages.python.walk import MAX_DEPTH, UNKNOWN, Walk
from indexer.model import Expression

CASE_PATTERN: Final = k.kind("case_pattern")
CLASS_PATTERN: Final = k.kind("class_pattern")
COMMA: Final = k.kind(",", named=False)
DICT_PATTERN: Final = k.kind("dict_pattern")
KEYWORD_PATTERN: Final = k.kind("keyword_pattern")
SPLAT_PATTERN: Final = k.kind("splat_pattern")
UNION_PATTERN: Final = k.kind("union_pattern")
SEQUENCES: Final = frozenset((k.LIST_PATTERN, k.TUPLE_PATTERN))
WHOLE: Final = frozenset("bool bytearray bytes dict float frozenset int list set str tuple".split())
"""Classes whose only positional pattern is the subject itself."""


@visits("match_statement")
def visit_match(w: Walk, node: Node) -> None:
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    around = w.subject
    *subjects, block = operands(node)
    if block.kind_id != k.BLOCK:
        subjects.append(block)
    found = [value(w, subject) for subject in subjects]
    w.subject = found[0] if len(found) == 1 else w.row(("tuple", tuple(found)))
    if block.kind_id == k.BLOCK:
        visit(w, block)
    w.subject = around
    w.depth -= 1
    return None


@visits("case_clause")
def visit_case(w: Walk, node: Node) -> None:
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    branch, subject = w.branch, w.subject
    w.branch = w.inside(node.start_byte, node.end_byte)
    parts = operands(node)
    patterns = [part for part in parts if part.kind_id == CASE_PATTERN]
    w.case_end = node.end_byte
    if len(patterns) == 1:
        pattern(w, patterns[0], subject)
    else:
        _sequence(w, patterns, subject)
    for part in parts[len(patterns) :]:
        visit(w, part)
    w.branch, w.subject = branch, subject
    w.depth -= 1
    return None


def pattern(w: Walk, node: Node, subject: Expression) -> Expression:
    """Record what a pattern binds and names; returns the class, or the tuple of classes, that it asks for."""
    kind = node.kind_id
    if kind == k.DOTTED_NAME:
        _name(w, node, subject)
        return UNKNOWN
    if kind == k.STRING or kind == k.CONCATENATED_STRING:
        visit(w, node)
        return UNKNOWN
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    result = _composed(w, node, kind, subject)
    w.depth -= 1
    return result


def _composed(w: Walk, node: Node, kind: int, subject: Expression) -> Expression:
    parts = operands(node)
    if kind == CLASS_PATTERN and parts:
        return _class(w, node, parts, subject)
    if kind == k.AS_PATTERN and len(parts) == 2:
        found = pattern(w, parts[0], subject)
        _capture(w, parts[1], subject if found == UNKNOWN else w.row(("except", found)))
        return found
    if kind == UNION_PATTERN:
        return _union(w, node, [pattern(w, part, subject) for part in parts], subject)
    if kind == DICT_PATTERN:
        _mapping(w, parts, subject)
    elif kind == CASE_PATTERN or (kind in SEQUENCES and len(parts) == 1 and _grouped(w, node)):
        return pattern(w, parts[0], subject) if len(parts) == 1 else UNKNOWN
    elif kind in SEQUENCES:
        _sequence(w, parts, subject)
    else:
        for part in parts:
            pattern(w, part, UNKNOWN)
    return UNKNOWN


def _grouped(w: Walk, node: Node) -> bool:
    """Whether the parentheses around one pattern do not make a tuple."""
    return node.kind_id == k.TUPLE_PATTERN and all(child.kind_id != COMMA for child in node.children)


def _class(w: Walk, node: Node, parts: list[Node], subject: Expression) -> Expression:
    chain = _reference(w, parts[0])
    if not chain:
        return UNKNOWN
    if isinstance(subject, str):
        narrow(w, subject, chain, node.start_byte, w.case_end)
        owner: Expression = subject
    else:
        owner = w.row(("except", chain))
    for part in parts[1:]:
        inner = operands(part)
        if len(inner) == 1 and inner[0].kind_id == KEYWORD_PATTERN:
            name, *given = operands(inner[0])
            held = w.name(name)
            member = f"{owner}.{held}" if isinstance(owner, str) else w.row(("member", owner, held))
            for value_node in given:
                pattern(w, value_node, member)
        else:
            pattern(w, part, owner if chain in WHOLE else UNKNOWN)
    return chain


def _union(w: Walk, node: Node, found: list[Expression], subject: Expression) -> Expression:
    """`A() | B()`: one of them. Each has narrowed the subject by itself, which must not be taken as the whole."""
    classes = [part for part in found if part != UNKNOWN]
    start, end = node.start_byte, w.case_end
    w.narrowings[:] = [row for row in w.narrowings if not (start <= row[3] and row[4] == end and row[1] == subject)]
    if len(classes) != len(found):
        return UNKNOWN
    types = w.row(("tuple", tuple(classes)))
    if isinstance(subject, str):
        narrow(w, subject, types, start, end)
    return types


def _sequence(w: Walk, parts: list[Node], subject: Expression) -> None:
    starred = False
    count = len(parts)
    for index, part in enumerate(parts):
        inner = operands(part)
        splat = len(inner) == 1 and inner[0].kind_id == SPLAT_PATTERN
        if splat:
            part = inner[0].children[-1]
        item = item_at(w, subject, index, count, starred, splat)
        starred = starred or splat
        if splat:
            _capture(w, part, item)
        else:
            pattern(w, part, item)


def _mapping(w: Walk, parts: list[Node], subject: Expression) -> None:
    key: Expression = UNKNOWN
    for part in parts:
        kind = part.kind_id
        if kind == CASE_PATTERN:
            pattern(w, part, w.row(("item", subject, key)) if key != UNKNOWN != subject else UNKNOWN)
            key = UNKNOWN
        elif kind == SPLAT_PATTERN:
            for rest in operands(part):
                _capture(w, rest, w.row(("literal", "dict")))
        elif kind == k.STRING:
            visit(w, part)
            key = w.row(string_value(w, part) or ("literal", "str"))
        elif kind == k.INTEGER:
            row = integer_key(w, part)
            negative = len(row) == 3 and w.source[part.start_byte - 1] == "-"
            key = w.row(("literal", "int", -row[2]) if negative else row)
        elif kind == k.DOTTED_NAME:
            key = _reference(w, part) or UNKNOWN
        else:
            visit_children(w, part)


def _name(w: Walk, node: Node, subject: Expression) -> None:
    """A bare name captures; a dotted one is compared with."""
    if "." in w.source[node.start_byte : node.end_byte]:
        _reference(w, node)
    else:
        _capture(w, node, subject)


def _reference(w: Walk, node: Node) -> str:
    chain = w.name(node)
    if chain:
        w.reads[chain].append(node.start_byte)
    return chain


def _capture(w: Walk, node: Node, value: Expression) -> None:
    name = w.name(node)
    if name and name != "_":
        w.span = (node.start_byte, node.end_byte, 0)
        w.effect = -1
        bind(w, w.frame, name, node.start_byte, value)
