"""What became of the updates that hooks started: a short log beside the map, and the errors of a failed start."""

from __future__ import annotations

import os
from typing import NamedTuple

LOG = "hooks.log"
START_ERRORS = "hooks.err"
"""What an interpreter said that did not come up, or died; empty where all is well."""

LIMIT = 64 * 1024  # bytes of the log; when there are more, the newer half stays
_READ = 4096  # bytes of START_ERRORS that are looked at


class Entry(NamedTuple):
    """The end of one update."""

    at: str  # UTC, ISO 8601
    hook: str  # that asked for it first
    ok: bool
    text: str  # what was done, or what went wrong


class Trouble(NamedTuple):
    """Why the map is not kept up to date by hooks."""

    hook: str | None  # None: the interpreter did not come up
    text: str
    at: str | None
    times: int  # in a row


def note(folder: str, entry: Entry) -> None:
    """Append to the log in `folder`, the map's. Raises OSError. One process at a time may call it."""
    import json

    path = os.path.join(folder, LOG)
    _shorten(path)
    text = entry.text.encode("utf-8", "backslashreplace").decode()
    line = json.dumps(entry._replace(text=text)._asdict(), ensure_ascii=False).encode() + b"\n"
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        os.write(descriptor, line)
    finally:
        os.close(descriptor)


def entries(folder: str) -> tuple[Entry, ...]:
    """The log, oldest first; lines that are not whole are left out. Raises OSError but for a log that is not there."""
    found = (_entry(line) for line in _read(os.path.join(folder, LOG), 2 * LIMIT).splitlines())
    return tuple(entry for entry in found if entry is not None)


def trouble(folder: str) -> Trouble | None:
    """What went wrong when a hook last started an update; None where that went well, or none ever did."""
    said = _read(os.path.join(folder, START_ERRORS), _READ).decode("utf-8", "replace").split("\n")
    lines = [line.strip() for line in said if line.strip()]
    if lines:
        return Trouble(None, lines[-1], None, 1)
    failed: list[Entry] = []
    for entry in reversed(entries(folder)):
        if entry.ok:
            break
        failed.append(entry)
    return Trouble(failed[0].hook, failed[0].text, failed[0].at, len(failed)) if failed else None


def _shorten(path: str) -> None:
    content = _read(path, 2 * LIMIT) if _size(path) > LIMIT else None
    if content is None:
        return
    kept = content[-LIMIT // 2 :].partition(b"\n")[2]
    with open(path + ".new", "wb") as file:
        file.write(kept)
    os.replace(path + ".new", path)


def _entry(line: bytes) -> Entry | None:
    import json

    try:
        value = json.loads(line)
        at, hook, ok, text = (value[field] for field in Entry._fields)
    except (ValueError, TypeError, KeyError):
        return None
    types_fit = isinstance(at, str) and isinstance(hook, str) and isinstance(ok, bool) and isinstance(text, str)
    return Entry(at, hook, ok, text) if types_fit else None


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def _read(path: str, limit: int) -> bytes:
    """The last `limit` bytes of a file; nothing where there is none."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - limit))
            return file.read(limit)
    except FileNotFoundError:
        return b""
