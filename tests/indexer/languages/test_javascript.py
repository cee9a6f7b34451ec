"""Symbols, scopes, bindings and references of JavaScript; the expected rows were worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from indexer.languages import by_name
from indexer.model import Binding, Expression, FileFacts, Flag, Role, line_starts


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


def names(found: FileFacts) -> list[tuple[str, str]]:
    return [(symbol.kind, symbol.qualname) for symbol in found.symbols[1:]]


def flags(found: FileFacts, qualname: str) -> Flag:
    return Flag(next(symbol.flags for symbol in found.symbols if symbol.qualname == qualname))


def bound(found: FileFacts, name: str) -> list[Binding]:
    return [binding for binding in found.bindings if binding.name == name]


def value(found: FileFacts, name: str) -> Any:
    (binding,) = bound(found, name)
    return plain(found, binding.expression)


def uses(found: FileFacts, role: Role) -> list[Any]:
    return [plain(found, expression) for _, expression, used, _ in found.references if used == role]


def test_functions_and_what_they_are_called() -> None:
    found = facts(
        "function a() { function b() {} }\n"
        "const c = () => {}, d = async function* named() {};\n"
        "let e; e = () => {};\n"
        "exports.f = function () {};\n"
        "run(() => run(() => {}), function g() {});\n"
        "class K { x = run(() => {}) }\n"
    )
    assert names(found) == [
        ("function", "a"),
        ("function", "a.b"),
        ("function", "c"),
        ("function", "d"),
        ("variable", "e"),
        ("function", "e"),
        ("function", "f"),
        ("lambda", "<lambda1>"),
        ("lambda", "<lambda1>.<lambda1>"),
        ("function", "g"),
        ("class", "K"),
        ("attribute", "K.x"),
        ("lambda", "<lambda2>"),
    ]
    assert flags(found, "d") == Flag.ASYNC | Flag.GENERATOR
    assert flags(found, "f") == Flag.EXPORTED


def test_members_of_a_class() -> None:
    found = facts(
        "/**\n * Keeps things.\n * @internal\n */\n"
        "export class Store extends Base {\n"
        "  #items = []\n"
        "  static open = async () => new Store()\n"
        "  constructor(size) { super(size); this.size = size }\n"
        "  get first() { return this.#items[0] }\n"
        "  set first(item) {}\n"
        "  async *[Symbol.iterator]() {}\n"
        "  static 'of'() {}\n"
        "}\n"
    )
    kinds = {symbol.qualname: symbol.kind for symbol in found.symbols}
    assert kinds == {
        "<module>": "module",
        "Store": "class",
        "Store.#items": "attribute",
        "Store.open": "method",
        "Store.constructor": "method",
        "Store.first": "method",
        "Store.[Symbol.iterator]": "method",
        "Store.of": "method",
        "Store.size": "attribute",
    }
    store = found.symbols[1]
    assert (store.signature, store.doc) == ("class Store extends Base", "Keeps things.")
    assert (store.start_line, store.end_line, store.name_line) == (5, 13, 5)
    assert [(s.ordinal, Flag(s.flags)) for s in found.symbols if s.name == "first"] == [
        (0, Flag.PROPERTY),
        (1, Flag.SETTER),
    ]
    assert flags(found, "Store.open") == Flag.STATIC | Flag.ASYNC
    assert flags(found, "Store.[Symbol.iterator]") == Flag.ASYNC | Flag.GENERATOR
    assert flags(found, "Store.size") == Flag.INSTANCE
    (row,) = found.classes
    assert (row.bases, uses(found, Role.BASE)) == (("Base",), ["Base"])
    (attribute,) = found.attributes
    constructor = next(s for s in found.symbols if s.name == "constructor")
    assert (attribute.scope, attribute.name, attribute.expression, attribute.origin) == (
        store.scope,
        "size",
        "size",
        constructor.scope,
    )


def test_initialisers_do_not_see_members_by_bare_names() -> None:
    found = facts("class A { x = y; y = 1 }")
    (scope,) = {scope for scope, name, _, _ in found.references if name == "y"}
    assert found.scopes[scope].kind == "block"
    assert found.scopes[found.scopes[scope].parent].kind == "class"


def test_objects_with_functions_are_symbols() -> None:
    found = facts("const api = { n: 1, get() {}, deep: { run: () => {} } }\nconst data = { n: 1 }\nuse({ go() {} })")
    assert names(found) == [
        ("variable", "api"),
        ("method", "api.get"),
        ("attribute", "api.deep"),
        ("method", "api.deep.run"),
        ("variable", "data"),
        ("method", "go"),
    ]
    assert value(found, "api") == ("symbol", "api")
    assert value(found, "data") == ("dict", ((("literal", "str", "n"), ("literal", "int", 1)),))
    assert found.scopes[found.symbols[1].scope].kind == "class"


def test_prototype_methods() -> None:
    found = facts(
        "function Foo() { this.go() }\nFoo.prototype.go = function () {}\nFoo.of = () => 1\nx.y.z = function () {}"
    )
    assert names(found) == [("function", "Foo"), ("method", "Foo.go"), ("function", "Foo.of"), ("function", "x.y.z")]
    assert [found.symbols[s.parent].name for s in found.symbols[2:]] == ["Foo", "Foo", "<module>"]
    assert [(a.scope, a.name) for a in found.attributes] == [(found.symbols[1].scope, name) for name in ("go", "of")]
    this = {found.symbols[found.scopes[b.scope].symbol].name: plain(found, b.expression) for b in bound(found, "this")}
    assert this == {"Foo": ("new", "Foo", ()), "go": ("new", "Foo", ()), "z": "x.y"}


def test_this_is_bound_where_it_depends_on_the_caller() -> None:
    found = facts("function f() {}\nconst g = () => {}\nclass A { m() { function h() {} } }\nconst o = { p() {} }")
    this = {found.symbols[found.scopes[b.scope].symbol].name: plain(found, b.expression) for b in bound(found, "this")}
    assert this == {"f": None, "h": None, "p": ("symbol", "o")}


def test_scopes_of_blocks_and_var() -> None:
    source = "function f() { if (a) { var v = 1; const c = 2 } { g() } for (let i of v) { h(i) } }"
    found = facts(source)
    assert [(scope.kind, scope.parent) for scope in found.scopes] == [
        ("module", -1),
        ("function", 0),
        ("block", 1),
        ("block", 1),
    ]
    ((v,), (c,), (i,)) = (bound(found, name) for name in "vci")
    assert (v.scope, v.origin, c.scope, i.scope) == (1, 2, 2, 3)
    assert plain(found, i.expression) == ("iterate", "v")
    assert found.blocks[v.block][:2] == (source.index("{ var"), source.index(" { g()"))


def test_roles() -> None:
    source = (
        "a.b(c); new D.E; throw f; delete g.h; i.j = k; l++; m`${n}`; o\n  .p(); (q)(); r?.s?.(); a.b(1)\n"
        "function t() { u()() }"
    )
    found = facts(source)
    assert uses(found, Role.CALL) == [
        "a.b",
        "m",
        ("member", "o", "p"),
        "q",
        ("member", "r", "s"),
        "u",
        ("call", "u", ()),
    ]
    assert uses(found, Role.READ) == ["c", "k", "l", "n", "o", "r"]
    assert (uses(found, Role.NEW), uses(found, Role.THROW), uses(found, Role.DELETE)) == (["D.E"], ["f"], ["g.h"])
    assert uses(found, Role.WRITE) == ["i.j"]
    assert [positions for _, name, _, positions in found.references if name == "a.b"] == [(0, source.rindex("a.b"))]
    line = [positions for _, name, _, positions in found.references if plain(found, name) == ("member", "o", "p")]
    assert line == [(source.index("p()"),)]


def test_jsx_renders_components_only() -> None:
    found = facts("const a = <Page.Body on={go}><div>{x}</div><Item {...rest}/></Page.Body>")
    assert uses(found, Role.RENDER) == ["Page.Body", "Item"]
    assert uses(found, Role.READ) == ["go", "x", "rest"]


def test_labels_keys_and_strings_are_no_references() -> None:
    found = facts("a: for (;;) break a; ({ b: 1, 'c': 2, [d]: 3 }); x = { e }; 'f'; /* g */")
    assert uses(found, Role.READ) == ["d", "e"]


def test_decorators() -> None:
    found = facts("@a @b.c(1) class K { @d m() {} }")
    assert (uses(found, Role.DECORATOR), uses(found, Role.CALL)) == (["a", "d"], ["b.c"])
    method = next(s for s in found.symbols if s.name == "m")
    assert [f.decorators for f in found.functions if found.symbols[f.symbol] == method] == [("d",)]
    assert method.signature == "m()"


def test_signatures_and_documentation() -> None:
    found = facts(
        "// One.\n// Two.\nexport default async function f(a,\n    b = 1) {}\n"
        "/* eslint-disable-next-line x */\nconst g = a => a\n\n// far\n\nfunction h() {}\n"
        "/** @type {X} */\nfunction i() {}\n"
    )
    rows = {symbol.name: (symbol.signature, symbol.doc, symbol.start_line) for symbol in found.symbols[1:]}
    assert rows == {
        "f": ("async function f(a, b = 1)", "One.", 3),
        "g": ("g = a =>", "", 6),
        "h": ("function h()", "", 10),
        "i": ("function i()", "", 12),
    }


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("#!/usr/bin/env node\n'use strict';\n/*! (c) Us */\n// More.\nrun()", "(c) Us\nMore."),
        ("/* eslint-env node */\n/**\n * Does it.\n */\nimport 'x'", "Does it."),
        ("run() // not this", ""),
        ("", ""),
        ("/* never closed", ""),
    ],
)
def test_header(source: str, expected: str) -> None:
    assert facts(source).header == expected


def test_lines() -> None:
    assert [facts(text).line_lengths for text in ("", "a", "a\n", "a\n\nbc")] == [(), (1,), (2,), (2, 1, 2)]
    assert line_starts(facts("a\nb").line_lengths) == [0, 2, 3]
    assert facts("").symbols[0].end_line == 1
