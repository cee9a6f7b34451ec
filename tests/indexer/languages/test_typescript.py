"""What TypeScript adds to JavaScript; the expected rows were worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from indexer.languages import by_name
from indexer.model import Expression, FileFacts, Flag, Role


def facts(source: str, language: str = "typescript") -> FileFacts:
    return by_name(language).extract(source.encode())


def plain(found: FileFacts, expression: Expression) -> Any:
    """An expression with its rows spelled out."""
    if not isinstance(expression, int):
        return expression
    row = found.expressions[expression]
    if row[0] in ("literal", "import", "symbol", "unknown"):
        return row
    if row[0] == "member":
        return ("member", plain(found, row[1]), row[2])
    return (row[0], *(_spelled(found, part) for part in row[1:]))


def _spelled(found: FileFacts, part: Any) -> Any:
    return tuple(_spelled(found, inner) for inner in part) if isinstance(part, tuple) else plain(found, part)


def symbols(found: FileFacts) -> list[tuple[str, str, Flag]]:
    return [(symbol.kind, symbol.qualname, Flag(symbol.flags)) for symbol in found.symbols[1:]]


def uses(found: FileFacts, role: Role) -> list[Any]:
    return [plain(found, expression) for _, expression, used, _ in found.references if used == role]


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("Foo", "Foo"),
        ("ns.Foo", "ns.Foo"),
        ("Map<K, V>", ("item", "Map", ("tuple", ("K", "V")))),
        ("Promise<Foo>", ("item", "Promise", "Foo")),
        ("Foo[]", ("item", "Array", "Foo")),
        ("readonly Foo[]", ("item", "Array", "Foo")),
        ("Foo | Bar | null", ("union", ("Foo", "Bar"))),
        ("Foo | undefined", "Foo"),
        ("Foo & Bar", ("union", ("Foo", "Bar"))),
        ("string", ("literal", "str")),
        ("number", ("literal", "float")),
        ("boolean", ("literal", "bool")),
        ("'a' | 'b'", ("literal", "str")),
        ("[Foo, Bar]", ("tuple", ("Foo", "Bar"))),
        ("(Foo)", "Foo"),
        ("any", ("unknown",)),
        ("() => Foo", ("unknown",)),
        ("typeof foo", ("unknown",)),
        ("{ a: Foo }", ("unknown",)),
        ("import('./m').Foo", ("member", ("import", 0), "Foo")),
    ],
)
def test_annotations(annotation: str, expected: Any) -> None:
    found = facts(f"let a: {annotation}")
    (binding,) = found.bindings
    assert plain(found, binding.annotation) == expected


def test_names_in_types_are_references() -> None:
    found = facts(
        "let a: Map<K, ns.V> | (() => R); let b: typeof c.d; type M = { [P in keyof T]: T[P] extends infer U ? U : N }"
    )
    assert uses(found, Role.ANNOTATION) == ["Map", "K", "ns.V", "R", "T", "N"]
    assert uses(found, Role.READ) == ["c.d"]


def test_inferred_names_reach_the_branches() -> None:
    found = facts("type A<T> = T extends (a: infer P) => infer R ? [P, R] : Q; type B = P")
    assert uses(found, Role.ANNOTATION) == ["Q", "P"]


def test_type_parameters_are_no_references() -> None:
    found = facts(
        "class A<T extends Base> { x: T; m<U>(u: U): T[] {} }\n"
        "function f<T>(t: T): T {}\nlet g: <T>(t: T) => T\nlet h: T"
    )
    assert uses(found, Role.ANNOTATION) == ["Base", "T"]
    (scope,) = [scope for scope, expression, _, _ in found.references if expression == "T"]
    assert scope == 0
    assert [plain(found, b.annotation) for b in found.bindings if b.name in ("x", "u", "t")] == [
        "Base",
        ("unknown",),
        ("unknown",),
    ]


def test_classes() -> None:
    found = facts(
        "@Component({ t: u })\nexport abstract class A<T> extends B<T> implements I, J<K> {\n"
        "  private readonly x?: X = new X()\n"
        "  constructor(private y: Y, readonly z = 1, w: W) { super() }\n"
        "  abstract m(a: string): void\n"
        "  n(a: string): void\n  n(a: any) {}\n"
        "  declare v: V\n}\n"
    )
    assert symbols(found) == [
        ("class", "A", Flag.ABSTRACT | Flag.EXPORTED),
        ("attribute", "A.x", Flag(0)),
        ("method", "A.constructor", Flag(0)),
        ("method", "A.m", Flag.ABSTRACT | Flag.DECLARATION),
        ("method", "A.n", Flag.OVERLOAD),
        ("method", "A.n", Flag(0)),
        ("attribute", "A.v", Flag(0)),
        ("attribute", "A.y", Flag.INSTANCE),
        ("attribute", "A.z", Flag.INSTANCE),
    ]
    (row,) = found.classes
    assert (row.bases, [plain(found, e) for e in row.implements]) == (("B",), ["I", ("item", "J", "K")])
    assert uses(found, Role.BASE) == ["B", "I", "J"]
    assert uses(found, Role.CALL) == ["Component", "super"]
    assert [(a.name, a.expression, a.annotation) for a in found.attributes] == [("y", "y", "Y"), ("z", "z", None)]
    cls = found.symbols[1]
    assert (cls.start_line, cls.name_line, cls.signature) == (
        1,
        2,
        "abstract class A<T> extends B<T> implements I, J<K>",
    )
    assert found.symbols[2].signature == "private readonly x?: X"


def test_interfaces_aliases_and_their_members() -> None:
    found = facts(
        "export interface I<T> extends J, ns.K<T> { a: A; m?(x: X): Y; (z: Z): void; readonly [k: string]: V }\n"
        "type Short = I | null\ntype Shape = { f(): void; g: G }\n"
    )
    declared = Flag.DECLARATION
    assert symbols(found) == [
        ("interface", "I", Flag.EXPORTED | Flag.TYPE_ONLY),
        ("attribute", "I.a", declared),
        ("method", "I.m", declared),
        ("type", "Short", Flag.TYPE_ONLY),
        ("type", "Shape", Flag.TYPE_ONLY),
        ("method", "Shape.f", declared),
        ("attribute", "Shape.g", declared),
    ]
    assert [plain(found, base) for base in found.classes[0].bases] == ["J", ("item", "ns.K", ("unknown",))]
    assert uses(found, Role.BASE) == ["J", "ns.K"]
    assert uses(found, Role.ANNOTATION) == ["A", "X", "Y", "Z", "V", "I", "G"]
    assert [symbol.signature for symbol in found.symbols[1:4]] == [
        "interface I<T> extends J, ns.K<T>",
        "a: A",
        "m?(x: X): Y",
    ]
    assert next(b.annotation for b in found.bindings if b.name == "Short") == "I"


def test_enums_and_namespaces() -> None:
    found = facts(
        "export const enum E { A, B = A << 1, 'c-d' }\nnamespace N { export const v = 1; function f() { return v } }"
    )
    assert symbols(found) == [
        ("enum", "E", Flag.EXPORTED),
        ("attribute", "E.A", Flag.STATIC),
        ("attribute", "E.B", Flag.STATIC),
        ("attribute", "E.c-d", Flag.STATIC),
        ("namespace", "N", Flag(0)),
        ("variable", "N.v", Flag.EXPORTED),
        ("function", "N.f", Flag(0)),
    ]
    assert [export.name for export in found.exports or ()] == ["E"]
    (scope,) = [scope for scope, name, _, _ in found.references if name == "A"]
    assert [b.name for b in found.bindings if b.scope == scope] == ["A", "B", "c-d"]


def test_declarations_without_bodies() -> None:
    found = facts(
        "declare function f(a: A): B\ndeclare const c: C\nfunction g(a: string): void\nfunction g(a: any) {}\n"
        "declare module 'm' { export function h(): void }\ndeclare global { interface Window { x: X } }\n"
    )
    assert symbols(found) == [
        ("function", "f", Flag.DECLARATION),
        ("variable", "c", Flag.DECLARATION),
        ("function", "g", Flag.OVERLOAD | Flag.DECLARATION),
        ("function", "g", Flag(0)),
        ("namespace", "m", Flag.DECLARATION),
        ("function", "m.h", Flag.DECLARATION | Flag.EXPORTED),
        ("interface", "Window", Flag.DECLARATION | Flag.TYPE_ONLY),
        ("attribute", "Window.x", Flag.DECLARATION),
    ]
    assert [(b.name, b.scope) for b in found.bindings if b.name in ("f", "g", "Window") and b.scope == 0] == [
        ("f", 0),
        ("g", 0),
        ("g", 0),
    ]


def test_imports_and_exports() -> None:
    found = facts(
        "import type { A } from './a'\nimport { type B, C } from './b'\nimport d = require('./d')\nimport e = d.f.g\n"
        "export type { H } from './h'\nexport import i = d.j\nexport = C\n"
    )
    assert [(row.specifier, row.name, row.alias, row.kind, row.type_only) for row in found.imports] == [
        ("./a", "A", "A", "from", True),
        ("./b", "B", "B", "from", True),
        ("./b", "C", "C", "from", False),
        ("./d", "", "d", "require", False),
        ("./h", "H", "", "reexport", True),
    ]
    assert [(e.name, e.expression, e.imported) for e in found.exports or ()] == [
        ("H", None, 4),
        ("i", "i", -1),
        ("=", "C", -1),
    ]
    assert [(b.name, b.expression) for b in found.bindings if b.name in "ei"] == [("e", "d.f.g"), ("i", "d.j")]


def test_casts_are_transparent() -> None:
    found = facts(
        "let a = (b as C).d!; let e = <F>g; let h = i satisfies J; k.l!(m); const n = (() => 1) as O; (p as Q)()"
    )
    values = {b.name: plain(found, b.expression) for b in found.bindings}
    assert values == {"a": ("member", "b", "d"), "e": "g", "h": "i", "n": None}
    assert [symbol.kind for symbol in found.symbols if symbol.name == "n"] == ["function"]
    assert uses(found, Role.CALL) == ["k.l", "p"]
    assert uses(found, Role.ANNOTATION) == ["C", "F", "J", "O", "Q"]


def test_the_grammar_misreads_a_negated_call_of_an_asserted_callee() -> None:
    assert uses(facts("if (!a.b!(c) && !d.e!(f)) {}"), Role.CALL) == ["a.b", "d.e"]
    assert uses(facts("x = new a.b!.C()"), Role.CALL) == [("member", "a.b", "C")]


def test_parameters() -> None:
    found = facts("function f(this: T, a: A, { b }: B, c?: C, ...d: D[]): asserts a is E {}")
    rows = [
        (b.name, b.target, plain(found, b.expression), plain(found, b.annotation))
        for b in found.bindings
        if b.scope == 1
    ]
    assert rows == [
        ("this", -1, None, None),
        ("this", -1, None, "T"),
        ("a", 0, None, "A"),
        ("", 1, None, "B"),
        ("b", -1, ("member", "", "b"), None),
        ("c", 2, None, "C"),
        ("d", 3, None, ("item", "Array", "D")),
    ]


def test_tsx() -> None:
    found = facts("const a = <T,>(x: T) => <Box<P> of={x as Q}>{y!}</Box>", "tsx")
    assert found.error_lines == ()
    assert uses(found, Role.RENDER) == ["Box"]
    assert (uses(found, Role.ANNOTATION), uses(found, Role.READ)) == (["P", "Q"], ["x", "y"])
