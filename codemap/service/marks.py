"""What an answer depends on beside the map, as marks that differ where one of those things has changed: the head
commit, the configuration, and the files whose state on disk the answer tells."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from typing import NamedTuple

from codemap.config.read import OWN, SHARED
from codemap.home import Home
from codemap.tokens.ratios import FILE as RATIOS
from indexer.discover.refs import UnknownHeadError, head_commit

RACE_SECONDS = 0.1  # two changes of a file within it may bear the same time


class Mark(NamedTuple):
    """A file as the file system tells it; the time of its last change cannot be set by hand."""

    inode: int
    size: int
    modified: int  # nanoseconds
    changed: int


class Marks(NamedTuple):
    """All that was looked at. Equal marks: nothing has changed."""

    head: str | None
    files: tuple[Mark | None, ...]


class Watched:
    """Marks taken around the making of an answer, which tell whether it may be given again while they hold."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._began = time.time()
        self._head = _head(home)

    def after(self, paths: Iterable[str]) -> Marks | None:
        """The marks of an answer about `paths`; None where something changed meanwhile, or may have."""
        found = take(self._home, paths)
        if found is None or self._head is None or found.head != self._head:
            return None
        latest = max((mark.changed for mark in found.files if mark is not None), default=0)
        return found if latest / 1e9 < self._began - RACE_SECONDS else None


def take(home: Home, paths: Iterable[str]) -> Marks | None:
    """The marks as they are now; None where the head is not told by plain files."""
    head = _head(home)
    if head is None:
        return None
    root = home.location.root
    places = [os.path.join(root, path) for path in paths]
    places += [os.path.join(root, OWN), os.path.join(root, SHARED), os.path.join(home.location.facts_dir, RATIOS)]
    return Marks(head, tuple(_mark(place) for place in places))


def _head(home: Home) -> str | None:
    """The head commit, "" outside git and before the first commit; None where git's files do not tell."""
    try:
        return head_commit(home.location) or ""
    except UnknownHeadError:
        return None


def _mark(path: str) -> Mark | None:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return Mark(status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
