"""Which commit a worktree stands on, read from git's own files: a question about a fresh map needs no git library.

Formats: https://git-scm.com/docs/gitrepository-layout (HEAD, refs, packed-refs). What is kept otherwise (reftable) is
left to libgit2.
"""

from __future__ import annotations

import os
import re

from indexer.discover.location import Location

_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_DEPTH = 5  # symbolic references that lead to others; git follows as many


class UnknownHeadError(Exception):
    """The files do not tell; ask libgit2."""


def head_commit(location: Location) -> str | None:
    """The id of the commit HEAD names, None outside git and where nothing is committed. Raises UnknownHeadError."""
    if location.git_dir is None or location.common_dir is None:
        return None
    if os.path.isdir(os.path.join(location.common_dir, "reftable")):
        raise UnknownHeadError("references are kept in tables")
    content = _read(os.path.join(location.git_dir, "HEAD"))
    for _ in range(_DEPTH):
        if content is None:
            return None
        if _ID.match(content):
            return content
        if not content.startswith("ref:"):
            break
        content = _reference(location.git_dir, location.common_dir, content.removeprefix("ref:").strip())
    raise UnknownHeadError("HEAD is not understood")


def _reference(git_dir: str, common_dir: str, name: str) -> str | None:
    """What a reference holds: its own file goes before the packed one; None where there is neither."""
    if not name.startswith("refs/") or ".." in name.split("/"):
        raise UnknownHeadError(f"{name} is no reference")
    for folder in (git_dir, common_dir):
        content = _read(os.path.join(folder, *name.split("/")))
        if content is not None:
            return content
    for line in (_read(os.path.join(common_dir, "packed-refs")) or "").split("\n"):
        commit, _, packed = line.partition(" ")
        if packed == name:
            return commit
    return None


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().strip()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        raise UnknownHeadError(f"{path}: {error.strerror}") from error
