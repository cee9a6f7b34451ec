"""Calls and their arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.chains import KNOWN, learn
from indexer.languages.python.expressions import STR, chain_of, member, operands, value_string
from indexer.languages.python.fields import LISTS, MAKERS, field_list
from indexer.languages.python.implicit import INERT, invoke, start_of
from indexer.languages.python.kinds import VALUE, VISIT, values, visits
from indexer.languages.python.literals import plain_string, string_value
from indexer.languages.python.special import SPECIAL, special_call
from indexer.languages.python.walk import MAX_DEPTH, UNKNOWN, Walk
from indexer.model import Expression, Part, Role

CALL: Final = int(Role.CALL)

# Globals of this module are found faster than attributes of another.
ARGUMENT_LIST: Final = k.ARGUMENT_LIST
ATTRIBUTE: Final = k.ATTRIBUTE
EXTRAS: Final = k.EXTRAS
IDENTIFIER: Final = k.IDENTIFIER
KEYWORD_ARGUMENT: Final = k.KEYWORD_ARGUMENT
LIST_SPLAT: Final = k.LIST_SPLAT
PARENTHESIZED: Final = k.PARENTHESIZED
STRING: Final = k.STRING
DULL: Final = k.DULL
SPOKEN: Final = frozenset(
    """
    NamedTuple TypeVar __delattr__ __delitem__ __getattr__ __getattribute__ __getitem__ __setattr__ __setitem__
    attrgetter cast delattr entry_points get getattr hasattr itemgetter iter_entry_points methodcaller namedtuple pop
    select setattr setdefault type
    """.split()
)
"""Last names of functions whose strings name something."""
SETTERS: Final = frozenset(("setattr", "object.__setattr__"))
TESTS: Final = frozenset(("hasattr", "isinstance", "issubclass"))
"""Functions that do nothing with what they are passed."""


@visits("call")
def visit_call(w: Walk, node: Node) -> None:
    value_call(w, node, False)


def value_call(w: Walk, node: Node, wanted: bool = True) -> Expression:
    """The row of a call; where it is not `wanted`, only one that passes something worth following gets a row."""
    function = node.child(0)
    kind = function.kind_id
    start = function.start_byte
    imported = None
    called: Expression
    if kind == IDENTIFIER or kind == ATTRIBUTE:
        raw = w.source[start : function.end_byte]
        called = KNOWN.get(raw) or learn(raw)
        if called:
            w.calls[called].append(start)
            if called in SPECIAL:
                imported = special_call(w, node, called)
        else:
            called, start = _member_called(w, function)
    else:
        called, start = callee(w, function)
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    arguments = node.child(1)
    if arguments.kind_id == ARGUMENT_LIST:
        nodes = [arguments.named_child(index) for index in range(arguments.named_child_count)]
    else:
        nodes = _arguments(node)
    passed: list[Part] = []
    worth = said = False
    bare = w.bare
    for argument in nodes:
        kind = argument.kind_id
        if kind in DULL:
            if kind not in EXTRAS:
                passed.append(ARGUMENT[kind](w, argument))
                said = said or kind == STRING
        elif kind == KEYWORD_ARGUMENT:
            given = argument.child(argument.child_count - 1)
            kind = given.kind_id
            said = said or kind == STRING
            row = ARGUMENT[kind](w, given)
            name = argument.child(0)
            raw = w.source[name.start_byte : name.end_byte]
            passed.append(("=", KNOWN.get(raw) or learn(raw), row))
            worth = worth or (kind not in DULL and row not in bare)
        else:
            row = ARGUMENT[kind](w, argument)
            passed.append(row)
            worth = worth or row not in bare
    w.depth -= 1
    if imported is not None:
        return imported
    if not worth and not wanted:
        return UNKNOWN
    if said and (last := _last_name(w, called, function)) in SPOKEN:
        passed = _spoken(w, node, passed, last in MAKERS)
    rows = w.rows
    call = rows.setdefault(("call", called, tuple(passed)), len(rows))
    if worth and called not in TESTS:
        w.passed[w.frame.index, call].append(start)
        if called in SETTERS:
            _set(w, node, passed, start)
        elif called.__class__ is str and str(called).endswith(".update"):
            _update(w, str(called), passed, start)
    return call


values("call")(value_call)


def _last_name(w: Walk, called: Expression, function: Node) -> str:
    if called.__class__ is str:
        return str(called).rpartition(".")[2]
    return w.name(function.children[-1]) if function.kind_id == ATTRIBUTE else ""


def _spoken(w: Walk, node: Node, passed: list[Part], fields: bool) -> list[Part]:
    """Arguments with the values of their strings: of `getattr` and its like they name something, as do fields."""
    result: list[Part] = []
    for argument, row in zip(_arguments(node), passed, strict=True):
        said = string_value(w, argument) if argument.kind_id == STRING else None
        if argument.kind_id == KEYWORD_ARGUMENT and argument.children[-1].kind_id == STRING:
            said = string_value(w, argument.children[-1])
            result.append(row if said is None or not isinstance(row, tuple) else ("=", row[1], w.row(said)))
            continue
        if fields and argument.kind_id in LISTS and not isinstance(row, tuple):
            row = field_list(w, argument, row)
        result.append(row if said is None else w.row(said))
    return result


def _set(w: Walk, node: Node, passed: list[Part], position: int) -> None:
    """`setattr(object, "name", value)`."""
    given = _arguments(node)
    name = plain_string(w, given[1]) if len(given) == 3 and given[1].kind_id == STRING else None
    if name and name.isidentifier():
        w.stores.append((w.frame.index, "attribute", passed[0], name, passed[2], position, w.block()))


def _update(w: Walk, called: str, passed: list[Part], position: int) -> None:
    """`mapping.update(other)` is the same as `mapping |= other`."""
    for part in passed:
        if not isinstance(part, tuple):
            w.stores.append((w.frame.index, "extend", called.rpartition(".")[0], None, part, position, w.block()))


def _arguments(node: Node) -> list[Node]:
    """The arguments of a call, also where their list does not stand next to the function: there may be a comment
    between, or only a generator."""
    last = node.children[-1]
    return operands(last) if last.kind_id == ARGUMENT_LIST else [last]


def _member_called(w: Walk, node: Node) -> tuple[Expression, int]:
    """A called attribute that is no chain in its spelling, and where its reference is."""
    called = member(w, node, CALL)
    return called, chain_of(w, node)[1] if called.__class__ is str else node.child(node.child_count - 1).start_byte


def callee(w: Walk, node: Node) -> tuple[Expression, int]:
    """What is called, when it is neither a name nor an attribute, and where its reference is."""
    chain, position = chain_of(w, node)
    if chain:
        w.calls[chain].append(position)
        return chain, position
    inner = node
    while inner.kind_id == PARENTHESIZED or inner.kind_id == LIST_SPLAT:
        within = operands(inner)
        if len(within) != 1:
            break
        inner = within[0]
    if inner.kind_id == ATTRIBUTE:
        return _member_called(w, inner)
    function = VALUE[inner.kind_id](w, inner)
    w.calls[function].append(inner.start_byte)
    return function, inner.start_byte


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


def _string_argument(w: Walk, node: Node) -> Expression:
    """The type alone: what is said to a call in words is rarely worth keeping; see `SPECIAL` for those that are."""
    first = w.source[node.start_byte]
    rows = w.rows
    if first == "'" or first == '"':
        return rows.setdefault(STR, len(rows))
    return value_string(w, node)


def _splat(w: Walk, node: Node) -> tuple[str, Expression]:
    value = node.children[-1]
    row = VALUE[value.kind_id](w, value)
    if node.kind_id == k.DICTIONARY_SPLAT:
        return ("**", row)
    if value.kind_id not in INERT:
        invoke(w, row, "__iter__", start_of(value))
    return ("*", row)


ARGUMENT: Final[list[Callable[[Walk, Node], Part]]] = list(VALUE)
"""Like `VALUE`, for the places where `*value` and `**value` may stand; of a string it gives the type alone."""


def fill_arguments() -> None:
    """Take over the handlers of `VALUE`; called when all of them are registered."""
    ARGUMENT[:] = VALUE
    ARGUMENT[k.STRING] = _string_argument
    ARGUMENT[k.LIST_SPLAT] = _splat
    ARGUMENT[k.DICTIONARY_SPLAT] = _splat
