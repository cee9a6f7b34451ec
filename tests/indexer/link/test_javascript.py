"""JavaScript and TypeScript resolution, each rule with the edges worked out by hand."""

from __future__ import annotations

from tests.indexer.link.trees import MakeTree


def test_named_default_and_namespace_imports(tree: MakeTree) -> None:
    t = tree(
        {
            "a.ts": "import def, { f as g } from './b'\nimport * as ns from './b'\n"
            "export function one() { def(); g(); ns.f() }\n",
            "b.ts": "export function f() {}\nexport default function main() {}\n",
        }
    )
    assert t.edges("a.ts") == {"one → b.ts:main", "one → b.ts:f"}


def test_barrels_and_export_star(tree: MakeTree) -> None:
    t = tree(
        {
            "lib/index.ts": "export * from './x'\nexport { y as z } from './y'\n",
            "lib/x.ts": "export const x = () => {}\n",
            "lib/y.ts": "export function y() {}\n",
            "a.ts": "import { x, z, nothing } from './lib'\nx(); z(); nothing()\n",
        }
    )
    assert t.edges("a.ts") == {"<module> → lib/x.ts:x", "<module> → lib/y.ts:y"}
    assert t.link("a.ts").counts["unresolved: not exported by the module"] == 2


def test_commonjs(tree: MakeTree) -> None:
    t = tree(
        {
            "a.js": "const { f } = require('./b')\nconst b = require('./b')\nconst K = require('./k')\n"
            "f(); b.g(); new K().run()\n",
            "b.js": "function f() {}\nexports.g = function () {}\nmodule.exports.f = f\n",
            "k.js": "class K { run() {} }\nmodule.exports = K\n",
        }
    )
    assert t.edges("a.js") == {"<module> → b.js:f", "<module> → b.js:g", "<module> → k.js:K.run", "<module> → k.js:K"}


def test_classes_this_super_and_new(tree: MakeTree) -> None:
    t = tree(
        {
            "a.ts": "class A { constructor() {} m() {} }\n"
            "class B extends A { constructor() { super(); this.m() } m() { super.m() } }\n"
            "function f(b: B) { new B(); b.m() }\n"
        }
    )
    assert t.edges("a.ts") == {
        "B.constructor → A.constructor",
        "B.constructor → B.m",
        "B.m → A.m",
        "f → B.constructor",
        "f → B.m",
    }
    assert t.edges("a.ts", "inherits") == {"B → A"}
    assert t.edges("a.ts", "overrides") == {"B.m → A.m"}


def test_object_methods_and_arrow_functions(tree: MakeTree) -> None:
    t = tree(
        {
            "a.js": "export const api = {\n  get() { return api.fetch() },\n  fetch: () => helper(),\n}\n"
            "const helper = () => 1\nfunction run() { api.get() }\n"
        }
    )
    assert t.edges("a.js") == {"api.get → api.fetch", "api.fetch → helper", "run → api.get"}


def test_jsx_elements_call_the_component(tree: MakeTree) -> None:
    t = tree(
        {
            "App.tsx": "import { Button } from './Button'\nexport function App() { return <div><Button /></div> }\n",
            "Button.tsx": "export const Button = () => <button />\n",
        }
    )
    assert t.edges("App.tsx") == {"App → Button.tsx:Button"}


def test_types_are_symbols_and_unknown_receivers_pending(tree: MakeTree) -> None:
    t = tree(
        {
            "a.ts": "export interface Shape { area(): number }\nexport type Id = string\n"
            "export function f(s: Shape, x) { s.area(); x.area() }\n"
        }
    )
    assert t.edges("a.ts") == {"f → Shape.area"}
    assert [name for _, name, *_ in t.link("a.ts").pending] == ["area"]


def test_external_packages_stay_external(tree: MakeTree) -> None:
    t = tree(
        {"a.js": "import React from 'react'\nReact.render()\nconsole.log(1)\n", "b.js": "export function render() {}\n"}
    )
    assert t.edges("a.js") == set()
    assert t.link("a.js").pending == ()


def test_a_name_that_two_modules_export_is_nobodys(tree: MakeTree) -> None:
    t = tree(
        {
            "s.ts": "export * from './a'\nexport * from './b'\n",
            "a.ts": "export function dup() {}\nexport function only() {}\n",
            "b.ts": "export function dup() {}\n",
            "u.ts": "import { dup, only } from './s'\ndup(); only()\n",
        }
    )
    assert t.edges("u.ts") == {"<module> → a.ts:only"}


def test_a_promise_is_not_its_result(tree: MakeTree) -> None:
    t = tree(
        {
            "a.ts": "class A { m() {} }\nasync function co(): Promise<A> { return new A() }\n"
            "async function good() { (await co()).m() }\nfunction bad() { co().m() }\n"
        }
    )
    assert {edge for edge in t.edges("a.ts") if edge.endswith("A.m")} == {"good → A.m"}


def test_what_was_exported_before_module_exports_is_replaced_is_gone(tree: MakeTree) -> None:
    t = tree(
        {
            "f.js": "exports.f = function () {}\nmodule.exports = { g() {} }\nmodule.exports.h = function () {}\n",
            "u.js": "const m = require('./f')\nm.f(); m.g(); m.h()\n",
        }
    )
    assert t.edges("u.js") == {"<module> → f.js:exports.g", "<module> → f.js:h"}
