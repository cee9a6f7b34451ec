"""Functions: their symbols, parameters, bodies and what they return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexer.languages.javascript.calls import decorators
from indexer.languages.javascript.expressions import first
from indexer.languages.javascript.facts import ASYNC, GENERATOR, SYMBOL, VALUE
from indexer.languages.javascript.kinds import Handler
from indexer.languages.javascript.patterns import Bind, pattern
from indexer.languages.javascript.statements import block_body
from indexer.languages.javascript.walker import DEPTH_LIMIT, PARAMETER, STAR, Frame, Walker
from indexer.model import Expression, Function

if TYPE_CHECKING:
    from tree_sitter import Node

MEMBER: Final = "member"
"""As `this` of a function: it is a member of a class, whose instance `this` is."""


def function_flags(w: Walker, node: Node) -> int:
    """ASYNC and GENERATOR of a function that is not a method."""
    head = w.text[node.start_byte : node.start_byte + 6]
    flags = 0
    if head[:5] == b"async" and not head[5:].isalnum():
        flags |= ASYNC
    if node.kind_id in w.ids.generators:
        flags |= GENERATOR
    return flags


def named_function(
    w: Walker,
    node: Node,
    name: str,
    name_node: Node,
    whole: Node,
    *,
    kind: str = "function",
    flags: int = 0,
    parent: int = -1,
    this: Expression = None,
    head: int = -1,
) -> int:
    """Symbol and facts of a function that has a name; `head` is where its signature starts (default: the name)."""
    kids = node.named_children
    flags |= function_flags(w, node)
    start = name_node.start_byte if head < 0 else head
    symbol = w.define(name, kind, whole, name_node, start, kids[-1].start_byte, flags, parent, node)
    read_function(w, node, symbol, kids, this)
    return symbol


def anonymous_function(w: Walker, node: Node) -> Expression:
    """A function in the middle of an expression; one that names itself keeps its name."""
    kids = node.named_children
    ids = w.ids
    if kids and kids[0].kind_id == ids.identifier and node.kind_id != ids.arrow_function:
        name_node = kids[0]
        symbol = named_function(w, node, w.name(name_node), name_node, node, head=node.start_byte)
    else:
        symbol = w.define_anonymous(node, "lambda", kids[-1].start_byte if kids else 0, function_flags(w, node))
        read_function(w, node, symbol, kids)
    return w.row("symbol", symbol)


def function_declaration(w: Walker, node: Node) -> int:
    whole = w.take_lead(node)
    ids = w.ids
    name_node = next((kid for kid in node.named_children if kid.kind_id == ids.identifier), None)
    if name_node is None:
        w.visit_all(node.named_children)
        return -1
    name = w.name(name_node)
    symbol = named_function(w, node, name, name_node, whole, head=node.start_byte)
    w.bind(w.scope, name, SYMBOL, name_node.start_byte, symbol)
    return symbol


def read_function(
    w: Walker,
    node: Node,
    symbol: int,
    kids: list[Node],
    this: Expression = None,
    decorated: tuple[Expression, ...] = (),
    member_of: int = -1,
) -> None:
    """Scope, parameters, body and returns of a function. `this` is None where nothing is known of it."""
    ids = w.ids
    saved = w.save()
    scope = w.open_symbol_scope(symbol, "function")
    w.scope = w.hoist = scope
    w.symbol = w.home = symbol
    w.prefix = w.symbols[symbol][1] + "."
    w.branch = None
    frame = w.frame = Frame()
    arrow = node.kind_id == ids.arrow_function
    if not arrow and this != MEMBER:
        w.owner = None
        w.bind_this(node.start_byte, this)
        _bind_own_name(w, node, kids, symbol)
    w.depth += 3
    annotation = _head(w, kids, arrow)
    if kids:
        body = kids[-1]
        if body.kind_id == ids.statement_block:
            if w.depth < DEPTH_LIMIT:
                block_body(w, body)
            else:
                w.too_deep(body)
        elif arrow:
            frame.returns.append(w.expr(body))
    w.depth -= 3
    w.functions.append(Function(symbol, scope, annotation, tuple(frame.returns[:20]), tuple(frame.yields), decorated))
    w.restore(saved)


def _bind_own_name(w: Walker, node: Node, kids: list[Node], symbol: int) -> None:
    """A function expression sees its own name."""
    if node.kind_id in w.ids.function_expressions and kids and kids[0].kind_id == w.ids.identifier:
        w.bind(w.scope, w.name(kids[0]), SYMBOL, kids[0].start_byte, symbol)


def _head(w: Walker, kids: list[Node], arrow: bool) -> Expression:
    """Type parameters, parameters and the declared return type."""
    ids = w.ids
    annotation: Expression = None
    for kid in kids:
        kind = kid.kind_id
        if kind == ids.formal_parameters:
            parameters(w, kid)
        elif kind == ids.type_parameters:
            w.type(kid)
        elif kind in ids.return_types:
            annotation = w.type(kid)
        elif arrow and kind == ids.identifier and kid is not kids[-1]:
            w.bind(w.scope, w.name(kid), PARAMETER, kid.start_byte, 0)
    return annotation


def parameters(w: Walker, node: Node) -> None:
    ids = w.ids
    place = 0
    for kid in node.named_children:
        kind = kid.kind_id
        if kind == ids.comment:
            continue
        if kind == ids.required_parameter or kind == ids.optional_parameter:
            place += typed_parameter(w, kid, place)
        elif kind == ids.assignment_pattern:
            kids = kid.named_children
            parameter(w, kids[0], place, None, w.expr(kids[-1]) if len(kids) > 1 else None)
            place += 1
        else:
            parameter(w, kid, place, None, None)
            place += 1


def parameter(w: Walker, node: Node, place: int, annotation: Expression, default: Expression) -> None:
    """One parameter. A destructured one has the name "", which is what its names take their values from."""
    kind, ids = node.kind_id, w.ids
    start = node.start_byte
    if kind == ids.identifier:
        w.bind(w.scope, w.name(node), PARAMETER, start, place, default, annotation)
    elif kind == ids.rest_pattern:
        inner = first(w, node)
        if inner is not None and inner.kind_id == ids.identifier:
            w.bind(w.scope, w.name(inner), STAR, inner.start_byte, place, None, annotation)
        elif inner is not None:
            w.bind(w.scope, "", STAR, start, place, None, annotation)
            pattern(w, inner, None, _binder(w))
    elif kind == ids.object_pattern or kind == ids.array_pattern:
        w.bind(w.scope, "", PARAMETER, start, place, default, annotation)
        source: Expression = None if annotation is None and default is None else ""
        pattern(w, node, source, _binder(w))
    else:
        w.visit(node)


def _binder(w: Walker) -> Bind:
    scope = w.scope
    return lambda name, position, expression: w.bind(scope, name, VALUE, position, -1, expression)


def typed_parameter(w: Walker, node: Node, place: int) -> int:
    """A TypeScript parameter; returns how many places it takes (`this` takes none)."""
    ids = w.ids
    target: Node | None = None
    annotation: Expression = None
    default: Expression = None
    is_property = False
    for kid in node.named_children:
        kind = kid.kind_id
        if kind == ids.type_annotation:
            annotation = w.type(kid)
        elif kind == ids.accessibility_modifier or kind == ids.override_modifier:
            is_property = True
        elif kind == ids.decorator:
            decorators(w, [kid])
        elif kind == ids.comment:
            continue
        elif target is None:
            target = kid
        else:
            default = w.expr(kid)
    if target is None:
        return 1
    if target.kind_id == ids.this:
        w.bind(w.scope, "this", VALUE, target.start_byte, -1, None, annotation)
        return 0
    parameter(w, target, place, annotation, default)
    words = w.text[node.start_byte : target.start_byte].split()
    if (is_property or b"readonly" in words) and w.owner is not None and target.kind_id == ids.identifier:
        name = w.name(target)
        w.set_member(w.owner, name, node, target.start_byte, name, annotation)
    return 1


VALUES: Final[dict[str, Handler]] = {
    "arrow_function": anonymous_function,
    "function_expression": anonymous_function,
    "generator_function": anonymous_function,
}

VISITS: Final[dict[str, Handler]] = {
    **VALUES,
    "function_declaration": function_declaration,
    "generator_function_declaration": function_declaration,
}
