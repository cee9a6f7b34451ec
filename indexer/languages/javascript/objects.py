"""Object literals: those bound to a name are symbols when they hold functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexer.languages.javascript.classes import bound_class
from indexer.languages.javascript.expressions import MAX_ITEMS, identifier, spread
from indexer.languages.javascript.facts import SCOPE, SYMBOL, VALUE
from indexer.languages.javascript.functions import named_function, read_function
from indexer.languages.javascript.kinds import Handler
from indexer.languages.javascript.names import method_head, property_name
from indexer.languages.javascript.walker import DEPTH_LIMIT, Walker
from indexer.model import Attribute, Expression

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_LEVEL: Final = 3


class Holder:
    """A name that an object literal is bound to, and its symbol once the object is known to hold a function."""

    __slots__ = ("around", "level", "live", "name", "name_node", "pending", "scope", "symbol", "whole")

    def __init__(self, name: str, name_node: Node, whole: Node, symbol: int = -1, around: Holder | None = None) -> None:
        self.name = name
        self.name_node = name_node
        self.whole = whole
        self.symbol = symbol
        self.around = around
        self.level: int = 1 if around is None else around.level + 1
        self.live = False
        self.scope = -1
        self.pending: list[tuple[str, int, Expression]] = []

    def come_alive(self, w: Walker) -> None:
        """Make the symbol and its scope of members, those of the objects around it first."""
        if self.live:
            return
        self.live = True
        if self.around is not None:
            self.around.come_alive(w)
        if self.symbol < 0:
            if self.around is None:
                self.symbol = w.define(self.name, "variable", self.whole, self.name_node, 0, 0)
            else:
                parent = self.around.symbol
                self.symbol = w.define(self.name, "attribute", self.whole, self.name_node, 0, 0, parent=parent)
                w.bind(self.around.scope, self.name, SYMBOL, self.name_node.start_byte, self.symbol)
        self.scope = w.open_symbol_scope(self.symbol, "class")
        for name, position, expression in self.pending:
            w.bind(self.scope, name, VALUE, position, -1, expression)

    def add(self, w: Walker, name: str, position: int, symbol: int) -> None:
        """A member that is a function."""
        w.bind(self.scope, name, SYMBOL, position, symbol)

    def this(self, w: Walker) -> Expression:
        """What `this` is in the functions of the object."""
        return w.row("symbol", self.symbol)

    def keep(self, w: Walker, name: str, position: int, expression: Expression) -> None:
        """A member that is no function."""
        if self.live:
            w.bind(self.scope, name, VALUE, position, -1, expression)
        else:
            self.pending.append((name, position, expression))


Entry = tuple[str | None, Expression, int]
"""(key, value, position) of a property; the key is None where it is computed or there is none."""


class Prototype(Holder):
    """`Name.prototype = {…}`: its functions are methods of the function `Name`."""

    def come_alive(self, w: Walker) -> None:
        self.live = True

    def keep(self, w: Walker, name: str, position: int, expression: Expression) -> None:
        """Members that are no functions are not kept: they have no scope to be bound in."""

    def add(self, w: Walker, name: str, position: int, symbol: int) -> None:
        scope = w.symbols[self.symbol][SCOPE]
        if scope >= 0:
            w.attributes.append(Attribute(scope, name, position, symbol, w.row("symbol", symbol), None, w.scope))

    def this(self, w: Walker) -> Expression:
        return w.row("new", self.name, ())


def bound_object(w: Walker, node: Node, holder: Holder) -> Expression:
    """An object literal bound to a name."""
    return bound_entries(w, node, holder)[0]


def bound_entries(w: Walker, node: Node, holder: Holder) -> tuple[Expression, list[Entry]]:
    """What an object literal bound to a name denotes, and its properties."""
    entries = _entries(w, node, holder)
    if holder.live:
        return w.row("symbol", holder.symbol), entries
    return _display(w, entries), entries


def object_literal(w: Walker, node: Node) -> Expression:
    return _display(w, _entries(w, node, None))


def _display(w: Walker, entries: list[Entry]) -> Expression:
    if len(entries) > MAX_ITEMS:
        return w.row("literal", "dict")
    return w.row(
        "dict", tuple([(None if key is None else w.row("literal", "str", key), value) for key, value, _ in entries])
    )


def _entries(w: Walker, node: Node, holder: Holder | None) -> list[Entry]:
    ids = w.ids
    entries: list[Entry] = []
    if w.depth >= DEPTH_LIMIT:
        w.too_deep(node)
        return entries
    w.depth += 1
    for kid in node.named_children:
        kind = kid.kind_id
        if kind == ids.pair:
            entries.append(_pair(w, kid, holder))
        elif kind == ids.method_definition:
            entries.append(_method(w, kid, holder))
        elif kind == ids.shorthand_property_identifier:
            name = identifier(w, kid)
            entries.append((str(name), name, kid.start_byte))
            if holder is not None:
                holder.keep(w, str(name), kid.start_byte, name)
        elif kind == ids.spread_element:
            entries.append((None, spread(w, kid), kid.start_byte))
        elif kind != ids.comment:
            w.visit(kid)
    w.depth -= 1
    return entries


def _pair(w: Walker, node: Node, holder: Holder | None) -> Entry:
    kids = node.named_children
    key, value = kids[0], kids[-1]
    ids = w.ids
    name, plain = property_name(w, key)
    kind = value.kind_id
    if kind in ids.functions:
        symbol = member_function(w, value, name, key, node, holder, 0)
        expression: Expression = w.row("symbol", symbol)
    elif kind == ids.class_:
        expression = w.row("symbol", bound_class(w, value, name, key, node))
        if holder is not None:
            holder.keep(w, name, key.start_byte, expression)
    elif (
        kind == ids.object
        and holder is not None
        and plain
        and holder.level < MAX_LEVEL
        and not isinstance(holder, Prototype)
    ):
        inner = Holder(name, key, node, -1, holder)
        expression = bound_object(w, value, inner)
        if not inner.live:
            holder.keep(w, name, key.start_byte, expression)
    elif len(kids) < 2:
        expression = None
    else:
        expression = w.expr(value)
        if holder is not None and plain:
            holder.keep(w, name, key.start_byte, expression)
    return (name if plain else None, expression, key.start_byte)


def _method(w: Walker, node: Node, holder: Holder | None) -> Entry:
    head = method_head(w, node)
    if head is None:
        return (None, None, node.start_byte)
    symbol = member_function(w, node, head.name, head.name_node, node, holder, head.flags)
    return (head.name if head.plain else None, w.row("symbol", symbol), head.name_node.start_byte)


def member_function(
    w: Walker, node: Node, name: str, name_node: Node, whole: Node, holder: Holder | None, flags: int
) -> int:
    """A function that is a property: a method of the object's symbol, or of the code around a nameless object."""
    method = node.kind_id == w.ids.method_definition
    if holder is None:
        parent, this = -1, None
    else:
        holder.come_alive(w)
        parent, this = holder.symbol, holder.this(w)
    if method:
        kids = node.named_children
        symbol = w.define(name, "method", whole, name_node, node.start_byte, kids[-1].start_byte, flags, parent)
        read_function(w, node, symbol, kids, this)
    else:
        symbol = named_function(w, node, name, name_node, whole, kind="method", flags=flags, parent=parent, this=this)
    if holder is not None:
        holder.add(w, name, name_node.start_byte, symbol)
    return symbol


def visit_object(w: Walker, node: Node) -> None:
    """An object whose value nobody asks for."""
    ids = w.ids
    visits = w.visits
    if w.depth >= DEPTH_LIMIT:
        w.too_deep(node)
        return
    w.depth += 1
    for kid in node.named_children:
        kind = kid.kind_id
        if kind == ids.pair:
            kids = kid.named_children
            value = kids[-1]
            if value.kind_id in ids.functions or value.kind_id == ids.class_:
                _pair(w, kid, None)
                continue
            if kids[0].kind_id == ids.computed_property_name:
                w.visit(kids[0])
            if len(kids) > 1:
                visits[value.kind_id](w, value)
        elif kind == ids.method_definition:
            _method(w, kid, None)
        else:
            visits[kind](w, kid)
    w.depth -= 1


VALUES: Final[dict[str, Handler]] = {"object": object_literal}
VISITS: Final[dict[str, Handler]] = {"object": visit_object}
