"""Destructuring: the names a pattern binds and what each one receives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from indexer.languages.javascript.expressions import READ, WRITE, use
from indexer.languages.javascript.walker import DEPTH_LIMIT, Walker
from indexer.model import Expression

if TYPE_CHECKING:
    from tree_sitter import Node

Bind = Callable[[str, int, Expression], None]
"""`bind(name, position, expression)`: called for every name, in source order."""


def pattern(w: Walker, node: Node, source: Expression, bind: Bind) -> None:
    """Bind the names of a pattern (or a plain name) to what they take from `source`; None where that is unknown."""
    kind, ids = node.kind_id, w.ids
    if kind == ids.identifier or kind == ids.shorthand_property_identifier_pattern:
        bind(w.name(node), node.start_byte, source)
    elif w.depth >= DEPTH_LIMIT:
        w.too_deep(node)
    else:
        w.depth += 1
        if kind == ids.object_pattern or kind == ids.object:
            _object(w, node, source, bind)
        elif kind == ids.array_pattern or kind == ids.array:
            _array(w, node, source, bind)
        elif kind == ids.assignment_pattern or kind == ids.object_assignment_pattern:
            _defaulted(w, node, source, bind)
        elif kind == ids.rest_pattern or kind == ids.non_null_expression or kind == ids.parenthesized_expression:
            for kid in node.named_children:
                pattern(w, kid, None if kind == ids.rest_pattern else source, bind)
        elif kind == ids.member_expression:
            use(w, node, WRITE)
        else:
            w.visit(node)
        w.depth -= 1


def _object(w: Walker, node: Node, source: Expression, bind: Bind) -> None:
    ids = w.ids
    for kid in node.named_children:
        kind = kid.kind_id
        if kind == ids.shorthand_property_identifier_pattern:
            bind(w.name(kid), kid.start_byte, _taken(w, kid, source))
        elif kind == ids.pair_pattern:
            kids = kid.named_children
            key = kids[0]
            if key.kind_id == ids.computed_property_name:
                w.visit(key)
                taken = None
            else:
                taken = _taken(w, key, source)
            if len(kids) > 1:
                pattern(w, kids[-1], taken, bind)
        elif kind == ids.object_assignment_pattern:
            kids = kid.named_children
            taken = _taken(w, kids[0], source)
            _defaulted(w, kid, taken, bind)
        elif kind == ids.rest_pattern:
            pattern(w, kid, None, bind)
        elif kind != ids.comment:
            w.visit(kid)


def _taken(w: Walker, key: Node, source: Expression) -> Expression:
    """The member of `source` that a key takes: a reference to it, too."""
    if source is None:
        return None
    name = w.name(key)
    if key.kind_id == w.ids.string:
        name = name[1:-1]
    elif key.kind_id == w.ids.number:
        return None
    row = w.row("member", source, name)
    w.uses[w.scope, row, READ].append(key.start_byte)
    return row


def _array(w: Walker, node: Node, source: Expression, bind: Bind) -> None:
    ids = w.ids
    place = 0
    for kid in node.children:
        if not kid.is_named:
            place += w.text[kid.start_byte : kid.end_byte] == b","
        elif kid.kind_id != ids.comment:
            item = None if source is None else w.row("item", source, w.row("literal", "int", place))
            pattern(w, kid, item, bind)


def _defaulted(w: Walker, node: Node, source: Expression, bind: Bind) -> None:
    kids = node.named_children
    if len(kids) < 2:
        pattern(w, kids[0], source, bind)
        return
    default = w.expr(kids[-1])
    pattern(w, kids[0], default if source is None else w.row("either", (source, default)), bind)
