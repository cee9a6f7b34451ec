"""Members of interfaces and of object types that have a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.languages.javascript.facts import DECLARATION, PROPERTY, SETTER, SYMBOL, VALUE
from indexer.languages.javascript.functions import MEMBER, read_function
from indexer.languages.javascript.names import method_head
from indexer.languages.javascript.walker import Walker
from indexer.model import Expression

if TYPE_CHECKING:
    from tree_sitter import Node


def read_members(w: Walker, body: Node, symbol: int) -> None:
    """Signatures as symbols of the interface or alias; call and index signatures for the names in them."""
    ids = w.ids
    saved = w.save()
    scope = w.open_symbol_scope(symbol, "class")
    inner = w.open_scope("block", scope, symbol)
    w.symbol, w.prefix, w.scope = symbol, w.symbols[symbol][1] + ".", inner
    for kid in body.named_children:
        if kid.kind_id == ids.method_signature:
            _method(w, kid, scope, inner)
        elif kid.kind_id == ids.property_signature:
            _property(w, kid, scope)
        elif kid.kind_id != ids.comment:
            w.type(kid)
    w.restore(saved)


def _method(w: Walker, node: Node, scope: int, inner: int) -> None:
    head = method_head(w, node)
    if head is None:
        return
    flags = head.flags | DECLARATION
    symbol = w.define(head.name, "method", node, head.name_node, head.start, node.end_byte, flags)
    w.bind(scope, head.name, SYMBOL, head.name_node.start_byte, symbol)
    w.scope = scope
    read_function(w, node, symbol, node.named_children, MEMBER)
    w.scope = inner


def _property(w: Walker, node: Node, scope: int) -> None:
    head = method_head(w, node)
    if head is None:
        return
    flags = head.flags & ~(PROPERTY | SETTER) | DECLARATION
    symbol = w.define(head.name, "attribute", node, head.name_node, head.start, node.end_byte, flags)
    annotation: Expression = None
    for kid in node.named_children:
        if kid.kind_id == w.ids.type_annotation:
            annotation = w.type(kid)
    w.bind(scope, head.name, VALUE, head.name_node.start_byte, symbol, None, annotation)
