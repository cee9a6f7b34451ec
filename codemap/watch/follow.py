"""The watch itself: look, update where something has changed, wait."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from codemap.watch.events import Event
from codemap.watch.places import RECURSIVE, folders, matters
from codemap.watch.wakers import LOOK_SECONDS, POLL_SECONDS, Notified, Polled, Waker
from indexer.errors import CodemapError, RepositoryError
from indexer.pipeline.report import Silent

if TYPE_CHECKING:
    from codemap.home import Home
Tell = Callable[[Event], None]

WAIT_SECONDS = 600.0
"""For another run that writes the map; then that is told, and tried again at the next change."""

SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds between two tries at an update that fails."""

HISTORY_SECONDS = 5.0
"""For commits that are not indexed yet, after each refresh."""

_AGAIN = 3  # tries at watching folders of which one has just gone


def follow(home: Home, tell: Tell) -> None:
    """Keep the map of `home` up to date until KeyboardInterrupt, which SIGINT and SIGTERM are expected to raise.

    tell   called with every event, from this thread

    Raises RepositoryError when the folder is gone. A failing update is told, and the watch goes on.
    """
    watch = _Watch(home, tell)
    try:
        watch.run()
    except KeyboardInterrupt:
        tell(Event("stopped", time.time(), "stopped"))


class _Watch:
    def __init__(self, home: Home, tell: Tell) -> None:
        self._home = home
        self._tell = tell
        self._failed: str | None = None  # what was told of the last update, if it failed
        self._pause = 0.0  # seconds from a failure to the next try
        self._next_try = 0.0  # by the monotonic clock
        self._polls = False

    def run(self) -> None:
        self.look()
        self._say("started", f"watching {self._home.root}")
        while True:
            watched = folders(self._home.location)
            waker = self._waker(watched)
            try:
                self.look()  # what happened before it was watched
                while self._polls or folders(self._home.location) == watched:
                    waker.wait(self._patience())
                    self.look()
            finally:
                waker.close()

    def look(self) -> None:
        """Update, if anything has changed."""
        if not os.path.isdir(self._home.location.root):
            raise RepositoryError(f"{self._home.root} is gone: nothing is left to watch")
        if time.monotonic() < self._next_try:
            return
        try:
            if self._failed is None and self._home.current():
                return
            from codemap.refresh import refresh

            report = refresh(self._home, wait=WAIT_SECONDS, history=HISTORY_SECONDS, progress=_Waiting(self._say))
        except (CodemapError, OSError, sqlite3.Error, MemoryError) as error:
            self._fail(str(error) or type(error).__name__)
        except Exception as error:  # noqa: BLE001 - one update is a boundary: whatever ends it must not end the watch
            self._fail(f"internal error: {type(error).__name__}: {error}")
        else:
            self._failed, self._pause = None, 0.0
            if not report.unchanged:
                self._tell(Event("refreshed", time.time(), None, report))

    def _fail(self, message: str) -> None:
        if message != self._failed:  # the same trouble is told once
            self._say("failed", message)
        self._failed = message
        self._pause = min(LONGEST_PAUSE, max(SHORTEST_PAUSE, 2 * self._pause))
        self._next_try = time.monotonic() + self._pause

    def _patience(self) -> float:
        """Seconds to wait for a word from the system."""
        return LOOK_SECONDS if self._failed is None else max(0.01, self._next_try - time.monotonic())

    def _waker(self, watched: list[str]) -> Waker:
        """Watch the folders; where that cannot be done, say so once and look now and then."""
        if self._polls:
            return Polled()
        for _ in range(_AGAIN):
            try:
                return Notified(watched, partial(matters, self._home.location), recursive=RECURSIVE)
            except FileNotFoundError:
                watched = [path for path in watched if os.path.isdir(path)]
            except OSError as error:
                return self._polled(f"{len(watched):,} folders cannot be watched ({error})")
        return self._polled("the folders change faster than they can be watched")

    def _polled(self, why: str) -> Waker:
        self._polls = True
        hint = "; on Linux `sysctl fs.inotify.max_user_watches` is the limit, and root may raise it"
        self._say("polling", f"{why}: looking every {POLL_SECONDS:g} s instead{hint}")
        return Polled()

    def _say(self, kind: str, message: str) -> None:
        self._tell(Event(kind, time.time(), message))  # type: ignore[arg-type]  # one of those that are written above


class _Waiting(Silent):
    """Of a run's progress nothing is told but that another one is waited for."""

    def __init__(self, say: Callable[[str, str], None]) -> None:
        self._say = say

    def say(self, message: str) -> None:
        self._say("waiting", message)
