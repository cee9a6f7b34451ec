"""Methods that Python's syntax calls, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from indexer.languages.python import Python
from indexer.model import FileFacts, Role


def plain(found: FileFacts, part: Any) -> Any:
    """An expression with its rows spelled out."""
    if isinstance(part, tuple):
        return tuple(plain(found, inner) for inner in part)
    if not isinstance(part, int):
        return part
    row = found.expressions[part]
    return row if row[0] == "literal" else tuple(plain(found, inner) for inner in row)


def implicit(source: str) -> list[tuple[Any, int]]:
    """What is called implicitly, and where."""
    found = Python().extract(source.encode())
    rows = [row for row in found.references if row[2] == Role.IMPLICIT]
    return [(plain(found, row[1]), place) for row in rows for place in row[3]]


CALL = ("call", "f", ())
SUM = ("call", "a.__add__", ("b",))


def reflected(right: Any, name: str, left: Any, position: int) -> tuple[Any, int]:
    """What is called of a right operand where the left one has no such method."""
    return ("reflected", right, f"__r{name}__", left), position


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # operators
        ("a + b", [("a.__add__", 0), reflected("b", "add", "a", 4)]),
        ("x = a.b @ c", [("a.b.__matmul__", 4), reflected("c", "matmul", "a.b", 10)]),
        ("(a.b) - c", [("a.b.__sub__", 1), reflected("c", "sub", "a.b", 8)]),
        ("a + b + c", [("a.__add__", 0), reflected("b", "add", "a", 4)]),
        ("a + b * c", [("b.__mul__", 4), reflected("c", "mul", "b", 8), ("a.__add__", 0)]),
        ("f() // a", [(("member", CALL, "__floordiv__"), 0), reflected("a", "floordiv", CALL, 7)]),
        ("1 + a", [("a.__radd__", 4)]),
        ("'%s' % a", [("a.__str__", 7)]),
        ("[1] + a", []),
        ("(a + b) * c", [
            ("a.__add__", 1), reflected("b", "add", "a", 5), (("member", SUM, "__mul__"), 1),
            reflected("c", "mul", SUM, 10),
        ]),
        ("a += b", [("a.__iadd__", 0), (("reflected", "b", "__radd__", "a"), 5)]),
        ("a.b >>= 1", [("a.b.__irshift__", 0)]),
        ("-a; +a.b; ~f()", [("a.__neg__", 1), ("a.b.__pos__", 5), (("member", CALL, "__invert__"), 11)]),
        ("x = -1", []),
        # comparisons
        ("a == b", [("a.__eq__", 0)]),
        ("x = a != b", [("a.__ne__", 4)]),
        ("a < b >= c", [("a.__lt__", 0), ("b.__ge__", 4)]),
        ("1 < a", [("a.__gt__", 4)]),
        ("'s' == a", [("a.__eq__", 7)]),
        ("a in b", [("b.__contains__", 5)]),
        ("1 not in a.b", [("a.b.__contains__", 9)]),
        ("a is b is not None", []),
        ("a in [b]", []),
        ("f() == 1", [(("member", CALL, "__eq__"), 0)]),
        # items
        ("a[b]", [("a.__getitem__", 0)]),
        ("x = a.b[1]", [("a.b.__getitem__", 4)]),
        ("a[b][c]", [("a.__getitem__", 0), (("member", ("item", "a", "b"), "__getitem__"), 0)]),
        ("a[b] = c", [("a.__setitem__", 0)]),
        ("a[b] = 1", [("a.__setitem__", 0)]),
        ("a[b] += 1", [
            ("a.__getitem__", 0), (("member", ("item", "a", "b"), "__iadd__"), 0), ("a.__setitem__", 0),
        ]),
        ("del a[b]", [("a.__delitem__", 4)]),
        ("class C(A[B[D]], E): pass", []),
        ("x: A[B]", []),
        ("def f(p: A[B] = None) -> A[B]: pass", []),
        # iteration
        ("for x in a: pass", [("a.__iter__", 9)]),
        ("for x in f(): pass", [(("member", CALL, "__iter__"), 9)]),
        ("for x in [a]: pass", []),
        ("async def g():\n async for x in a: pass", [("a.__aiter__", 31)]),
        ("[x for x in a for y in x.b]", [("a.__iter__", 12), ("x.b.__iter__", 23)]),
        ("f(*a, **b)", [("a.__iter__", 3)]),
        ("[*a]", [("a.__iter__", 2)]),
        ("x, y = a", [("a.__iter__", 7)]),
        ("x, *y = (1, 2)", []),
        ("def g():\n yield from a", [("a.__iter__", 21)]),
        ("def g():\n yield a", []),
        # the rest
        ("with a: pass", [("a.__enter__", 5), ("a.__exit__", 5)]),
        ("with f() as x: pass", [(("member", CALL, "__enter__"), 5), (("member", CALL, "__exit__"), 5)]),
        ("with (a as x): pass", [("a.__enter__", 6), ("a.__exit__", 6)]),
        ("with (a as x, b): pass", [
            ("a.__enter__", 6), ("a.__exit__", 6), ("b.__enter__", 14), ("b.__exit__", 14),
        ]),
        ("async def g():\n async with a: pass", [("a.__aenter__", 27), ("a.__aexit__", 27)]),
        ("async def g():\n await a", [("a.__await__", 22)]),
        ("async def g():\n x = await f()", [(("member", CALL, "__await__"), 26)]),
        ("a(b).c = d", []),
    ],
)  # fmt: skip
def test_methods_that_syntax_calls(source: str, expected: Any) -> None:
    assert implicit(source + "\n") == expected


def test_the_first_iterable_of_a_comprehension_is_read_around_it() -> None:
    found = Python().extract(b"def f(): return [1 for x in a for y in b]\n")
    scopes = {row[1]: row[0] for row in found.references if row[2] == Role.IMPLICIT}
    assert scopes == {"a.__iter__": 1, "b.__iter__": 2}
