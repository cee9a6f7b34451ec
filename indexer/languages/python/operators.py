"""Operators, displays, comprehensions and the other expressions made of expressions."""

from __future__ import annotations

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.expressions import ARGUMENT, operands, visit_children
from indexer.languages.python.kinds import VALUE, VISIT, values, visits
from indexer.languages.python.targets import bind_in, bind_target
from indexer.languages.python.walk import ALWAYS, MAX_DEPTH, UNKNOWN, Frame, Walk
from indexer.model import Expression, ExpressionRow

DISPLAYS = {k.LIST: "list", k.SET: "set"}
MAX_ITEMS = 50
"""Items of a display that are kept."""

YIELD_FROM = k.kind("from", named=False)
IN = (k.kind("in", named=False), k.kind("not in", named=False), k.kind("is", named=False))


def visit(w: Walk, node: Node) -> None:
    handler = VISIT[node.kind_id]
    if handler is not None:
        handler(w, node)


def value(w: Walk, node: Node) -> Expression:
    return VALUE[node.kind_id](w, node)


visits(
    "argument_list", "await", "chevron", "comparison_operator", "concatenated_string", "dictionary", "dictionary_splat",
    "constrained_type", "decorator", "expression_list", "for_in_clause", "format_expression", "generic_type",
    "list_pattern", "list_splat_pattern", "tuple_pattern", "type", "type_parameter", "union_type", "format_specifier", "if_clause", "interpolation", "list", "list_splat",
    "not_operator", "pair", "parenthesized_expression", "parenthesized_list_splat", "pattern_list", "set", "slice",
    "tuple", "unary_operator",
)(visit_children)  # fmt: skip


def _literal(row: ExpressionRow, *names: str) -> None:
    @values(*names)
    def constant(w: Walk, node: Node) -> Expression:
        return w.row(row)


_literal(("literal", "int"), "integer")
_literal(("literal", "bool"), "true", "false")
_literal(("literal", "none"), "none")


@values("float")
def value_float(w: Walk, node: Node) -> Expression:
    imaginary = w.source[node.end_byte - 1] in "jJ"
    return w.row(("literal", "complex" if imaginary else "float"))


@values("concatenated_string")
def value_concatenated(w: Walk, node: Node) -> Expression:
    visit_children(w, node)
    return w.row(("literal", "bytes" if _is_bytes(w, node) else "str"))


def _is_bytes(w: Walk, string: Node) -> bool:
    prefix = w.source[string.start_byte : string.start_byte + 2]
    return prefix[0] in "bB" or prefix in ("rb", "rB", "Rb", "RB")


@visits("binary_operator", "boolean_operator")
def visit_spine(w: Walk, node: Node) -> None:
    """Long sums and concatenations lean to the left, so that side is a loop and not a recursion."""
    for operand in _spine(node):
        visit(w, operand)


def _spine(node: Node) -> list[Node]:
    kind = node.kind_id
    rights: list[Node] = []
    while node.kind_id == kind:
        parts = operands(node)
        if len(parts) < 2:
            return [*parts, *reversed(rights)]
        rights.extend(reversed(parts[1:]))
        node = parts[0]
    rights.append(node)
    rights.reverse()
    return rights


@values("boolean_operator")
def value_boolean(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    row = w.row(("either", tuple(value(w, operand) for operand in _spine(node))))
    w.depth -= 1
    return row


@values("binary_operator")
def value_binary(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    parts = _spine(node)
    for operand in parts:
        visit(w, operand)
    kind = parts[0].kind_id
    result = UNKNOWN
    if kind == k.STRING or kind == k.CONCATENATED_STRING:  # "…" % x
        result = w.row(("literal", "bytes" if _is_bytes(w, parts[0]) else "str"))
    elif kind == k.LIST or kind == k.TUPLE:
        result = w.row(("literal", "list" if kind == k.LIST else "tuple"))
    w.depth -= 1
    return result


@values("conditional_expression")
def value_conditional(w: Walk, node: Node) -> Expression:
    parts = operands(node)
    if len(parts) != 3 or w.depth >= MAX_DEPTH:
        visit_children(w, node)
        return UNKNOWN
    w.depth += 1
    visit(w, parts[1])
    row = w.row(("either", (value(w, parts[0]), value(w, parts[2]))))
    w.depth -= 1
    return row


@visits("conditional_expression")
def visit_conditional(w: Walk, node: Node) -> None:
    """The condition first: it is evaluated first, and lambdas are numbered in that order."""
    parts = operands(node)
    if len(parts) != 3 or w.depth >= MAX_DEPTH:
        return visit_children(w, node)
    w.depth += 1
    for part in (parts[1], parts[0], parts[2]):
        visit(w, part)
    w.depth -= 1
    return None


@values("comparison_operator")
def value_comparison(w: Walk, node: Node) -> Expression:
    visit_children(w, node)
    if node.child_count == 3 and node.children[1].kind_id in IN:
        return w.row(("literal", "bool"))
    return UNKNOWN


@values("not_operator")
def value_not(w: Walk, node: Node) -> Expression:
    visit_children(w, node)
    return w.row(("literal", "bool"))


@values("unary_operator", "parenthesized_expression", "parenthesized_list_splat")
def value_inner(w: Walk, node: Node) -> Expression:
    parts = operands(node)
    if w.depth >= MAX_DEPTH or len(parts) != 1:
        visit_children(w, node)
        return UNKNOWN
    w.depth += 1
    result = value(w, parts[0])
    w.depth -= 1
    if node.kind_id != k.PARENTHESIZED and parts[0].kind_id not in (k.INTEGER, k.FLOAT):
        return UNKNOWN
    return result


@values("await")
def value_await(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    result = value(w, node.children[-1])
    w.depth -= 1
    return w.row(("await", result))


@values("yield")
def value_yield(w: Walk, node: Node) -> Expression:
    frame = w.frame.home
    frame.generator = True
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    for child in operands(node):
        result = value(w, child)
        if node.children[1].kind_id == YIELD_FROM:
            result = w.row(("iterate", result))
        if len(frame.yields) < 20:
            frame.yields.append(result)
    w.depth -= 1
    return UNKNOWN


@visits("yield")
def visit_yield(w: Walk, node: Node) -> None:
    value_yield(w, node)


@visits("named_expression")
def visit_named(w: Walk, node: Node) -> None:
    value_named(w, node)


@values("named_expression")
def value_named(w: Walk, node: Node) -> Expression:
    parts = operands(node)
    if len(parts) != 2 or w.depth >= MAX_DEPTH:
        visit_children(w, node)
        return UNKNOWN
    w.depth += 1
    result = value(w, parts[1])
    w.span = (node.start_byte, node.end_byte, 0)
    w.effect = node.end_byte
    bind_in(w, w.frame.home, parts[0], result)
    w.depth -= 1
    return result


@values("list", "tuple", "set", "expression_list", "pattern_list")
def value_display(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    kind = DISPLAYS.get(node.kind_id, "tuple")
    w.depth += 1
    child_of = node.named_child
    kept: list[Expression] = []
    plain = True  # nothing but literals
    splat = False
    for index in range(node.named_child_count):
        child = child_of(index)
        inner = child.kind_id
        if inner == k.LIST_SPLAT:
            splat = True
            visit(w, child)
        elif len(kept) >= MAX_ITEMS:
            visit(w, child)
        elif inner not in k.EXTRAS:
            plain = plain and inner in k.LITERALS
            kept.append(ARGUMENT[inner](w, child))
    w.depth -= 1
    return w.row(("literal", kind) if plain or splat else (kind, tuple(kept)))


@values("dictionary")
def value_dictionary(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    kept: list[tuple[Expression, Expression]] = []
    useful = False
    for item in operands(node):
        parts = operands(item) if item.kind_id == k.PAIR else []
        if len(parts) == 2 and len(kept) < MAX_ITEMS and parts[1].kind_id not in k.LITERALS:
            kept.append((value(w, parts[0]), value(w, parts[1])))
            useful = True
        else:
            visit(w, item)
    w.depth -= 1
    return w.row(("dict", tuple(kept)) if useful else ("literal", "dict"))


@visits("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
def visit_comprehension(w: Walk, node: Node) -> None:
    """Opens a scope for the targets; the first iterable is evaluated in the scope around."""
    if w.depth >= MAX_DEPTH:
        return w.too_deep(node)
    w.depth += 1
    body, *clauses = operands(node)
    around = w.frame
    frame = w.open("block", around, around.symbol, around.qualname)
    frame.home = around.home
    w.enter(frame)
    visit(w, body)
    outside: Frame | None = around
    for clause in clauses:
        if clause.kind_id == k.FOR_IN_CLAUSE:
            _for_in(w, clause, outside or frame, frame)
            outside = None
        else:
            visit(w, clause)
    w.enter(around)
    w.depth -= 1
    return None


def _for_in(w: Walk, clause: Node, outside: Frame, frame: Frame) -> None:
    target, *iterables = operands(clause)
    w.enter(outside)
    iterable: Expression = UNKNOWN
    for part in iterables:
        iterable = value(w, part)
    w.enter(frame)
    element = w.row(("iterate", iterable)) if iterable != UNKNOWN and outside is frame else UNKNOWN
    w.effect = -1
    branch, w.branch = w.branch, ALWAYS
    bind_target(w, target, element, outside.index)
    w.branch = branch


def _comprehension(row: ExpressionRow, name: str) -> None:
    @values(name)
    def comprehension(w: Walk, node: Node) -> Expression:
        visit_comprehension(w, node)
        return w.row(row)


_comprehension(("literal", "list"), "list_comprehension")
_comprehension(("literal", "set"), "set_comprehension")
_comprehension(("literal", "dict"), "dictionary_comprehension")
