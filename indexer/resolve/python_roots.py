"""Which folders stand on Python's module search path, and which of them a file sees."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from indexer.resolve.paths import ancestors, contains, shared_depth
from indexer.resolve.python_projects import declared_roots
from indexer.resolve.settings import Read

_PRIVATE = """
    test tests testing testdata fixtures doc docs example examples sample samples demo demos benchmark benchmarks
"""
PRIVATE_NAMES = frozenset(_PRIVATE.split())
"""What lies in a folder of such a name is for the files in it: a helper of the tests is not what the code imports."""

_AROUND, _INSIDE_PACKAGE, _ELSEWHERE, _UNSEEN = range(4)


class Roots(NamedTuple):
    """The roots of a repository and the top-level names in every folder that could be one."""

    folders: frozenset[str]  # every folder that holds Python files, at any depth
    packages: frozenset[str]  # those with an `__init__`, but for roots
    declared: dict[str, str]  # root → folder of the project that declares it
    inferred: frozenset[str]  # folders around top-level packages
    local: frozenset[str]  # folders with a conftest.py: roots for what lies in them
    solid: frozenset[str]  # folders that may hide a module of the standard library
    tops: dict[str, list[str]]  # top-level regular package or module → the folders that have it, sorted
    spaces: dict[str, list[str]]  # top-level namespace package → the folders that have it, sorted
    aliases: dict[str, str]  # top-level package → its folder, where the two are named differently

    def bearers(self, folder: str, top: str, standard: bool) -> list[list[str]]:
        """Roots with a regular top-level `top`, best first; those in one group are equally near to `folder`.

        `standard`: the name is the standard library's, so only a root around `folder` can mean another.
        """
        groups: dict[tuple[int, int], list[str]] = {}
        for root in self.tops.get(top, ()):
            place = self._place(root, folder, top)
            if place == _UNSEEN or (standard and (place != _AROUND or root not in self.solid)):
                continue
            groups.setdefault((place, -shared_depth(root, folder)), []).append(root)
        return [groups[key] for key in sorted(groups)]

    def namespaces(self, folder: str, top: str) -> list[str]:
        """Roots with a namespace package `top` that `folder` sees, best first."""
        found = []
        for root in self.spaces.get(top, ()):
            place = self._place(root, folder, top)
            if place < _ELSEWHERE or (place == _ELSEWHERE and root in self.declared):
                found.append((place, -shared_depth(root, folder), root))
        return [root for _, _, root in sorted(found)]

    def shared(self) -> list[str]:
        """Declared roots seen from everywhere, sorted."""
        return sorted(root for root, project in self.declared.items() if _private_folder(project) is None)

    def _place(self, root: str, folder: str, top: str) -> int:
        """Where `root` stands on the search path of files in `folder` that import `top`."""
        if contains(root, folder):
            if root != folder and root not in self.declared and root not in self.inferred and root not in self.local:
                return _UNSEEN
            return _INSIDE_PACKAGE if self._in_package(root) else _AROUND
        if top.lower() in PRIVATE_NAMES:
            return _UNSEEN  # another project's `tests`
        if root not in self.declared and (root not in self.inferred or self._in_package(root)):
            return _UNSEEN
        private = _private_folder(self.declared.get(root, root))
        return _ELSEWHERE if private is None or contains(private, folder) else _UNSEEN

    def _in_package(self, folder: str) -> bool:
        return folder not in self.declared and any(around in self.packages for around in ancestors(folder))


def find_roots(files: Iterable[str], configs: Sequence[str], read: Read) -> Roots:
    """Roots from the paths of the Python files and from the projects' configuration."""
    by_folder: dict[str, list[str]] = defaultdict(list)
    for path in files:
        folder, _, name = path.rpartition("/")
        by_folder[folder].append(name)
    folders = _with_ancestors(by_folder)
    inits = {folder for folder, names in by_folder.items() if "__init__.py" in names or "__init__.pyi" in names}
    projects = declared_roots(configs, read)
    declared = {
        root: project
        for root, project in projects.roots.items()
        if root == "" or (root in folders and (root not in inits or root in projects.explicit))
    }
    packages = inits - declared.keys()
    tops, spaces, inferred = _top_level(by_folder, folders, packages)
    return Roots(
        folders=frozenset(folders),
        packages=frozenset(packages),
        declared=declared,
        inferred=frozenset(inferred),
        local=frozenset(folder for folder, names in by_folder.items() if "conftest.py" in names),
        solid=frozenset(by_folder) | declared.keys(),
        tops={name: sorted(places) for name, places in tops.items()},
        spaces={name: sorted(places) for name, places in spaces.items()},
        aliases=projects.aliases,
    )


def _with_ancestors(folders: Iterable[str]) -> set[str]:
    found = {""}
    for folder in folders:
        while folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


def _top_level(
    by_folder: dict[str, list[str]], folders: set[str], packages: set[str]
) -> tuple[dict[str, set[str]], dict[str, set[str]], set[str]]:
    """Regular names and namespace packages of every folder that is no package, and the folders around packages."""
    tops: dict[str, set[str]] = defaultdict(set)
    spaces: dict[str, set[str]] = defaultdict(set)
    inferred = set()
    for folder in folders:
        around, _, name = folder.rpartition("/")
        if not folder or around in packages:
            continue
        if folder not in packages:
            spaces[name].add(around)
        elif name.isidentifier():
            tops[name].add(around)
            inferred.add(around)
    for folder, names in by_folder.items():
        if folder not in packages:
            for name in names:
                tops[name.rpartition(".")[0]].add(folder)
    return tops, spaces, inferred


def _private_folder(path: str) -> str | None:
    """The outermost folder on the way to `path` that keeps its content to itself."""
    parts = path.split("/")
    for depth, part in enumerate(parts, 1):
        if part.lower() in PRIVATE_NAMES:
            return "/".join(parts[:depth])
    return None
