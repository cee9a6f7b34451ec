"""Bytes on disk and the git blob ids that name them."""

from __future__ import annotations

import os
import stat
from hashlib import sha1, sha256

SIZE_LIMIT = 1_000_000
"""Bytes; a larger source file is data or a bundle, and costs more than it tells."""

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO that took a file's place must not block
)


class UnreadableError(Exception):
    """A file that is there and cannot be used; `reason` says why, for `status --skipped`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def blob_id(raw: bytes) -> str:
    """The id `git hash-object --no-filters` gives these bytes."""
    digest = sha1(b"blob %d\0" % len(raw), usedforsecurity=False)
    digest.update(raw)
    return digest.hexdigest()


def blob_id_sha256(raw: bytes) -> str:
    """The id these bytes have in a repository whose object format is SHA-256."""
    return sha256(b"blob %d\0" % len(raw) + raw).hexdigest()


def not_regular(mode: int) -> str | None:
    """Why a file of this `st_mode` is never opened; None for a regular file."""
    if stat.S_ISREG(mode):
        return None
    return "symbolic link" if stat.S_ISLNK(mode) else "not a regular file"


def too_large(limit: int = SIZE_LIMIT) -> str:
    return f"larger than {limit:,} bytes"


def read_regular(path: str, limit: int = SIZE_LIMIT) -> bytes:
    """The bytes of a regular file of at most `limit` bytes; a symbolic link in its place is not followed.

    Raises FileNotFoundError or NotADirectoryError when the file has gone, `UnreadableError` when it is there but
    cannot be used.
    """
    try:
        if not hasattr(os, "O_NOFOLLOW") and os.path.islink(path):
            raise UnreadableError("symbolic link")
        descriptor = os.open(path, _FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as error:
        if os.path.islink(path):
            raise UnreadableError("symbolic link") from error
        raise UnreadableError(f"unreadable: {(error.strerror or type(error).__name__).lower()}") from error
    try:
        status = os.fstat(descriptor)
        if reason := not_regular(status.st_mode):
            raise UnreadableError(reason)
        return _read_all(descriptor, status.st_size, limit)
    except OSError as error:
        raise UnreadableError(f"unreadable: {(error.strerror or type(error).__name__).lower()}") from error
    finally:
        os.close(descriptor)


def _read_all(descriptor: int, size: int, limit: int) -> bytes:
    """Everything up to the end; one byte more than `size` is asked for, so that growth meanwhile is seen."""
    if size > limit:
        raise UnreadableError(too_large(limit))
    raw = os.read(descriptor, size + 1)
    if len(raw) == size:
        return raw
    parts = [raw]
    total = len(raw)
    while part := os.read(descriptor, 1 << 16):
        parts.append(part)
        total += len(part)
        if total > limit:
            raise UnreadableError(too_large(limit))
    return b"".join(parts)
