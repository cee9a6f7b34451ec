"""Worker processes that are kept for a whole run, and neither outlive this process nor keep its locks.

Each has a pipe of its own, so that the death of one tells which task it died of, and what a worker keeps in memory can
be put to use by giving it the tasks that need it.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from typing import Any, NamedTuple, TypeAlias

from indexer.pipeline.report import WorkersError

Task: TypeAlias = Callable[[int], bytes]
"""Does the task of a number; the result is not empty."""

_AHEAD = 4
"""Tasks a worker is given at a time, so that it need not wait while this process is busy with something else."""


class Done(NamedTuple):
    """What came of a task."""

    task: int
    worker: int
    result: bytes | None  # None: the worker died of it, or no worker was left to do it


class _Worker:
    def __init__(self, number: int, process: Any, connection: Connection) -> None:
        self.number = number
        self.process = process
        self.connection = connection
        self.tasks: deque[int] = deque()  # in the order in which it does them


class Crew:
    """`jobs` worker processes. SQLite connections to files that workers open have to be closed while it is made.

    `lock`: descriptor of the writer's lock, which forked workers close.
    """

    def __init__(self, jobs: int, lock: int | None) -> None:
        method = start_method()
        context = multiprocessing.get_context(method)
        self.workers: list[_Worker] = []
        """Those that are alive."""
        self._gone: list[_Worker] = []
        for number in range(jobs):
            mine, its = context.Pipe()
            inherited = [] if lock is None else [lock]
            inherited += [worker.connection.fileno() for worker in self.workers] + [mine.fileno()]
            process: Any = context.Process(  # type: ignore[attr-defined]
                target=_serve, args=(its, inherited if method == "fork" else [], method != "fork"), daemon=True
            )
            process.start()
            its.close()
            self.workers.append(_Worker(number, process, mine))
        if method != "fork":
            self._greet()

    def _greet(self) -> None:
        """Wait until new interpreters are up: one that is not has run the caller's script instead of ours."""
        try:
            for worker in self.workers:
                worker.connection.recv_bytes()
        except (EOFError, OSError) as error:
            self.close()
            raise WorkersError(
                'worker processes do not start: a script that calls codemap needs `if __name__ == "__main__":`'
            ) from error

    def prepare(self, make: Callable[..., Task], *arguments: Any) -> None:
        """Say what the next tasks are: in each worker `make(*arguments)` gives what does them."""
        message = ForkingPickler.dumps((make, arguments))  # once for all
        for worker in self.workers:
            with suppress(OSError):  # a death shows when a result is waited for
                worker.connection.send_bytes(message)

    def run(self, owners: Sequence[int]) -> Iterator[Done]:
        """Do tasks 0, 1, …, one for each of `owners`: the number of the worker that had better do it, -1: any.

        Results come in the order in which they are ready. An exception in a task is raised where they are asked for.
        """
        waiting = _Waiting(owners)
        for ahead in range(1, _AHEAD + 1):  # in turns, so that nobody takes from others what they can do at once
            for worker in self.workers:
                _feed(worker, waiting, ahead)
        return self._results(waiting)

    def _results(self, waiting: _Waiting) -> Iterator[Done]:
        while busy := {worker.connection: worker for worker in self.workers if worker.tasks}:
            for ready in wait(list(busy)):
                worker = busy[ready]  # type: ignore[index]
                error: Exception | None = None
                try:
                    result = worker.connection.recv_bytes()
                    if not result:
                        error = worker.connection.recv()
                except (EOFError, OSError):
                    yield self._bury(worker, waiting)
                    continue
                if error is not None:
                    raise error
                task = worker.tasks.popleft()
                _feed(worker, waiting)
                yield Done(task, worker.number, result)
        while (left := waiting.take(-1)) is not None:
            yield Done(left, -1, None)

    def stop(self) -> None:
        """Let the workers go, at once, whatever they do."""
        for worker in self.workers:
            worker.connection.close()
            worker.process.terminate()
        self._gone += self.workers
        self.workers = []

    def close(self) -> None:
        """Stop, and wait until they have ended."""
        self.stop()
        for worker in self._gone:
            worker.process.join()

    def _bury(self, worker: _Worker, waiting: _Waiting) -> Done:
        self.workers.remove(worker)
        self._gone.append(worker)
        worker.connection.close()
        fatal, *others = worker.tasks
        waiting.give_back(others)
        for other in self.workers:
            _feed(other, waiting)
        return Done(fatal, worker.number, None)


class _Waiting:
    """Tasks that no worker has been given yet."""

    def __init__(self, owners: Sequence[int]) -> None:
        self._queues: dict[int, deque[int]] = {-1: deque()}
        for task, owner in enumerate(owners):
            self._queues.setdefault(owner, deque()).append(task)

    def take(self, worker: int) -> int | None:
        """The next task of a worker: of its own, of nobody's, or the last of who has most left."""
        for owner in (worker, -1):
            if self._queues.get(owner):
                return self._queues[owner].popleft()
        longest = max(self._queues.values(), key=len)
        return longest.pop() if longest else None

    def give_back(self, tasks: Sequence[int]) -> None:
        self._queues[-1].extend(tasks)


def _feed(worker: _Worker, waiting: _Waiting, ahead: int = _AHEAD) -> None:
    while len(worker.tasks) < ahead:
        task = waiting.take(worker.number)
        if task is None:
            return
        worker.tasks.append(task)
        with suppress(OSError):  # a death shows when its result is waited for
            worker.connection.send(task)


def start_method() -> str:
    """A fork is ten times faster than a fresh interpreter, and unsafe as soon as there is a second thread."""
    return "fork" if sys.platform == "linux" and _alone() else "spawn"


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


def _serve(connection: Connection, inherited: Sequence[int], greet: bool) -> None:
    """What a worker does all its life."""
    for descriptor in inherited:
        os.close(descriptor)
    # Ctrl-C reaches the whole group; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    gc.disable()
    if greet:
        connection.send_bytes(b"up")
    import indexer.pipeline.tasks  # noqa: F401 - loaded while nobody waits for this process

    with suppress(EOFError, OSError):
        _work(connection)
    os._exit(0)  # without tearing down what it keeps


def _work(connection: Connection) -> None:
    """Do what is asked for until nobody is there any more to ask."""
    make: Callable[..., Task] | None = None
    arguments: tuple[Any, ...] = ()
    do: Task | None = None
    while True:
        message = connection.recv()
        if not isinstance(message, int):
            (make, arguments), do = message, None
            continue
        try:
            if do is None:
                assert make is not None, "prepared before it is given tasks"
                do = make(*arguments)
            result = do(message)
        except Exception as error:  # noqa: BLE001 - raised where the result is waited for
            connection.send_bytes(b"")
            connection.send(error)
        else:
            connection.send_bytes(result)


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
