"""Walking a tree of folders: symbolic links are never followed, so there are no loops and no way out of the root."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

Visit = Callable[[str, list[str], list[os.DirEntry[str]]], Iterable[str]]
"""Told of one folder: its path relative to the root, ending in "/" ("" for the root), the names of the folders in it,
and its other entries. Gives the names of the folders to enter."""


def walk(
    root: str, visit: Visit, failed: Callable[[str, str], None], about: Callable[[str], None], start: str = ""
) -> None:
    """Visit every folder that the visits before let in, `start` first, which is given as visits are.

    `failed(path, reason)` is told of folders that cannot be listed; one that vanished meanwhile is just absent.
    `about(prefix)` is told of each folder before it is listed.
    """
    waiting = [start]
    while waiting:
        prefix = waiting.pop()
        about(prefix)
        folders: list[str] = []
        files: list[os.DirEntry[str]] = []
        try:
            with os.scandir(f"{root}/{prefix}") as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.name)
                    else:
                        files.append(entry)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            failed(shown(prefix[:-1]) or ".", f"unreadable: {(error.strerror or type(error).__name__).lower()}")
            continue
        waiting += [f"{prefix}{name}/" for name in visit(prefix, folders, files)]


def shown(path: str) -> str:
    """A path as text: bytes that are not UTF-8 as `\\xff`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def is_utf8(path: str) -> bool:
    if path.isascii():
        return True
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
