from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from indexer.ports import Resolver, Target

Build = Callable[..., Resolver]
NO_FILE = Target("missing", "no such file in the map")


def file(path: str) -> Target:
    return Target("file", path)


@pytest.mark.parametrize(
    ("specifier", "found"),
    [
        ("./a", "src/a.ts"),
        ("./a.ts", "src/a.ts"),
        ("./a.js", "src/a.ts"),
        ("./view.jsx", "src/view.tsx"),
        ("./m.mjs", "src/m.mts"),
        ("./types", "src/types.d.ts"),
        ("./lib", "src/lib/index.tsx"),
        ("./lib/", "src/lib/index.tsx"),
        ("./both", "src/both.ts"),
        ("./both/", "src/both/index.ts"),
        ("./user.service", "src/user.service.ts"),
        (".", "src/index.ts"),
        ("../top.cjs", "top.cjs"),
        ("..//src/./a", "src/a.ts"),
    ],
)
def test_relative_paths(javascript: Build, specifier: str, found: str) -> None:
    resolver = javascript(
        "src/a.ts src/view.tsx src/m.mts src/types.d.ts src/lib/index.tsx src/both.ts src/both/index.ts "
        "src/user.service.ts src/index.ts top.cjs"
    )
    assert resolver.resolve("src/main.ts", specifier, 0) == file(found)


@pytest.mark.parametrize(
    ("specifier", "reason"),
    [
        ("./gone", "no such file in the map"),
        ("./App.vue", "not a mapped language"),
        ("../style.css", "not a mapped language"),
        ("./a.ts?raw", "a query: the file is taken as data"),
        ("../../outside", "outside of the repository"),
        ("/src/a.ts", "an absolute path"),
        ("", "not a module name"),
        ("./a\0", "not a module name"),
        ("./" + "a/" * 1000, "not a module name"),
        ("@/a", "neither a package name nor a known alias"),
        ("~utils", "neither a package name nor a known alias"),
        ("#a", "neither a package name nor a known alias"),
    ],
)
def test_what_is_missing_and_why(javascript: Build, specifier: str, reason: str) -> None:
    assert javascript("src/a.ts").resolve("src/main.ts", specifier, 0) == Target("missing", reason)


@pytest.mark.parametrize(
    ("specifier", "name"),
    [
        ("react", "react"),
        ("react/jsx-runtime", "react"),
        ("@babel/core/lib/x", "@babel/core"),
        ("node:fs/promises", "node:fs"),
        ("fs", "fs"),
        ("https://deno.land/x/mod.ts", "https://deno.land/x/mod.ts"),
        ("virtual:pages", "virtual:pages"),
    ],
)
def test_what_lies_outside(javascript: Build, specifier: str, name: str) -> None:
    resolver = javascript("react.ts fs.js src/a.ts")
    assert resolver.resolve("src/a.ts", specifier, 0) == Target("external", name)


def test_typescript_prefers_sources_and_javascript_what_is_written(javascript: Build) -> None:
    resolver = javascript("a.ts a.js b.js b.d.ts")
    assert resolver.resolve("x.ts", "./a.js", 0) == file("a.ts")
    assert resolver.resolve("x.js", "./a.js", 0) == file("a.js")
    assert resolver.resolve("x.ts", "./b", 0) == file("b.js")
    assert resolver.resolve("x.ts", "./b.js", 0) == file("b.js")


def test_a_folder_is_entered_by_its_package(javascript: Build) -> None:
    resolver = javascript("lib/start.js lib/index.js old/index.js", {"lib/package.json": '{"main": "start"}'})
    assert resolver.resolve("x.js", "./lib", 0) == file("lib/start.js")
    assert resolver.resolve("x.js", "./old", 0) == file("old/index.js")


def test_paths_base_url_and_their_order(javascript: Build) -> None:
    options = """{ // the app's
        "compilerOptions": {
            "baseUrl": "./src",
            "paths": {"@/*": ["./*", "../gen/*"], "@/special/*": ["special/*"], "config": ["config/dev.ts"],},
        },
    }"""
    resolver = javascript(
        "src/a.ts gen/b.ts src/special/c.ts src/config/dev.ts src/deep/mod.ts", {"tsconfig.json": options}
    )
    expected = {
        "@/a": "src/a.ts",
        "@/b": "gen/b.ts",
        "@/special/c": "src/special/c.ts",
        "config": "src/config/dev.ts",
        "deep/mod": "src/deep/mod.ts",
    }
    for specifier, path in expected.items():
        assert resolver.resolve("src/deep/x.ts", specifier, 0) == file(path)
    assert resolver.resolve("src/a.ts", "@/gone", 0) == NO_FILE
    assert resolver.resolve("src/a.ts", "@/App.vue", 0) == Target("missing", "not a mapped language")
    assert resolver.resolve("src/a.ts", "lodash", 0) == Target("external", "lodash")


def test_a_dependency_that_a_pattern_covers_is_external(javascript: Build) -> None:
    resolver = javascript(
        "libs/core/index.ts",
        {
            "tsconfig.json": '{"compilerOptions": {"paths": {"@org/*": ["libs/*"]}}}',
            "package.json": '{"devDependencies": {"@org/published": "^1"}}',
        },
    )
    assert resolver.resolve("app.ts", "@org/core", 0) == file("libs/core/index.ts")
    assert resolver.resolve("app.ts", "@org/published", 0) == Target("external", "@org/published")
    assert resolver.resolve("app.ts", "@org/gone", 0) == NO_FILE


def test_root_dirs_are_one_folder(javascript: Build) -> None:
    resolver = javascript(
        "src/views/a.ts gen/views/b.ts", {"tsconfig.json": '{"compilerOptions": {"rootDirs": ["src", "gen"]}}'}
    )
    assert resolver.resolve("src/views/a.ts", "./b", 0) == file("gen/views/b.ts")


def test_workspace_packages_are_entered_at_their_source(javascript: Build) -> None:
    resolver = javascript(
        "packages/ui/src/index.ts packages/ui/src/button.tsx packages/ui/src/deep/x.ts packages/app/src/main.ts",
        {
            "package.json": '{"workspaces": ["packages/*"]}',
            "packages/ui/package.json": """{"name": "@org/ui", "exports": {
                ".": {"types": "./dist/index.d.ts", "import": "./dist/index.js"},
                "./button": "./dist/button.js", "./deep/*": "./dist/deep/*.js", "./secret": null}}""",
            "packages/app/package.json": '{"name": "app", "dependencies": {"@org/ui": "*"}}',
        },
    )
    importer = "packages/app/src/main.ts"
    assert resolver.resolve(importer, "@org/ui", 0) == file("packages/ui/src/index.ts")
    assert resolver.resolve(importer, "@org/ui/button", 0) == file("packages/ui/src/button.tsx")
    assert resolver.resolve(importer, "@org/ui/deep/x", 0) == file("packages/ui/src/deep/x.ts")
    assert resolver.resolve(importer, "@org/ui/src/button", 0) == file("packages/ui/src/button.tsx")
    assert resolver.resolve(importer, "@org/ui/secret", 0) == NO_FILE
    assert resolver.resolve(importer, "@org/ui/style.css", 0) == Target("missing", "not a mapped language")
    assert resolver.resolve(importer, "@org/uikit", 0) == Target("external", "@org/uikit")
    assert resolver.resolve("packages/ui/src/deep/x.ts", "@org/ui", 0) == file("packages/ui/src/index.ts")


def test_imports_of_the_own_package(javascript: Build) -> None:
    resolver = javascript(
        "src/db.ts src/util/a.ts packages/x/src/db.ts",
        {
            "package.json": """{"name": "me", "imports": {
                "#db": {"types": "./dist/db.d.ts", "default": "./dist/db.js"},
                "#util/*": "./src/util/*.ts", "#ext": "lodash/get"}}""",
            "packages/x/package.json": "{}",
        },
    )
    assert resolver.resolve("src/main.ts", "#db", 0) == file("src/db.ts")
    assert resolver.resolve("src/main.ts", "#util/a", 0) == file("src/util/a.ts")
    assert resolver.resolve("src/main.ts", "#ext", 0) == Target("external", "lodash")
    assert resolver.resolve("packages/x/src/db.ts", "#db", 0).kind == "missing"


def test_modules_have_no_members_and_resolvers_travel(javascript: Build) -> None:
    resolver = javascript("a.ts", {"tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./*"]}}}'})
    assert resolver.member(file("a.ts"), "a") is None
    assert resolver.resolve("b.ts", "@/a", 0) == file("a.ts")
    assert pickle.loads(pickle.dumps(resolver)).resolve("b.ts", "@/a", 0) == file("a.ts")


HOSTILE = [
    '{"name": 3, "main": [], "exports": 7, "imports": "x", "workspaces": 1}',
    '{"workspaces": ["' + "*" * 400 + '", "**/**/**/**", "../..", "/etc"], "name": ""}',
    '{"exports": ' + '{"a":' * 500 + "1" + "}" * 500 + "}",
    '{"name": "pkg", "exports": {"./*": "' + "*" * 100_000 + '"}}',
    '{"name": "pkg", "main": "../../../etc/passwd", "types": "/etc/passwd"}',
    '{"name": "pkg", "imports": {"#a": "#a", "#b": ["#c"]}, "dependencies": {"x": "file:../../.."}}',
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_packages_give_no_answer_but_no_error(javascript: Build, text: str) -> None:
    resolver = javascript("a/b.ts", {"package.json": text, "a/package.json": text, "tsconfig.json": text})
    for specifier in ("pkg", "pkg/x", "#a", "#b", "x", "./gone", "..", "pkg/../../x"):
        assert resolver.resolve("a/b.ts", specifier, 0).kind in ("missing", "external")
