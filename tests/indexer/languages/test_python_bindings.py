"""Scopes and bindings of Python, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from indexer.languages.python import Python
from indexer.model import Binding, BindingKind, Expression, FileFacts, Role


def facts(source: str) -> FileFacts:
    return Python().extract(source.encode())


def plain(found: FileFacts, part: Any) -> Any:
    """An expression with its rows spelled out."""
    if isinstance(part, tuple):
        return tuple(plain(found, inner) for inner in part)
    if not isinstance(part, int):
        return part
    row = found.expressions[part]
    return row if row[0] in ("literal", "symbol", "import", "unknown") else tuple(plain(found, inner) for inner in row)


def bound(found: FileFacts, name: str) -> Binding:
    (binding,) = [row for row in found.bindings if row.name == name]
    return binding


def value(source: str, name: str) -> Any:
    found = facts(source)
    return plain(found, bound(found, name).expression)


def test_parameters() -> None:
    found = facts("def f(a, b: A = 1, /, c=x, *args: B, d: 'C' = y, e, **kw): pass\n")
    rows: list[tuple[str, BindingKind, int, Expression, Any]] = [
        (row.name, BindingKind(row.kind), row.target, plain(found, row.expression), row.annotation)
        for row in found.bindings[1:]
    ]
    assert rows == [
        ("a", BindingKind.PARAMETER, 0, None, None),
        ("b", BindingKind.PARAMETER, 1, ("literal", "int", 1), "A"),
        ("c", BindingKind.PARAMETER, 2, "x", None),
        ("args", BindingKind.STAR, 3, None, "B"),
        ("d", BindingKind.KEYWORD_ONLY, 4, "y", "C"),
        ("e", BindingKind.KEYWORD_ONLY, 5, None, None),
        ("kw", BindingKind.DOUBLE_STAR, 6, None, None),
    ]
    assert {(row.scope, row.origin) for row in found.bindings[1:]} == {(1, 0)}


def test_keyword_only_after_a_bare_star_and_in_lambdas() -> None:
    found = facts("f = lambda a, *, b=1: a\n")
    kinds = {row.name: row.kind for row in found.bindings}
    assert kinds == {"f": BindingKind.VALUE, "a": BindingKind.PARAMETER, "b": BindingKind.KEYWORD_ONLY}


@pytest.mark.parametrize(
    ("source", "name", "expected"),
    [
        ("a = b = c()", "b", ("call", "c", ())),
        ("a, b = c, d", "b", "d"),
        ("a, b = c", "b", ("item", "c", ("literal", "int", 1))),
        ("a, (b, *d) = c", "b", ("item", ("item", "c", ("literal", "int", 1)), ("literal", "int", 0))),
        ("a, *b = c", "b", ("item", "c", ("slice", ("literal", "int", 1), None))),
        ("a, *b, d = c", "b", ("item", "c", ("slice", ("literal", "int", 1), ("literal", "int", -1)))),
        ("a, *b, e, d = c", "e", ("item", "c", ("literal", "int", -2))),
        ("*a, (b, d) = c", "d", ("item", ("item", "c", ("literal", "int", -1)), ("literal", "int", 1))),
        ("a, *b = c + d", "b", ("item", ("call", "c.__add__", ("d",)), ("slice", ("literal", "int", 1), None))),
        ("a, *b = c < d", "b", ("literal", "list")),
        ("for a, *b in c: pass", "b", ("item", ("iterate", "c"), ("slice", ("literal", "int", 1), None))),
        ("[a for a in b]", "a", ("iterate", "b")),
        ("[d for a in b for d in a.c]", "d", ("iterate", "a.c")),
        ("{a: b for a, b in c}", "b", ("item", ("iterate", "c"), ("literal", "int", 1))),
        ("for a in b.c: pass", "a", ("iterate", "b.c")),
        ("for a, d in b: pass", "d", ("item", ("iterate", "b"), ("literal", "int", 1))),
        ("with a() as b: pass", "b", ("enter", ("call", "a", ()))),
        ("with (a() as b, c as d): pass", "d", ("enter", "c")),
        ("with a as (b, c): pass", "c", ("item", ("enter", "a"), ("literal", "int", 1))),
        ("try: pass\nexcept E as e: pass", "e", ("except", "E")),
        ("try: pass\nexcept (E, F) as e: pass", "e", ("except", ("tuple", ("E", "F")))),
        ("print(a := b.c)", "a", "b.c"),
        ("match a:\n    case C(x=b) as c: pass", "c", ("except", "C")),
        ("type X = A | B", "X", ("union", ("A", "B"))),
        ("x: int", "x", None),
        ("x += 1", "x", ("unknown",)),
    ],
)
def test_values(source: str, name: str, expected: Any) -> None:
    assert value(source + "\n", name) == expected


def test_a_match_binds_captures_and_reads_the_rest() -> None:
    found = facts("match s:\n    case [a, *b] | {'k': c.d, **e} | C.D(f, g=h) if i: pass\n    case _: pass\n")
    assert {row.name for row in found.bindings} == {"a", "b", "e", "f", "h"}
    assert {row[1] for row in found.references} == {"s", "c.d", "C.D", "i"}


def test_an_augmented_name_keeps_its_binding() -> None:
    found = facts("def f(p):\n    a = []\n    a += [1]\n    p += 1\n    b.c += 1\n")
    assert [row.name for row in found.bindings] == ["f", "p", "a"]
    assert [(row[1], row[2]) for row in found.references if row[2] != Role.IMPLICIT] == [
        ("a", 0), ("p", 0), ("b.c", 0), ("b.c", 2),
    ]  # fmt: skip


def test_comprehensions_open_a_block_but_for_the_first_iterable_and_walrus() -> None:
    found = facts("def f(y):\n    return [(x, w := z) for x in y for v in x]\n")
    assert found.scopes == (("module", -1, 0), ("function", 0, 1), ("block", 1, 1))
    assert bound(found, "x").scope == 2
    assert bound(found, "x").origin == 1
    assert bound(found, "v").origin == 2
    assert bound(found, "w").scope == 1
    assert bound(found, "w").origin == 2
    scopes = {row[1]: row[0] for row in found.references}
    assert scopes == {"y": 1, "y.__iter__": 1, "x": 2, "x.__iter__": 2, "z": 2}


def test_global_and_nonlocal() -> None:
    found = facts(
        "def f():\n"
        "    def g():\n"
        "        nonlocal a\n"
        "        global b\n"
        "        a = c\n"
        "        b = d\n"
        "        def b(): pass\n"
        "        import b\n"
        "    a = 1\n"
    )
    outer, inner = 1, 2
    rows = [(row.scope, row.name, BindingKind(row.kind), row.origin) for row in found.bindings]
    assert (outer, "a", BindingKind.VALUE, inner) in rows
    assert (outer, "a", BindingKind.VALUE, outer) in rows
    assert (inner, "a", BindingKind.NONLOCAL, inner) in rows
    assert (inner, "b", BindingKind.GLOBAL, inner) in rows
    assert (0, "b", BindingKind.VALUE, inner) in rows
    assert (0, "b", BindingKind.SYMBOL, inner) in rows
    assert (0, "b", BindingKind.IMPORT, inner) in rows


def test_deleted_names() -> None:
    found = facts("del a, b.c, d[e]\n")
    assert [(row.name, BindingKind(row.kind)) for row in found.bindings] == [("a", BindingKind.DELETED)]
    assert [(row[1], row[2]) for row in found.references] == [
        ("d", 0), ("e", 0), ("a", 9), ("b.c", 9), ("d.__delitem__", 10),
    ]  # fmt: skip


def test_type_parameters_live_in_a_scope_between() -> None:
    found = facts("class C[T: B](G[T]):\n    def m[U](self, u: U) -> T: pass\ntype A[V] = list[V]\n")
    assert [row.kind for row in found.scopes] == ["module", "block", "class", "block", "function", "block"]
    assert [row.parent for row in found.scopes] == [-1, 0, 1, 2, 3, 0]
    assert bound(found, "T").expression == "B"
    assert bound(found, "T").scope == 1
    assert bound(found, "u").origin == 3
    assert found.classes[0].origin == 1
    assert bound(found, "A").origin == 5


def test_variables_point_at_their_symbols() -> None:
    found = facts("a = 1\nclass C:\n    b = 1\ndef f():\n    c = 1\n    global a\n    a = 2\n")
    targets = [(row.name, row.target) for row in found.bindings if row.kind == BindingKind.VALUE]
    by_name = {row.qualname: index for index, row in enumerate(found.symbols)}
    assert targets == [("a", by_name["a"]), ("b", by_name["C.b"]), ("c", -1), ("a", by_name["a"])]


def test_blocks_that_may_not_run() -> None:
    source = (
        "a = 1\n"
        "if x: b = 1\n"
        "elif y: c = 1\n"
        "else: d = 1\n"
        "for e in z:\n"
        "    while w: f = 1\n"
        "with v: g = 1\n"
        "try: h = 1\n"
        "except E: i = 1\n"
        "finally: j = 1\n"
        "if u:\n"
        "    def k(): l = 1\n"
    )
    found = facts(source)

    def block(name: str) -> str:
        start, end, _ = found.blocks[bound(found, name).block]
        return source[start : min(end, len(source))]

    assert [name for name in "abcdefghijkl" if bound(found, name).block == 0] == ["a", "g", "j", "l"]
    assert block("b") == "b = 1"
    assert block("c") == "elif y: c = 1"
    assert block("d") == "else: d = 1"
    assert block("f") == "f = 1"
    assert block("i") == "except E: i = 1"
    loop = source.index("while w")
    assert found.blocks[bound(found, "e").block][2] == loop
    assert found.blocks[bound(found, "f").block][2] == loop
    assert found.blocks[bound(found, "i").block][2] == -1
    assert found.blocks[bound(found, "k").block][2] == -2 - 64 * len(source.rstrip()), "there is no else"
    whole = source.index("\nfor e")
    assert [found.blocks[bound(found, name).block][2] for name in "bcd"] == [-2 - (64 * whole + 3)] * 3, (
        "one of three runs"
    )


def test_where_a_binding_takes_effect() -> None:
    source = "a = a.b()\nfor c in c.d: pass\nclass E(E): pass\n"
    found = facts(source)
    assert bound(found, "a").end == source.index("\n")
    assert bound(found, "c").end == source.index(": pass")
    assert bound(found, "E").end == source.index("(E)") + 3


def test_names_of_imports_are_bound() -> None:
    found = facts("import a.b, c.d as e\nfrom f import g, h as i\nfrom j import *\n")
    rows = [(row.name, row.target, row.position) for row in found.bindings]
    assert rows == [("a", 0, 7), ("e", 1, 19), ("g", 2, 35), ("i", 3, 43)]
