"""Variables: `const`, `let`, `var`, and what a value bound to a name becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexer.languages.javascript.classes import bound_class
from indexer.languages.javascript.facts import SYMBOL, VALUE
from indexer.languages.javascript.functions import named_function
from indexer.languages.javascript.kinds import Handler
from indexer.languages.javascript.objects import Holder, bound_object
from indexer.languages.javascript.patterns import pattern
from indexer.languages.javascript.walker import Walker
from indexer.model import Expression

if TYPE_CHECKING:
    from tree_sitter import Node

Names = list[tuple[str, int, int]]
"""(name, position, symbol or -1) of what a declaration binds."""


def unwrapped(w: Walker, node: Node) -> Node:
    """A function, class or object literal inside parentheses and casts; the types of casts are visited then."""
    wrappers, ids = w.ids.wrappers, w.ids
    inner, around = node, []
    while inner.kind_id in wrappers:
        around.append(inner)
        kids = [kid for kid in inner.named_children if kid.kind_id != ids.comment]
        if not kids:
            return node
        inner = kids[-1] if inner.kind_id == ids.type_assertion else kids[0]
    if not around or not is_definition(w, inner):
        return inner if not around else node
    for outer in around:
        kids = outer.named_children
        if outer.kind_id == ids.type_assertion:
            w.type(kids[0])
        else:
            for kid in kids[1:]:
                w.type(kid)
    return inner


def is_definition(w: Walker, node: Node) -> bool:
    kind = node.kind_id
    return kind in w.ids.functions or kind == w.ids.object or kind == w.ids.class_


def declaration(w: Walker, node: Node) -> Names:
    """All declarators of a statement; returns the names they bind."""
    lead = w.take_lead(node)
    ids = w.ids
    scope = w.hoist if node.kind_id == ids.variable_declaration else w.scope
    names: Names = []
    whole = lead
    for kid in node.named_children:
        if kid.kind_id == ids.variable_declarator:
            declarator(w, kid, scope, whole if not names else kid, names)
        elif kid.kind_id != ids.comment:
            w.visit(kid)
    return names


def declarator(w: Walker, node: Node, scope: int, whole: Node, names: Names) -> None:
    ids = w.ids
    kids = node.named_children
    target = kids[0]
    value: Node | None = None
    annotation: Expression = None
    for kid in kids[1:]:
        if kid.kind_id == ids.type_annotation:
            annotation = w.type(kid)
        elif kid.kind_id != ids.comment:
            value = kid
    if target.kind_id == ids.identifier:
        _named(w, node, scope, whole, target, value, annotation, names)
    else:
        _destructured(w, node, scope, whole, target, value, annotation, names)


def _named(
    w: Walker,
    node: Node,
    scope: int,
    whole: Node,
    target: Node,
    value: Node | None,
    annotation: Expression,
    names: Names,
) -> None:
    name, at, end = w.name(target), target.start_byte, node.end_byte
    inner = unwrapped(w, value) if value is not None and value.kind_id in w.ids.wrappers else value
    kind = -1 if inner is None else inner.kind_id
    symbol = -1
    expression: Expression = None
    if inner is not None and kind in w.ids.functions:
        symbol = named_function(w, inner, name, target, whole)
        w.bind(scope, name, SYMBOL, at, symbol)
    elif inner is not None and kind == w.ids.class_:
        symbol = bound_class(w, inner, name, target, whole)
        w.bind(scope, name, SYMBOL, at, symbol)
    else:
        asked = inner is not None and is_require(w, inner)
        if scope in w.levels and not asked:
            symbol = w.define(name, "variable", whole, target, 0, 0, end=node)
        if inner is not None and kind == w.ids.object:
            holder = Holder(name, target, whole if whole.kind_id != w.ids.variable_declarator else node, symbol)
            expression = bound_object(w, inner, holder)
            symbol = holder.symbol
        elif value is not None:
            expression = w.expr(value)
        w.bind(scope, name, VALUE, at, symbol, expression, annotation, end)
    names.append((name, at, symbol))


def is_require(w: Walker, node: Node) -> bool:
    return w.text.startswith(b"require", node.start_byte) and node.kind_id == w.ids.call_expression


def _destructured(
    w: Walker,
    node: Node,
    scope: int,
    whole: Node,
    target: Node,
    value: Node | None,
    annotation: Expression,
    names: Names,
) -> None:
    end = node.end_byte
    source = None if value is None else w.expr(value)
    define = scope in w.levels and (value is None or not is_require(w, value))

    def bind(name: str, position: int, expression: Expression) -> None:
        symbol = -1
        if define:
            symbol = w.add_symbol(
                name,
                w.prefix + name,
                "variable",
                w.symbol,
                (whole.start_byte, end, whole.start_point[0] + 1, node.end_point[0] + 1),
                (w.text.count(b"\n", node.start_byte, position) + node.start_point[0] + 1, position),
                "",
                0,
            )
        w.bind(scope, name, VALUE, position, symbol, expression, None, end)
        names.append((name, position, symbol))

    pattern(w, target, source, bind)


VISITS: Final[dict[str, Handler]] = {
    "lexical_declaration": declaration,
    "variable_declaration": declaration,
}
