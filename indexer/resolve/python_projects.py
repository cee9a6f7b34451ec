"""Where Python projects say that their packages lie: pyproject.toml, setup.cfg, setup.py (read, never run)."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from indexer.resolve.paths import join, parent
from indexer.resolve.settings import Read, read_ini, read_text, read_toml, table, texts

PROJECT_NAMES = frozenset({"pyproject.toml", "setup.cfg", "setup.py"})
TEST_CONFIGURATION_NAMES = frozenset({"pytest.ini", "tox.ini"})


class Declared(NamedTuple):
    """What the projects of a repository declare."""

    roots: dict[str, str]  # root folder → folder of the project that declares it
    explicit: frozenset[str]  # roots that are written down; the others are where projects have their code by custom
    aliases: dict[str, str]  # top-level package → its folder, where the two are named differently


def declared_roots(configs: Sequence[str], read: Read) -> Declared:
    """Every declared root; a project's own folder and its `src` always count (the caller drops those without code)."""
    roots: dict[str, str] = {"": ""}
    explicit: set[str] = set()
    aliases: dict[str, str] = {}
    for path in sorted(configs):
        folder, _, name = path.rpartition("/")
        if name in PROJECT_NAMES:
            for place in (".", "src"):
                roots.setdefault(join(folder, place) or "", folder)
        for package, place in _declared_in(path, name, read):
            where = join(folder, place)
            if where is None:
                continue
            if package:
                where = _root_of(package, where, aliases)
            if where is not None:
                roots.setdefault(where, folder)
                explicit.add(where)
    return Declared(roots, frozenset(explicit), aliases)


def _root_of(package: str, folder: str, aliases: dict[str, str]) -> str | None:
    """The root that makes `folder` importable as `package`; without one the package is noted as an alias."""
    path = package.replace(".", "/")
    if folder == path:
        return ""
    if folder.endswith("/" + path):
        return folder[: -len(path) - 1]
    if "." not in package:
        aliases.setdefault(package, folder)
    return None


def _declared_in(path: str, name: str, read: Read) -> Iterable[tuple[str, str]]:
    """(package, folder) pairs; the package is "" when the folder is a root. Folders are as written."""
    if name == "pyproject.toml":
        return _pyproject(table(read_toml(read, path), "tool"))
    if name == "setup.cfg":
        return _setup_cfg(path, read)
    if name == "setup.py":
        return _setup_py(read_text(read, path))
    if name in TEST_CONFIGURATION_NAMES:
        return _python_path(read_ini(read, path).get("pytest", "pythonpath", fallback=""))
    return ()


def _pyproject(tool: dict[str, Any]) -> Iterator[tuple[str, str]]:
    setuptools = table(tool, "setuptools")
    yield from _pairs(table(setuptools, "package-dir"))
    yield from _roots(texts(table(setuptools, "packages", "find").get("where")))
    yield from _poetry(table(tool, "poetry").get("packages"))
    yield from _hatch(table(tool, "hatch", "build"))
    yield from _members(texts(table(tool, "scikit-build", "wheel").get("packages")))
    yield from _roots(
        value
        for owner, key in (
            (table(tool, "pdm", "build"), "package-dir"),
            (table(tool, "maturin"), "python-source"),
            (table(tool, "uv", "build-backend"), "module-root"),
            (table(tool, "pyright"), "extraPaths"),
        )
        for value in texts(owner.get(key))
    )
    options = table(tool, "pytest", "ini_options").get("pythonpath", table(tool, "pytest").get("pythonpath"))
    yield from _roots(options.split() if isinstance(options, str) else texts(options))


def _roots(folders: Iterable[str]) -> Iterator[tuple[str, str]]:
    return (("", folder) for folder in folders)


def _pairs(packages: dict[str, Any]) -> Iterator[tuple[str, str]]:
    return ((package, folder) for package, folder in packages.items() if isinstance(folder, str))


def _members(folders: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Package folders, listed by path: what is around them is a root."""
    return (("", parent(folder.rstrip("/")) or ".") for folder in folders)


def _poetry(packages: Any) -> Iterator[tuple[str, str]]:
    for package in packages if isinstance(packages, list) else ():
        if isinstance(package, dict) and isinstance(package.get("from"), str):
            yield "", package["from"]


def _hatch(build: dict[str, Any]) -> Iterator[tuple[str, str]]:
    targets = [target for target in table(build, "targets").values() if isinstance(target, dict)]
    for target in (build, *targets):
        yield from _members(texts(target.get("packages")))
        yield from _roots(texts(target.get("dev-mode-dirs")))
        sources = target.get("sources")
        yield from _roots(texts(sources))
        for folder, package in sources.items() if isinstance(sources, dict) else ():
            if isinstance(package, str):
                yield package.strip("/").replace("/", "."), folder


def _setup_cfg(path: str, read: Read) -> Iterator[tuple[str, str]]:
    settings = read_ini(read, path)
    for line in settings.get("options", "package_dir", fallback="").replace(",", "\n").split("\n"):
        package, equals, folder = line.partition("=")
        if equals:
            yield package.strip(), folder.strip() or "."
    yield from _roots(_words(settings.get("options.packages.find", "where", fallback="")))
    yield from _python_path(settings.get("tool:pytest", "pythonpath", fallback=""))


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,]+", text) if word]


def _python_path(text: str) -> Iterator[tuple[str, str]]:
    return _roots(_words(text))


def _setup_py(text: str) -> Iterator[tuple[str, str]]:
    """Literals given to `setup(package_dir=…)` and `find_packages(where)`; nothing is evaluated."""
    if "package_dir" not in text and "find_" not in text:
        return
    for call in setup_calls(text):
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name == "setup":
            for keyword in call.keywords:
                if keyword.arg == "package_dir" and isinstance(keyword.value, ast.Dict):
                    yield from _literal_pairs(keyword.value)
        elif name in ("find_packages", "find_namespace_packages"):
            places = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "where")]
            yield from _roots(where for place in places if (where := _text(place)) is not None)


def setup_calls(text: str) -> list[ast.Call]:
    """The calls in a `setup.py`; none where it cannot be parsed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in their source are not our warnings
            tree = ast.parse(text)
        return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _literal_pairs(packages: ast.Dict) -> Iterator[tuple[str, str]]:
    for key, value in zip(packages.keys, packages.values, strict=True):
        name, place = _text(key), _text(value)
        if name is not None and place is not None:
            yield name, place or "."


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
