"""Methods that syntax calls: those of operators, subscription, iteration, `with` and `await`."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.chains import KNOWN, learn
from indexer.languages.python.kinds import VALUE, VISIT
from indexer.languages.python.walk import UNKNOWN, Walk
from indexer.model import Expression, Role

IMPLICIT: Final = int(Role.IMPLICIT)

INERT: Final = k.DULL | frozenset(
    k.kind(name)
    for name in (
        "dictionary", "dictionary_comprehension", "expression_list", "generator_expression", "lambda", "list",
        "list_comprehension", "set", "set_comprehension", "tuple",
    )
)  # fmt: skip
"""What has methods that nobody wrote."""

ADDED: Final = frozenset(k.kind(name) for name in ("dictionary", "list", "list_comprehension", "set", "tuple"))
"""Operands whose items are those of the result."""

BINARY: Final = {
    k.kind(token, named=False): (f"__{name}__", f"__r{name}__", f"__i{name}__")
    for token, name in {
        "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "@": "matmul", "**": "pow",
        "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
    }.items()
}  # fmt: skip
"""By operator: its method, the one of the right operand, the one of `+=` and its like."""

AUGMENTED: Final = {
    k.kind(f"{k.GRAMMAR.node_kind_for_id(number)}=", named=False): names[2] for number, names in BINARY.items()
}

COMPARED: Final = {
    k.kind(token, named=False): names
    for token, names in {
        "==": ("__eq__", "__eq__"), "!=": ("__ne__", "__ne__"), "<>": ("__ne__", "__ne__"), "<": ("__lt__", "__gt__"),
        "<=": ("__le__", "__ge__"), ">": ("__gt__", "__lt__"), ">=": ("__ge__", "__le__"), "in": ("", "__contains__"),
        "not in": ("", "__contains__"), "is": ("", ""), "is not": ("", ""),
    }.items()
}  # fmt: skip
"""By operator: the method of the left operand, and the one of the right operand if the left one is a literal."""

NAMES: Final = frozenset((k.ATTRIBUTE, k.IDENTIFIER))
UNARY: Final = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}


def invoke(w: Walk, operand: Expression, method: str, position: int) -> None:
    """Record that syntax calls a method of an operand, which starts at `position`."""
    if operand.__class__ is str:
        w.frame.others[f"{operand}.{method}", IMPLICIT].append(position)
    elif operand != UNKNOWN:
        rows = w.rows
        w.frame.others[rows.setdefault(("member", operand, method), len(rows)), IMPLICIT].append(position)


def operand(w: Walk, node: Node) -> Expression:
    """Visit an operand; its expression if syntax may call a method of it that somebody wrote, else UNKNOWN."""
    kind = node.kind_id
    if kind not in INERT:
        return VALUE[kind](w, node)
    visit = VISIT[kind]
    if visit is not None:
        visit(w, node)
    return UNKNOWN


def start_of(node: Node) -> int:
    """Where an operand starts inside its parentheses."""
    while node.kind_id == k.PARENTHESIZED and node.named_child_count:
        node = node.named_child(0)
    return node.start_byte


def applied(w: Walk, node: Node, method: str) -> None:
    """Visit an operand whose value nobody uses and of which syntax calls a method."""
    found = operand(w, node)
    if found != UNKNOWN:
        invoke(w, found, method, start_of(node))


def tested(w: Walk, node: Node) -> None:
    """Record that the truth of a condition's operand is asked for, if it is a name or a chain."""
    if node.kind_id in NAMES:
        start = node.start_byte
        raw = w.source[start : node.end_byte]
        chain = KNOWN.get(raw) or learn(raw)
        if chain:
            w.frame.others[f"{chain}.__bool__", IMPLICIT].append(start)


def pair(w: Walk, left: Node, right: Node, methods: tuple[str, ...], wanted: bool = False) -> Expression:
    """Visit both operands of an operator with that method and the method of the right operand. If it is `wanted`, what
    the operator gives: a call of the left operand's method."""
    if wanted and left.kind_id in ADDED:
        return result(w, VALUE[left.kind_id](w, left), methods[0], added(w, right))
    first = operand(w, left)
    second = added(w, right) if wanted else operand(w, right)
    if first != UNKNOWN:
        invoke(w, first, methods[0], start_of(left))
        if second != UNKNOWN and right.kind_id not in ADDED:
            reflect(w, first, second, methods, start_of(right))
        return result(w, first, methods[0], second) if wanted else UNKNOWN
    if left.kind_id in k.LITERALS and second != UNKNOWN:
        invoke(w, second, methods[1], start_of(right))
        return result(w, second, methods[1]) if wanted else UNKNOWN
    return UNKNOWN


def reflect(w: Walk, left: Expression, right: Expression, methods: tuple[str, ...], position: int) -> None:
    """Record that an operator may call the method of its right operand, which starts at `position`."""
    rows = w.rows
    row = rows.setdefault(("reflected", right, methods[1], left), len(rows))
    w.frame.others[row, IMPLICIT].append(position)


def added(w: Walk, node: Node) -> Expression:
    """Visit a right operand; its expression."""
    return VALUE[node.kind_id](w, node) if node.kind_id in ADDED else operand(w, node)


def result(w: Walk, operand: Expression, method: str, *arguments: Expression) -> Expression:
    """What a method gives that syntax calls. It is not worth a row of `FileFacts.calls` to hand it on."""
    rows = w.rows
    called: Expression
    if operand.__class__ is str:
        called = f"{operand}.{method}"
    else:
        called = rows.setdefault(("member", operand, method), len(rows))
    row = rows.setdefault(("call", called, arguments), len(rows))
    w.bare.add(row)
    return row


def compared(w: Walk, nodes: list[Node]) -> None:
    """Visit the operands of a comparison; `nodes` are all its children."""
    left: Node | None = None
    first: Expression = UNKNOWN
    method = reflected = ""
    for node in nodes:
        kind = node.kind_id
        if kind in COMPARED:
            method, reflected = COMPARED[kind]
        elif kind not in k.EXTRAS:
            second = operand(w, node)
            if left is not None:
                if method and first != UNKNOWN:
                    invoke(w, first, method, start_of(left))
                elif reflected and second != UNKNOWN and (not method or left.kind_id in k.LITERALS):
                    invoke(w, second, reflected, start_of(node))
            left, first = node, second
