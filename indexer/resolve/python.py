"""Python imports → files: the import system's rules, read off the file table.

A *root* is a folder that stands on the module search path: the repository itself, what projects declare, the folder
around a top-level package, and a script's own folder. Several roots may have a top-level name; those that contain the
importer come first, innermost first, then the one nearest to it. Two that are equally near are not guessed between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from indexer.ports import ENTRY_POINTS, Target
from indexer.resolve.paths import below, contains, parent
from indexer.resolve.python_entries import entry_points
from indexer.resolve.python_roots import Roots, find_roots
from indexer.resolve.settings import Read
from indexer.resolve.standard import STANDARD_NAMES

_INITS = ("/__init__.py", "/__init__.pyi")
_MAX_SPECIFIER = 1000


class PythonResolver:
    """Import specifiers → files, for Python. Answers are kept, so one is made per state of the repository."""

    def __init__(self, files: Iterable[str], configs: Sequence[str], read: Read) -> None:
        self._files = frozenset(path for path in files if path.endswith((".py", ".pyi", ".pyw")))
        self._stubs = frozenset(path for path in self._files if path.endswith(".pyi"))
        self._roots: Roots = find_roots(self._files, configs, read)
        self._entry_points = entry_points(configs, read)
        self._shared = self._roots.shared()
        self._answers: dict[tuple[str, str, int], Target] = {}
        self._members: dict[tuple[Target, str], Target | None] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_answers": {}, "_members": {}}

    def resolve(self, importer: str, specifier: str, level: int) -> Target:
        """What `import specifier` (level 0) or `from ..specifier import` (level 2) in `importer` leads to."""
        folder = importer.rpartition("/")[0]
        key = (folder, specifier, level)
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = self._resolve(folder, specifier, level)
        if answer.value == importer and not level and "." not in specifier and not importer.endswith(_INITS):
            return self._other(importer, folder, specifier)
        return answer

    def member(self, target: Target, name: str) -> Target | None:
        """The submodule `name` of a package's `__init__` or of a namespace folder."""
        key = (target, name)
        if key not in self._members:
            self._members[key] = self._member(target, name)
        return self._members[key]

    def _resolve(self, folder: str, specifier: str, level: int) -> Target:
        if len(specifier) > _MAX_SPECIFIER or "/" in specifier or "\0" in specifier:
            return Target("missing", "not a module name")
        if level > 0:
            return self._relative(folder, specifier, level)
        if not all(specifier.split(".")):
            return Target("missing", "not a module name")
        return self._absolute(folder, specifier)

    def _other(self, importer: str, folder: str, specifier: str) -> Target:
        """`import yaml` in `yaml.py` does not mean that file."""
        key = (importer, specifier, -1)
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = self._absolute(folder, specifier, avoid=True)
        return answer

    def _relative(self, folder: str, specifier: str, level: int) -> Target:
        for _ in range(level - 1):
            if not folder:
                return Target("missing", "relative import beyond the root of the repository")
            folder = parent(folder)
        if not specifier:
            return self._package(folder) or Target("missing", "no such package in the repository")
        path = below(folder, specifier.replace(".", "/"))
        written = "." * level + specifier
        return self._module(path) or Target("missing", f"no module {written} in the repository")

    def _absolute(self, folder: str, specifier: str, avoid: bool = False) -> Target:
        """`avoid`: `folder` itself is no root."""
        top, _, _ = specifier.partition(".")
        path = specifier.replace(".", "/")
        standard = top in STANDARD_NAMES
        bearers = self._roots.bearers(folder, top, standard)
        if avoid:
            bearers = [kept for group in bearers if (kept := [root for root in group if root != folder])]
        for group in bearers:
            found = [target for root in group if (target := self._module(below(root, path)))]
            files = [target for target in found if target.kind == "file"] or found
            if len(files) > 1:
                places = ", ".join(target.value for target in files[:3])
                return Target("missing", f"module {specifier} is in several places: {places}")
            if files:
                return files[0]
        if bearers:
            return Target("missing", f"no module {specifier} in the repository")
        if standard:
            return Target("external", top)
        return self._alias(top, specifier) or self._namespace(folder, top, path) or Target("external", top)

    def _alias(self, top: str, specifier: str) -> Target | None:
        folder = self._roots.aliases.get(top)
        if folder is None or self._init(folder) is None:
            return None
        target = self._module(folder + specifier[len(top) :].replace(".", "/"))
        return target or Target("missing", f"no module {specifier} in the repository")

    def _namespace(self, folder: str, top: str, path: str) -> Target | None:
        """The first root that has the module below a namespace package; a file before a mere folder."""
        first = None
        for root in self._roots.namespaces(folder, top):
            target = self._module(below(root, path))
            if target is not None and target.kind == "file":
                return target
            first = first or target
        return first

    def _member(self, target: Target, name: str) -> Target | None:
        if not name or "/" in name or "." in name:
            return None
        kind, value = target
        if kind == "stub":
            return self._stub(value)
        if kind == ENTRY_POINTS:
            return self._declared(value)
        if kind == "folder":
            return self._module(below(value, name)) or self._other_portion(value, name)
        if kind == "file" and value.endswith(("__init__.py", "__init__.pyi")):
            return self._module(below(parent(value), name))
        return None

    def _declared(self, group: str) -> Target | None:
        """The objects of a group of entry points that lie in the repository."""
        found = [
            f"{entry.name}\t{target.value}\t{entry.attribute}"
            for entry in self._entry_points
            if entry.group == group and (target := self._resolve(entry.folder, entry.module, 0)).kind == "file"
        ]
        return Target(ENTRY_POINTS, "\n".join(dict.fromkeys(found))) if found else None

    def _stub(self, source: str) -> Target | None:
        """The stub beside a source file; of "" whether there is any such stub."""
        if not source:
            return Target("file", "any") if any(path[:-1] in self._files for path in self._stubs) else None
        return Target("file", f"{source}i") if f"{source}i" in self._stubs and source in self._files else None

    def _other_portion(self, folder: str, name: str) -> Target | None:
        """`name` in the same namespace package under another root."""
        for root in self._shared:
            if folder == root or not contains(root, folder):
                continue
            dotted = folder[len(root) + 1 :] if root else folder
            for other in self._shared:
                place = below(other, dotted)
                if place != folder and place in self._roots.folders and self._init(place) is None:
                    target = self._module(below(place, name))
                    if target is not None:
                        return target
        return None

    def _package(self, folder: str) -> Target | None:
        init = self._init(folder)
        if init is not None:
            return Target("file", init)
        return Target("folder", folder) if folder in self._roots.folders else None

    def _init(self, folder: str) -> str | None:
        for init in ("__init__.py", "__init__.pyi"):
            path = below(folder, init)
            if path in self._files:
                return path
        return None

    def _module(self, path: str) -> Target | None:
        """A package before a module of its name, sources before stubs, a namespace package last."""
        for ending in ("/__init__.py", ".py", "/__init__.pyi", ".pyi"):
            if path + ending in self._files:
                return Target("file", path + ending)
        return Target("folder", path) if path in self._roots.folders else None
