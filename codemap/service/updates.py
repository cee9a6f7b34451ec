"""Updates asked for by a server: one at a time, in the updater's process, each shared by all who wait for it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import orjson

from codemap.service.failures import Failure, raised
from indexer.errors import CodemapError

CLOSING_SECONDS = 2.0

Watch = Callable[[str, int, int], None]
"""Told of a run: its stage, how many files are through, and of how many; 0: not known."""


@dataclass
class _Run:
    """An update that is waited for."""

    done: asyncio.Future[dict[str, Any]]
    watches: list[Watch] = field(default_factory=list)
    at: tuple[str, int, int] | None = None


class Updates:
    """What brings maps up to date.

    An update that has begun may have missed what changed since; so who asks while one is under way waits for the next,
    and shares it with all others that wait.
    """

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._waiting: dict[str, _Run] = {}
        self._running: dict[str, _Run] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def update(self, root: str, watch: Watch | None = None, *, full: bool = False) -> dict[str, Any]:
        """Bring the map of `root` up to date with its files as they are now; the report of the run.

        Raises what `indexer.pipeline.update` does. Who is cancelled stops waiting, no more: others may wait too.
        """
        run = self._waiting.get(root)
        if run is None or full:
            run = _Run(asyncio.get_running_loop().create_future())
            run.done.add_done_callback(lambda done: done.cancelled() or done.exception())  # told or not, it is seen
            self._waiting[root] = run
            task = asyncio.create_task(self._perform(root, run, full=full))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if watch is not None:
            run.watches.append(watch)
        try:
            return await asyncio.shield(run.done)
        finally:
            if watch is not None:
                run.watches.remove(watch)

    def progress(self, root: str) -> tuple[str, int, int] | None:
        """How far the run for `root` is that is under way; None where there is none."""
        run = self._running.get(root)
        return run.at if run is not None else None

    async def close(self) -> None:
        """End the process; a run under way is given up, which harms no map."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._forget()

    async def _perform(self, root: str, run: _Run, *, full: bool) -> None:
        try:
            async with self._turn:
                if self._waiting.get(root) is run:
                    del self._waiting[root]
                self._running[root] = run
                try:
                    answer = await self._converse({"root": root, "full": full}, run)
                finally:
                    self._running.pop(root, None)
        except asyncio.CancelledError:
            run.done.cancel()
            raise
        except (OSError, ValueError, CodemapError) as error:
            await self._forget()
            run.done.set_exception(CodemapError(f"the map could not be updated: {error}"))
            return
        if run.done.done():
            return
        if "error" in answer:
            kind, message = answer["error"]["type"], answer["error"]["message"]
            run.done.set_exception(raised(Failure(kind, message)))
        else:
            run.done.set_result(answer["report"])

    async def _converse(self, asked: dict[str, Any], run: _Run) -> dict[str, Any]:
        process = await self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(orjson.dumps(asked) + b"\n")
        await process.stdin.drain()
        while line := await process.stdout.readline():
            told: dict[str, Any] = orjson.loads(line)
            if "progress" not in told:
                return told
            stage, done, total = told["progress"]
            run.at = stage, done, total
            for watch in list(run.watches):
                watch(stage, done, total)
        raise CodemapError("its process ended unexpectedly; it is started again at the next request")

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            await self._forget()
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "codemap.service.updater"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
        return self._process

    async def _forget(self) -> None:
        """End the process, and wait until its pipes are closed: what is left open outlives the loop, and complains."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        with suppress(TimeoutError, ValueError):
            async with asyncio.timeout(CLOSING_SECONDS):  # workers of a run that was given up end a little later
                await process.stdout.read()
