"""What TypeScript declares beside JavaScript: interfaces, aliases, enums, namespaces, signatures, `declare`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from indexer.languages.javascript.classes import class_declaration
from indexer.languages.javascript.declarations import Names
from indexer.languages.javascript.expressions import READ
from indexer.languages.javascript.facts import DECLARATION, OVERLOAD, STATIC, SYMBOL, TYPE_ONLY, VALUE
from indexer.languages.javascript.functions import read_function
from indexer.languages.javascript.kinds import Handler
from indexer.languages.javascript.walker import Walker
from indexer.languages.typescript.members import read_members
from indexer.model import Class, Expression

if TYPE_CHECKING:
    from tree_sitter import Node

_SHORT_ALIAS: Final = 120


def interface(w: Walker, node: Node) -> int:
    lead = w.take_lead(node)
    ids = w.ids
    kids = node.named_children
    body = kids[-1]
    name_node = kids[0]
    name = w.name(name_node)
    symbol = w.define(name, "interface", lead, name_node, node.start_byte, body.start_byte, TYPE_ONLY, end=node)
    w.bind(w.scope, name, SYMBOL, name_node.start_byte, symbol)
    saved = w.generics
    bases: list[Expression] = []
    for kid in kids[1:]:
        if kid.kind_id == ids.type_parameters:
            w.type(kid)
        elif kid.kind_id == ids.extends_type_clause:
            bases += [w.base_type(part) for part in kid.named_children if part.kind_id != ids.comment]
    w.classes.append(Class(symbol, w.scope, tuple(bases), (), (), ()))
    if body is not name_node:
        read_members(w, body, symbol)
    w.generics = saved
    return symbol


def type_alias(w: Walker, node: Node) -> int:
    """The annotation of an alias's binding is the type that it stands for."""
    lead = w.take_lead(node)
    kids = node.named_children
    name_node, value = kids[0], kids[-1]
    name = w.name(name_node)
    whole = node.end_byte - node.start_byte <= _SHORT_ALIAS
    end = node.end_byte if whole else value.start_byte
    symbol = w.define(name, "type", lead, name_node, node.start_byte, end, TYPE_ONLY, end=node)
    w.symbols[symbol][12] = w.symbols[symbol][12].removesuffix("=").rstrip()
    saved = w.generics
    for kid in kids[1:-1]:
        w.type(kid)
    annotation: Expression = None
    if value.kind_id == w.ids.object_type:
        read_members(w, value, symbol)
    elif value is not name_node:
        annotation = w.type(value)
    w.generics = saved
    w.bind(w.scope, name, SYMBOL, name_node.start_byte, symbol, None, annotation)
    return symbol


def enum(w: Walker, node: Node) -> int:
    """Members are visible by their bare names in the initialisers of later ones."""
    lead = w.take_lead(node)
    ids = w.ids
    kids = node.named_children
    name_node, body = kids[0], kids[-1]
    name = w.name(name_node)
    symbol = w.define(name, "enum", lead, name_node, node.start_byte, body.start_byte, end=node)
    w.bind(w.scope, name, SYMBOL, name_node.start_byte, symbol)
    outer = w.scope
    w.scope = w.open_symbol_scope(symbol, "block")
    for kid in body.named_children:
        if kid.kind_id == ids.comment:
            continue
        parts = kid.named_children if kid.kind_id == ids.enum_assignment else [kid]
        member = w.name(parts[0]).strip("'\"`")
        number = w.define(member, "attribute", kid, parts[0], kid.start_byte, kid.end_byte, STATIC, symbol)
        value = w.expr(parts[-1]) if len(parts) > 1 else None
        w.bind(w.scope, member, VALUE, parts[0].start_byte, number, value)
    w.scope = outer
    return symbol


def namespace(w: Walker, node: Node) -> int:
    """`namespace A.B {}` and `module "x" {}`."""
    lead = w.take_lead(node)
    kids = node.named_children
    name_node, body = kids[0], kids[-1]
    name = w.name(name_node).strip("'\"")
    symbol = w.define(name, "namespace", lead, name_node, node.start_byte, body.start_byte, end=node)
    if name_node.kind_id != w.ids.string:
        w.bind(w.scope, name.partition(".")[0], SYMBOL, name_node.start_byte, symbol)
    if body.kind_id == w.ids.statement_block:
        saved = w.save()
        w.scope = w.hoist = w.open_symbol_scope(symbol, "block")
        w.levels.add(w.scope)
        w.symbol, w.prefix = symbol, w.symbols[symbol][1] + "."
        w.visit_all(body.named_children)
        w.restore(saved)
    return symbol


def function_signature(w: Walker, node: Node) -> int:
    lead = w.take_lead(node)
    kids = node.named_children
    name_node = kids[0]
    name = w.name(name_node)
    flags = DECLARATION if w.ambient else OVERLOAD | DECLARATION
    symbol = w.define(name, "function", lead, name_node, node.start_byte, node.end_byte, flags, end=node)
    w.bind(w.scope, name, SYMBOL, name_node.start_byte, symbol)
    read_function(w, node, symbol, kids)
    return symbol


def ambient(w: Walker, node: Node) -> Any:
    """`declare …`: returns what the declaration inside returns."""
    lead = w.take_lead(node)
    outer, w.ambient = w.ambient, True
    declared: Any = None
    for kid in node.named_children:
        if kid.kind_id == w.ids.statement_block:
            _global(w, kid)
        elif kid.kind_id != w.ids.comment:
            w.lead = lead
            declared = w.visits[kid.kind_id](w, kid)
            w.lead = None
    w.ambient = outer
    return declared


def _global(w: Walker, body: Node) -> None:
    """`declare global {}`: names of every file, not of this module."""
    saved = w.save()
    w.scope = w.hoist = w.open_scope("block", w.scope, w.symbol)
    w.levels.add(w.scope)
    w.visit_all(body.named_children)
    w.restore(saved)


def import_alias(w: Walker, node: Node) -> Names:
    """`import a = b.c`."""
    w.lead = None
    kids = node.named_children
    name_node, source = kids[0], kids[-1]
    name = w.name(name_node)
    chain = "".join(w.name(source).split())
    w.uses[w.scope, chain, READ].append(source.start_byte)
    w.bind(w.scope, name, VALUE, name_node.start_byte, -1, chain)
    return [(name, name_node.start_byte, -1)]


def cast(w: Walker, node: Node) -> Expression:
    """`x as T`, `x satisfies T`, `x!`, `f<T>`: the value of `x`."""
    comment = w.ids.comment
    kids = [kid for kid in node.named_children if kid.kind_id != comment]
    value = w.expr(kids[0])
    for kid in kids[1:]:
        w.type(kid)
    return value


def old_cast(w: Walker, node: Node) -> Expression:
    """`<T>x`."""
    kids = node.named_children
    w.type(kids[0])
    return w.expr(kids[-1])


def visit_types(w: Walker, node: Node) -> None:
    w.type(node)


VALUES: Final[dict[str, Handler]] = {
    "as_expression": cast,
    "satisfies_expression": cast,
    "non_null_expression": cast,
    "instantiation_expression": cast,
}

VISITS: Final[dict[str, Handler]] = {
    **VALUES,
    "interface_declaration": interface,
    "type_alias_declaration": type_alias,
    "enum_declaration": enum,
    "internal_module": namespace,
    "module": namespace,
    "function_signature": function_signature,
    "ambient_declaration": ambient,
    "import_alias": import_alias,
    "abstract_class_declaration": class_declaration,
    "type_annotation": visit_types,
    "type_arguments": visit_types,
    "type_parameters": visit_types,
    "type_identifier": visit_types,
}
