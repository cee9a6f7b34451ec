"""Assignments: to names, to members of `this`, to prototypes, and CommonJS exports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexer.languages.javascript.classes import bound_class
from indexer.languages.javascript.declarations import is_definition, unwrapped
from indexer.languages.javascript.expressions import READ, WRITE, chain_end, use
from indexer.languages.javascript.facts import EXPORTED, INSTANCE, SCOPE, STATIC
from indexer.languages.javascript.functions import MEMBER, named_function
from indexer.languages.javascript.kinds import Handler
from indexer.languages.javascript.objects import Entry, Holder, Prototype, bound_entries, bound_object
from indexer.languages.javascript.patterns import pattern
from indexer.languages.javascript.walker import Walker
from indexer.model import Attribute, Expression

if TYPE_CHECKING:
    from tree_sitter import Node

_COMMONJS: Final = frozenset({"exports", "module"})


def assignment(w: Walker, node: Node) -> Expression:
    """Records an assignment; its value is that of the right side."""
    ids = w.ids
    kids = [kid for kid in node.named_children if kid.kind_id != ids.comment]
    if len(kids) < 2:
        w.visit_all(kids)
        return w.unknown()
    left, right = kids[0], kids[-1]
    kind = left.kind_id
    if kind == ids.identifier:
        return _to_name(w, node, left, right)
    if kind == ids.member_expression:
        return _to_member(w, node, left, right)
    value = w.expr(right)
    if kind == ids.object_pattern or kind == ids.array_pattern:
        end = node.end_byte
        pattern(w, left, value, lambda name, at, given: w.assign(name, at, given, end))
    else:
        w.visit(left)
    return value


def _to_name(w: Walker, node: Node, left: Node, right: Node) -> Expression:
    name = w.name(left)
    inner = unwrapped(w, right)
    symbol = -1
    if inner.kind_id in w.ids.functions:
        symbol = named_function(w, inner, name, left, node)
        value: Expression = w.row("symbol", symbol)
    elif inner.kind_id == w.ids.class_:
        symbol = bound_class(w, inner, name, left, node)
        value = w.row("symbol", symbol)
    else:
        value = w.expr(right)
    if name not in _COMMONJS:
        w.assign(name, left.start_byte, value, node.end_byte, symbol)
    return value


def _to_member(w: Walker, node: Node, left: Node, right: Node) -> Expression:
    start, end = left.start_byte, left.end_byte
    if not chain_end(w.text, start, end):
        use(w, left, WRITE)
        return w.expr(right)
    chain = w.text[start:end].decode()
    parts = chain.split(".")
    if parts[0] == "this" and len(parts) == 2 and w.owner is not None:
        return _to_this(w, node, left, right, chain)
    if parts[0] == "exports" and len(parts) == 2:
        return _to_export(w, node, left, right, parts[1])
    if parts[:2] == ["module", "exports"] and len(parts) < 4:
        return _to_export(w, node, left, right, parts[2] if len(parts) == 3 else "=")
    w.uses[w.scope, chain, WRITE].append(start)
    inner = unwrapped(w, right)
    if not is_definition(w, inner):
        return w.expr(right)
    if inner.kind_id in w.ids.functions and parts[0] != "this":
        return _member_function(w, node, left, inner, parts)
    if inner.kind_id == w.ids.object and parts[-1] == "prototype":
        holder = ".".join(parts[:-1])
        symbol = _declared(w, holder)
        if symbol >= 0:
            w.constructors[symbol] = w.row("new", holder, ())
            return bound_object(w, inner, Prototype(holder, left, node, symbol))
    return w.expr(inner)


def _name_node(left: Node) -> Node:
    return left.named_children[-1]


def _to_this(w: Walker, node: Node, left: Node, right: Node, chain: str) -> Expression:
    owner = w.owner
    assert owner is not None
    name_node = _name_node(left)
    name = w.name(name_node)
    w.uses[w.scope, chain, WRITE].append(left.start_byte)
    inner = unwrapped(w, right)
    if inner.kind_id in w.ids.functions:
        flags = STATIC if owner.static else INSTANCE
        symbol = named_function(
            w, inner, name, name_node, node, kind="method", flags=flags, parent=owner.symbol, this=MEMBER,
            head=left.start_byte,
        )  # fmt: skip
        owner.members.setdefault(name, symbol)
        value: Expression = w.row("symbol", symbol)
    else:
        value = w.expr(right)
    w.set_member(owner, name, node, name_node.start_byte, value, None)
    return value


def _member_function(w: Walker, node: Node, left: Node, function: Node, parts: list[str]) -> Expression:
    """`Name.prototype.member = function …` and `object.member = function …`."""
    name_node = _name_node(left)
    prototype = len(parts) > 2 and parts[-2] == "prototype"
    holder = ".".join(parts[:-2] if prototype else parts[:-1])
    parent = _declared(w, holder)
    this: Expression = w.row("new", holder, ()) if prototype else holder
    kind, flags = ("method", 0) if prototype else ("function", int(STATIC))
    if parent < 0:
        prefix = w.prefix
        w.prefix += holder + "."
        symbol = named_function(
            w, function, parts[-1], name_node, node, kind=kind, flags=flags, this=this, head=left.start_byte
        )
        w.prefix = prefix
        return w.row("symbol", symbol)
    symbol = named_function(
        w, function, parts[-1], name_node, node, kind=kind, flags=flags, parent=parent, this=this, head=left.start_byte
    )
    value = w.row("symbol", symbol)
    if prototype:
        w.constructors[parent] = this
    scope = w.symbols[parent][SCOPE]
    if scope >= 0:
        w.attributes.append(Attribute(scope, parts[-1], name_node.start_byte, symbol, value, None, w.scope))
    return value


def _declared(w: Walker, name: str) -> int:
    """The symbol a plain name is declared as, so far, around the current scope; -1 for none."""
    scope = w.scope
    while scope >= 0:
        if name in w.declared[scope] and w.scopes[scope].kind != "class":
            return w.declared[scope][name]
        scope = w.scopes[scope].parent
    return -1


def _to_export(w: Walker, node: Node, left: Node, right: Node, name: str) -> Expression:
    """`exports.name = …` or `module.exports = …` (name "=")."""
    name_node = _name_node(left)
    position = name_node.start_byte
    inner = unwrapped(w, right)
    label = "exports" if name == "=" else name
    if inner.kind_id in w.ids.functions:
        own = inner.named_children[0] if inner.named_children else inner
        if name == "=" and own.kind_id == w.ids.identifier and inner.kind_id != w.ids.arrow_function:
            name_node, label = own, w.name(own)
        symbol = named_function(w, inner, label, name_node, node, head=left.start_byte)
        value: Expression = w.row("symbol", symbol)
        w.mark(symbol, EXPORTED)
    elif inner.kind_id == w.ids.class_:
        own_name = next((kid for kid in inner.named_children if kid.kind_id in w.ids.class_names), None)
        if name == "=" and own_name is not None:
            name_node, label = own_name, w.name(own_name)
        symbol = bound_class(w, inner, label, name_node, node)
        value = w.row("symbol", symbol)
        w.mark(symbol, EXPORTED)
    elif inner.kind_id == w.ids.object:
        holder = Holder(label, name_node, node)
        if name == "=":
            value, entries = bound_entries(w, inner, holder)
            _export_entries(w, entries)
        else:
            value = bound_object(w, inner, holder)
    else:
        value = w.expr(right)
    w.export(name, value, -1, position)
    return value


def _export_entries(w: Walker, entries: list[Entry]) -> None:
    """Each key of `module.exports = {…}` is an export; `...require("x")` gives all of another module's."""
    rows = list(w.rows)
    for key, value, position in entries:
        if key is not None:
            w.export(key, value, -1, position)
        elif isinstance(value, int) and rows[value][0] == "*":
            inner = rows[value][1]
            if isinstance(inner, int) and rows[inner][0] == "import":
                w.export("*", None, rows[inner][1], position)


def augmented(w: Walker, node: Node) -> Expression:
    ids = w.ids
    kids = [kid for kid in node.named_children if kid.kind_id != ids.comment]
    if len(kids) < 2:
        w.visit_all(kids)
        return w.unknown()
    left, right = kids[0], kids[-1]
    value = w.expr(right)
    if left.kind_id == ids.identifier:
        name = str(use(w, left, READ))
        logical = w.text[left.end_byte : right.start_byte].strip() in (b"||=", b"&&=", b"??=")
        if logical:
            w.assign(name, left.start_byte, value, -2)
        return w.row("either", (name, value)) if logical else w.unknown()
    if left.kind_id == ids.member_expression:
        use(w, left, WRITE)
    else:
        w.visit(left)
    return value


VALUES: Final[dict[str, Handler]] = {"assignment_expression": assignment, "augmented_assignment_expression": augmented}
VISITS: Final = VALUES
