"""The patterns of `match`: captures bind names, dotted names and classes are references."""

from __future__ import annotations

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.expressions import operands, visit, visit_children
from indexer.languages.python.kinds import visits
from indexer.languages.python.targets import bind
from indexer.languages.python.walk import MAX_DEPTH, UNKNOWN, Walk
from indexer.model import Expression

CASE_PATTERN = k.kind("case_pattern")
CLASS_PATTERN = k.kind("class_pattern")
KEYWORD_PATTERN = k.kind("keyword_pattern")
SPLAT_PATTERN = k.kind("splat_pattern")


visits("match_statement")(visit_children)


@visits("case_clause")
def visit_case(w: Walk, node: Node) -> None:
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    branch = w.branch
    w.branch = w.inside(node.start_byte, node.end_byte)
    for child in operands(node):
        if child.kind_id == CASE_PATTERN:
            pattern(w, child)
        else:
            visit(w, child)
    w.branch = branch
    w.depth -= 1
    return None


def pattern(w: Walk, node: Node) -> Expression:
    """Record what a pattern binds and names; returns what a value that matches it is, if it is a class pattern."""
    kind = node.kind_id
    if kind == k.DOTTED_NAME:
        _name(w, node)
        return UNKNOWN
    if kind == k.STRING or kind == k.CONCATENATED_STRING:
        visit(w, node)
        return UNKNOWN
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    result = _composed(w, node, kind)
    w.depth -= 1
    return result


def _composed(w: Walk, node: Node, kind: int) -> Expression:
    parts = operands(node)
    result: Expression = UNKNOWN
    if kind == CASE_PATTERN and len(parts) == 1:
        return pattern(w, parts[0])
    if kind == CLASS_PATTERN and parts:
        chain = _reference(w, parts[0])
        if chain:
            result = w.row(("except", chain))
        parts = parts[1:]
    elif kind == k.AS_PATTERN and len(parts) == 2:
        result = pattern(w, parts[0])
        _capture(w, parts[1], result)
        return result
    elif kind == KEYWORD_PATTERN:
        parts = parts[1:]
    elif kind == SPLAT_PATTERN:
        for part in parts:
            _capture(w, part, UNKNOWN)
        return UNKNOWN
    for part in parts:
        pattern(w, part)
    return result


def _name(w: Walk, node: Node) -> None:
    """A bare name captures; a dotted one is compared with."""
    if "." in w.source[node.start_byte : node.end_byte]:
        _reference(w, node)
    else:
        _capture(w, node, UNKNOWN)


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
