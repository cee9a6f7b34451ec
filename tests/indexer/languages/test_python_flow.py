"""What Python code passes to calls and puts into objects, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from indexer.codec import decode, encode
from indexer.languages.python import Python
from indexer.model import FileFacts


def facts(source: str) -> FileFacts:
    return Python().extract(source.encode())


def plain(found: FileFacts, part: Any) -> Any:
    """An expression with its rows spelled out."""
    if isinstance(part, tuple):
        return tuple(plain(found, inner) for inner in part)
    if not isinstance(part, int):
        return part
    row = found.expressions[part]
    if row[0] == "each":
        return (*row[:2], plain(found, row[2]), row[3])
    return row if row[0] in ("literal", "symbol", "import", "unknown") else tuple(plain(found, inner) for inner in row)


def calls(source: str) -> list[tuple[int, Any, Any, tuple[int, ...]]]:
    """(scope, function, arguments, positions) of each call."""
    found = facts(source)
    return [(row.scope, *plain(found, row.row)[1:], row.positions) for row in found.calls]


def stores(source: str) -> list[tuple[Any, ...]]:
    """(kind, object, key, value, position) of each store."""
    found = facts(source)
    return [
        (row.kind, plain(found, row.object), plain(found, row.key), plain(found, row.value), row.position)
        for row in found.stores
    ]


INT, STR, LIST = ("literal", "int", 1), ("literal", "str"), ("literal", "list")


@pytest.mark.parametrize(
    ("source", "arguments"),
    [
        ("f(a)", ("a",)),
        ("f(1, a.b)", (INT, "a.b")),
        ("f(g())", (("call", "g", ()),)),
        ("f(*a)", (("*", "a"),)),
        ("f(**a)", (("**", "a"),)),
        ("f('s', k=a)", (STR, ("=", "k", "a"))),
        ("f([1, a])", (("list", (INT, "a")),)),
        ("f([1], a)", (LIST, "a")),
        ("f(lambda: 1)", (("symbol", 1),)),
        ("f(x for x in a)", (("each", "generator", "x", 1),)),
        ("f(a or b)", (("either", ("a", "b")),)),
        ("f(a + b, c)", (("call", "a.__add__", ("b",)), "c")),
        ("f(  # why\n  a,  # it is so\n)", ("a",)),
        ("f # why\\\n", None),
        ("f()", None),
        ("f(1, 'a', b'c', f'{a}', None, True, -1, k=2)", None),
        ("f([1], (), {'a': 1}, [2 for b in c])", None),
        ("f(a + b, not a, a == b, k=a + b)", None),
    ],
)
@pytest.mark.parametrize("form", ["{}", "x = {}", "if {}: pass", "@{}\ndef g(): pass"])
def test_calls_that_pass_something(source: str, arguments: Any, form: str) -> None:
    if form.startswith("@") and "lambda" in source:
        arguments = (("symbol", 2),)  # after the symbol of the function, …
    elif form.startswith("@") and "for x" in source:
        arguments = (("each", "generator", "x", 2),)  # … and its scope
    found = [row for row in calls(form.format(source) + "\n") if row[1] == "f"]
    assert found == ([] if arguments is None else [(0, "f", arguments, (form.index("{"),))])


def test_where_calls_are() -> None:
    assert calls("f(a); f(a)\ndef g(): f(a)\n") == [(0, "f", ("a",), (0, 6)), (1, "f", ("a",), (20,))]
    assert calls("a.b(g(c), 1)\n") == [
        (0, "a.b", (("call", "g", ("c",)), INT), (0,)),
        (0, "g", ("c",), (4,)),
    ]
    assert calls("(a).b(c)\n") == [(0, "a.b", ("c",), (1,))]
    assert calls("f(1).b(c)\n") == [(0, ("member", ("call", "f", (INT,)), "b"), ("c",), (5,))]
    assert calls("f(a)(b)\n") == [(0, "f", ("a",), (0,)), (0, ("call", "f", ("a",)), ("b",), (0,))]
    assert calls("[f(a) for a in b]\n") == [(1, "f", ("a",), (1,))]
    assert calls("class C(f(a)): pass\n") == [(0, "f", ("a",), (8,))]


def test_calls_of_no_interest_leave_no_rows() -> None:
    assert facts("f(1)\ng.h('a', k=1)\n").expressions == (("unknown",), INT, STR)
    assert calls("isinstance(a, b); hasattr(a, 'b'); issubclass(a, b)\n") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("o.a = b", [("attribute", "o", "a", "b", 2)]),
        ("o.p.a = b.c", [("attribute", "o.p", "a", "b.c", 4)]),
        ("f().a = b", [("attribute", ("call", "f", ()), "a", "b", 4)]),
        ("x = o.a = b", [("attribute", "o", "a", "b", 6)]),
        ("o.a, o.b = c", [("attribute", "o", "a", ("item", "c", ("literal", "int", 0)), 2),
                          ("attribute", "o", "b", ("item", "c", ("literal", "int", 1)), 7)]),
        ("o.a, o.b = c, 1", [("attribute", "o", "a", "c", 2)]),
        ("for o.a in b: pass", [("attribute", "o", "a", ("iterate", "b"), 6)]),
        ("with a as o.b: pass", [("attribute", "o", "b", ("enter", "a"), 12)]),
        ("o.a: T = b", [("attribute", "o", "a", "b", 2)]),
        ("o.a: T", []),
        ("o.a = 1", []),
        ("o.a = 's'", []),
        ("x = o.a = 's'", []),
        ("o.a = [1]", []),
        ("o.a = b + c", []),
        ("o.a = [b]", [("attribute", "o", "a", ("list", ("b",)), 2)]),
        ("o.a = lambda: 1", [("attribute", "o", "a", ("symbol", 1), 2)]),
        ("o['k'] = b", [("item", "o", ("literal", "str", "k"), "b", 0)]),
        ("o.p[-1] = f(1)", [("item", "o.p", ("literal", "int", -1), ("call", "f", (INT,)), 0)]),
        ("f()[k] = b", [("item", ("call", "f", ()), "k", "b", 0)]),
        ("o[1:] = b", [("item", "o", ("slice", ("literal", "int", 1), None), "b", 0)]),
        ("o['k'] = 1", []),
        ("del o['k']", []),
        ("x += b", [("extend", "x", None, "b", 0)]),
        ("o.a += [b, 1]", [("extend", "o.a", None, ("list", ("b", INT)), 0)]),
        ("o |= f()", [("extend", "o", None, ("call", "f", ()), 0)]),
        ("o -= b", []),
        ("o += 1", []),
        ("o += [1]", []),
        ("setattr(o, 'a', b)", [("attribute", "o", "a", "b", 0)]),
        ("object.__setattr__(o, 'a', b)", [("attribute", "o", "a", "b", 0)]),
        ("setattr(o, n, b)", []),
        ("setattr(o, 'a', 1)", []),
        ("type(o).a = b", [("attribute", ("call", "type", ("o",)), "a", "b", 8)]),
    ],
)  # fmt: skip
def test_stores(source: str, expected: Any) -> None:
    assert stores(source + "\n") == expected


def test_what_a_method_sets_on_its_own_object_is_no_store() -> None:
    found = facts("class C:\n    def m(self, o):\n        self.a = o\n        self.b.c = o\n        self.d += o\n")
    assert [row.name for row in found.attributes] == ["a", "d"]
    assert [(row.scope, row.kind, row.object, row.key) for row in found.stores] == [
        (2, "attribute", "self.b", "c"), (2, "extend", "self.d", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "source",
    ["type(a).b = c\n", "type(a).b = d.e = c\n", "setattr(a, 'b', c)\n", "a.update(b)\n", "a[b] += c\n", "a.b |= c\n",
     "import_module('x')\nfrom importlib import import_module\n", "__import__('a.b')\n", "with a.b() as c.d: pass\n",
     "for a.b in c: pass\n", "match a:\n    case B(c=d): pass\n"],
)  # fmt: skip
def test_rows_have_all_their_columns(source: str) -> None:
    """Rows that lack one cannot be encoded, and the file would be skipped."""
    found = facts(source)
    assert decode(encode(found).definitions)._replace(references=found.references).stores == found.stores
