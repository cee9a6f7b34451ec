"""Imports and exports of JavaScript, as ES modules and as CommonJS."""

from __future__ import annotations

from indexer.languages import by_name
from indexer.model import BindingKind, FileFacts, Flag, Role


def facts(source: str) -> FileFacts:
    return by_name("javascript").extract(source.encode())


def imports(found: FileFacts) -> list[tuple[str, str, str, str]]:
    return [(row.specifier, row.name, row.alias, row.kind) for row in found.imports]


def exports(found: FileFacts) -> list[tuple[str, object]]:
    """(name, what it denotes): a name, the qualified name of a symbol in a list, or the index of an import."""
    rows: list[tuple[str, object]] = []
    for export in found.exports or ():
        shown: object = export.expression
        if isinstance(shown, int):
            row = found.expressions[shown]
            shown = [found.symbols[row[1]].qualname] if row[0] == "symbol" else row
        rows.append((export.name, export.imported if export.imported >= 0 else shown))
    return rows


def test_imports_of_es_modules() -> None:
    source = "import a, { b, c as d, default as e, 'f-g' as h } from './m.js'\nimport * as ns from 'n'\nimport 'side'\n"
    found = facts(source)
    assert imports(found) == [
        ("./m.js", "default", "a", "from"),
        ("./m.js", "b", "b", "from"),
        ("./m.js", "c", "d", "from"),
        ("./m.js", "default", "e", "from"),
        ("./m.js", "f-g", "h", "from"),
        ("n", "", "ns", "import"),
        ("side", "", "", "side_effect"),
    ]
    assert [row.position for row in found.imports] == [
        source.index(text) for text in ("a,", "b,", "c as", "default", "'f-g'", "ns", "'side'")
    ]
    assert [row.line for row in found.imports] == [1, 1, 1, 1, 1, 2, 3]
    assert [(b.name, b.kind, b.target) for b in found.bindings] == [
        (name, BindingKind.IMPORT, number) for number, name in enumerate(["a", "b", "d", "e", "h", "ns"])
    ]


def test_required_and_dynamic_modules() -> None:
    found = facts(
        "const fs = require('fs'), { a, b: c } = require('./d')\n"
        "function f() { return import('./e') }\n"
        "require('./g').h(); require(i); import(`./${i}`)\n"
    )
    assert imports(found) == [
        ("fs", "", "", "require"),
        ("./d", "", "", "require"),
        ("./e", "", "", "dynamic"),
        ("./g", "", "", "require"),
    ]
    assert [row.scope for row in found.imports] == [0, 0, 1, 0]
    rows = [(b.name, found.expressions[b.expression]) for b in found.bindings if isinstance(b.expression, int)]
    whole = found.expressions.index(("import", 1))
    assert rows == [("fs", ("import", 0)), ("a", ("member", whole, "a")), ("c", ("member", whole, "b"))]
    calls = [expression for _, expression, role, _ in found.references if role == Role.CALL]
    assert calls == [
        found.expressions.index(("member", found.expressions.index(("import", 3)), "h")),
        "require",
        "import",
    ]
    assert [symbol.qualname for symbol in found.symbols] == ["<module>", "f"]


def test_exports_of_es_modules() -> None:
    found = facts(
        "export const a = 1, { b } = x\nexport function c() {}\nexport class D {}\nconst e = 1\n"
        "export { e, a as f, e as default }\n"
        "export { g, default as h } from './i'\nexport * from './j'\nexport * as k from './l'\n"
    )
    assert exports(found) == [
        ("a", "a"),
        ("b", "b"),
        ("c", "c"),
        ("D", "D"),
        ("e", "e"),
        ("f", "a"),
        ("default", "e"),
        ("g", 0),
        ("h", 1),
        ("*", 2),
        ("k", 3),
    ]
    assert imports(found) == [
        ("./i", "g", "", "reexport"),
        ("./i", "default", "", "reexport"),
        ("./j", "*", "", "reexport"),
        ("./l", "", "", "reexport"),
    ]
    assert {symbol.name for symbol in found.symbols if symbol.flags & Flag.EXPORTED} == {"a", "b", "c", "D", "e"}


def test_default_exports_have_a_name() -> None:
    assert exports(facts("export default c")) == [("default", "c")]
    assert exports(facts("export default () => {}")) == [("default", ["default"])]
    assert exports(facts("export default class {}")) == [("default", ["default"])]
    assert exports(facts("export default async function named() {}")) == [("default", ["named"])]
    found = facts("export default { a() {} }")
    assert exports(found) == [("default", ["default"])]
    assert [symbol.qualname for symbol in found.symbols[1:]] == ["default", "default.a"]


def test_exports_of_commonjs() -> None:
    found = facts("module.exports = { a, b: c.d, e() {} }\nexports.f = g\nmodule.exports.h = class {}\n")
    assert exports(found) == [
        ("a", "a"),
        ("b", "c.d"),
        ("e", ["exports.e"]),
        ("=", ["exports"]),
        ("f", "g"),
        ("h", ["h"]),
    ]
    assert exports(facts("exports = module.exports = function create() {}")) == [("=", ["create"])]
    assert exports(facts("exports.a = exports.b = () => {}")) == [("b", ["b"]), ("a", ["b"])]
    assert exports(facts("module.exports = { ...require('./x'), a }")) == [
        ("*", 0),
        ("a", "a"),
        ("=", ("dict", ((None, 1), (2, "a")))),
    ]


def test_exports_from_inside_a_function_name_its_symbols() -> None:
    found = facts("(function () { function a() {} let b; exports.a = a; exports.b = b })()")
    assert exports(found) == [("a", ["<lambda1>.a"]), ("b", ("unknown",))]


def test_a_script_exports_nothing() -> None:
    assert facts("function f() {}").exports == ()
