"""What a watch waits for: the system's word that something has changed, or the time for the next look."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

GATHER_MS = 1500  # changes are gathered for so long at most
QUIET_MS = 100  # or until nothing has come for so long
LOOK_SECONDS = 30.0  # without a word: network file systems tell nothing, and a queue can overflow
POLL_SECONDS = 2.0


class Waker(Protocol):
    """Waits for a reason to look at the tree."""

    def wait(self, seconds: float) -> None:
        """Return when something may have changed, or after so many seconds. Raises KeyboardInterrupt when a signal says
        to stop."""
        ...

    def close(self) -> None: ...


class Notified:
    """Woken by the system. Watches from the moment it is made."""

    def __init__(self, folders: Sequence[str], matters: Callable[[str], bool], *, recursive: bool) -> None:
        """Raises OSError where the system cannot watch: FileNotFoundError for a folder that has gone, else a limit."""
        from watchfiles._rust_notify import RustNotify

        self._matters = matters
        self._rust = RustNotify(list(folders), False, False, 0, recursive, True)

    def wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            found = self._rust.watch(GATHER_MS, QUIET_MS, max(1, int(left * 1000)), None)
            if found == "signal":
                raise KeyboardInterrupt
            if isinstance(found, str) or any(self._matters(path) for _, path in found):
                return

    def close(self) -> None:
        self._rust.close()


class Polled:
    """Woken by the clock, where the system cannot watch."""

    def wait(self, seconds: float) -> None:
        time.sleep(min(seconds, POLL_SECONDS))

    def close(self) -> None:
        pass
