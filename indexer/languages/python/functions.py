"""Functions and lambdas: their symbols, their scopes, and what calling them gives."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python.annotations import annotation
from indexer.languages.python.decorators import decorate, decorator_flags
from indexer.languages.python.definitions import (
    QUOTES,
    TRAILING,
    begin,
    body_flags,
    docstring,
    last_of,
    parts_of,
    type_scope,
)
from indexer.languages.python.expressions import operands, visit_children
from indexer.languages.python.kinds import VALUE, values, visits
from indexer.languages.python.parameters import parameters
from indexer.languages.python.signatures import signature
from indexer.languages.python.statements import visit_body
from indexer.languages.python.walk import ALWAYS, MAX_DEPTH, UNKNOWN, Frame, Walk
from indexer.model import Expression, Flag

ASYNC, CLASSMETHOD, EXPORTED, GENERATOR, STATIC, TEST = (
    int(flag) for flag in (Flag.ASYNC, Flag.CLASSMETHOD, Flag.EXPORTED, Flag.GENERATOR, Flag.STATIC, Flag.TEST)
)
TYPE_ONLY: Final = int(Flag.TYPE_ONLY)
IMPLICIT_CLASSMETHODS: Final = frozenset(("__new__", "__init_subclass__", "__class_getitem__"))


@visits("function_definition")
def visit_function(w: Walk, node: Node) -> None:
    define_function(w, node, node, [])


def define_function(w: Walk, node: Node, whole: Node, decorators: list[Node]) -> None:
    """`whole` is the decorated definition, or the node itself."""
    around, naming, branch = w.frame, w.naming, w.branch
    name_node, types, params, returned, body = parts_of(node)
    name = "" if name_node is None else w.name(name_node)
    if name_node is None or not name or params is None or w.depth >= MAX_DEPTH:
        return visit_children(w, node)
    w.depth += 1
    head = (returned or params).end_byte
    index, qualname, ordinal = begin(w, name, name_node, head)
    outer = around if types is None else type_scope(w, around, types, index, qualname)
    frame = w.open("function", outer, index, qualname)
    frame.home = frame
    returns: list[Expression] = []
    yields: list[Expression] = []
    frame.returns, frame.yields = returns, yields
    method = around.members is not None
    flags = decorator_flags(w, decorators) if decorators else 0
    if name[0] != "_" and around.exported:
        flags |= EXPORTED
    if name.startswith("test"):
        flags |= TEST
    if w.type_only:
        flags |= TYPE_ONLY
    start = node.start_byte
    if w.source[start] == "a":
        flags |= ASYNC
    w.naming = frame
    if outer is not around:
        w.enter(outer)
    before = len(w.bindings)
    first = parameters(w, params, frame, outer.index) if params.child_count > 2 else ""
    frame.first_binding = len(w.bindings)
    if method:
        _receive(frame, around, name, first, flags)
    elif around.home.receiver is not None:
        _inherit_receiver(w, frame, around, before)
    declared = None if returned is None else annotation(w, returned)
    end_node, doc = name_node, ""
    if body is not None:
        w.frame, w.reads, w.calls, w.branch = frame, frame.reads, frame.calls, ALWAYS
        if w.source[body.start_byte : body.start_byte + 1] in QUOTES:
            doc = docstring(w, body.named_child(0))
        if body.named_child_count < 3:
            flags |= body_flags(w, body, doc)
        last = visit_body(w, body)
        w.branch = branch
        end_node = last if last.kind_id not in TRAILING else last_of(body)
    applied: tuple[Expression, ...] = ()
    if decorators:
        w.enter(outer)
        applied = tuple([decorate(w, decorator) for decorator in decorators])
    w.frame, w.reads, w.calls, w.naming = around, around.reads, around.calls, naming
    w.depth -= 1
    if frame.generator:
        flags |= GENERATOR
    line = node.start_point.row + 1
    w.symbols[index] = (
        name, qualname, ordinal, "method" if method else "function", naming.symbol, frame.index, whole.start_byte,
        end_node.end_byte, line if whole is node else whole.start_point.row + 1, end_node.end_point.row + 1, line,
        name_node.start_byte, signature(w, start, head), doc, flags,
    )  # fmt: skip
    w.functions.append((index, frame.index, declared, tuple(returns), tuple(yields), applied))
    return None


def _receive(frame: Frame, around: Frame, name: str, first: str, flags: int) -> None:
    """Which name holds the object in a method's body, if any does."""
    if first and not flags & STATIC:
        frame.receiver = first
        frame.receiver_class = around
        frame.receiver_instance = not (flags & CLASSMETHOD or name in IMPLICIT_CLASSMETHODS)


def _inherit_receiver(w: Walk, frame: Frame, around: Frame, before: int) -> None:
    """What is nested in a method sees its object, unless a parameter, bound since `before`, has taken the name."""
    receiver = around.home.receiver
    if any(row[1] == receiver for row in w.bindings[before:] if row[0] == frame.index):
        return
    frame.receiver = receiver
    frame.receiver_class = around.home.receiver_class
    frame.receiver_instance = around.home.receiver_instance


@values("lambda")
def value_lambda(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    around, naming = w.frame, w.naming
    naming.lambdas += 1
    name = f"<lambda{naming.lambdas}>"
    qualname = f"{naming.qualname}.{name}" if naming.qualname else name
    index = len(w.symbols)
    w.symbols.append(())
    frame = w.open("function", around, index, qualname)
    frame.home = frame
    frame.returns, frame.yields = [], []
    branch, w.branch = w.branch, ALWAYS
    *before, body = operands(node)
    w.naming = frame
    first = len(w.bindings)
    if before:
        parameters(w, before[0], frame, around.index)
    frame.first_binding = len(w.bindings)
    if around.home.receiver is not None:
        _inherit_receiver(w, frame, around, first)
    w.enter(frame)
    returned = VALUE[body.kind_id](w, body)
    w.branch = branch
    w.enter(around)
    w.naming = naming
    w.depth -= 1
    start, end = node.start_byte, node.end_byte
    line = node.start_point.row + 1
    w.symbols[index] = (
        name, qualname, w.ordinal(qualname), "lambda", naming.symbol, frame.index, start, end, line,
        node.end_point.row + 1, line, start, signature(w, start, end), "", GENERATOR if frame.generator else 0,
    )  # fmt: skip
    w.functions.append((index, frame.index, None, (returned,), tuple(frame.yields), ()))
    return w.row(("symbol", index))


@visits("lambda")
def visit_lambda(w: Walk, node: Node) -> None:
    value_lambda(w, node)
