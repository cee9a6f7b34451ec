"""What a hook starts: one update at a time for a map, and one for all that happens while it waits or runs.

A hook leaves a mark that an update is wanted, and tries to take the turn. Who has it takes the mark away, updates, and
looks for a new mark; once more after giving the turn back, for whoever left a mark and found the turn still taken. The
turn is a lock of the operating system: a process that dies gives it back.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import NamedTuple

from indexer.errors import BusyError
from indexer.hooks.operations import under_way
from indexer.locks import writer_lock

FOLDER = "codemap"  # in the git directory
TURN = "hooks.lock"
WANTED = "hooks.wanted"
WAITING = "hooks.waiting"
"""There while the end of an operation is waited for; see what `script` makes of it."""


class Pace(NamedTuple):
    """Seconds."""

    settle: float = 0.3  # without a new mark, before a further update
    settle_limit: float = 3.0
    look: float = 0.1  # between two looks whether an operation has ended, at first
    look_limit: float = 5.0  # at most
    patience: float = 1800.0  # with an operation that does not end


PACE = Pace()


def follow(git_dir: str, update: Callable[[], None], pace: Pace = PACE) -> None:
    """Have `update` called, here or by the process that has the turn, after what is on disk now.

    git_dir   of the worktree, with a folder for its map

    Raises StoreError or OSError where marks cannot be left beside the map.
    """
    map_dir = os.path.join(git_dir, FOLDER)
    mark = _Mark(os.path.join(map_dir, WANTED))
    mark.leave()
    while mark.there():
        with _turn(os.path.join(map_dir, TURN)) as mine:
            if not mine:
                return
            _serve(mark, git_dir, update, pace)


def _serve(mark: _Mark, git_dir: str, update: Callable[[], None], pace: Pace) -> None:
    again = False
    while mark.there():
        if again:
            _settle(mark, pace)
        _await_end(mark, git_dir, pace)
        mark.take()
        update()
        again = True


def _settle(mark: _Mark, pace: Pace) -> None:
    """Let a burst go by."""
    limit = time.monotonic() + pace.settle_limit
    while mark.there() and time.monotonic() < limit:
        mark.take()
        time.sleep(pace.settle)
    mark.leave()


def _await_end(mark: _Mark, git_dir: str, pace: Pace) -> None:
    """Wait for the end of a rebase, merge or bisect, looking less often the longer nothing happens."""
    if not under_way(git_dir):
        return
    limit = time.monotonic() + pace.patience
    wait = pace.look
    waiting = _Mark(os.path.join(git_dir, FOLDER, WAITING))
    waiting.leave()
    try:
        while under_way(git_dir) and time.monotonic() < limit:
            time.sleep(wait)
            wait = pace.look if mark.there() else min(wait * 1.5, pace.look_limit)
            mark.take()
    finally:
        waiting.take()


class _Mark:
    """A file whose being there says that an update is wanted; its time says nothing, for clocks are set back."""

    def __init__(self, path: str) -> None:
        self._path = path

    def leave(self) -> None:
        os.close(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666))
        os.utime(self._path)  # one that was left behind is as good as new

    def there(self) -> bool:
        return os.path.lexists(self._path)

    def take(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._path)


_held: set[int] = set()


@contextmanager
def _turn(path: str) -> Iterator[bool]:
    """Hold the turn inside the block, where it is free; gives whether it was."""
    with ExitStack() as stack:
        try:
            descriptor = stack.enter_context(writer_lock(path, 0, lambda message: None))
        except BusyError:
            yield False
            return
        _held.add(descriptor)
        stack.callback(_held.discard, descriptor)
        yield True


def _let_go() -> None:
    """In a forked worker: the turn ends with this process's parent, not with the last of its workers."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
