"""Types as annotations: the names they use, and what a value of the type is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexer.languages.javascript.calls import nothing
from indexer.languages.javascript.expressions import first
from indexer.languages.javascript.kinds import Handler
from indexer.languages.javascript.walker import ANNOTATION, Walker
from indexer.model import Expression

if TYPE_CHECKING:
    from tree_sitter import Node

_PREDEFINED: Final = {b"string": "str", b"number": "float", b"boolean": "bool", b"void": "none"}
_LITERALS: Final = {
    "string": "str",
    "number": "float",
    "true": "bool",
    "false": "bool",
    "null": "none",
    "undefined": "none",
}


def other_type(w: Walker, node: Node) -> Expression:
    """Any other type: its parts are read, what it denotes is not followed."""
    for kid in node.named_children:
        w.type(kid)
    return w.unknown()


def scoped_type(w: Walker, node: Node) -> Expression:
    """A type that declares type parameters for itself; names it infers belong to the conditional type around."""
    saved, count = w.generics, len(w.inferred)
    other_type(w, node)
    w.generics = saved
    if len(w.inferred) > count:
        w.generics = {**saved, **dict.fromkeys(w.inferred[count:], w.unknown())}
    return w.unknown()


def conditional_type(w: Walker, node: Node) -> Expression:
    """`A extends B ? C : D`: what `infer` names in `B` ends with it."""
    saved, count = w.generics, len(w.inferred)
    other_type(w, node)
    w.generics = saved
    del w.inferred[count:]
    return w.unknown()


def type_name(w: Walker, node: Node) -> Expression:
    start = node.start_byte
    name = w.text[start : node.end_byte].decode("utf-8", "replace")
    role, w.type_role = w.type_role, ANNOTATION
    if name in w.generics:
        return w.generics[name]
    w.uses[w.scope, name, role].append(start)
    return name


def qualified_type(w: Walker, node: Node) -> Expression:
    """`A.B.C`."""
    start = node.start_byte
    chain = "".join(w.text[start : node.end_byte].decode("utf-8", "replace").split())
    role, w.type_role = w.type_role, ANNOTATION
    w.uses[w.scope, chain, role].append(start)
    return chain


def inner_type(w: Walker, node: Node) -> Expression:
    """Wrappers that do not change what a value is: the annotation's colon, parentheses, `readonly`, `?`."""
    inner = first(w, node)
    return w.unknown() if inner is None else w.type(inner)


def generic_type(w: Walker, node: Node) -> Expression:
    kids = node.named_children
    base = w.type(kids[0])
    return w.row("item", base, type_arguments(w, kids[-1])) if len(kids) > 1 else base


def type_arguments(w: Walker, node: Node) -> Expression:
    comment = w.ids.comment
    given = tuple([w.type(kid) for kid in node.named_children if kid.kind_id != comment])
    if not given:
        return None
    return given[0] if len(given) == 1 else w.row("tuple", given)


def array_type(w: Walker, node: Node) -> Expression:
    return w.row("item", "Array", inner_type(w, node))


def union_type(w: Walker, node: Node) -> Expression:
    """Unions, and intersections: a member of the value is one of a part's. `null` and `undefined` are left out."""
    none, kind, comment = w.row("literal", "none"), node.kind_id, w.ids.comment
    parts: list[Node] = []
    while True:
        kids = [kid for kid in node.named_children if kid.kind_id != comment]
        parts += kids[:0:-1]
        if not kids:
            break
        node = kids[0]
        if node.kind_id != kind:
            parts.append(node)
            break
    given = dict.fromkeys(w.type(part) for part in parts[::-1])
    given.pop(none, None)
    if not given:
        return none
    return w.row("union", tuple(given)) if len(given) > 1 else next(iter(given))


def predefined_type(w: Walker, node: Node) -> Expression:
    kind = _PREDEFINED.get(w.text[node.start_byte : node.end_byte])
    return w.row("literal", kind) if kind else w.unknown()


def literal_type(w: Walker, node: Node) -> Expression:
    inner = first(w, node)
    kind = None if inner is None else _LITERALS.get(inner.type)
    return w.row("literal", kind) if kind else w.unknown()


def tuple_type(w: Walker, node: Node) -> Expression:
    comment = w.ids.comment
    return w.row("tuple", tuple([w.type(kid) for kid in node.named_children if kid.kind_id != comment]))


def this_type(w: Walker, node: Node) -> Expression:
    return "this"


def type_query(w: Walker, node: Node) -> Expression:
    """`typeof x`: the type of a value."""
    for kid in node.named_children:
        if kid.kind_id == w.ids.type_arguments:
            w.type(kid)
        else:
            w.visit(kid)
    return w.unknown()


def value_type(w: Walker, node: Node) -> Expression:
    """`import("x").Name` as a type."""
    before = len(w.imports)
    expression = w.expr(node)
    for number in range(before, len(w.imports)):
        w.imports[number] = w.imports[number]._replace(type_only=True)
    return expression


def type_parameters(w: Walker, node: Node) -> Expression:
    """From here to the end of the declaration the names mean their constraints."""
    names = [kid for kid in node.named_children if kid.kind_id == w.ids.type_parameter]
    unknown = w.unknown()
    w.generics = {**w.generics, **{w.name(kid.named_children[0]): unknown for kid in names if kid.named_children}}
    for kid in names:
        for part in kid.named_children[1:]:
            constraint = w.type(part)
            if part.kind_id == w.ids.constraint:
                w.generics[w.name(kid.named_children[0])] = constraint
    return None


def infer_type(w: Walker, node: Node) -> Expression:
    """`infer U`, `infer U extends V`."""
    kids = node.named_children
    for kid in kids[1:]:
        w.type(kid)
    if kids:
        name = w.name(kids[0])
        w.inferred.append(name)
        w.generics = {**w.generics, name: w.unknown()}
    return w.unknown()


def mapped_type(w: Walker, node: Node) -> Expression:
    """`K in keyof T`: the name stands for a type up to the end of the object type."""
    kids = node.named_children
    if kids:
        w.generics = {**w.generics, w.name(kids[0]): w.unknown()}
    for kid in kids[1:]:
        w.type(kid)
    return w.unknown()


def computed_name(w: Walker, node: Node) -> Expression:
    w.visit_all(node.named_children)
    return None


_SCOPED: Final = """
function_type constructor_type method_signature call_signature construct_signature object_type
type_predicate_annotation asserts_annotation index_signature
"""
_NAMELESS: Final = """
identifier property_identifier private_property_identifier string number comment this object_pattern array_pattern
accessibility_modifier override_modifier
"""

TYPES: Final[dict[str, Handler]] = {
    "type_identifier": type_name,
    "nested_type_identifier": qualified_type,
    "type_annotation": inner_type,
    "parenthesized_type": inner_type,
    "readonly_type": inner_type,
    "optional_type": inner_type,
    "constraint": inner_type,
    "default_type": inner_type,
    "generic_type": generic_type,
    "type_arguments": type_arguments,
    "array_type": array_type,
    "union_type": union_type,
    "intersection_type": union_type,
    "predefined_type": predefined_type,
    "literal_type": literal_type,
    "tuple_type": tuple_type,
    "this_type": this_type,
    "type_query": type_query,
    "type_parameters": type_parameters,
    "infer_type": infer_type,
    "mapped_type_clause": mapped_type,
    "conditional_type": conditional_type,
    "computed_property_name": computed_name,
    "member_expression": value_type,
    "call_expression": value_type,
    "subscript_expression": value_type,
    **dict.fromkeys(_SCOPED.split(), scoped_type),
    **dict.fromkeys(_NAMELESS.split(), nothing),
}
