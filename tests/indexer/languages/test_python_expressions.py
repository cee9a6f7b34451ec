"""References and expressions of Python, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from indexer.languages.python import Python
from indexer.model import FileFacts, Role


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
    if row[0] == "symbol":
        return ("symbol", found.symbols[row[1]].qualname)
    return row if row[0] in ("literal", "import", "unknown") else tuple(plain(found, inner) for inner in row)


def uses(source: str) -> set[tuple[Any, Role, int]]:
    found = facts(source)
    return {
        (plain(found, row[1]), Role(row[2]), place)
        for row in found.references
        for place in row[3]
        if row[2] != Role.IMPLICIT
    }


def value(expression: str) -> Any:
    found = facts(f"x = {expression}\n")
    return plain(found, next(row.expression for row in found.bindings if row.name == "x"))


READ, CALL, WRITE = Role.READ, Role.CALL, Role.WRITE


def test_names_chains_and_calls() -> None:
    assert uses("a.b(c, d.e, f=g)\n") == {("a.b", CALL, 0), ("c", READ, 4), ("d.e", READ, 7), ("g", READ, 14)}


def test_equal_references_share_a_row() -> None:
    found = facts("a(b)\na(b)\ndef f(): a(b)\n")
    assert found.references == ((0, "b", 0, (2, 7)), (0, "a", 1, (0, 5)), (1, "b", 0, (21,)), (1, "a", 1, (19,)))


def test_members_of_what_is_no_chain() -> None:
    assert uses("f(a).b.c(d)\n") == {
        ("f", CALL, 0),
        ("a", READ, 2),
        (("member", ("call", "f", ("a",)), "b"), READ, 5),
        (("member", ("member", ("call", "f", ("a",)), "b"), "c"), CALL, 7),
        ("d", READ, 9),
    }
    assert uses("'x'.join(a)\n") == {(("member", ("literal", "str"), "join"), CALL, 4), ("a", READ, 9)}
    assert uses("a[b].c\n") == {("a", READ, 0), ("b", READ, 2), (("member", ("item", "a", "b"), "c"), READ, 5)}


@pytest.mark.parametrize("source", ["(a).b()", "a . b()", "(a\n .b)()", "(a.  # why\n b)()", "[*a.b()]", "f(*a.b())"])
def test_a_chain_is_one_however_it_is_laid_out(source: str) -> None:
    assert ("a.b", CALL, source.index("a")) in uses(source + "\n")


def test_calls_of_what_is_neither_name_nor_member() -> None:
    assert (("call", "f", ()), CALL, 0) in uses("f()()\n")
    assert (("item", "a", ("literal", "int", 0)), CALL, 0) in uses("a[0]()\n")
    assert (("symbol", "<lambda1>"), CALL, 1) in uses("(lambda: b)()\n")
    assert (("either", ("a", "b")), CALL, 1) in uses("(a or b)()\n")


def test_roles() -> None:
    assert ("d", Role.DECORATOR, 1) in uses("@d\ndef f(): pass\n")
    assert ("d.e", CALL, 1) in uses("@d.e(a)\nclass C: pass\n")
    assert uses("class C(B, a.D[T], metaclass=M): pass\n") == {
        ("B", Role.BASE, 8), ("a.D", Role.BASE, 11), ("T", READ, 15), ("M", READ, 29),
    }  # fmt: skip
    assert uses("raise E\n") == {("E", Role.THROW, 6)}
    assert uses("raise E(a) from b\n") == {("E", CALL, 6), ("a", READ, 8), ("b", READ, 16)}
    assert uses("a.b = c\n") == {("a.b", WRITE, 0), ("c", READ, 6)}
    assert uses("f().b = c\n") == {("f", CALL, 0), (("member", ("call", "f", ()), "b"), WRITE, 4), ("c", READ, 8)}
    assert uses("f().b += c\n") == {
        ("f", CALL, 0),
        (("member", ("call", "f", ()), "b"), READ, 4),
        (("member", ("call", "f", ()), "b"), WRITE, 4),
        ("c", READ, 9),
    }
    assert uses("a[b] = c\n") == {("a", READ, 0), ("b", READ, 2), ("c", READ, 7)}


def test_a_call_evaluated_twice_is_one_reference() -> None:
    found = facts("type(self).x += 1\n")
    assert [(row[1], row[3]) for row in found.references if row[2] == CALL] == [("type", (0,))]


def test_an_interpolated_name_of_a_member_is_read_once() -> None:
    found = facts("x = getattr(a, f'visit_{b()}')\n")
    assert [(row[1], row[3]) for row in found.references if row[2] == CALL] == [("getattr", (4,)), ("b", (24,))]


def test_assignments_to_members_of_a_type_call() -> None:
    """The grammar reads these as `type` statements."""
    assert uses("type(a).b = c\n") == {
        ("type", CALL, 0), ("a", READ, 5), (("member", ("call", "type", ("a",)), "b"), WRITE, 8), ("c", READ, 12),
    }  # fmt: skip
    assert facts("type(a).b = c\n").bindings == ()


def test_interpolations_are_code() -> None:
    assert uses("f'{a.b!r:>{w}} {c(d)=}' 'x'\n") == {
        ("a.b", READ, 3), ("w", READ, 11), ("c", CALL, 16), ("d", READ, 18),
    }  # fmt: skip
    assert uses("rb'{a}' + '{b}'\n") == set()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1", ("literal", "int", 1)),
        ("-1.5", ("literal", "float")),
        ("2j", ("literal", "complex")),
        ("2.5j", ("literal", "complex")),
        ("'a'", ("literal", "str", "a")),
        ("'a\\x41\\n\\N{DASH}'", ("literal", "str", "aA\n\\N{DASH}")),
        ("r'\\n'", ("literal", "str", "\\n")),
        ("'''a'''", ("literal", "str", "a")),
        ("''", ("literal", "str", "")),
        (f"'{'a' * 201}'", ("literal", "str")),
        ("b'a'", ("literal", "bytes")),
        ("f'{a}'", ("literal", "str")),
        ("'a' 'b'", ("literal", "str")),
        ("b'a' b'b'", ("literal", "bytes")),
        ("None", ("literal", "none")),
        ("not a", ("literal", "bool")),
        ("a in b", ("literal", "bool")),
        ("a < b", ("unknown",)),
        ("a + b", ("call", "a.__add__", ("b",))),
        ("a + b - [c]", ("call", ("member", ("call", "a.__add__", ("b",)), "__sub__"), (("list", ("c",)),))),
        ("a + b + c + d", ("unknown",)),
        ("[a] + [b]", ("call", ("member", ("list", ("a",)), "__add__"), (("list", ("b",)),))),
        ("[1] + a.b", ("call", ("member", ("literal", "list"), "__add__"), ("a.b",))),
        ("1 + a", ("call", "a.__radd__", ())),
        ("-a", ("call", "a.__neg__", ())),
        ("'%s' % a", ("literal", "str")),
        ("[1, 2]", ("literal", "list")),
        ("[a, 1]", ("list", ("a", ("literal", "int", 1)))),
        ("[a, *b]", ("list", ("a", ("*", "b")))),
        ("(a, b)", ("tuple", ("a", "b"))),
        ("a, b", ("tuple", ("a", "b"))),
        ("{a}", ("set", ("a",))),
        ("{}", ("literal", "dict")),
        ("[1, *a.b()]", ("list", (("literal", "int", 1), ("*", ("call", "a.b", ()))))),
        ("*a.b, c", ("tuple", (("*", "a.b"), "c"))),
        (
            "{'k': a, 'k': 1, **b}",
            ("dict", ((("literal", "str", "k"), "a"), (("literal", "str", "k"), ("literal", "int", 1)), (None, "b"))),
        ),
        (
            "{-1: a, True: b, None: c, d: e}",
            (
                "dict",
                (
                    (("literal", "int", -1), "a"),
                    (("literal", "bool", True), "b"),
                    (("literal", "none"), "c"),
                    ("d", "e"),
                ),
            ),
        ),
        (
            "{'k': 1, 'm': [2]}",
            (
                "dict",
                ((("literal", "str", "k"), ("literal", "int", 1)), (("literal", "str", "m"), ("literal", "list"))),
            ),
        ),
        ("{'k': 1, a: -1}", ("literal", "dict")),
        ("[a.c for a in b]", ("each", "list", "a.c", 1)),
        ("{a: b for a in c}", ("each", "dict", "b", 1)),
        ("{a for a in c}", ("each", "set", "a", 1)),
        ("(a for a in c)", ("each", "generator", "a", 1)),
        ("[1 for a in c]", ("literal", "list")),
        ("{a: a + 1 for a in c}", ("literal", "dict")),
        ("(a + 1 for a in c)", ("unknown",)),
        ("a if b else c", ("either", ("a", "c"))),
        ("a or b and c", ("either", ("a", ("either", ("b", "c"))))),
        ("a or b or c", ("either", ("a", "b", "c"))),
        ("await a()", ("await", ("call", "a", ()))),
        ("lambda: a", ("symbol", "<lambda1>")),
        ("(a)", "a"),
        ("a[1]", ("item", "a", ("literal", "int", 1))),
        ("a['k']", ("item", "a", ("literal", "str", "k"))),
        ("a[-1]", ("item", "a", ("literal", "int", -1))),
        ("a[b, 1:-2]", ("item", "a", ("tuple", ("b", ("slice", ("literal", "int", 1), ("literal", "int", -2)))))),
        ("a[:b.c]", ("item", "a", ("slice", None, "b.c"))),
        ("a[1::]", ("item", "a", ("slice", ("literal", "int", 1), None))),
        ("a[1::2]", ("item", "a", ("slice", None, None))),
        ("a[:]", ("item", "a", ("slice", None, None))),
        (
            "a(b, 'text', *c, d=e, **f)",
            ("call", "a", ("b", ("literal", "str"), ("*", "c"), ("=", "d", "e"), ("**", "f"))),
        ),
        ("getattr(a, 'name')", ("call", "getattr", ("a", ("literal", "str", "name")))),
        ("a(b for b in c)", ("call", "a", (("each", "generator", "b", 1),))),
        ("a.get('k', b)", ("call", "a.get", (("literal", "str", "k"), "b"))),
        ("a().pop('k')", ("call", ("member", ("call", "a", ()), "pop"), (("literal", "str", "k"),))),
        ("operator.attrgetter('k')", ("call", "operator.attrgetter", (("literal", "str", "k"),))),
        ("a.got('k')", ("call", "a.got", (("literal", "str"),))),
        ("super().m", ("member", ("call", "super", ()), "m")),
    ],
)
def test_values(source: str, expected: Any) -> None:
    assert value(source) == expected


def test_displays_keep_fifty_items() -> None:
    kept = value("[" + "a, " * 60 + "]")
    assert kept == ("list", ("a",) * 50)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Optional[A]", "A"),
        ("typing.Union[A, None, B]", ("union", ("A", "B"))),
        ("A | None", "A"),
        ("A | b.C | None", ("union", ("A", "b.C"))),
        ("list[A] | None", ("item", "list", "A")),
        ("None", ("literal", "none")),
        ("dict[str, A]", ("item", "dict", ("tuple", ("str", "A")))),
        ("Callable[[A], B]", ("item", "Callable", ("tuple", (("list", ("A",)), "B")))),
        ("'A'", "A"),
        ("' a.B '", "a.B"),
        ("'list[A]'", ("item", "list", "A")),
        ("'A | None'", "A"),
        ("list['A']", ("item", "list", "A")),
        ("'not a type'", ("unknown",)),
        ("Annotated[A, f(b)]", ("item", "Annotated", "A")),
        ("Literal['a']", ("item", "Literal", ("literal", "str", "a"))),
    ],
)
def test_annotations(source: str, expected: Any) -> None:
    found = facts(f"x: {source}\n")
    assert plain(found, found.bindings[0].annotation) == expected


def test_names_in_annotations_are_references_where_they_stand() -> None:
    assert uses("def f(a: 'x[ y.z]', b: Literal['q'] = r) -> s.t: pass\n") == {
        ("x", Role.ANNOTATION, 10), ("y.z", Role.ANNOTATION, 13), ("Literal", Role.ANNOTATION, 23),
        ("r", READ, 38), ("s.t", Role.ANNOTATION, 44),
    }  # fmt: skip


def test_functions_say_what_they_give() -> None:
    found = facts(
        "@d\ndef f(a) -> A:\n    return a\n    return\n    yield b\n    yield from c\n    return (lambda: e)\n"
    )
    function = found.functions[1]
    assert (function.symbol, function.origin, function.annotation, function.decorators) == (1, 1, "A", ("d",))
    assert plain(found, function.returns) == ("a", ("symbol", "f.<lambda1>"))
    assert plain(found, function.yields) == ("b", ("iterate", "c"))
    assert found.functions[0].returns == ("e",)


def test_classes_say_what_they_come_from() -> None:
    found = facts("@d(1)\nclass C(A, b.B[T], f(), metaclass=M): pass\n")
    (row,) = found.classes
    assert (row.symbol, row.origin, row.keywords, row.implements) == (1, 0, (("metaclass", "M"),), ())
    assert plain(found, row.bases) == ("A", ("item", "b.B", "T"), ("call", "f", ()))
    assert plain(found, row.decorators) == (("call", "d", (("literal", "int", 1),)),)
