"""Worker processes that neither outlive this process nor keep its locks."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import Any


def process_pool(
    jobs: int, lock: int | None, prepare: Callable[..., None] | None = None, arguments: tuple[Any, ...] = ()
) -> ProcessPoolExecutor:
    """A pool of `jobs` processes, each of which calls `prepare(*arguments)` first.

    `lock`: descriptor of the writer's lock, which a forked worker closes. SQLite connections to files that the workers
    open themselves have to be closed while the pool starts, which is when the first task is submitted.
    """
    # A fork is ten times faster than a fresh interpreter, and unsafe as soon as there is a second thread.
    forks = sys.platform == "linux" and _alone()
    context = multiprocessing.get_context("fork" if forks else "spawn")
    inherited = lock if forks else None
    return ProcessPoolExecutor(jobs, context, _start, (inherited, prepare, arguments))


def _alone() -> bool:
    """Whether this process has one thread, those of libraries in C included."""
    if threading.active_count() > 1:
        return False
    for _ in range(20):  # times a millisecond: a thread that was joined can still be there for a moment
        try:
            if len(os.listdir("/proc/self/task")) == 1:
                return True
        except OSError:
            return True
        time.sleep(0.001)
    return False


def _start(inherited: int | None, prepare: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    if inherited is not None:
        os.close(inherited)
    # Ctrl-C reaches the whole group; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    gc.disable()
    if prepare is not None:
        prepare(*arguments)


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
