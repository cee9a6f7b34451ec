"""One writer at a time: a lock that the operating system holds, so that no death of a process leaves it behind."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from indexer.errors import BusyError, StoreError

POLL_SECONDS = 0.05

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, 0, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def writer_lock(path: str, wait: float, say: Callable[[str], None]) -> Iterator[int]:
    """Hold the lock file `path` inside the block; gives its descriptor.

    Waits up to `wait` seconds for another run, telling `say` once. Raises BusyError when that was not enough,
    StoreError when the file cannot be made. The descriptor shares its lock with forked children: they have to close it
    first thing (closing does not unlock), or they would go on holding the lock after this process has died.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from error
    try:
        _acquire(descriptor, path, wait, say)
        yield descriptor
    finally:
        # Closing unlocks. The file stays: removing it would let two runs lock two files of one name.
        os.close(descriptor)


def _acquire(descriptor: int, path: str, wait: float, say: Callable[[str], None]) -> None:
    deadline = time.monotonic() + wait
    told = False
    while True:
        try:
            if _try_lock(descriptor):
                return
        except OSError as error:
            raise StoreError(f"cannot lock {path}: {error.strerror}") from error
        if time.monotonic() >= deadline:
            raise BusyError(
                f"another run is writing this map and {wait:g} s of waiting were not enough: try again later"
            )
        if not told:
            say("another run is writing this map: waiting for it")
            told = True
        time.sleep(POLL_SECONDS)
