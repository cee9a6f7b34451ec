"""Answers made in this process, from maps that are brought up to date first: the service of a single client."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import anyio.to_thread

from codemap.home import Home
from codemap.service import metering
from codemap.service.maps import Maps
from codemap.service.updates import Updates, Watch
from indexer.errors import BusyError, StoreError

if TYPE_CHECKING:
    from codemap.service.questions import Answered, Question


class Told(NamedTuple):
    """An answer, and what its reader has to know beside it."""

    answered: Answered
    note: str | None


class LocalService:
    """Answers questions to any repository, one state of its map each."""

    def __init__(self) -> None:
        self.maps = Maps()
        self.updates = Updates()

    async def ask(self, home: Home, question: Question, watch: Watch | None = None) -> Told:
        """The answer to a question that speaks of the files as they are when it is asked.

        watch   told how far an update is that is waited for

        Where the map cannot be brought up to date, but is there, it answers, and the note says why.

        Raises CodemapError.
        """
        note = await self._refresh(home, watch)
        root = str(home.root)
        answered = await anyio.to_thread.run_sync(self._answer, root, question, abandon_on_cancel=True)
        return Told(answered, note)

    async def close(self) -> None:
        await self.updates.close()
        self.maps.close()

    async def _refresh(self, home: Home, watch: Watch | None) -> str | None:
        try:
            if not await anyio.to_thread.run_sync(self._current, home):
                await self.updates.update(str(home.root), watch)
        except (StoreError, BusyError) as error:  # a disk that is full or cannot be written, another run
            if not os.path.exists(home.map):
                raise
            return f"the map could not be brought up to date: {error}"
        return None

    def _current(self, home: Home) -> bool:
        """Whether the map surely knows all that is on disk now."""
        return os.path.exists(home.map) and self.maps.get(str(home.root)).current()

    def _answer(self, root: str, question: Question) -> Answered:
        answered = self.maps.answer(root, question)
        if metering.wanted():
            metering.note(self.maps.get(root), question, answered)
        return answered
