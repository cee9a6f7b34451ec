"""Which folders have to be watched, and which of the names in git's own can matter."""

from __future__ import annotations

import os
import sys

from indexer.discover.location import Location
from indexer.discover.seen import read

RECURSIVE = sys.platform in ("darwin", "win32")
"""Whether the system watches whole trees as cheaply as one folder. Elsewhere each folder is watched by itself, so that
those that are ignored cost nothing."""

_OF_GIT = frozenset({"HEAD", "index", "packed-refs", "config", "config.worktree", "exclude", "attributes"})


def folders(location: Location) -> list[str]:
    """Absolute paths of the folders to watch: those the last update entered, and where git notes what it does."""
    seen = read(location.map_dir)
    inside = [] if seen is None or RECURSIVE else [path for path in seen.stamps if path.endswith("/")]
    found = [location.root, *(os.path.join(location.root, path.rstrip("/")) for path in inside)]
    if location.git_dir is not None and location.common_dir is not None:
        found += [location.git_dir, os.path.join(location.git_dir, "logs"), location.common_dir]
        found += [os.path.join(location.common_dir, "info"), *_references(location.git_dir, location.common_dir)]
    return sorted({path for path in found if os.path.isdir(path)})


def matters(location: Location, path: str) -> bool:
    """Whether a change at `path` is worth a look: of git's own files few are, and of ours none."""
    if _inside(path, location.map_dir) or _inside(path, location.facts_dir):
        return False
    for own in (location.git_dir, location.common_dir):
        if own is not None and _inside(path, own):
            parts = os.path.relpath(path, own).split(os.sep)
            return parts[-1] in _OF_GIT or (parts[0] == "refs" and not path.endswith(".lock"))
    return True


def _references(git_dir: str, common_dir: str) -> list[str]:
    """The folder that holds the reference of the branch HEAD is on."""
    try:
        with open(os.path.join(git_dir, "HEAD"), encoding="utf-8", errors="surrogateescape") as file:
            kind, _, name = file.read().strip().partition(": ")
    except OSError:
        return []
    if kind != "ref" or not name.startswith("refs/") or ".." in name:
        return []
    return [os.path.dirname(os.path.join(common_dir, name))]


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)
