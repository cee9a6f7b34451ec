"""Names of properties and members, and the words before them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from indexer.languages.javascript.facts import ABSTRACT, ASYNC, GENERATOR, PROPERTY, SETTER, STATIC
from indexer.languages.javascript.walker import Walker

if TYPE_CHECKING:
    from tree_sitter import Node

_FLAGS = {
    b"static": STATIC,
    b"async": ASYNC,
    b"get": PROPERTY,
    b"set": SETTER,
    b"abstract": ABSTRACT,
}


class Head(NamedTuple):
    """What stands before the parameters of a method, or before the value of a field."""

    name: str
    name_node: Node
    plain: bool  # whether the name is known without running anything
    flags: int
    decorators: list[Node]
    start: int  # of the words before the name, decorators excluded


def property_name(w: Walker, node: Node) -> tuple[str, bool]:
    """The name of a property, and whether it is a plain one; expressions in a computed name are visited."""
    ids = w.ids
    kind = node.kind_id
    text = w.text[node.start_byte : node.end_byte].decode("utf-8", "replace")
    if kind == ids.string:
        return text[1:-1][:100], True
    if kind == ids.computed_property_name:
        w.visit_all(node.named_children)
        return " ".join(text.split())[:100], False
    return text, True


def method_head(w: Walker, node: Node) -> Head | None:
    """Name and modifiers of a method, accessor, field or signature; None where a broken node has no name."""
    names = w.ids.property_names
    decorators: list[Node] = []
    start = node.start_byte
    for kid in node.named_children:
        kind = kid.kind_id
        if kind in names:
            name, plain = property_name(w, kid)
            words = w.text[start : kid.start_byte].replace(b"*", b" * ").split()
            flags = 0
            for word in words:
                flags |= _FLAGS.get(word, 0)
            if b"*" in words:
                flags |= GENERATOR
            return Head(name, kid, plain, int(flags), decorators, start)
        if kind == w.ids.decorator:
            decorators.append(kid)
            start = kid.end_byte
    return None
