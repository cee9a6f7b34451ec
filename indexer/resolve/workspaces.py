"""Packages that lie in the repository and import each other by name: npm, yarn, pnpm and lerna workspaces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from indexer.resolve.packages import Package, read_package
from indexer.resolve.paths import ancestors, contains, glob_matches, join, parent
from indexer.resolve.settings import Read, read_json, read_text, texts

PACKAGE_NAME = "package.json"
PNPM_NAME = "pnpm-workspace.yaml"
LERNA_NAME = "lerna.json"

_MAX_GLOBS = 1000
_MAX_GLOB = 500
_LIST_ITEM = re.compile(r"""\s*-\s*(?:'([^']*)'|"([^"]*)"|([^\s#'"][^#]*?))\s*(?:\s#.*)?$""")


class Workspaces:
    """Every package.json of the repository, and who can import whom by name."""

    def __init__(self, configs: Sequence[str], read: Read) -> None:
        paths = sorted(path for path in configs if path.rpartition("/")[2] == PACKAGE_NAME)
        self.packages = {parent(path): read_package(path, read) for path in paths}
        self._inside: set[str] = set()  # folders of members
        self._members: dict[str, list[tuple[str, Package]]] = {}  # name → (workspace folder, package), inner ones first
        for folder, globs in sorted(_workspace_globs(configs, self.packages, read).items(), reverse=True):
            for member in _members(folder, globs, self.packages):
                self._inside.add(member.folder)
                self._members.setdefault(member.name, []).append((folder, member))
        for found in self._members.values():
            found.sort(key=lambda entry: (-len(entry[0]), entry[1].folder))

    def nearest(self, folder: str) -> Package | None:
        """The package that a file in `folder` belongs to."""
        for around in ancestors(folder):
            package = self.packages.get(around)
            if package is not None:
                return package
        return None

    def member(self, name: str, folder: str) -> Package | None:
        """The package that `name` means for files in `folder`: linked, of the workspace, or the file's own."""
        own = self.nearest(folder)
        if own is not None:
            link = own.links.get(name)
            linked = self.packages.get(join(own.folder, link) or "\0") if link else None
            if linked is not None:
                return linked
            if own.name == name:
                return own
            if name in own.dependencies and own.folder not in self._inside:
                return None  # a project apart, a template for one: it has its packages from elsewhere
        for workspace, member in self._members.get(name, ()):
            if contains(workspace, folder):
                return member
        return None

    def depends(self, name: str, folder: str) -> bool:
        """Whether a package around `folder` names `name` among its dependencies."""
        return any(
            name in self.packages[around].dependencies for around in ancestors(folder) if around in self.packages
        )


def _workspace_globs(configs: Sequence[str], packages: dict[str, Package], read: Read) -> dict[str, list[str]]:
    found = {folder: list(package.workspaces) for folder, package in packages.items() if package.workspaces}
    for path in sorted(configs):
        folder, _, name = path.rpartition("/")
        if name == PNPM_NAME:
            found.setdefault(folder, []).extend(pnpm_globs(read_text(read, path)))
        elif name == LERNA_NAME:
            found.setdefault(folder, []).extend(texts(read_json(read, path).get("packages")))
    return found


def pnpm_globs(text: str) -> list[str]:
    """The `packages:` list of a pnpm-workspace.yaml, in block or flow style; the rest of YAML is not needed."""
    globs: list[str] = []
    inside = False
    for line in text.splitlines():
        key, colon, rest = line.partition(":")
        if colon and key.strip("'\"") == "packages":
            inside = True
            flow = rest.strip()
            if flow.startswith("["):
                globs += [item.strip(" '\"") for item in flow.strip("[]").split(",")]
        elif inside and line.strip() and not line.lstrip().startswith(("-", "#")):
            inside = False
        elif inside and len(line) <= _MAX_GLOB and (match := _LIST_ITEM.match(line)):
            globs.append(match[1] or match[2] or match[3] or "")
    return [glob for glob in globs if glob]


def _members(folder: str, globs: Iterable[str], packages: dict[str, Package]) -> list[Package]:
    """Named packages under `folder` that a glob takes and no later `!` one refuses, and the workspace's own."""
    taken: dict[str, Package] = {}
    if packages.get(folder):
        taken[folder] = packages[folder]
    for glob in list(globs)[:_MAX_GLOBS]:
        refuse = glob.startswith("!")
        pattern = glob.lstrip("!").removeprefix("./").rstrip("/")
        if len(pattern) > _MAX_GLOB:
            continue
        for place, package in packages.items():
            if place == folder or not contains(folder, place):
                continue
            if any(glob_matches(one, place[len(folder) + 1 if folder else 0 :]) for one in _braces(pattern)):
                if refuse:
                    taken.pop(place, None)
                else:
                    taken[place] = package
    return [package for _, package in sorted(taken.items()) if package.name]


def _braces(pattern: str) -> list[str]:
    """`a/{b,c}` → `a/b`, `a/c`; one pair is enough in practice."""
    before, opened, rest = pattern.partition("{")
    middle, closed, after = rest.partition("}")
    return [before + choice + after for choice in middle.split(",")] if opened and closed else [pattern]
