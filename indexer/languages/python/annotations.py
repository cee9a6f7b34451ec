"""Annotations: types as expressions, with the names in them as references of their own role."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node, Parser, Range

from indexer.languages.python import kinds as k
from indexer.languages.python.chains import KNOWN, learn
from indexer.languages.python.expressions import named, operands
from indexer.languages.python.kinds import VALUE, VISIT
from indexer.languages.python.literals import split
from indexer.languages.python.walk import MAX_DEPTH, UNKNOWN, VALUE_BINDING, Frame, Walk
from indexer.model import Expression, Role

ANNOTATION: Final = int(Role.ANNOTATION)
NONE_ROW: Final = ("literal", "none")
MEMBER_TYPE: Final = k.kind("member_type")
OR: Final = k.kind("|", named=False)


def annotation(w: Walk, node: Node) -> Expression:
    """The type an annotation names. `Optional` and `None` in unions are left out; strings are read as types."""
    kind = node.kind_id
    if kind == k.TYPE:
        node = node.children[0]
        kind = node.kind_id
    if kind == k.IDENTIFIER or kind == k.ATTRIBUTE:
        return named(w, node, ANNOTATION)
    if kind == k.STRING:
        return _quoted(w, node)
    if kind == k.NONE:
        return w.row(NONE_ROW)
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 2  # several calls deep for each level
    result = _composed(w, node, kind)
    w.depth -= 2
    return result


def _composed(w: Walk, node: Node, kind: int) -> Expression:
    parts = operands(node)
    if kind == k.SUBSCRIPT:
        return _generic(w, parts[0], parts[1:])
    if kind == k.GENERIC_TYPE:
        keys = operands(parts[1]) if len(parts) > 1 else []
        return _generic(w, parts[0], keys)
    if kind == k.UNION_TYPE or (kind == k.BINARY_OPERATOR and any(child.kind_id == OR for child in node.children)):
        return _union(w, _alternatives(node))
    if kind == k.LIST or kind == k.TUPLE:
        return w.row(("list" if kind == k.LIST else "tuple", tuple([annotation(w, part) for part in parts])))
    if kind in (k.PARENTHESIZED, k.TYPE, k.SPLAT_TYPE, k.LIST_SPLAT) and len(parts) == 1:
        return annotation(w, parts[0])
    if kind == k.CONSTRAINED_TYPE:
        return [annotation(w, part) for part in parts][-1]
    if kind == MEMBER_TYPE and len(parts) == 2:
        return w.row(("member", annotation(w, parts[0]), w.name(parts[1])))
    return VALUE[kind](w, node)


def _alternatives(node: Node) -> list[Node]:
    """The operands of `a | b | c`, which leans to the left."""
    found: list[Node] = []
    while True:
        parts = operands(node)
        if node.kind_id == k.TYPE and len(parts) == 1 and parts[0].kind_id in (k.UNION_TYPE, k.BINARY_OPERATOR):
            node = parts[0]
        elif node.kind_id in (k.UNION_TYPE, k.BINARY_OPERATOR) and len(parts) == 2:
            found.append(parts[1])
            node = parts[0]
        else:
            found.append(node)
            found.reverse()
            return found


def _union(w: Walk, nodes: list[Node]) -> Expression:
    none = w.row(NONE_ROW)
    types: list[Expression] = []
    for node in nodes:
        found = annotation(w, node)
        if found != none and found not in types:
            types.append(found)
    if not types:
        return none
    return types[0] if len(types) == 1 else w.row(("union", tuple(types)))


def _generic(w: Walk, base_node: Node, keys: list[Node]) -> Expression:
    base = annotation(w, base_node)
    last = base.rpartition(".")[2] if isinstance(base, str) else ""
    if last == "Optional" or last == "Union":
        return _union(w, keys)
    if last == "Literal":
        rows = [VALUE[_inner(key).kind_id](w, _inner(key)) for key in keys]
    elif last == "Annotated" and keys:
        first = annotation(w, keys[0])
        for key in keys[1:]:
            visit = VISIT[_inner(key).kind_id]
            if visit is not None:
                visit(w, _inner(key))
        rows = [first]
    else:
        rows = [annotation(w, key) for key in keys]
    if not rows:
        return base
    return w.row(("item", base, rows[0] if len(rows) == 1 else w.row(("tuple", tuple(rows)))))


def _inner(node: Node) -> Node:
    return node.children[0] if node.kind_id == k.TYPE else node


def _quoted(w: Walk, node: Node) -> Expression:
    """A type in a string: a chain at once, anything else with the parser, at the offsets it has in the file."""
    start, end = node.start_byte, node.end_byte
    raw = w.source[start:end]
    prefix, content = split(raw)
    if prefix not in ("", "u", "r") or "\\" in content or not content.strip() or w.annotating > 2:
        return UNKNOWN
    offset = start + raw.index(content, len(prefix) + 1)
    stripped = content.strip()
    chain = KNOWN.get(stripped) or learn(stripped)
    if chain and stripped != "None":
        w.refer(chain, ANNOTATION, offset + content.index(stripped))
        return chain
    offset += len(content) - len(content.lstrip())
    end = offset + len(stripped)
    ranges = [Range(w.point(offset), w.point(end), offset, end)]
    root = Parser(k.GRAMMAR, included_ranges=ranges).parse(w.text).root_node
    statement = root.children[0] if root.child_count == 1 and not root.has_error else None
    if statement is None or statement.kind_id != k.EXPRESSION_STATEMENT or statement.child_count != 1:
        return UNKNOWN
    w.annotating += 1
    result = annotation(w, statement.children[0])
    w.annotating -= 1
    return result


def type_parameters(w: Walk, node: Node, frame: Frame) -> None:
    """Bind `[T: Bound, *Ts, **P]` in their scope; a bound is what the name stands for."""
    around = w.frame
    w.enter(frame)
    for child in node.named_children:
        inner = _inner(child)
        bound: Expression = UNKNOWN
        if inner.kind_id == k.CONSTRAINED_TYPE:
            parts = operands(inner)
            bound = annotation(w, parts[-1])
            inner = _inner(parts[0])
        if inner.kind_id == k.SPLAT_TYPE:
            inner = inner.named_children[0]
        if inner.kind_id == k.IDENTIFIER:
            name = w.name(inner)
            w.bindings.append((frame.index, name, VALUE_BINDING, inner.start_byte, -1, bound, None, frame.index, -1, 0))
    w.enter(around)
