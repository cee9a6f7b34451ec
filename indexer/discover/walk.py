"""Walking a tree of folders: symbolic links are never followed, so there are no loops and no way out of the root."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import NamedTuple


class Listing(NamedTuple):
    """What one folder holds beside folders."""

    prefix: str  # path of the folder relative to the root, ending in "/"; "" for the root
    entries: list[os.DirEntry[str]]


def walk(root: str, enter: Callable[[str, str], bool], failed: Callable[[str, str], None]) -> Iterator[Listing]:
    """Every folder that `enter(path, name)` lets in, the root first.

    `failed(path, reason)` is told of folders that cannot be listed; one that vanished meanwhile is just absent.
    """
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        files: list[os.DirEntry[str]] = []
        try:
            with os.scandir(f"{root}/{prefix}") as entries:
                for entry in entries:
                    if not entry.is_dir(follow_symlinks=False):
                        files.append(entry)
                    elif enter(prefix + entry.name, entry.name):
                        waiting.append(f"{prefix}{entry.name}/")
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            failed(prefix[:-1] or ".", f"unreadable: {(error.strerror or type(error).__name__).lower()}")
        yield Listing(prefix, files)


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
