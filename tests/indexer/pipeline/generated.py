"""Small repositories for the property test: contents that refer to each other, and what happens to a working tree."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

PYTHON = ("a.py", "b.py", "pkg/__init__.py", "pkg/c.py", "pkg/d.py", "src/e.py", "tests/test_a.py")
SCRIPT = ("web/a.js", "web/b.ts", "web/lib/index.ts", "web/c.tsx", "web/d.cjs", "web/lib/e.mjs", "web/f.jsx")
CONFIGURATION = {
    "pyproject.toml": ('[tool.setuptools.packages.find]\nwhere = ["src"]\n', '[project]\nname = "x"\n'),
    "tsconfig.json": ('{"compilerOptions": {"baseUrl": "web", "paths": {"~/*": ["lib/*"]}}}', "{}", "{broken"),
    "package.json": ('{"name": "top", "imports": {"#lib": "./web/lib/index.ts"}}', '{"workspaces": ["web/*"]}'),
    "web/lib/package.json": ('{"name": "lib", "main": "e.mjs"}', '{"name": "lib", "exports": "./index.ts"}'),
    ".gitignore": ("pkg/d.py\nweb/lib/\n", ""),
}

BASE = {
    "a.py": """from b import A, g
from pkg import B
import pkg.c as c

class C(A):
    def __init__(self):
        super().__init__()
        self.x = B()

    def m(self):
        return self.x.m().n()

def f(p: C) -> B:
    p.m()
    g()
    return c.h()
""",
    "b.py": """from pkg.c import *
from pkg.d import g

class A:
    def __init__(self):
        self.x = h()

    def m(self) -> "A":
        return self

    def n(self):
        return g()
""",
    "pkg/__init__.py": "from .c import B\nfrom . import d\nx = d.g()\n",
    "pkg/c.py": """__all__ = ["B", "h"]

class B:
    def m(self):
        return B()

    def n(self):
        return h().m()

def h():
    return B()
""",
    "pkg/d.py": "import a\n\ndef g():\n    return a.f(a.C()).m()\n",
    "web/a.js": """import { g, B } from './b';
import * as c from './lib';
export class A extends B { m() { this.n(); return c.h(); } }
export const f = () => new A().m();
g();
""",
    "web/b.ts": "export { B, h as g } from './lib';\nexport * from './c';\n",
    "web/lib/index.ts": """export class B { m() { return this; } n() { return h(); } }
export function h() { return new B(); }
""",
    "web/c.tsx": "import { f } from './a';\nexport default function C() { return f(); }\nexport const x = <C />;\n",
    "web/d.cjs": "const { f } = require('./a');\nmodule.exports = { f, g: f };\n",
}
"""Where every history starts: files that lean on each other in every way."""

_NAMES = st.sampled_from(["f", "g", "h", "A", "B", "C", "m", "n", "x"])
_PYTHON_MODULES = st.sampled_from(["a", "b", "pkg", "pkg.c", "pkg.d", "e", ".c", ".d", ".", "os", "missing"])
_SCRIPT_MODULES = st.sampled_from(
    ["./a", "./b", "./lib", "./c", "./d.cjs", "../b", "./index", "#lib", "~/e.mjs", "lib", "react"]
)

_PYTHON_LINES = (
    "from {module} import {name}",
    "from {module} import {name} as {other}",
    "from {module} import *",
    "import {plain}",
    "import {plain} as {other}",
    "try:\n    from {module} import {name}\nexcept ImportError:\n    {name} = None",
    "def {name}():\n    return {other}()",
    "def {name}(p: {other}) -> {third}:\n    p.m()\n    return p.n",
    "def {name}(p={other}()):\n    return p.m().n()",
    "async def {name}():\n    with {other}() as {third}:\n        {third}.m()",
    "class {name}:\n    def m(self):\n        return self.n()\n    def n(self) -> {other}:\n        return {other}()",
    "class {name}({other}):\n    def __init__(self):\n        super().__init__()\n        self.x = {third}()",
    "class {name}({other}, {third}):\n    def m(self):\n        super().m()\n        return self.x.m()",
    "@{other}\ndef {name}():\n    {third}.m()",
    "{name} = {other}()",
    "{name}: {other} = None",
    "{name}.m()",
    "{other}().m().n()",
    '__all__ = ["{name}", "{other}"]',
    "def __getattr__(name):\n    return {other}",
    "{name} = lambda: {other}()",
    "def broken(:\n    {name}(",
    "def {name}({other}, *rest):\n    {third}({other})\n    return {other}(*rest)",
    "def {name}({other}):\n    def inner(*rest):\n        return {other}(*rest)\n    return inner",
    "def {name}(p):\n    if isinstance(p, {other}):\n        p.m()\n        q = p\n    return q",
    "def {name}({other}):\n    for {third} in {other}:\n        {third}.m()\n        yield {third}",
    "class {name}({other}):\n    def __init__(self, back):\n        self.back = back\n    def m(self):\n"
    "        return self.back({third})\n    def __enter__(self):\n        return self\n    def __add__(self, o):\n"
    "        return o",
    "{name}({other}, {third})",
    "{name} = {other}({third}, n={name})",
    "{name} = [{other}, {third}]",
    "{name} = {{'k': {other}, **{third}}}",
    "{name} = [{other} for {other} in {third}]",
    "{name}['k'] = {other}",
    "{name}['k']({other}).m()",
    "{name}.append({other})",
    "{name}.x = {other}",
    "({name} + {other}).m()",
    "{name}, {other} = {third}, {name}",
    "with {name}({other}) as {third}:\n    {third}.m()",
    "for {name} in {other}:\n    {name}({third})",
)
_SCRIPT_LINES = (
    "import {{ {name} }} from '{module}';",
    "import {{ {name} as {other} }} from '{module}';",
    "import {name} from '{module}';",
    "import * as {name} from '{module}';",
    "export * from '{module}';",
    "export {{ {name} }} from '{module}';",
    "export {{ {name} as default }} from '{module}';",
    "const {name} = require('{module}');",
    "const {{ {name} }} = require('{module}');",
    "export function {name}() {{ return {other}(); }}",
    "export default function {name}() {{ return new {other}(); }}",
    "export class {name} extends {other} {{ m() {{ return this.n(); }} n() {{ return super.m(); }} }}",
    "export default class {name} {{ m() {{ return new {other}().m(); }} }}",
    "export const {name} = () => {other}();",
    "export const {name} = new {other}();",
    "{name}.m();",
    "new {name}().m().n();",
    "module.exports = {{ {name}, {other}: {third} }};",
    "exports.{name} = {other};",
    "function {name}() {{ {other}.x.m(",
)


@st.composite
def python_source(draw: st.DrawFn) -> str:
    return _lines(draw, _PYTHON_LINES, _PYTHON_MODULES)


@st.composite
def script_source(draw: st.DrawFn) -> str:
    return _lines(draw, _SCRIPT_LINES, _SCRIPT_MODULES)


def _lines(draw: st.DrawFn, templates: tuple[str, ...], modules: st.SearchStrategy[str], most: int = 7) -> str:
    lines = []
    for template in draw(st.lists(st.sampled_from(templates), max_size=most)):
        module = draw(modules)
        name, other, third = draw(_NAMES), draw(_NAMES), draw(_NAMES)
        plain = module.strip(".") or "a"
        lines.append(template.format(module=module, plain=plain, name=name, other=other, third=third))
    return "\n".join(lines) + "\n"


class Step(NamedTuple):
    """One thing that happens to a working tree; the methods of `tree.Tree` of these names do it."""

    what: str
    path: str = ""
    content: str = ""
    line: int = 0


def _step(what: str, *texts: st.SearchStrategy[str]) -> st.SearchStrategy[Step]:
    return st.tuples(*texts).map(lambda chosen: Step(what, *chosen))


_PATHS = st.sampled_from(PYTHON + SCRIPT)


@st.composite
def writes(draw: st.DrawFn) -> Step:
    path = draw(_PATHS)
    return Step("write", path, draw(python_source() if path.endswith(".py") else script_source()))


@st.composite
def edits(draw: st.DrawFn) -> Step:
    """One line, or a few that belong together, in place of another, or of nothing."""
    path = draw(_PATHS)
    templates, modules = (_PYTHON_LINES, _PYTHON_MODULES) if path.endswith(".py") else (_SCRIPT_LINES, _SCRIPT_MODULES)
    return Step("edit", path, _lines(draw, templates, modules, most=1), draw(st.integers(0, 30)))


@st.composite
def configurations(draw: st.DrawFn) -> Step:
    path = draw(st.sampled_from(sorted(CONFIGURATION)))
    return Step("write", path, draw(st.sampled_from(CONFIGURATION[path])))


def unreadable() -> st.SearchStrategy[Step]:
    return _step("write", _PATHS, st.sampled_from(["x = 1\0", "\xff", ""]))


def moves() -> st.SearchStrategy[Step]:
    return st.sampled_from([PYTHON, SCRIPT]).flatmap(
        lambda paths: _step("rename", st.sampled_from(paths), st.sampled_from(paths))
    )


def steps() -> st.SearchStrategy[Step]:
    branches = st.sampled_from(["one", "two"])
    return st.one_of(
        edits(),
        edits(),
        edits(),
        writes(),
        configurations(),
        unreadable(),
        moves(),
        _step("delete", st.sampled_from(PYTHON + SCRIPT + tuple(CONFIGURATION))),
        st.sampled_from([Step("commit"), Step("revert"), Step("restore"), Step("amend"), Step("rewrite")]),
        st.sampled_from([Step("stash"), Step("unstash")]),
        _step("mode", _PATHS),
        _step("fold", _PATHS),
        _step("shout", _PATHS),
        _step("drop", st.sampled_from(["pkg", "web/lib", "src"])),
        _step("branch", branches),
        _step("switch", branches),
    )
