"""What an update saw on disk, so that a question can tell within milliseconds that nothing has changed since.

As with git's index, a file whose stamp is the same holds the same bytes, and a folder the same names. What was as young
as the look itself may have changed within a tick of the clock, and counts as changed. Nothing is read but stamps.
"""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

NAME = "seen"
TICK = 20_000_000  # nanoseconds; file times move in steps of the kernel's clock, 10 ms at most

_WINDOWS = os.name == "nt"
_MAGIC = b"codemap seen 2\n"
_FIELDS = 4
_NUMBERS = 0x7FFFFFFFFFFFFFFF  # what fits a signed integer
_LIMIT = 1_000_000_000  # bytes

Stamp = tuple[int, int, int, int]
"""Modified and changed (nanoseconds), size, file number."""

GONE: Stamp = (-1, -1, -1, -1)
UNSURE: Stamp = (-2, -2, -2, -2)  # equals no stamp


class Seen(NamedTuple):
    """Stamps by path: relative to the root, or absolute for what lies outside of the worktree."""

    stamps: Mapping[str, Stamp]
    young: int = 0  # nanoseconds since the epoch; what was written later than that is not trusted
    found: bytes = b""  # what `discover` found; see `found`

    def with_others(self, root: str, paths: Iterable[str]) -> Seen:
        """And other paths, which were read at any time since."""
        look = Look(self.young)
        look.note_all(root, [path for path in paths if path not in self.stamps])
        return self._replace(stamps={**self.stamps, **look.seen().stamps})

    def changed(self, root: str) -> Iterable[str]:
        """The paths whose stamp is another now, as they are found."""
        stat, inside = os.stat, root.rstrip(os.sep) + os.sep
        for path, before in self.stamps.items():
            try:
                place = os.path.join(root, path) if _WINDOWS else path if path[:1] == "/" else inside + path
                now = stat(place, follow_symlinks=False)
            except (OSError, ValueError):
                if before != GONE:
                    yield path
                continue
            if (now.st_mtime_ns, now.st_ctime_ns, now.st_size, now.st_ino & _NUMBERS) != before:
                yield path


class Glance(NamedTuple):
    """What an earlier look saw, and what was found to have changed since."""

    seen: Seen
    changed: Sequence[str] | None  # None: not looked for yet
    mark: str  # of what was read; see `mark`


class Look:
    """Notes stamps while a worktree is looked through. What is noted has to be noted before it is read."""

    def __init__(self, young: int | None = None) -> None:
        self._young = time.time_ns() - TICK if young is None else young
        self._stamps: dict[str, Stamp] = {}

    def note(self, path: str, status: os.stat_result | None) -> None:
        """A status that is at hand; None: nothing is there."""
        self._stamps[path] = GONE if status is None else self._sure(_stamp(status))

    def note_all(self, root: str, paths: Iterable[str]) -> None:
        """The present stamps of paths that are not noted yet."""
        for path in paths:
            if path not in self._stamps:
                self._stamps[path] = self._sure(stamp(os.path.join(root, path)))

    def take(self, folder: str, inside: Seen) -> None:
        """What was seen in a folder that was looked through by itself."""
        for path, found in inside.stamps.items():
            self._stamps[os.path.join(folder, path)] = found

    def seen(self) -> Seen:
        return Seen(self._stamps, self._young)

    def _sure(self, found: Stamp) -> Stamp:
        return UNSURE if max(found[:2]) > self._young else found


def stamp(path: str) -> Stamp:
    """The stamp of what is at a path now; a link's own."""
    try:
        return _stamp(os.stat(path, follow_symlinks=False))
    except (OSError, ValueError):
        return GONE


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino & _NUMBERS


def write(map_dir: str, seen: Seen) -> None:
    """Keep what was seen beside the map. Raises OSError; then there is no such file, which only costs time."""
    path = os.path.join(map_dir, NAME)
    made = f"{path}.{os.getpid()}"
    names = "\0".join(seen.stamps).encode("utf-8", "surrogateescape")
    numbers = array("q", [number for each in seen.stamps.values() for number in each])
    try:
        with open(made, "wb") as file:
            file.write(
                b"".join((_MAGIC, b"%d %d\n" % (len(seen.stamps), len(names)), names, numbers.tobytes(), seen.found))
            )
        os.replace(made, path)
    except OSError:
        forget(map_dir, os.path.basename(made))
        raise


def mark(map_dir: str) -> str:
    """Tells what is kept there from what is kept there later; "" where nothing is."""
    found = stamp(os.path.join(map_dir, NAME))
    return "" if found == GONE else repr(found)


def forget(map_dir: str, name: str = NAME) -> None:
    """From now on nothing is known to have been seen."""
    with suppress(FileNotFoundError):
        os.unlink(os.path.join(map_dir, name))


def read(map_dir: str) -> Seen | None:
    """What the last update saw; None where that is not known."""
    try:
        with open(os.path.join(map_dir, NAME), "rb") as file:
            raw = file.read(_LIMIT)
    except OSError:
        return None
    head, _, rest = raw.removeprefix(_MAGIC).partition(b"\n")
    try:
        count, length = map(int, head.split(b" "))
        end = length + 8 * _FIELDS * count
        numbers = array("q", rest[length:end])
    except ValueError:
        return None
    names = rest[:length].decode("utf-8", "surrogateescape").split("\0")
    if not raw.startswith(_MAGIC) or not count or len(names) != count or len(numbers) != _FIELDS * count:
        return None
    each = iter(numbers)
    return Seen(dict(zip(names, zip(each, each, each, each, strict=True), strict=True)), found=rest[end:])
