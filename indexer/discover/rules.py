"""Which folders are looked into: git's own rules in a repository, a short list of names outside."""

from __future__ import annotations

import os
from collections.abc import Iterable

from indexer.discover.tracked import Tracked
from indexer.discover.walk import shown

DEPENDENCIES = "node_modules"

# What tools keep beside the source. None of it is source, and outside git no ignore file says so.
_TOOL_FOLDERS = frozenset(
    {".git", ".hg", ".svn", ".codemap", "__pycache__", ".tox", ".nox", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
)


class PlainRules:
    """A folder outside git."""

    def __init__(self, root: str, skipped: dict[str, str]) -> None:
        self._root = root
        self._skipped = skipped

    def ignored(self, path: str) -> bool:
        return False

    def enter(self, path: str, name: str) -> bool:
        if name in _TOOL_FOLDERS:
            return False
        if reason := foreign(f"{self._root}/{path}", name):
            self._skipped[shown(path)] = reason
        return not reason


class GitRules:
    """A worktree: tracked and untracked-not-ignored."""

    def __init__(self, root: str, tracked: Tracked, skipped: dict[str, str]) -> None:
        self._root = root
        self._skipped = skipped
        self._fold = tracked.fold
        self._folders = _folders(tracked.entries)
        self._is_ignored = tracked.repository.path_is_ignored

    def enter(self, path: str, name: str) -> bool:
        if name == ".git" or path in self._skipped:  # submodules are there already
            return False
        if self._fold(path) in self._folders and name != DEPENDENCIES:
            return True
        if self.ignored(path + "/"):
            return False
        if reason := foreign(f"{self._root}/{path}", name):
            self._skipped[shown(path)] = reason
        return not reason

    def ignored(self, path: str) -> bool:
        return self._is_ignored(os.fsencode(path).decode("utf-8", "replace"))


def foreign(folder: str, name: str) -> str | None:
    """Why a folder holds somebody else's code; None for one that does not."""
    if name == DEPENDENCIES:
        return "dependency folder"
    if os.path.lexists(f"{folder}/pyvenv.cfg"):
        return "virtual environment"
    if os.path.isfile(f"{folder}/.git") or os.path.lexists(f"{folder}/.git/HEAD"):
        return "nested repository"
    return None


def _folders(paths: Iterable[str]) -> set[str]:
    """Every folder on the way to one of the paths."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found
