"""Classes: their symbols, their bases, and the attributes their methods set."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.calls import keyword_value
from indexer.languages.python.decorators import decorate
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
from indexer.languages.python.expressions import named, operands, visit_children
from indexer.languages.python.functions import define_function
from indexer.languages.python.kinds import VALUE, visits
from indexer.languages.python.signatures import signature
from indexer.languages.python.statements import visit_body
from indexer.languages.python.targets import add_variable
from indexer.languages.python.walk import ALWAYS, MAX_DEPTH, Frame, Walk
from indexer.model import Expression, Flag, Role

BASE: Final = int(Role.BASE)
DECLARATION, EXPORTED, INSTANCE, TEST = (
    int(flag) for flag in (Flag.DECLARATION, Flag.EXPORTED, Flag.INSTANCE, Flag.TEST)
)


@visits("class_definition")
def visit_class(w: Walk, node: Node) -> None:
    define_class(w, node, node, [])


def define_class(w: Walk, node: Node, whole: Node, decorators: list[Node]) -> None:
    """`whole` is the decorated definition, or the node itself."""
    around, naming, branch = w.frame, w.naming, w.branch
    name_node, types, arguments, _, body = parts_of(node)
    name = "" if name_node is None else w.name(name_node)
    if name_node is None or not name or w.depth >= MAX_DEPTH:
        return visit_children(w, node)
    w.depth += 1
    head = (arguments or types or name_node).end_byte
    index, qualname, ordinal = begin(w, name, name_node, head)
    outer = around if types is None else type_scope(w, around, types, index, qualname)
    frame = w.open("class", outer, index, qualname)
    frame.home = frame
    frame.variables, frame.members, frame.pending = {}, {}, []
    frame.returns, frame.yields = [], []  # a syntax error, but the parser takes it
    flags = 0
    if name[0] != "_" and around.exported:
        flags |= EXPORTED
        frame.exported = True
    if name.startswith("Test") or name.endswith(("Test", "Tests", "TestCase")):
        flags |= TEST
    w.naming = frame
    w.enter(outer)
    bases, keywords = _bases(w, arguments) if arguments is not None else ((), ())
    end_node, doc = name_node, ""
    if body is not None:
        w.enter(frame)
        w.branch = ALWAYS
        if w.source[body.start_byte : body.start_byte + 1] in QUOTES:
            doc = docstring(w, body.named_child(0))
        if body.named_child_count == 1:
            flags |= body_flags(w, body, doc) & DECLARATION
        last = visit_body(w, body)
        w.branch = branch
        end_node = last if last.kind_id not in TRAILING else last_of(body)
        if frame.pending:
            _add_attributes(w, frame)
    w.enter(outer)
    applied = tuple([decorate(w, decorator) for decorator in decorators]) if decorators else ()
    w.enter(around)
    w.naming = naming
    w.depth -= 1
    line = node.start_point.row + 1
    w.symbols[index] = (
        name, qualname, ordinal, "class", naming.symbol, frame.index, whole.start_byte, end_node.end_byte,
        line if whole is node else whole.start_point.row + 1, end_node.end_point.row + 1, line, name_node.start_byte,
        signature(w, node.start_byte, head), doc, flags,
    )  # fmt: skip
    w.classes.append((index, outer.index, bases, keywords, applied, ()))
    return None


def _bases(w: Walk, arguments: Node) -> tuple[tuple[Expression, ...], tuple[tuple[str, Expression], ...]]:
    bases: list[Expression] = []
    keywords: list[tuple[str, Expression]] = []
    for child in operands(arguments):
        kind = child.kind_id
        if kind == k.KEYWORD_ARGUMENT:
            keywords.append(keyword_value(w, child))
        elif kind == k.IDENTIFIER or kind == k.ATTRIBUTE:
            bases.append(named(w, child, BASE))
        elif kind == k.SUBSCRIPT:
            bases.append(_generic_base(w, child))
        elif kind == k.LIST_SPLAT or kind == k.DICTIONARY_SPLAT:
            visit_children(w, child)
        else:
            bases.append(VALUE[kind](w, child))
    return tuple(bases), tuple(keywords)


def _generic_base(w: Walk, node: Node) -> Expression:
    """`Generic[T]`: the class is the base, whatever it is given."""
    generic, *keys = operands(node)
    return _generic(w, named(w, generic, BASE), keys)


def _generic(w: Walk, base: Expression, keys: list[Node]) -> Expression:
    """What a generic class is given: types, so that no item of anything is read."""
    rows: list[Expression] = []
    for key in keys:
        if key.kind_id == k.SUBSCRIPT and w.depth < MAX_DEPTH:
            w.depth += 1
            generic, *inner = operands(key)
            rows.append(_generic(w, VALUE[generic.kind_id](w, generic), inner))
            w.depth -= 1
        else:
            rows.append(VALUE[key.kind_id](w, key))
    return w.row(("item", base, rows[0] if len(rows) == 1 else w.row(("tuple", tuple(rows)))))


def _add_attributes(w: Walk, frame: Frame) -> None:
    """Turn what the methods set on the object into attributes of the class; what the class itself defines wins."""
    variables, members = frame.variables, frame.members
    assert variables is not None
    assert members is not None
    for name, position, value, declared, origin, span, instance in frame.pending:
        target = variables.get(name, members.get(name, -1))
        if target < 0:
            target = variables[name] = len(w.symbols)
            flags = (INSTANCE if instance else 0) | (EXPORTED if frame.exported and name[0] != "_" else 0)
            add_variable(w, name, f"{frame.qualname}.{name}", "attribute", frame.symbol, position, flags, span)
        w.attributes.append((frame.index, name, position, target, value, declared, origin))


@visits("decorated_definition")
def visit_decorated(w: Walk, node: Node) -> None:
    decorators = []
    for index in range(node.named_child_count):
        child = node.named_child(index)
        kind = child.kind_id
        if kind == k.DECORATOR:
            decorators.append(child)
        elif kind == k.FUNCTION_DEFINITION:
            define_function(w, child, node, decorators)
        elif kind == k.CLASS_DEFINITION:
            define_class(w, child, node, decorators)
