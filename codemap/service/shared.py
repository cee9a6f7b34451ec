"""Answers for many clients at once: worker processes, answers kept while they hold, updates beside them."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from codemap.service.cache import Cache, Version
from codemap.service.repositories import Repositories, Repository
from codemap.service.updates import Updates, Watch
from codemap.service.workers import Workers
from indexer.errors import CodemapError

if TYPE_CHECKING:
    from codemap.service.questions import Answered, Question

JOINS = 2
_Flight = tuple[str, "Question", "Version"]


class SharedService:
    """What a server with many clients asks.

    Every answer is of one state of a map, the present one when the question came or a later one. Questions that are
    equal and come while one of them is being answered are answered once.
    """

    def __init__(self, folders: Sequence[str | os.PathLike[str]], workers: int | None = None) -> None:
        """Raises RepositoryError for a folder that cannot be mapped."""
        self.repositories = Repositories(folders)
        self.updates = Updates()
        self.counts: Counter[str] = Counter()
        self._cache = Cache()
        self._workers = Workers(workers)
        self._flights: dict[_Flight, asyncio.Future[Answered]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self) -> None:
        """Make the maps that are not there, and bring those up to date that are, while questions are answered."""
        self._workers.warm()
        for repository in self.repositories.all:
            self.update_later(repository)

    async def close(self) -> None:
        """End all processes; questions under way are answered first."""
        await self.updates.close()
        await asyncio.to_thread(self._workers.close)
        for repository in self.repositories.all:
            repository.close()

    async def ask(self, repository: Repository, question: Question) -> Answered:
        """The answer to a question. Raises CodemapError."""
        for _ in range(JOINS):
            version = repository.version()
            found = self._cache.get(repository.home, question, version)
            if found is not None:
                self.counts["cached"] += 1
                return found
            flight = self._flights.get((repository.root, question, version))
            if flight is None:
                break
            await asyncio.wait([flight])
        return await self._asked(repository, question, version)

    async def _asked(self, repository: Repository, question: Question, version: Version) -> Answered:
        key = (repository.root, question, version)
        flight: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._flights[key] = flight
        try:
            made = await self._workers.ask(repository.root, question)
        finally:
            if self._flights.get(key) is flight:
                del self._flights[key]
            flight.cancel()  # who waits looks into the cache
        self.counts["made"] += 1
        # The worker read a state that is no older than `version`; where nothing was written since, it was that one.
        if made.marks is not None and repository.version() == version:
            self._cache.put(repository.home, question, version, made.marks, made.answered)
        return made.answered

    async def update(self, repository: Repository, watch: Watch | None = None, *, full: bool = False) -> dict[str, Any]:
        """Bring a map up to date; the report of the run. Raises CodemapError."""
        try:
            report = await self.updates.update(repository.root, watch, full=full)
        except CodemapError as error:
            self.counts["updates failed"] += 1
            repository.failed = str(error)
            raise
        self.counts["updates"] += 1
        repository.failed = None
        return report

    def update_later(self, repository: Repository, *, full: bool = False) -> None:
        """The same, without waiting for it."""

        async def run() -> None:
            try:
                await self.update(repository, full=full)
            except CodemapError:
                return  # kept in `repository.failed`

        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
