"""What assignments and the like bind: names, attributes of the object, items of unpacked values."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.chains import KNOWN, learn
from indexer.languages.python.expressions import chain_of, keys, member, operands, owner, subscript, visit_children
from indexer.languages.python.implicit import INERT, invoke, start_of
from indexer.languages.python.kinds import VALUE, VISIT
from indexer.languages.python.signatures import assignment_signature
from indexer.languages.python.walk import ALWAYS, MAX_DEPTH, UNKNOWN, VALUE_BINDING, Frame, Walk
from indexer.model import BindingKind, Expression, Flag, Role

WRITE: Final = int(Role.WRITE)
DELETE: Final = int(Role.DELETE)
DELETED: Final = int(BindingKind.DELETED)
EXPORTED: Final = int(Flag.EXPORTED)

ATTRIBUTE: Final = k.ATTRIBUTE
IDENTIFIER: Final = k.IDENTIFIER
SUBSCRIPT: Final = k.SUBSCRIPT
NESTED: Final = frozenset((k.PATTERN_LIST, k.TUPLE_PATTERN, k.LIST_PATTERN, k.TUPLE, k.LIST, k.EXPRESSION_LIST))
SPLATS: Final = frozenset((k.LIST_SPLAT_PATTERN, k.LIST_SPLAT))
INNER: Final = frozenset((k.PARENTHESIZED, k.AS_PATTERN_TARGET)) | SPLATS


def bind(w: Walk, frame: Frame, name: str, position: int, value: Expression, annotation: Expression = None,
         origin: int = -1) -> None:  # fmt: skip
    """Bind a name in a scope; `origin` is the scope the value is read in, if it is another."""
    scope = frame.index
    if origin < 0:
        origin = scope
    target = -1
    variables = frame.variables
    block = 0 if w.branch == ALWAYS else w.block()
    if frame.redirect is not None and name in frame.redirect:
        block = 0
        if frame.redirect[name] < 0:
            w.nonlocals.append(len(w.bindings))
        else:
            scope = 0
            target = _variable(w, w.frames[0], name, position)
    elif variables is not None:
        target = variables.get(name, -1)
        if target < 0:
            target = _variable(w, frame, name, position)
    elif name == frame.receiver:
        frame.receiver = None
    w.bindings.append((scope, name, VALUE_BINDING, position, target, value, annotation, origin, w.effect, block))


def _variable(w: Walk, frame: Frame, name: str, position: int) -> int:
    """The symbol of a module's or class's variable, made when it is first bound."""
    variables = frame.variables
    assert variables is not None
    if name in variables:
        return variables[name]
    index = variables[name] = len(w.symbols)
    qualname = f"{frame.qualname}.{name}" if frame.qualname else name
    flags = EXPORTED if frame.exported and name[0] != "_" else 0
    kind = "variable" if frame.index == 0 else "attribute"
    add_variable(w, name, qualname, kind, frame.symbol, position, flags, w.span)
    return index


def add_variable(w: Walk, name: str, qualname: str, kind: str, parent: int, position: int, flags: int,
                 span: tuple[int, int, int]) -> None:  # fmt: skip
    """Append the symbol of a variable or an attribute that the statement at `span` defines."""
    start, end, head = span
    line = w.line(start)
    end_line = line if w.source.find("\n", start, end) < 0 else w.line(end)
    name_line = line if line == end_line else w.line(position)
    w.symbols.append(
        (name, qualname, w.ordinal(qualname), kind, parent, -1, start, end, line, end_line, name_line, position,
         assignment_signature(w, position, end, head), "", flags)
    )  # fmt: skip


def bind_target(w: Walk, node: Node, value: Expression, origin: int = -1, annotation: Expression = None) -> None:
    """Bind whatever stands on the left of `=`, after `for`, or after `as`."""
    kind = node.kind_id
    while kind in INNER:
        node = node.named_children[-1]
        kind = node.kind_id
    if kind == IDENTIFIER:
        start = node.start_byte
        raw = w.source[start : node.end_byte]
        name = KNOWN.get(raw) or learn(raw)
        if name:
            bind(w, w.frame, name, start, value, annotation, origin)
    elif kind == ATTRIBUTE:
        _bind_attribute(w, node, value, annotation)
    elif kind in NESTED:
        _bind_items(w, node, value, origin)
    elif kind == SUBSCRIPT:
        _bind_item(w, node, value)
    elif kind != k.COMMENT:
        visit = VISIT[kind]
        if visit is not None:
            visit(w, node)


def _bind_items(w: Walk, node: Node, value: Expression, origin: int) -> None:
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    targets = operands(node)
    count = len(targets)
    starred = False
    for index, child in enumerate(targets):
        splat = child.kind_id in SPLATS
        item = item_at(w, value, index, count, starred, splat)
        starred = starred or splat
        bind_target(w, child, item, origin)
    w.depth -= 1
    return None


def item_at(w: Walk, value: Expression, index: int, count: int, starred: bool, splat: bool) -> Expression:
    """What the target at `index` of `count` receives when a value is unpacked, or the pattern there.

    `starred`: a starred one came before; `splat`: this is it.
    """
    if value == UNKNOWN or value is None:
        return w.row(("literal", "list")) if splat else UNKNOWN
    if not splat:
        return w.row(("item", value, _index(w, index - count if starred else index)))
    stop = index + 1 - count
    return w.row(("item", value, w.row(("slice", _index(w, index), _index(w, stop) if stop else None))))


def _index(w: Walk, number: int) -> int:
    return w.row(("literal", "int", number))


def bind_in(w: Walk, frame: Frame, node: Node, value: Expression) -> None:
    """Bind a name in a scope around the present one: `:=` in a comprehension."""
    start = node.start_byte
    raw = w.source[start : node.end_byte]
    name = KNOWN.get(raw) or learn(raw)
    if name:
        bind(w, frame, name, start, value, None, w.frame.index)


def _bind_attribute(w: Walk, node: Node, value: Expression, annotation: Expression) -> None:
    """A write of a member; one of the method's own object makes an attribute of the class."""
    start = node.start_byte
    raw = w.source[start : node.end_byte]
    chain = KNOWN.get(raw) or learn(raw)
    if not chain:
        chain, start = chain_of(w, node)
        if not chain:
            return _bind_member(w, node, value)
    w.refer(chain, WRITE, start)
    receiver, _, name = chain.partition(".")
    frame = w.frame
    position = node.children[-1].start_byte
    if receiver == frame.receiver and "." not in name:
        owner = frame.receiver_class
        assert owner is not None
        owner.pending.append((name, position, value, annotation, frame.index, w.span, frame.receiver_instance))
    elif value != UNKNOWN and value is not None:
        held, _, name = chain.rpartition(".")
        w.stores.append((frame.index, "attribute", held, name, value, position, w.block()))
    return None


def _bind_member(w: Walk, node: Node, value: Expression) -> None:
    """A write of a member of something that is no chain."""
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    held = owner(w, node)
    last = node.children[-1]
    name = w.name(last)
    if name:
        w.refer(w.row(("member", held, name)), WRITE, last.start_byte)
        if value != UNKNOWN and value is not None and held != UNKNOWN:
            w.stores.append((w.frame.index, "attribute", held, name, value, last.start_byte, w.block()))
    return None


def _bind_item(w: Walk, node: Node, value: Expression) -> None:
    """A write of an item."""
    if value == UNKNOWN or value is None or w.depth >= MAX_DEPTH:
        return subscript(w, node, "__setitem__")
    w.depth += 1
    first, *others = operands(node)
    held = VALUE[first.kind_id](w, first)
    key = keys(w, others)
    if held != UNKNOWN:
        if first.kind_id not in INERT:
            invoke(w, held, "__setitem__", start_of(first))
        w.stores.append((w.frame.index, "item", held, key, value, node.start_byte, w.block()))
    w.depth -= 1
    return None


def sets_attribute(w: Walk, node: Node) -> bool:
    """Whether an attribute target is one of the method's own object, so that its value is worth keeping."""
    receiver = w.frame.receiver
    if receiver is None:
        return False
    start = node.start_byte
    return w.source[start : start + len(receiver) + 1] == receiver + "."


def delete_target(w: Walk, node: Node) -> None:
    """What stands after `del`."""
    kind = node.kind_id
    while kind == k.PARENTHESIZED:
        node = node.named_children[-1]
        kind = node.kind_id
    if kind == IDENTIFIER:
        start = node.start_byte
        raw = w.source[start : node.end_byte]
        name = KNOWN.get(raw) or learn(raw)
        if name:
            index = w.frame.index
            w.refer(name, DELETE, start)
            w.bindings.append((index, name, DELETED, start, -1, None, None, index, -1, w.block()))
    elif kind == ATTRIBUTE:
        start = node.start_byte
        raw = w.source[start : node.end_byte]
        chain = KNOWN.get(raw) or learn(raw)
        if chain:
            w.refer(chain, DELETE, start)
        else:
            member(w, node, DELETE)
    elif kind in NESTED and w.depth < MAX_DEPTH:
        w.depth += 1
        for child in node.named_children:
            delete_target(w, child)
        w.depth -= 1
    elif kind == SUBSCRIPT:
        subscript(w, node, "__delitem__")
    elif VISIT[kind] is not None:
        visit_children(w, node)
