"""What functions and classes have in common: a name, a head, a body."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.annotations import type_parameters
from indexer.languages.python.signatures import first_line
from indexer.languages.python.walk import ALWAYS, Frame, Walk
from indexer.model import BindingKind, Flag

SYMBOL: Final = int(BindingKind.SYMBOL)
ABSTRACT: Final = int(Flag.ABSTRACT)
DECLARATION: Final = int(Flag.DECLARATION)

ARGUMENT_LIST: Final = k.ARGUMENT_LIST
BLOCK: Final = k.BLOCK
IDENTIFIER: Final = k.IDENTIFIER
PARAMETERS: Final = k.PARAMETERS
COMPOUND: Final = frozenset(
    k.kind(name)
    for name in (
        "class_definition", "decorated_definition", "elif_clause", "else_clause", "except_clause", "finally_clause",
        "for_statement", "function_definition", "if_statement", "match_statement", "try_statement", "while_statement",
        "with_statement", "case_clause", "block",
    )
)  # fmt: skip
TRAILING: Final = COMPOUND | k.EXTRAS
QUOTES: Final = frozenset("\"'rRuU")


def parts_of(node: Node) -> tuple[Node | None, Node | None, Node | None, Node | None, Node | None]:
    """Name, type parameters, parameters or bases, return type and body of a definition."""
    count = node.named_child_count
    if count == 3:  # by far the most
        first, second, third = node.named_child(0), node.named_child(1), node.named_child(2)
        kind = second.kind_id
        if third.kind_id == BLOCK and (kind == PARAMETERS or kind == ARGUMENT_LIST):
            return first, None, second, None, third
    name = types = params = returned = body = None
    for index in range(count):
        child = node.named_child(index)
        kind = child.kind_id
        if kind == IDENTIFIER:
            name = name or child
        elif kind == PARAMETERS or kind == ARGUMENT_LIST:
            params = child
        elif kind == BLOCK:
            body = child
        elif kind == k.TYPE:
            returned = child
        elif kind == k.TYPE_PARAMETER:
            types = child
    return name, types, params, returned, body


def begin(w: Walk, name: str, name_node: Node, head: int) -> tuple[int, str, int]:
    """Reserve the symbol, so that it comes before those in it, and bind its name; `head` is where its head ends."""
    index = len(w.symbols)
    w.symbols.append(())
    frame = w.frame
    prefix = w.naming.qualname
    qualname = f"{prefix}.{name}" if prefix else name
    scope = frame.index
    block = 0 if w.branch == ALWAYS else w.block()
    if frame.redirect is not None and name in frame.redirect:
        block = 0
        if frame.redirect[name] < 0:
            w.nonlocals.append(len(w.bindings))
        else:
            scope = 0
    if frame.members is not None:
        frame.members.setdefault(name, index)
    w.bindings.append((scope, name, SYMBOL, name_node.start_byte, index, None, None, frame.index, head, block))
    ordinals = w.ordinals
    ordinal = ordinals.get(qualname, 0)
    ordinals[qualname] = ordinal + 1
    return index, qualname, ordinal


def type_scope(w: Walk, around: Frame, types: Node, symbol: int, qualname: str) -> Frame:
    """The scope that type parameters live in."""
    frame = w.open("block", around, symbol, qualname)
    frame.home = around.home
    type_parameters(w, types, frame)
    return frame


def docstring(w: Walk, statement: Node) -> str:
    if statement.kind_id != k.EXPRESSION_STATEMENT:
        return ""
    literal = statement.child(0)
    if literal.kind_id not in (k.STRING, k.CONCATENATED_STRING):
        return ""
    return first_line(w.source[literal.start_byte : literal.end_byte])


def body_flags(w: Walk, body: Node, doc: str) -> int:
    """The flags of a body that is nothing but a docstring, `...` or `raise NotImplementedError`."""
    count = body.named_child_count
    if not count or (count == 2 and not doc):
        return 0
    last = body.named_child(count - 1)
    if last.kind_id == k.RAISE_STATEMENT:
        text = w.source[last.start_byte : last.start_byte + 30]
        return ABSTRACT if " ".join(text.split()).startswith("raise NotImplementedError") else 0
    if last.kind_id == k.EXPRESSION_STATEMENT and last.child_count == 1:
        inner = last.child(0).kind_id
        if inner == k.ELLIPSIS or (count == 1 and inner in (k.STRING, k.CONCATENATED_STRING)):
            return DECLARATION
    return 0


def last_of(node: Node) -> Node:
    """The node a definition ends with: comments after its last statement are not its."""
    while True:
        index = node.named_child_count - 1
        last = node
        while index >= 0:
            last = node.named_child(index)
            if last.kind_id not in k.EXTRAS:
                break
            index -= 1
        if index < 0 or last.kind_id not in COMPOUND:
            return last if index >= 0 else node
        node = last
