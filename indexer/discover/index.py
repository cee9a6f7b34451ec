"""git's index file: what is tracked, and the file status each entry was recorded with.

Format: https://git-scm.com/docs/index-format, versions 2 to 4. libgit2 reads it too, but its binding does not show the
recorded status, without which every file would have to be hashed every time.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from typing import NamedTuple

GITLINK = 0o160000
_FIXED = {size: struct.Struct(f">10I{size}sH") for size in (20, 32)}  # by the length of object ids
_EXTENDED = 0x4000


class UnsupportedIndexError(ValueError):
    """The index is damaged, or of a kind not read here (split)."""


class Entry(NamedTuple):
    path: str  # as git has it; bytes that are not UTF-8 as surrogates
    blob: str  # hex
    mode: int
    mtime: int  # nanoseconds
    ctime: int  # nanoseconds
    inode: int  # lowest 32 bits
    size: int  # lowest 32 bits
    merged: bool  # False for the sides of a conflict


@dataclass(frozen=True)
class Index:
    entries: tuple[Entry, ...]
    written: int  # mtime of the index file in nanoseconds; an entry not older may have changed unseen
    tree: str | None  # id of the tree the whole index equals, where git has noted it


EMPTY = Index((), 0, None)


def read_index(path: str, id_bytes: int = 20) -> Index:
    """The index in a git directory; `EMPTY` where there is none.

    `id_bytes` is the length of object ids. Raises UnsupportedIndexError, OSError.
    """
    try:
        with open(path, "rb") as file:
            written = os.fstat(file.fileno()).st_mtime_ns
            data = file.read()
    except FileNotFoundError:
        return EMPTY
    try:
        signature, version, count = struct.unpack_from(">4sII", data)
        if signature != b"DIRC" or version not in (2, 3, 4):
            raise UnsupportedIndexError("not an index of version 2, 3 or 4")
        entries, position = _entries(data, count, version, _FIXED[id_bytes])
        return Index(entries, written, _extensions(data, position, count, id_bytes))
    except UnsupportedIndexError:
        raise
    except (struct.error, IndexError, ValueError) as error:
        raise UnsupportedIndexError("cut short") from error


def _entries(data: bytes, count: int, version: int, fixed: struct.Struct) -> tuple[tuple[Entry, ...], int]:
    entries: list[Entry] = []
    position = 12
    previous = b""
    unpack, size, find = fixed.unpack_from, fixed.size, data.index
    for _ in range(count):
        cs, cn, ms, mn, _device, inode, mode, _uid, _gid, length, blob, flags = unpack(data, position)
        start = position + size + (2 if flags & _EXTENDED else 0)
        if version == 4:
            strip, start = _varint(data, start)
            end = find(b"\0", start)
            previous = name = previous[: len(previous) - strip] + data[start:end]
            following = end + 1
        else:
            end = find(b"\0", start)
            name = data[start:end]
            following = position + ((end - position + 8) & ~7)
        entries.append(
            Entry(
                name.decode("utf-8", "surrogateescape"),
                blob.hex(),
                mode,
                ms * 1_000_000_000 + mn,
                cs * 1_000_000_000 + cn,
                inode,
                length,
                not flags & 0x3000,
            )
        )
        position = following
    return tuple(entries), position


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """A number in the offset encoding of pack files, and the position after it."""
    byte = data[position]
    value = byte & 0x7F
    while byte & 0x80:
        position += 1
        byte = data[position]
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, position + 1


def _extensions(data: bytes, position: int, entries: int, id_bytes: int) -> str | None:
    """The id of the whole tree, from the cached-tree extension. An extension that must be understood and is not
    (lower-case name; "sdir", folders outside a sparse checkout, needs nothing done) is an error."""
    tree = None
    while position < len(data) - id_bytes:
        name, length = struct.unpack_from(">4sI", data, position)
        position += 8
        if name == b"TREE":
            tree = _root_tree(data[position : position + length], entries, id_bytes)
        elif not name[:1].isupper() and name != b"sdir":
            raise UnsupportedIndexError(f"extension {name!r}")
        position += length
    return tree


def _root_tree(extension: bytes, entries: int, id_bytes: int) -> str | None:
    """The first record: empty path, NUL, count of entries (negative: not valid), blank, subtrees, line feed, id."""
    line, _, rest = extension[1:].partition(b"\n")
    whole = line.split(b" ")[0] == b"%d" % entries
    return rest[:id_bytes].hex() if whole and len(rest) >= id_bytes else None
