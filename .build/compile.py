"""Builds the wheel: where there is a C compiler, linker and extractors are compiled with mypyc.

What cannot be compiled stays Python, and does the same: docs/decisions/compiled-modules.md. `CODEMAP_COMPILE` says what
is wanted: `0` Python alone, `1` compiled or an error; not set: compiled where it can be. An editable installation is
never compiled, so that what is edited is what runs.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = {
    "codemap_link": ("link",),
    "codemap_python": ("languages/python",),
    "codemap_javascript": ("languages/javascript", "languages/typescript"),
}
"""Library → packages of `indexer` that are compiled into it."""

LEFT_OUT = (
    *("__init__.py", "python/names.py", "/builtins.py", "/language.py", "/lines.py"),  # what questions need
    *("link/indexes.py", "javascript/kinds.py"),  # dictionaries, which compiled classes cannot be
    "javascript/names.py",  # a named tuple of nodes, whose class is known to the type checker alone
)

_SETUP = """
import os
import sys
from mypyc.build import mypycify
from setuptools import setup

if os.name == "posix":  # in place of what Python was built with; hidden: so that calls within the library are direct
    os.environ.setdefault("CFLAGS", "-O1 -fwrapv -fvisibility=hidden")
options = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent"]
made, *lists = sys.argv[1:]
groups = [(paths.split(","), name) for name, _, paths in (each.partition("=") for each in lists)]
modules = mypycify(options + sum((paths for paths, _ in groups), []), opt_level="1", debug_level="0", separate=groups)
setup(name="compiled", packages=[], ext_modules=modules,
      script_args=["-q", "build_ext", "--parallel", str(os.cpu_count()), "--build-lib", made])
"""


class Compiling(BuildHookInterface[Any]):
    """Adds the compiled modules to the wheel, beside their sources."""

    PLUGIN_NAME = "custom"
    _made: Path | None = None

    def dependencies(self) -> list[str]:
        """What compiling needs; nothing where nothing is compiled."""
        if not self._wanted():
            return []
        project = tomllib.loads(Path(self.root, "pyproject.toml").read_text(encoding="utf-8"))["project"]
        parsers = [name for name in project["dependencies"] if name.startswith("tree-sitter")]  # for their types
        return ["mypy>=1.13", "setuptools>=77", *parsers]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile in a folder of its own. Raises RuntimeError where that fails and CODEMAP_COMPILE is 1."""
        if version == "editable" or not self._wanted():
            return
        made = self._made = Path(tempfile.mkdtemp(prefix="codemap-compiled-"))
        problem = compile_to(Path(self.root), made)
        if problem:
            if os.environ.get("CODEMAP_COMPILE") == "1":
                raise RuntimeError(f"the linker could not be compiled: {problem}")
            self.app.display_warning(f"codemap is built without its compiled linker, and will take longer: {problem}")
            return
        libraries = [*made.rglob("*.so"), *made.rglob("*.pyd")]
        build_data["force_include"].update({str(path): path.relative_to(made).as_posix() for path in libraries})
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """The wheel is written: remove what was compiled for it."""
        if self._made is not None:
            shutil.rmtree(self._made, ignore_errors=True)

    def _wanted(self) -> bool:
        wanted = os.environ.get("CODEMAP_COMPILE", "")
        return self.target_name == "wheel" and (wanted == "1" or (wanted != "0" and has_compiler()))


def has_compiler() -> bool:
    """Whether C can be compiled here for this Python: CPython, with its headers and the compiler it names."""
    header = Path(sysconfig.get_path("include"), "Python.h")
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cl").split()[0]
    return sys.implementation.name == "cpython" and header.exists() and shutil.which(compiler) is not None


def compile_to(root: Path, made: Path) -> str:
    """Compile the modules below `root` into `made`; "" or, in a line, what went wrong."""
    with tempfile.TemporaryDirectory(prefix="codemap-sources-") as folder:
        sources = Path(folder)
        for package in ("codemap", "indexer", "queries"):
            shutil.copytree(root / package, sources / package, ignore=shutil.ignore_patterns("__pycache__"))
        lists = []
        for library, packages in COMPILED.items():
            paths = [path for package in packages for path in sorted((sources / "indexer" / package).glob("*.py"))]
            paths = [path for path in paths if not path.as_posix().endswith(LEFT_OUT)]
            for path in paths:
                text = path.read_text(encoding="utf-8")
                text = expanded(text) if library == "codemap_link" else registered(text)
                path.write_text(text, encoding="utf-8")
            lists.append(f"{library}={','.join(path.relative_to(sources).as_posix() for path in paths)}")
        script = sources / "setup_compiled.py"
        script.write_text(_SETUP, encoding="utf-8")
        command = [sys.executable, script.name, str(made), *lists]
        run = subprocess.run(command, cwd=sources, capture_output=True, text=True, check=False)
        if run.returncode:
            lines = [line for line in (run.stdout + run.stderr).splitlines() if "rror" in line]
            return lines[0] if lines else f"the compiler ended with {run.returncode}"
    return ""


def expanded(text: str) -> str:
    """A module with each `@question` written out: mypyc calls methods directly, but not through a decorator.

    `def f(self, a): body` under `@question` becomes a method that looks its answer up, and one, `_asked_f`, that finds
    it.
    """
    lines = text.split("\n")
    declared: list[str] = []
    questions = [
        (owner.name, method)
        for owner in ast.parse(text).body
        if isinstance(owner, ast.ClassDef)
        for method in owner.body
        if isinstance(method, ast.FunctionDef) and [ast.unparse(part) for part in method.decorator_list] == ["question"]
    ]
    for owner, method in reversed(questions):
        decorator, start, body = method.decorator_list[0].lineno - 1, method.lineno - 1, method.body[0].lineno - 1
        head, name = lines[start:body], method.name
        arguments = "".join(f"{argument.arg}, " for argument in method.args.args[1:])
        asking = _ASKING.format(name=name, owner=owner, arguments=arguments).split("\n")
        finding = [head[0].replace(f"def {name}(", f"def _asked_{name}("), *head[1:]]
        lines[decorator:body] = [*head, *asking, *finding]
        assert method.returns is not None
        declared.append(f"declare({name!r}, {ast.unparse(method.returns)!r})")
    return "\n".join([*lines, "from indexer.link.cycles import declare  # noqa", *declared] if declared else lines)


_ASKING = """\
        memo = self.memo
        asked = ({arguments})
        kept = memo.tables["{name}"].get(asked)
        if kept is None:
            return memo.answer("{name}", {owner}._asked_{name}, self, asked)
        if kept.recorder != memo.recorder:
            kept.recorder = memo.recorder
            memo.premises.append(kept)
        return kept.answer
"""


def registered(text: str) -> str:
    """A module with `@visits("kind")` and `@values("kind")` after the function, which is then called directly."""
    lines = text.split("\n")
    for node in reversed(ast.parse(text).body):
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            decorators = [ast.unparse(decorator) for decorator in reversed(node.decorator_list)]
            if all(decorator.startswith(_REGISTERING) for decorator in decorators):
                assert node.end_lineno is not None
                body = lines[node.lineno - 1 : node.end_lineno]
                calls = [f"{decorator}({node.name})" for decorator in decorators]
                lines[node.decorator_list[0].lineno - 1 : node.end_lineno] = [*body, *calls]
    return "\n".join(lines)


_REGISTERING = ("visits(", "values(")
