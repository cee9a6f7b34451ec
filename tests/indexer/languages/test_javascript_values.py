"""What JavaScript names are bound to, and what functions return; worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from indexer.languages import by_name
from indexer.model import Binding, BindingKind, Expression, FileFacts


def facts(source: str) -> FileFacts:
    return by_name("javascript").extract(source.encode())


def plain(found: FileFacts, expression: Expression) -> Any:
    """An expression with its rows spelled out; indexes of symbols as qualified names."""
    if not isinstance(expression, int):
        return expression
    row = found.expressions[expression]
    if row[0] == "symbol":
        return ("symbol", found.symbols[row[1]].qualname)
    if row[0] in ("literal", "import", "unknown"):
        return row
    if row[0] == "member":
        return ("member", plain(found, row[1]), row[2])
    return (row[0], *(_spelled(found, part) for part in row[1:]))


def _spelled(found: FileFacts, part: Any) -> Any:
    return tuple(_spelled(found, inner) for inner in part) if isinstance(part, tuple) else plain(found, part)


def bound(found: FileFacts, name: str) -> list[Binding]:
    return [binding for binding in found.bindings if binding.name == name]


def value(found: FileFacts, name: str) -> Any:
    (binding,) = bound(found, name)
    return plain(found, binding.expression)


@pytest.mark.parametrize(
    ("source", "name", "expected"),
    [
        ("const {a} = b.c", "a", ("member", "b.c", "a")),
        ("const {a: {d}} = f()", "d", ("member", ("member", ("call", "f", ()), "a"), "d")),
        ("const {a = 1} = b", "a", ("either", (("member", "b", "a"), ("literal", "int", 1)))),
        ("const [, a] = b", "a", ("item", "b", ("literal", "int", 1))),
        ("const {...a} = b", "a", None),
        ("try {} catch (a) {}", "a", None),
        ("for (const a in b) {}", "a", ("literal", "str")),
        ("let a = await b()", "a", ("await", ("call", "b", ()))),
        ("let a = b ? c : d", "a", ("either", ("c", "d"))),
        ("let a = b || c && d.e", "a", ("either", ("b", ("either", ("c", "d.e"))))),
        ("let a = b ?? c ?? d", "a", ("either", ("b", "c", "d"))),
        ("let a = new B(c, ...d)", "a", ("new", "B", ("c", ("*", "d")))),
        ("let a = b?.c", "a", ("member", "b", "c")),
        ("let a = (b, c.d)", "a", "c.d"),
        ("let a = b[0]", "a", ("item", "b", ("literal", "int", 0))),
        ("let a = [b, 'x']", "a", ("list", ("b", ("literal", "str", "x")))),
        ("let a = b = c", "a", "c"),
        ("let a = `x${b}`", "a", ("literal", "str")),
        ("let a = b + 'x'", "a", ("literal", "str")),
        ("let a = !b", "a", ("literal", "bool")),
        ("let a = /x/", "a", ("literal", "regex")),
        ("let a = class {}", "a", None),
        ("let a = import('b')", "a", ("import", 0)),
        ("function f({a} = b) {}", "a", ("member", "", "a")),
        ("function f({a}) {}", "a", None),
        ("let a = é.ü", "a", "é.ü"),
    ],
)
def test_values(source: str, name: str, expected: Any) -> None:
    assert value(facts(source), name) == expected


def test_parameters() -> None:
    found = facts("function f(a, b = 1, {c}, ...d) {}")
    rows = [(b.name, b.kind, b.target) for b in found.bindings if b.scope == 1 and b.name != "this"]
    assert rows == [
        ("a", BindingKind.PARAMETER, 0),
        ("b", BindingKind.PARAMETER, 1),
        ("", BindingKind.PARAMETER, 2),
        ("c", BindingKind.VALUE, -1),
        ("d", BindingKind.STAR, 3),
    ]


def test_assignments_are_bound_where_the_name_is_declared() -> None:
    found = facts("let a\nfunction f() { let b; a = g(); b = h(); c = 1 }")
    rows = [(b.scope, b.name, plain(found, b.expression), b.origin) for b in found.bindings if b.name in "abc"]
    assert rows == [
        (0, "a", None, 0),
        (1, "b", None, 1),
        (0, "a", ("call", "g", ()), 1),
        (1, "b", ("call", "h", ()), 1),
        (0, "c", ("literal", "int", 1), 1),
    ]


def test_returns_and_yields() -> None:
    found = facts("function f() { if (a) return b.c; return }\nconst g = x => x.y\nfunction* h() { yield 1; yield* i }")
    rows = [
        (found.symbols[f.symbol].name, f.returns, tuple(plain(found, y) for y in f.yields)) for f in found.functions
    ]
    assert rows == [("f", ("b.c",), ()), ("g", ("x.y",), ()), ("h", (), (("literal", "int", 1), ("iterate", "i")))]
