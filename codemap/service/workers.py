"""Worker processes that answer questions, each with maps of its own kept open."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, NamedTuple

from codemap.home import find
from codemap.service.failures import Failure, raised, told
from codemap.service.maps import Maps
from codemap.service.marks import Marks, Watched
from indexer.errors import CodemapError, StoreError

if TYPE_CHECKING:
    from codemap.service.questions import Answered, Question

TRIES = 2


class Made(NamedTuple):
    """An answer from a worker.

    state   of the map that it was read from; None: not told
    marks   while they hold, and the map is in that state, the answer may be given again; None: it may not
    """

    answered: Answered
    state: str | None
    marks: Marks | None


class Workers:
    """Processes that answer. One that dies is replaced, and what it was asked is asked once more."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or max(2, os.cpu_count() or 2)
        self._pool = self._started()

    async def ask(self, root: str, question: Question) -> Made:
        """The answer to a question. Raises CodemapError."""
        for _ in range(TRIES):
            pool = self._pool
            try:
                found = await asyncio.get_running_loop().run_in_executor(pool, _answer, root, question)
            except BrokenProcessPool:
                if self._pool is pool:
                    pool.shutdown(wait=False, cancel_futures=True)
                    self._pool = self._started()
                continue
            if isinstance(found, Failure):
                raise raised(found)
            return found
        raise StoreError("the processes that answer keep ending: is there enough memory?")

    def warm(self) -> None:
        """Start the processes, so that the first question need not wait for it."""
        self._pool.submit(os.getpid)

    def close(self) -> None:
        """End the processes, once what they are answering is answered."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _started(self) -> ProcessPoolExecutor:
        # Not forked: the server has threads, and connections that are not to be inherited.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.count, mp_context=context, initializer=_begin)


_maps = Maps()


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal, meant for the server
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A server that was killed cannot end its workers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _answer(root: str, question: Question) -> Made | Failure:
    try:
        watched = Watched(find(root))
        with _maps.get(root).session.read() as reader:
            state = reader.state()
            answered = _maps.answer(root, question)
        return Made(answered, state, watched.after(answered.paths) if question.lasting else None)
    except CodemapError as error:
        return told(error)
