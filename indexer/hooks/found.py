"""What is at the place of a hook."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from indexer.errors import StoreError
from indexer.hooks.script import KEPT, SHEBANG, Parts, take_apart, takes_lines

NOTHING = "none"
OWN = "own"  # a file that codemap made; it may hold lines of others by now
SHARED = "shared"  # a hook of others that holds our lines
FOREIGN = "other"  # a hook of others

_LARGEST = 1 << 20  # bytes of a script; what is larger is a program
MOVED = ".legacy"  # what pre-commit moves a hook to, and goes on to run


class Found(NamedTuple):
    """A hook as it is on disk."""

    name: str
    path: str
    kind: str
    content: bytes  # b"" for what is no regular file
    link: bool
    runs: bool  # git would run it
    parts: Parts
    kept: bool  # a hook that was moved aside lies beside it
    moved: bool  # another tool has moved ours aside, and runs it

    @property
    def takes_lines(self) -> bool:
        return self.runs and takes_lines(self.content)


def look(folder: str, name: str) -> Found:
    """Raises StoreError for what cannot be read."""
    path = os.path.join(folder, name)
    kept = os.path.lexists(path + KEPT)
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return Found(name, path, NOTHING, b"", False, False, take_apart(b""), kept, _moved(path))
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror}") from error
    link = stat.S_ISLNK(status.st_mode)
    content = _content(path, status)
    parts = take_apart(content)
    kind = FOREIGN
    if parts.starts or parts.chains:
        kind = OWN if parts.rest.startswith(SHEBANG) and (parts.chains or parts.rest == SHEBANG) else SHARED
    runs = os.access(path, os.X_OK)
    return Found(name, path, kind, content, link, runs, parts, kept, _moved(path))


def _content(path: str, status: os.stat_result) -> bytes:
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
        return b""
    try:
        with open(path, "rb") as file:
            return file.read(_LARGEST)
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror}") from error


def _moved(path: str) -> bool:
    try:
        status = os.lstat(path + MOVED)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and take_apart(_content(path + MOVED, status)).starts
