"""Classes: bases, members, fields, and what their methods set on `this`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexer.languages.javascript.calls import decorators
from indexer.languages.javascript.expressions import use
from indexer.languages.javascript.facts import ABSTRACT, DECLARATION, OVERLOAD, PROPERTY, STATIC, SYMBOL, VALUE
from indexer.languages.javascript.functions import MEMBER, function_flags, read_function
from indexer.languages.javascript.kinds import Handler
from indexer.languages.javascript.names import Head, method_head
from indexer.languages.javascript.statements import block_body
from indexer.languages.javascript.walker import DEPTH_LIMIT, Owner, Walker
from indexer.model import Class, Expression, Role

if TYPE_CHECKING:
    from tree_sitter import Node

BASE: Final = int(Role.BASE)


def class_declaration(w: Walker, node: Node) -> int:
    lead = w.take_lead(node)
    name_node = _own_name(w, node)
    if name_node is None:
        w.visit_all(node.named_children)
        return -1
    name = w.name(name_node)
    flags = ABSTRACT if node.kind_id == w.ids.abstract_class_declaration else 0
    symbol = _define(w, node, name, name_node, lead, flags)
    w.bind(w.scope, name, SYMBOL, name_node.start_byte, symbol)
    read_class(w, node, symbol, lead)
    return symbol


def class_expression(w: Walker, node: Node) -> Expression:
    name_node = _own_name(w, node)
    if name_node is None:
        symbol = w.define_anonymous(node, "class", _body_start(w, node))
    else:
        symbol = _define(w, node, w.name(name_node), name_node, node, 0)
    read_class(w, node, symbol, node)
    return w.row("symbol", symbol)


def bound_class(w: Walker, node: Node, name: str, name_node: Node, whole: Node) -> int:
    """A class expression that is bound to a name."""
    head = node.start_byte
    symbol = w.define(name, "class", whole, name_node, head, _body_start(w, node), 0, -1, node)
    read_class(w, node, symbol, node)
    return symbol


def _define(w: Walker, node: Node, name: str, name_node: Node, whole: Node, flags: int) -> int:
    head = node.start_byte
    for kid in node.named_children:
        if kid.kind_id == w.ids.decorator:
            head = kid.end_byte
    return w.define(name, "class", whole, name_node, head, _body_start(w, node), flags, -1, node)


def _own_name(w: Walker, node: Node) -> Node | None:
    names = w.ids.class_names
    return next((kid for kid in node.named_children if kid.kind_id in names), None)


def _body_start(w: Walker, node: Node) -> int:
    kids = node.named_children
    return kids[-1].start_byte if kids else node.end_byte


def read_class(w: Walker, node: Node, symbol: int, lead: Node) -> None:
    """Decorators, bases and members."""
    ids = w.ids
    saved = w.save()
    around = w.scope
    used = [kid for kid in lead.named_children if kid.kind_id == ids.decorator] if lead != node else []
    bases: list[Expression] = []
    implements: list[Expression] = []
    body: Node | None = None
    for kid in node.named_children:
        kind = kid.kind_id
        if kind == ids.decorator:
            used.append(kid)
        elif kind == ids.type_parameters:
            w.type(kid)
        elif kind == ids.class_heritage:
            _heritage(w, kid, bases, implements)
        elif kind == ids.class_body:
            body = kid
    decorated = decorators(w, used)
    scope = w.open_symbol_scope(symbol, "class")
    own = w.declared[scope]
    w.classes.append(Class(symbol, around, tuple(bases), (), decorated, tuple(implements)))
    w.symbol, w.prefix, w.scope = symbol, w.symbols[symbol][1] + ".", scope
    owner = w.owner = Owner(symbol, scope)
    if body is not None and w.depth < DEPTH_LIMIT:
        w.depth += 3
        _members(w, body, owner, own)
        w.depth -= 3
    elif body is not None:
        w.too_deep(body)
    w.place_members(owner)
    w.restore(saved)


def _heritage(w: Walker, node: Node, bases: list[Expression], implements: list[Expression]) -> None:
    ids = w.ids
    for kid in node.named_children:
        kind = kid.kind_id
        if kind == ids.extends_clause:
            for part in kid.named_children:
                if part.kind_id == ids.type_arguments:
                    w.type(part)
                elif part.kind_id != ids.comment:
                    bases.append(use(w, part, BASE))
        elif kind == ids.implements_clause:
            implements += [w.base_type(part) for part in kid.named_children if part.kind_id != ids.comment]
        elif kind != ids.comment:
            bases.append(use(w, kid, BASE))


def _members(w: Walker, body: Node, owner: Owner, own: dict[str, int]) -> None:
    ids = w.ids
    before: list[Node] = []  # decorators that stand as siblings before their member
    for kid in body.named_children:
        kind = kid.kind_id
        if kind == ids.method_definition or kind == ids.method_signature or kind == ids.abstract_method_signature:
            _method(w, kid, owner, before)
            before = []
        elif kind == ids.field_definition or kind == ids.public_field_definition:
            _field(w, kid, owner, before)
            before = []
        elif kind == ids.decorator:
            before.append(kid)
        elif kind == ids.class_static_block:
            _static_block(w, kid, owner)
        elif kind == ids.index_signature:
            w.type(kid)
        elif kind != ids.comment:
            w.visit(kid)


def _method(w: Walker, node: Node, owner: Owner, before: list[Node]) -> None:
    ids = w.ids
    with_body = node.kind_id == ids.method_definition
    head = _in_class(w, owner, node)
    if head is None:
        return
    kids = node.named_children
    flags = head.flags
    if not with_body:
        if node.kind_id == ids.abstract_method_signature:
            flags |= ABSTRACT | DECLARATION
        else:
            flags |= DECLARATION if w.ambient else OVERLOAD
    used = before + head.decorators
    whole = used[0] if used and used[0].start_byte < node.start_byte else node
    end = kids[-1].start_byte if with_body else node.end_byte
    symbol = w.define(head.name, "method", whole, head.name_node, head.start, end, flags, end=node)
    decorated = decorators(w, used) if used else ()
    owner.members.setdefault(head.name, symbol)
    w.bind(owner.scope, head.name, SYMBOL, head.name_node.start_byte, symbol)
    owner.static = bool(flags & STATIC)
    read_function(w, node, symbol, kids, MEMBER, decorated)
    owner.static = False


def _in_class(w: Walker, owner: Owner, node: Node) -> Head | None:
    """The head of a member; a computed name is read where field initialisers are."""
    scope = w.scope
    if any(kid.kind_id == w.ids.computed_property_name for kid in node.named_children[:4]):
        w.scope = w.initial_scope(owner)
    head = method_head(w, node)
    w.scope = scope
    return head


def _field(w: Walker, node: Node, owner: Owner, before: list[Node]) -> None:
    ids = w.ids
    head = _in_class(w, owner, node)
    if head is None:
        return
    w.scope = w.initial_scope(owner)
    used = before + head.decorators
    whole = used[0] if used and used[0].start_byte < node.start_byte else node
    decorators(w, used)
    value: Node | None = None
    annotation: Expression = None
    for kid in node.named_children:
        if kid.kind_id == ids.type_annotation:
            annotation = w.type(kid)
        elif kid.start_byte > head.name_node.start_byte and kid.kind_id != ids.comment:
            value = kid
    owner.static = bool(head.flags & STATIC)
    if value is not None and value.kind_id in ids.functions:
        _function_field(w, node, owner, head, whole, value)
    else:
        end = value.start_byte if value is not None else node.end_byte
        start = head.start if annotation is not None else end
        flags = head.flags & ~PROPERTY if annotation is not None or value is not None else head.flags
        symbol = w.define(head.name, "attribute", whole, head.name_node, start, end, flags, end=node)
        _trim(w, symbol)
        owner.members.setdefault(head.name, symbol)
        expression = None if value is None else w.expr(value)
        at = head.name_node.start_byte
        w.bind(owner.scope, head.name, VALUE, at, symbol, expression, annotation, node.end_byte)
    owner.static = False
    w.scope = owner.scope


def _trim(w: Walker, symbol: int) -> None:
    """A field's signature ends before its `=`."""
    row = w.symbols[symbol]
    row[12] = row[12].removesuffix("=").rstrip()


def _function_field(w: Walker, node: Node, owner: Owner, head: Head, whole: Node, value: Node) -> None:
    kids = value.named_children
    flags = head.flags | function_flags(w, value)
    end = kids[-1].start_byte if kids else value.end_byte
    symbol = w.define(head.name, "method", whole, head.name_node, head.start, end, flags, end=node)
    owner.members.setdefault(head.name, symbol)
    w.bind(owner.scope, head.name, SYMBOL, head.name_node.start_byte, symbol)
    read_function(w, value, symbol, kids, MEMBER)


def _static_block(w: Walker, node: Node, owner: Owner) -> None:
    w.scope = w.initial_scope(owner)
    hoist = w.hoist
    owner.static = True
    for kid in node.named_children:
        if kid.kind_id == w.ids.statement_block:
            w.scope = w.hoist = w.open_scope("block", w.scope, owner.symbol)
            block_body(w, kid)
    owner.static = False
    w.hoist = hoist
    w.scope = owner.scope


VALUES: Final[dict[str, Handler]] = {"class": class_expression}
VISITS: Final[dict[str, Handler]] = {"class": class_expression, "class_declaration": class_declaration}
