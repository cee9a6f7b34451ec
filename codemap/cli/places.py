"""From what a person types, in the folder they stand in, to names the map knows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.errors import UsageError

if TYPE_CHECKING:
    from queries.definition import Place


def relative(root: Path, text: str) -> str:
    """`text`, a path as typed, relative to `root` with "/" between parts.

    A relative path is read from the current folder if something is there, else from the root. Links in `text` are not
    followed. Raises UsageError for a path outside of the root.
    """
    typed = Path(text)
    from_here = Path(os.path.abspath(typed))
    if typed.is_absolute() or os.path.lexists(from_here) or ".." in typed.parts:
        inside = _inside(root, from_here)
        if inside is not None:
            return inside
        if typed.is_absolute() or ".." in typed.parts:
            raise UsageError(f"{text} is outside of {root}: name a file inside it, or another --repo")
    return os.path.normpath(typed).replace(os.sep, "/")


def name(root: Path, text: str) -> str:
    """A symbol as typed: `name`, `Class.name` or `path:name`; a path in front made relative to the root."""
    head, colon, tail = text.rpartition(":")
    if colon and tail and _is_file(root, head):
        return f"{relative(root, head)}:{tail}"
    if not colon and ("/" in text or os.sep in text) and _is_file(root, text):
        return relative(root, text)
    return text


def place(root: Path, text: str) -> Place:
    """`PATH:LINE:COLUMN` as typed. Raises UsageError for anything else."""
    path, line, column = split(text)
    from queries.definition import Place

    return Place(relative(root, path), line, column)


def line(root: Path, text: str) -> tuple[str, int]:
    """`PATH:LINE`, or `PATH:LINE:COLUMN`, as typed. Raises UsageError for anything else."""
    path, _, number = text.rpartition(":")
    head, _, before = path.rpartition(":")
    if head and _is_number(before) and _is_number(number):
        path, number = head, before
    if not path or not _is_number(number):
        raise UsageError(f"{text} is not PATH:LINE: write e.g. src/app.py:12 (lines are counted from 1)")
    if int(number) < 1:
        raise UsageError(f"{text}: lines are counted from 1")
    return relative(root, path), int(number)


def split(text: str) -> tuple[str, int, int]:
    """The three parts of `PATH:LINE:COLUMN`, the path as typed. Raises UsageError for anything else."""
    parts = text.rsplit(":", 2)
    if len(parts) == 3 and parts[0] and _is_number(parts[1]) and _is_number(parts[2]):
        line, column = int(parts[1]), int(parts[2])
        if line < 1:
            raise UsageError(f"{text}: lines are counted from 1, columns from 0")
        return parts[0], line, column
    raise UsageError(f"{text} is not PATH:LINE:COLUMN: write e.g. src/app.py:12:4 (line from 1, column from 0)")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _is_file(root: Path, text: str) -> bool:
    return bool(text) and "\0" not in text and (os.path.isfile(text) or (root / text).is_file())


def _inside(root: Path, path: Path) -> str | None:
    """`path` relative to `root`, through whatever links lead to either folder."""
    for base, target in ((root, path), (root.resolve(), path), (root.resolve(), path.parent.resolve() / path.name)):
        if target != base and target.is_relative_to(base):
            return target.relative_to(base).as_posix()
    return None
