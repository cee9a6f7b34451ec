"""`callers force_str` on Django against a count by Python's own parser: `python -m tests.benchmarks.callers DIR`."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.measure import codemap

NAME = "force_str"
MODULE = "django.utils.encoding"
BOUND = 0.95


class Site(NamedTuple):
    """A call, in the words of an answer."""

    path: str
    qualname: str  # of the caller
    line: int


class Result(NamedTuple):
    """How `callers` compares with the sites that are there."""

    sites: frozenset[Site]
    found: frozenset[Site]  # what `callers` lists as resolved

    @property
    def share(self) -> float:
        """Of the sites, how many are listed with their enclosing function."""
        return len(self.sites & self.found) / len(self.sites)

    def summary(self) -> str:
        listed = len(self.sites & self.found)
        return (
            f"callers {NAME}: {listed} of {len(self.sites)} call sites ({self.share:.1%}, at least {BOUND:.0%}), "
            f"{len(self.found - self.sites)} listed that are none"
        )


def compare(root: Path) -> Result:
    """Both lists for a checkout of Django that has a map."""
    answer = json.loads(codemap(root, "callers", f"django/utils/encoding.py:{NAME}", "--json").output)
    found = (
        Site(edge["symbol"]["path"], edge["symbol"]["qualname"], edge["line"])
        for edge in answer["edges"]
        if edge["kind"] == "calls" and edge["resolution"] == "resolved"
    )
    return Result(frozenset(call_sites(root)), frozenset(found))


def call_sites(root: Path) -> Iterator[Site]:
    """Every call of the function by a name that an import in its own file, or its own module, binds to it."""
    for path in sorted(root.rglob("*.py")):
        source = path.read_bytes()
        if NAME.encode() not in source:
            continue
        tree = ast.parse(source)
        relative = path.relative_to(root).as_posix()
        module = relative.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        finder = _Finder(relative, _names(tree, module))
        finder.visit(tree)
        yield from finder.sites


def _names(tree: ast.Module, module: str) -> set[str]:
    """The dotted names by which a file calls the function."""
    names = {NAME} if module == MODULE else set()
    parent, _, last = MODULE.rpartition(".")
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                if (node.module, alias.name) == (MODULE, NAME):
                    names.add(alias.asname or NAME)
                elif (node.module, alias.name) == (parent, last):
                    names.add(f"{alias.asname or last}.{NAME}")
        elif isinstance(node, ast.Import):
            names |= {f"{alias.asname or MODULE}.{NAME}" for alias in node.names if alias.name == MODULE}
    return names


class _Finder(ast.NodeVisitor):
    """Walks a file with the name of the function whose code it is in."""

    def __init__(self, path: str, names: set[str]) -> None:
        self.path = path
        self.names = names
        self.caller: list[str] = []  # the scope whose code this is; classes do not count
        self.outer: list[str] = []  # the same with classes, which qualified names contain
        self.lambdas: dict[tuple[str, ...], int] = {}
        self.sites: list[Site] = []

    def visit_Call(self, node: ast.Call) -> None:
        if ast.unparse(node.func) in self.names:
            self.sites.append(Site(self.path, ".".join(self.caller) or "<module>", node.func.lineno))
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for part in (*node.decorator_list, node.args, *filter(None, [node.returns])):
            self.visit(part)
        self._inside([*self.outer, node.name], node.body)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        scope = tuple(self.caller)
        self.lambdas[scope] = self.lambdas.get(scope, 0) + 1
        name = f"<lambda{self.lambdas[scope]}>"
        self.visit(node.args)
        self._inside([*self.caller, name], [node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(part)
        outer, self.outer = self.outer, [*self.outer, node.name]
        for statement in node.body:
            self.visit(statement)
        self.outer = outer

    def _inside(self, name: list[str], body: list[ast.stmt] | list[ast.expr]) -> None:
        before = self.caller, self.outer
        self.caller, self.outer = name, name
        for statement in body:
            self.visit(statement)
        self.caller, self.outer = before


def main(root: Path) -> int:
    result = compare(root)
    print(result.summary())
    for title, sites in (("missing", result.sites - result.found), ("listed", result.found - result.sites)):
        for site in sorted(sites):
            print(f"{title}: {site.path}:{site.line} in {site.qualname}")
    return 0 if result.share >= BOUND else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
