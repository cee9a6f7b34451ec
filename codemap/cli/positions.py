"""Positions on standard input, one a line, as they arrive."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from codemap.cli import places
from indexer.errors import UsageError
from queries.definition import TOGETHER, Place

STANDARD_INPUT = "-"
LONGEST = 8192  # bytes of a line; the longest path of common systems has 4,096
_CHUNK = 1 << 16
_SHOWN = 200  # characters of a line that is too long


class Stream(Protocol):
    """What is read: as much as is there, at most `size` bytes; nothing at the end."""

    def read1(self, size: int, /) -> bytes: ...


class Position(NamedTuple):
    """One line: what it says, and the place it names or why it names none."""

    text: str
    place: Place | UsageError


def standard_input() -> Stream:
    """Raises UsageError where it is closed."""
    if sys.stdin is None:
        raise UsageError("standard input is closed: pipe positions in, one PATH:LINE:COLUMN a line")
    return cast(Stream, sys.stdin.buffer)


def arriving(stream: Stream, root: Path) -> Iterator[list[Position]]:
    """The positions of lines that arrive together, at most `TOGETHER`; waits where there is none yet."""
    parser = _Parser(root)
    for lines in _lines(stream):
        for start in range(0, len(lines), TOGETHER):
            yield [parser.position(line) for line in lines[start : start + TOGETHER]]


def _lines(stream: Stream) -> Iterator[list[bytes]]:
    """Whole lines; of one that is too long, one byte more than is allowed."""
    rest = b""
    while chunk := stream.read1(_CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        rest = rest[: LONGEST + 1]
        if lines:
            yield [line[: LONGEST + 1] for line in lines]
    if rest:
        yield [rest]


class _Parser:
    """Lines → places. Paths are looked at once: the same few files are asked about again and again."""

    def __init__(self, root: Path) -> None:
        self._relative = lru_cache(maxsize=4096)(lambda path: places.relative(root, path))
        self._first = True

    def position(self, line: bytes) -> Position:
        # Bytes that are not UTF-8 are written as the map writes them in paths: `\\xff`.
        text = line.decode("utf-8-sig" if self._first else "utf-8", "backslashreplace").rstrip(" \t\r")
        self._first = False
        try:
            return Position(text, self._place(line, text))
        except UsageError as error:
            return Position(text if len(line) <= LONGEST else text[:_SHOWN] + "…", error)

    def _place(self, line: bytes, text: str) -> Place:
        if len(line) > LONGEST:
            raise UsageError(f"the line is longer than {LONGEST:,} bytes")
        if not text:
            raise UsageError("the line is empty: write PATH:LINE:COLUMN")
        if "\0" in text:
            raise UsageError("the line holds a NUL character")
        path, number, column = places.split(text)
        try:
            return Place(self._relative(path), number, column)
        except (OSError, RuntimeError) as error:  # links that lead in a circle
            raise UsageError(f"{path} cannot be followed: {error}") from error
