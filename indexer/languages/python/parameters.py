"""Parameters of functions and lambdas."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.annotations import annotation
from indexer.languages.python.chains import KNOWN, learn
from indexer.languages.python.kinds import VALUE
from indexer.languages.python.walk import UNKNOWN, Frame, Walk
from indexer.model import BindingKind, Expression

PARAMETER, STAR, KEYWORD_ONLY, DOUBLE_STAR = (
    int(kind) for kind in (BindingKind.PARAMETER, BindingKind.STAR, BindingKind.KEYWORD_ONLY, BindingKind.DOUBLE_STAR)
)
SPLATS: Final = {k.LIST_SPLAT_PATTERN: STAR, k.DICTIONARY_SPLAT_PATTERN: DOUBLE_STAR}
IDENTIFIER: Final = k.IDENTIFIER
NOTHING: Final = frozenset((k.COMMENT, k.LINE_CONTINUATION))


def parameters(w: Walk, node: Node, frame: Frame, origin: int) -> str:
    """Bind the parameters in the function's scope; defaults and annotations are read in `origin`.

    The walk stands in the scope around. Returns the name of the first positional parameter, "" if there is none.
    Defaults of keyword-only parameters are evaluated before the others: that is the order of Python's own syntax tree,
    by which lambdas are numbered.
    """
    bindings = w.bindings
    scope = frame.index
    mode = PARAMETER
    position = 0
    first = ""
    defaults: list[tuple[int, Node]] = []
    for index in range(node.named_child_count):
        child = node.named_child(index)
        kind = child.kind_id
        if kind == IDENTIFIER:
            start = child.start_byte
            raw = w.source[start : child.end_byte]
            name = KNOWN.get(raw) or learn(raw)
            bindings.append((scope, name, mode, start, position, None, None, origin, -1, 0))
        elif kind == k.KEYWORD_SEPARATOR:
            mode = KEYWORD_ONLY
            continue
        elif kind in SPLATS:
            target = child.children[-1]
            name = ""
            bindings.append(
                (scope, w.name(target), SPLATS[kind], target.start_byte, position, None, None, origin, -1, 0)
            )
            mode = KEYWORD_ONLY
        elif kind == k.DEFAULT_PARAMETER or kind == k.TYPED_DEFAULT_PARAMETER or kind == k.TYPED_PARAMETER:
            name, star = _complex(w, child, kind, scope, mode, position, origin, defaults)
            if star:
                mode = KEYWORD_ONLY
        elif kind == k.TUPLE_PATTERN:
            name = ""
            _unpacked(w, child, scope, position, origin)
        else:  # the positional separator, comments
            continue
        if position == 0 and mode == PARAMETER:
            first = name
        position += 1
    if defaults:
        _evaluate(w, defaults)
    return first


def _complex(w: Walk, node: Node, kind: int, scope: int, mode: int, position: int, origin: int,
             defaults: list[tuple[int, Node]]) -> tuple[str, bool]:  # fmt: skip
    """A parameter with an annotation or a default. Returns its name and whether it is a starred one."""
    parts = [child for child in node.named_children if child.kind_id not in NOTHING]
    target = parts[0]
    splat = SPLATS.get(target.kind_id)
    if splat is not None:
        target = target.children[-1]
    declared: Expression = None
    if kind != k.DEFAULT_PARAMETER and len(parts) > 1 and parts[1].kind_id == k.TYPE:
        declared = annotation(w, parts[1])
    if kind != k.TYPED_PARAMETER:
        defaults.append((len(w.bindings), parts[-1]))
    if target.kind_id == k.TUPLE_PATTERN:
        _unpacked(w, target, scope, position, origin)
        if defaults:
            defaults[-1] = (-1, parts[-1])
        return "", False
    name = w.name(target)
    w.bindings.append(
        (scope, name, mode if splat is None else splat, target.start_byte, position, None, declared, origin, -1, 0)
    )
    return name if splat is None else "", splat == STAR


def _unpacked(w: Walk, node: Node, scope: int, position: int, origin: int) -> None:
    """`def f((a, b))` of Python 2."""
    left = [node]
    while left:
        child = left.pop()
        if child.kind_id == IDENTIFIER:
            row = (scope, w.name(child), PARAMETER, child.start_byte, position, UNKNOWN, None, origin, -1, 0)
            w.bindings.append(row)
        elif child.kind_id == k.TUPLE_PATTERN:
            left += reversed(child.named_children)


def _evaluate(w: Walk, defaults: list[tuple[int, Node]]) -> None:
    for only in (KEYWORD_ONLY, PARAMETER):
        for index, node in defaults:
            row = w.bindings[index]
            if index < 0:
                if only == PARAMETER:
                    VALUE[node.kind_id](w, node)
            elif row[2] == only:
                value = VALUE[node.kind_id](w, node)
                w.bindings[index] = (*row[:5], value, *row[6:])
