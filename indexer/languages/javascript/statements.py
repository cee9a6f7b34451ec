"""Statements: blocks and the scopes they open, branches and loops, returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexer.languages.javascript.expressions import READ, first, use
from indexer.languages.javascript.facts import VALUE
from indexer.languages.javascript.kinds import Handler
from indexer.languages.javascript.patterns import Bind, pattern
from indexer.languages.javascript.walker import Walker
from indexer.model import Expression, Role

if TYPE_CHECKING:
    from tree_sitter import Node

THROW: Final = int(Role.THROW)


# -- blocks


def block_body(w: Walker, node: Node) -> None:
    """The statements of a block in the scope that is open now."""
    w.visit_all(node.named_children)


def block(w: Walker, node: Node) -> None:
    kids = node.named_children
    outer = w.scope
    if _declares(w, kids):
        w.scope = w.open_scope("block", outer, w.symbol)
    w.visit_all(kids)
    w.scope = outer


def _declares(w: Walker, kids: list[Node]) -> bool:
    declarations = w.ids.block_declarations
    return any(kid.kind_id in declarations for kid in kids)


def branch(w: Walker, node: Node, loop: int = -1) -> None:
    """Code that may not run, or may run often; `loop` is where the loop starts that it is the body of."""
    outer = w.branch
    around = outer[2] if outer is not None else -1
    w.branch = (node.start_byte, node.end_byte, around if around >= 0 else loop)
    w.visit(node)
    w.branch = outer


# -- branches and loops


def if_statement(w: Walker, node: Node) -> None:
    ids = w.ids
    while True:
        following: Node | None = None
        kids = [kid for kid in node.named_children if kid.kind_id != ids.comment]
        w.visit_all(kids[:1])
        for kid in kids[1:]:
            if kid.kind_id != ids.else_clause:
                branch(w, kid)
                continue
            inner = first(w, kid)
            if inner is not None and inner.kind_id == ids.if_statement:
                following = inner
            elif inner is not None:
                branch(w, inner)
        if following is None:
            return
        node = following


def loop(w: Walker, node: Node) -> None:
    """`while` and `do`."""
    for kid in node.named_children:
        branch(w, kid, node.start_byte)


def for_statement(w: Walker, node: Node) -> None:
    outer = w.scope
    kids = node.named_children
    if kids and kids[0].kind_id in w.ids.block_declarations:
        w.scope = w.open_scope("block", outer, w.symbol)
    w.visit_all(kids[:1])
    for kid in kids[1:]:
        branch(w, kid, node.start_byte)
    w.scope = outer


def for_in_statement(w: Walker, node: Node) -> None:
    ids = w.ids
    outer = w.scope
    kids = [kid for kid in node.named_children if kid.kind_id != ids.comment]
    if len(kids) < 2:
        w.visit_all(kids)
        return
    left, right = kids[0], kids[1]
    source = w.expr(right)
    words = w.text[left.end_byte : right.start_byte].split()
    value = w.row("literal", "str") if b"in" in words else w.row("iterate", source)
    kind = node.child_by_field_name("kind")
    if kind is None:
        _assign_each(w, left, value)
    elif w.text[kind.start_byte : kind.end_byte] == b"var":
        pattern(w, left, value, _hoisted(w))
    else:
        w.scope = w.open_scope("block", outer, w.symbol)
        scope = w.scope
        pattern(w, left, value, lambda name, at, given: w.bind(scope, name, VALUE, at, -1, given))
    for kid in kids[2:]:
        branch(w, kid, node.start_byte)
    w.scope = outer


def _assign_each(w: Walker, left: Node, value: Expression) -> None:
    pattern(w, left, value, lambda name, at, given: w.assign(name, at, given, -1))


def _hoisted(w: Walker) -> Bind:
    return lambda name, at, given: w.bind(w.hoist, name, VALUE, at, -1, given)


def try_statement(w: Walker, node: Node) -> None:
    for kid in node.named_children:
        branch(w, kid)


def catch_clause(w: Walker, node: Node) -> None:
    outer = w.scope
    ids = w.ids
    kids = node.named_children
    if kids and kids[0].kind_id != ids.statement_block:
        scope = w.scope = w.open_scope("block", outer, w.symbol)
        for kid in kids[:-1]:
            if kid.kind_id == ids.type_annotation:
                w.type(kid)
            elif kid.kind_id != ids.comment:
                pattern(w, kid, None, lambda name, at, given: w.bind(scope, name, VALUE, at, -1, given))
    w.visit_all(kids[-1:])
    w.scope = outer


def switch_statement(w: Walker, node: Node) -> None:
    kids = node.named_children
    w.visit_all(kids[:-1])
    outer = w.scope
    cases = kids[-1].named_children if kids else []
    if any(_declares(w, case.named_children) for case in cases):
        w.scope = w.open_scope("block", outer, w.symbol)
    for case in cases:
        branch(w, case)
    w.scope = outer


# -- leaving a function


def return_statement(w: Walker, node: Node) -> None:
    value = first(w, node)
    if value is None:
        return
    frame = w.frame
    if frame is None or len(frame.returns) >= 20:
        w.visit(value)
    else:
        frame.returns.append(w.expr(value))


def throw_statement(w: Walker, node: Node) -> None:
    value = first(w, node)
    if value is not None:
        plain = value.kind_id in (w.ids.identifier, w.ids.member_expression)
        use(w, value, THROW if plain else READ)


VISITS: Final[dict[str, Handler]] = {
    "statement_block": block,
    "if_statement": if_statement,
    "while_statement": loop,
    "do_statement": loop,
    "for_statement": for_statement,
    "for_in_statement": for_in_statement,
    "try_statement": try_statement,
    "catch_clause": catch_clause,
    "switch_statement": switch_statement,
    "return_statement": return_statement,
    "throw_statement": throw_statement,
}
