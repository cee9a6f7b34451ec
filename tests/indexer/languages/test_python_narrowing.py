"""Where Python code knows what class something is of, and what patterns bind; worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from indexer.languages.python import Python
from indexer.model import FileFacts


def plain(found: FileFacts, part: Any) -> Any:
    """An expression with its rows spelled out."""
    if isinstance(part, tuple):
        return tuple(plain(found, inner) for inner in part)
    if not isinstance(part, int):
        return part
    row = found.expressions[part]
    return row if row[0] in ("literal", "unknown") else tuple(plain(found, inner) for inner in row)


def narrowed(source: str) -> list[tuple[str, Any, str]]:
    """(chain, type, source it holds in) in order."""
    found = Python().extract(source.encode())
    return [(row.chain, plain(found, row.type), source[row.start : row.end].strip()) for row in found.narrowings]


AB = ("tuple", ("A", "B"))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("if isinstance(x, A): x.b\nx.c", [("x", "A", "x.b")]),
        ("if isinstance(x.y, m.A): x.b", [("x.y", "m.A", "x.b")]),
        ("if isinstance(x, (A, B)): x.b", [("x", AB, "x.b")]),
        ("if isinstance(x, (A | B)): x.b", [("x", AB, "x.b")]),
        ("if isinstance(x, (A, f())): x.b", []),
        ("if isinstance(f(), A): x.b", []),
        ("if a: 1\nelif isinstance(x, A): x.b\nelse: x.c", [("x", "A", "x.b")]),
        ("if not isinstance(x, A): x.b\nelse: x.c", [("x", "A", "else: x.c")]),
        ("if isinstance(x, A) and x.a: x.b", [("x", "A", "x.a"), ("x", "A", "x.b")]),
        ("if isinstance(x, A) or x.a: x.b", []),
        ("if (a and isinstance(x, A) and x.a): x.b", [("x", "A", "x.a"), ("x", "A", "x.b")]),
        ("y = not isinstance(x, A) or x.a or x.b", [("x", "A", "x.a or x.b")]),
        ("y = isinstance(x, A) and x.a", [("x", "A", "x.a")]),
        ("y = x.a if isinstance(x, A) else x.b", [("x", "A", "x.a")]),
        ("y = x.a if not isinstance(x, A) else x.b", [("x", "A", "x.b")]),
        ("y = [x.a for x in z if isinstance(x, A) if x.b]", [("x", "A", "x.a"), ("x", "A", "if x.b]")]),
        ("while isinstance(x, A): x.b", [("x", "A", "x.b")]),
        ("if type(x) is A: x.b", [("x", "A", "x.b")]),
        ("if type(x) == A: x.b", [("x", "A", "x.b")]),
        ("if type(x) is not A: x.b\nelse: x.c", [("x", "A", "else: x.c")]),
        ("if type(x) < A: x.b", []),
        ("if isinstance(x := f(), A): x.b", [("x", "A", "x.b")]),
        ("def f(x):\n  assert isinstance(x, A), x\n  x.a\nx.b", [("x", "A", "x.a")]),
        ("assert isinstance(x, A)\nx.a", [("x", "A", "x.a")]),
        ("def f(x):\n  if not isinstance(x, A): return\n  x.a\nx.b", [("x", "A", "x.a")]),
        ("for x in y:\n  if not isinstance(x, A):\n    a\n    continue\n  x.a\nx.b", [("x", "A", "x.a")]),
        ("def f(x):\n  if not isinstance(x, A): a\n  x.a", []),
        ("if issubclass(x, A): x.b", []),
        ("if isinstance(x): x.b", []),
        # bound anew
        ("if isinstance(x, A):\n  x.a\n  x = b\n  x.b", [("x", "A", "x.a\n  x = b")]),
        ("if isinstance(x, A):\n  x = x.a", [("x", "A", "x = x.a")]),
        ("if isinstance(x, A):\n  x.a\n  del x\n  x.b", [("x", "A", "x.a\n  del")]),
        ("if isinstance(x.y, A):\n  x.a\n  x.y = b\n  x.b", [("x.y", "A", "x.a")]),
        ("if isinstance(x.y, A):\n  x.a\n  x = b\n  x.b", [("x.y", "A", "x.a\n  x = b")]),
        ("if isinstance(x, A):\n  x.y = b\n  x.b", [("x", "A", "x.y = b\n  x.b")]),
        ("if isinstance(x, A):\n  def f(x): x = 1\n  x.b", [("x", "A", "def f(x): x = 1\n  x.b")]),
        ("if isinstance(x, A):\n  [x for x in x.b]", [("x", "A", "[x for x in x.b]")]),
        ("def f():\n  global x\n  if isinstance(x, A):\n    x.a\n    x = 1", [("x", "A", "x.a\n    x = 1")]),
        # patterns
        ("match x:\n  case A(): x.a\n  case _: x.b", [("x", "A", "A(): x.a")]),
        ("match x.y:\n  case A(b=B()): x.a", [("x.y", "A", "A(b=B()): x.a"), ("x.y.b", "B", "B()): x.a")]),
        ("match x:\n  case A() | B(): x.a", [("x", AB, "A() | B(): x.a")]),
        ("match x:\n  case A() | 1: x.a", []),
        ("match f():\n  case A(): x.a", []),
    ],
)
def test_narrowings(source: str, expected: Any) -> None:
    assert narrowed(source + "\n") == expected


def test_a_narrowing_is_of_the_scope_it_stands_in() -> None:
    found = Python().extract(b"def f(x):\n  if isinstance(x, A): x.b\n  return [y.a for y in x if isinstance(y, B)]\n")
    assert [(row.scope, row.chain) for row in found.narrowings] == [(1, "x"), (2, "y"), (2, "y")]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("n", "x"),
        ("(n)", "x"),
        ("A(k=n)", "x.k"),
        ("A(k=B(j=n))", "x.k.j"),
        ("A(n)", ("unknown",)),
        ("str(n)", "x"),
        ("A() as n", ("except", "A")),
        ("(A() | B()) as n", ("except", AB)),
        ("1 | 2 as n", "x"),
        ("[a, n]", ("item", "x", ("literal", "int", 1))),
        ("(n,)", ("item", "x", ("literal", "int", 0))),
        ("a, n", ("item", "x", ("literal", "int", 1))),
        ("[a, *b, n]", ("item", "x", ("literal", "int", -1))),
        ("[a, *n]", ("item", "x", ("slice", ("literal", "int", 1), None))),
        ("[_, A(k=n)]", ("member", ("except", "A"), "k")),
        ("{'k': n}", ("item", "x", ("literal", "str", "k"))),
        ("{-1: n}", ("item", "x", ("literal", "int", -1))),
        ("{A.k: n}", ("item", "x", "A.k")),
        ("{'k': [n]}", ("item", ("item", "x", ("literal", "str", "k")), ("literal", "int", 0))),
        ("{'k': 1, **n}", ("literal", "dict")),
        ("[*_, n]", ("item", "x", ("literal", "int", -1))),
        ("[{**_}, A(k=_), n, _]", ("item", "x", ("literal", "int", 2))),
    ],
)
def test_captures(pattern: str, expected: Any) -> None:
    found = Python().extract(f"match x:\n    case {pattern}: pass\n".encode())
    (row,) = [row for row in found.bindings if row.name == "n"]
    assert plain(found, row.expression) == expected
    assert row.origin == 0


def test_subjects_that_are_no_chains() -> None:
    found = Python().extract(b"match f():\n    case A(k=n): pass\nmatch a, b:\n    case c, d: pass\n")
    values = {row.name: plain(found, row.expression) for row in found.bindings}
    pair = ("tuple", ("a", "b"))
    assert values["n"] == ("member", ("except", "A"), "k")
    assert values["d"] == ("item", pair, ("literal", "int", 1))


def test_a_match_within_a_case_has_its_own_subject() -> None:
    source = "match a:\n    case b:\n        match c:\n            case d: pass\n    case e: pass\n"
    found = Python().extract(source.encode())
    assert {row.name: row.expression for row in found.bindings} == {"b": "a", "d": "c", "e": "a"}
