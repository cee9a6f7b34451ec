"""git's index file: what is tracked, and the file status each entry was recorded with.

Format: https://git-scm.com/docs/index-format, versions 2 to 4. libgit2 reads it too, but its binding does not show the
recorded status, without which every file would have to be hashed every time.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

GITLINK = 0o160000
_FIXED = {size: struct.Struct(f">10I{size}sH") for size in (20, 32)}  # by the length of object ids
_EXTENDED = 0x40  # in the first byte of the flags
_MODE, _LINK = 26, GITLINK >> 8
"""Where the mode is in an entry, its upper byte, and what that is of a submodule."""


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


class Index:
    """The entries of an index, each read when it is asked for: most are never looked at.

    places: where in `data` each path's entry starts; of the sides of a conflict the last.
    """

    def __init__(
        self,
        places: Mapping[str, int] = MappingProxyType({}),
        data: bytes = b"",
        id_bytes: int = 20,
        written: int = 0,
        tree: str | None = None,
        links: Sequence[str] = (),
    ) -> None:
        self.places = places
        self.written = written
        """mtime of the index file in nanoseconds; an entry not older may have changed unseen."""
        self.tree = tree
        """Id of the tree the whole index equals, where git has noted it."""
        self.links = links
        """Paths of submodules."""
        self._data = data
        self._unpack = _FIXED[id_bytes].unpack_from

    def get(self, path: str) -> Entry | None:
        """The entry of a path as git has it."""
        place = self.places.get(path)
        if place is None:
            return None
        cs, cn, ms, mn, _device, inode, mode, _uid, _gid, length, blob, flags = self._unpack(self._data, place)
        return Entry(
            path, blob.hex(), mode, ms * 1_000_000_000 + mn, cs * 1_000_000_000 + cn, inode, length, not flags & 0x3000
        )

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All of them, by path."""
        return tuple([entry for path in self.places if (entry := self.get(path)) is not None])


class Listed(Index):
    """Entries that were not read from an index."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = {entry.path: entry for entry in entries}
        links = [path for path, entry in self._entries.items() if entry.mode == GITLINK]
        super().__init__(dict.fromkeys(self._entries, 0), links=links)

    def get(self, path: str) -> Entry | None:
        return self._entries.get(path)


EMPTY = Index()


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
        places, links, position = _entries(data, count, version, _FIXED[id_bytes].size)
        return Index(places, data, id_bytes, written, _extensions(data, position, count, id_bytes), links)
    except UnsupportedIndexError:
        raise
    except (struct.error, IndexError, ValueError) as error:
        raise UnsupportedIndexError("cut short") from error


def _entries(data: bytes, count: int, version: int, size: int) -> tuple[dict[str, int], list[str], int]:
    """Where each path's entry starts, which are submodules, and where the entries end. size: of the fixed part."""
    places: dict[str, int] = {}
    links: list[str] = []
    position = 12
    previous = name = b""
    find, flags = data.index, size - 2
    for _ in range(count):
        start = position + size + (2 if data[position + flags] & _EXTENDED else 0)
        if version == 4:
            strip, start = _varint(data, start)
            end = find(b"\0", start)
            previous = name = previous[: len(previous) - strip] + data[start:end]
            following = end + 1
        else:
            end = find(b"\0", start)
            name = data[start:end]
            following = position + ((end - position + 8) & ~7)
        path = name.decode("utf-8", "surrogateescape")
        places[path] = position
        if data[position + _MODE] == _LINK:
            links.append(path)
        position = following
    return places, links, position


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
