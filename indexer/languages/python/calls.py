"""Calls and their arguments."""

from __future__ import annotations

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.chains import KNOWN, learn
from indexer.languages.python.expressions import STR, chain_of, member, operands, value_string
from indexer.languages.python.kinds import VALUE, VISIT, values, visits
from indexer.languages.python.literals import string_value
from indexer.languages.python.special import SPECIAL, special_call
from indexer.languages.python.walk import MAX_DEPTH, UNKNOWN, Walk
from indexer.model import Expression, Role

CALL = int(Role.CALL)

# Globals of this module are found faster than attributes of another.
ARGUMENT_LIST, ATTRIBUTE, EXTRAS, IDENTIFIER = k.ARGUMENT_LIST, k.ATTRIBUTE, k.EXTRAS, k.IDENTIFIER
KEYWORD_ARGUMENT, LIST_SPLAT, PARENTHESIZED = k.KEYWORD_ARGUMENT, k.LIST_SPLAT, k.PARENTHESIZED


@visits("call")
def visit_call(w: Walk, node: Node) -> None:
    function = node.child(0)
    kind = function.kind_id
    if kind == IDENTIFIER or kind == ATTRIBUTE:
        start = function.start_byte
        raw = w.source[start : function.end_byte]
        chain = KNOWN.get(raw) or learn(raw)
        if chain:
            w.calls[chain].append(start)
            if chain in SPECIAL:
                special_call(w, node, chain)
        else:
            member(w, function, CALL)
    else:
        callee(w, function)
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    arguments = node.child(1)
    if arguments.kind_id == ARGUMENT_LIST:
        child_of = arguments.named_child
        for index in range(arguments.named_child_count):
            argument = child_of(index)
            kind = argument.kind_id
            if kind == KEYWORD_ARGUMENT:
                argument = argument.child(argument.child_count - 1)
                kind = argument.kind_id
            visit = VISIT[kind]
            if visit is not None:
                visit(w, argument)
    else:
        for argument in _other_arguments(node):
            visit = VISIT[argument.kind_id]
            if visit is not None:
                visit(w, argument)
    w.depth -= 1
    return None


@values("call")
def value_call(w: Walk, node: Node) -> Expression:
    function = node.child(0)
    kind = function.kind_id
    imported: int | None = None
    called: Expression
    if kind == IDENTIFIER or kind == ATTRIBUTE:
        start = function.start_byte
        raw = w.source[start : function.end_byte]
        chain = called = KNOWN.get(raw) or learn(raw)
        if chain:
            w.calls[chain].append(start)
            if chain in SPECIAL:
                imported = special_call(w, node, chain)
        else:
            called = member(w, function, CALL)
    else:
        called = callee(w, function)
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    arguments = node.child(1)
    passed = []
    if arguments.kind_id == ARGUMENT_LIST:
        child_of = arguments.named_child
        for index in range(arguments.named_child_count):
            argument = child_of(index)
            kind = argument.kind_id
            if kind not in EXTRAS:
                passed.append(ARGUMENT[kind](w, argument))
    else:
        passed = [ARGUMENT[argument.kind_id](w, argument) for argument in _other_arguments(node)]
    w.depth -= 1
    if imported is not None:
        if imported > 0:
            return imported
        if arguments.kind_id == ARGUMENT_LIST:
            passed = spoken(w, arguments, passed)
    rows = w.rows
    return rows.setdefault(("call", called, tuple(passed)), len(rows))


def spoken(w: Walk, arguments: Node, passed: list[Expression]) -> list[Expression]:
    """Arguments with the values of their strings: those of `getattr` and its like name something."""
    result: list[Expression] = []
    for argument, row in zip(operands(arguments), passed, strict=False):
        said = string_value(w, argument) if argument.kind_id == k.STRING else None
        result.append(row if said is None else w.row(said))
    return result


def _other_arguments(node: Node) -> list[Node]:
    """The arguments of a call whose list does not stand next to the function: there is a comment between, or there is
    only a generator."""
    last = node.children[-1]
    return operands(last) if last.kind_id == ARGUMENT_LIST else [last]


def callee(w: Walk, node: Node) -> Expression:
    """What is called, when it is neither a name nor an attribute."""
    chain, position = chain_of(w, node)
    if chain:
        w.calls[chain].append(position)
        return chain
    inner = node
    while inner.kind_id == PARENTHESIZED or inner.kind_id == LIST_SPLAT:
        within = operands(inner)
        if len(within) != 1:
            break
        inner = within[0]
    if inner.kind_id == ATTRIBUTE:
        return member(w, inner, CALL)
    function = VALUE[inner.kind_id](w, inner)
    w.calls[function].append(inner.start_byte)
    return function


@visits("keyword_argument")
def visit_keyword(w: Walk, node: Node) -> None:
    value = node.children[-1]
    visit = VISIT[value.kind_id]
    if visit is not None:
        visit(w, value)


def keyword_value(w: Walk, node: Node) -> tuple[str, Expression]:
    """Name and value of `name=value`."""
    value = node.child(node.child_count - 1)
    return w.name(node.child(0)), VALUE[value.kind_id](w, value)


def _keyword(w: Walk, node: Node) -> tuple[str, str, Expression]:
    child = node.child(0)
    raw = w.source[child.start_byte : child.end_byte]
    value = node.child(node.child_count - 1)
    return ("=", KNOWN.get(raw) or learn(raw), ARGUMENT[value.kind_id](w, value))


def _string_argument(w: Walk, node: Node) -> Expression:
    """The type alone: what is said to a call in words is rarely worth keeping; see `SPECIAL` for those that are."""
    first = w.source[node.start_byte]
    rows = w.rows
    if first == "'" or first == '"':
        return rows.setdefault(STR, len(rows))
    return value_string(w, node)


def _splat(w: Walk, node: Node) -> tuple[str, Expression]:
    value = node.children[-1]
    return ("**" if node.kind_id == k.DICTIONARY_SPLAT else "*", VALUE[value.kind_id](w, value))


ARGUMENT = list(VALUE)


def fill_arguments() -> None:
    """Take over the handlers of `VALUE`; called when all of them are registered."""
    ARGUMENT[:] = VALUE
    ARGUMENT[k.STRING] = _string_argument
    ARGUMENT[k.KEYWORD_ARGUMENT] = _keyword  # type: ignore[assignment]
    ARGUMENT[k.LIST_SPLAT] = _splat  # type: ignore[assignment]
    ARGUMENT[k.DICTIONARY_SPLAT] = _splat  # type: ignore[assignment]
