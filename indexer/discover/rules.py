"""Which folders are looked into and which files are ignored, as git decides it.

A plain folder goes by the same rules, without those that come with a repository.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from indexer.discover.ignore import Pattern, parse
from indexer.discover.tracked import Known
from indexer.discover.walk import shown

_IGNORE_FILE_LIMIT = 10_000_000  # bytes
_DEPENDENCIES = "node_modules"
_OWN = frozenset({".git", ".codemap"})
# What tools keep beside the source; a repository's own ignore files say so, outside git nothing does.
_TOOL_FOLDERS = frozenset({".hg", ".svn", "__pycache__", ".tox", ".nox", ".mypy_cache", ".ruff_cache", ".pytest_cache"})


class _Folder:
    """A folder on the way down, with the patterns of its ignore file."""

    __slots__ = ("_ignored", "name", "parent", "patterns")

    def __init__(self, name: str, parent: _Folder | None, ignored: bool | None = None) -> None:
        self.name = name.encode("utf-8", "surrogateescape")
        self.parent = parent
        self.patterns: Sequence[Pattern] = ()
        self._ignored = ignored  # None: not asked yet; most folders hold nothing untracked

    def ignores(self, name: str, is_folder: bool, shared: Sequence[Pattern]) -> bool:
        """Whether an untracked entry is ignored: with a folder around it, or by the nearest pattern that matches;
        `shared` patterns, which hold for the whole tree, come last."""
        if self.ignored(shared):
            return True
        path = [name.encode("utf-8", "surrogateescape")]
        folder: _Folder | None = self
        while folder is not None:
            patterns = folder.patterns if folder.parent else (*folder.patterns, *shared)
            for pattern in patterns:
                if pattern.matches(path, is_folder):
                    return not pattern.negated
            path.insert(0, folder.name)
            folder = folder.parent
        return False

    def ignored(self, shared: Sequence[Pattern]) -> bool:
        if self._ignored is None:
            assert self.parent is not None
            self._ignored = self.parent.ignores(self.name.decode("utf-8", "surrogateescape"), True, shared)
        return self._ignored


class Rules:
    """Asked in the order of a walk: `visit` a folder, then `enter` each folder in it."""

    def __init__(self, root: str, tracked: Known | None, skipped: dict[str, str]) -> None:
        """`skipped` receives the folders that are left out and that nobody asked to ignore."""
        self._root = root
        self._skipped = skipped
        self._ignore_case = tracked is not None and tracked.ignore_case
        self._fold = tracked.fold if tracked else str
        self._tracked_folders = _folders(tracked.paths) if tracked else frozenset()
        self._never = _OWN if tracked else _OWN | _TOOL_FOLDERS
        self._shared: list[Pattern] = []
        for path in tracked.exclude_files if tracked else ():
            self._shared += parse(_content(path), self._ignore_case)
        self._waiting: dict[str, _Folder] = {"": _Folder("", None, ignored=False)}
        self._folder = self._waiting[""]
        self._visited: dict[str, _Folder] = {}

    def turn(self, prefix: str) -> bool:
        """Turn to a folder by itself, by way of those around it; whether it is looked into."""
        folder = self._visited.get(prefix)
        if folder is not None:
            self._folder = folder
            return True
        if prefix:
            above, _, name = prefix[:-1].rpartition("/")
            above = above + "/" if above else ""
            if not self.turn(above) or not self.enter(above, name):
                return False
        self.visit(prefix, os.path.lexists(f"{self._root}/{prefix}.gitignore"))
        return True

    def visit(self, prefix: str, has_ignore_file: bool) -> None:
        """Turn to a folder; what is asked next is asked of entries in it."""
        self._folder = self._visited[prefix] = self._waiting.pop(prefix)
        if has_ignore_file:
            path = f"{self._root}/{prefix}.gitignore"
            # git does not follow a link here: one in a repository could show what lies outside.
            self._folder.patterns = () if os.path.islink(path) else parse(_content(path), self._ignore_case)

    def ignored(self, name: str) -> bool:
        """Whether an untracked file of the folder turned to is ignored."""
        return self._folder.ignores(name, False, self._shared)

    @property
    def tracked_folders(self) -> frozenset[str]:
        """Those that hold tracked files, at any depth."""
        return self._tracked_folders

    def enter(self, prefix: str, name: str) -> bool:
        """Whether a folder in the folder turned to is looked into."""
        path = prefix + name
        if name in self._never or path in self._skipped:  # submodules are among the skipped from the start
            return False
        if name == _DEPENDENCIES or self._fold(path) not in self._tracked_folders:
            if self._folder.ignores(name, True, self._shared):
                return False
            if reason := _foreign(f"{self._root}/{path}", name):
                self._skipped[shown(path)] = reason
                return False
        self._waiting[path + "/"] = _Folder(name, self._folder)
        return True


def _content(path: str) -> bytes:
    """What an ignore file holds; nothing for one that is not there or cannot be read, as git has it."""
    try:
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return file.read(_IGNORE_FILE_LIMIT)
    except OSError:
        pass
    return b""


def _foreign(folder: str, name: str) -> str | None:
    """Why a folder holds somebody else's code; None for one that does not."""
    if name == _DEPENDENCIES:
        return "dependency folder"
    if os.path.lexists(f"{folder}/pyvenv.cfg"):
        return "virtual environment"
    if os.path.isfile(f"{folder}/.git") or os.path.lexists(f"{folder}/.git/HEAD"):
        return "nested repository"
    return None


def _folders(paths: Iterable[str]) -> frozenset[str]:
    """Every folder on the way to one of the paths, of which those in one folder mostly follow one another."""
    found: set[str] = set()
    last = ""
    for path in paths:
        folder = path.rpartition("/")[0]
        if folder == last:
            continue
        last = folder
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(found)
