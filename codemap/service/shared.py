"""Answers for many clients at once: worker processes, answers kept while they hold, updates beside them."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from codemap.service import metering
from codemap.service.cache import Cache
from codemap.service.marks import take
from codemap.service.repositories import Repositories, Repository
from codemap.service.updates import Updates, Watch
from codemap.service.workers import Made, Workers
from indexer.errors import CodemapError

if TYPE_CHECKING:
    from codemap.service.questions import Answered, Question

    _Flight = asyncio.Future[Made | None]

JOINS = 20
"""How often a question waits for one that is equal before it is asked by itself."""


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
        self._flights: dict[tuple[str, Question], _Flight] = {}
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
        first = repository.state()
        for _ in range(JOINS):
            state = repository.state()
            found = state and self._cache.get(repository.home, question, state)
            if found:
                self.counts["cached"] += 1
                return found
            flight = self._flights.get((repository.root, question))
            if flight is None:
                break
            made = await self._joined(flight)
            # It read that state or a later one; and what else it tells is as it was when this question came.
            if made is not None and first is not None and made.state == first and self._holds(repository, made):
                self.counts["cached"] += 1
                return made.answered
        return await self._asked(repository, question)

    async def note(self, repository: Repository, question: Question, answered: Answered) -> None:
        """Note in the person's ledger that an answer was given, and what it cost, where that is asked for."""
        if metering.wanted():
            await asyncio.to_thread(repository.note, question, answered)

    async def _asked(self, repository: Repository, question: Question) -> Answered:
        key = (repository.root, question)
        flight: _Flight = asyncio.get_running_loop().create_future()
        self._flights[key] = flight
        made: Made | None = None
        try:
            made = await self._workers.ask(repository.root, question)
        finally:
            if self._flights.get(key) is flight:
                del self._flights[key]
            flight.set_result(made)
        self.counts["made"] += 1
        if made.state is not None and made.marks is not None:
            self._cache.put(repository.home, question, made.state, made.marks, made.answered)
        return made.answered

    async def _joined(self, flight: _Flight) -> Made | None:
        """What came of a question that somebody else has asked; None where nothing did."""
        return await asyncio.shield(flight)

    @staticmethod
    def _holds(repository: Repository, made: Made) -> bool:
        return made.marks is not None and take(repository.home, made.answered.paths) == made.marks

    async def refresh(self, repository: Repository, watch: Watch | None = None) -> None:
        """Bring a map up to date if anything has changed since it was. Raises CodemapError."""
        if not await asyncio.to_thread(repository.current):
            await self.update(repository, watch)

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
