"""From a question to an answer: waiting no longer than allowed, and no older a map than allowed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from fastapi.responses import Response

from codemap.http.models import OnStale
from codemap.http.problems import of_error, problem
from codemap.policy import Policy
from codemap.service.questions import Answered, Question
from codemap.service.shared import SharedService
from indexer.errors import CodemapError, StaleMapError, StoreError

if TYPE_CHECKING:
    from codemap.config import Config
    from codemap.http.settings import Settings
    from codemap.service.repositories import Repository

USUAL: OnStale = "refuse"
"""Where neither client nor configuration says: programs are told, and choose."""

THEN = "it is being brought up to date: ask again, with on_stale refresh to wait for it, or warn to take it as it is"
TYPES = {"json": "application/json", "text": "text/plain; charset=utf-8"}


class Wanted(NamedTuple):
    """What a client accepts; None: as the repository's configuration says."""

    on_stale: OnStale | None = None
    max_age: int | None = None

    def policy(self, config: Config) -> Policy:
        """What holds for a question."""
        on_stale = self.on_stale or config.on_stale or USUAL
        return Policy(on_stale, config.max_age if self.max_age is None else self.max_age)


class Asking:
    """Asks the service for the routes."""

    def __init__(self, service: SharedService, settings: Settings) -> None:
        self.service = service
        self.settings = settings

    async def answer(self, repo: str | None, question: Question, wanted: Wanted | None = None) -> Response:
        """The answer to a question as a response, or the reason why there is none."""
        try:
            repository = self.service.repositories.find(repo)
            async with asyncio.timeout(self.settings.seconds):
                answered = await self._within(repository, question, wanted or Wanted())
        except CodemapError as error:
            return of_error(error)
        except TimeoutError:
            return problem(
                408, "too_slow", f"the answer took longer than {self.settings.seconds:g} s: ask for less, or again"
            )
        return Response(answered.text, 200, {"codemap-schema": schema_of(question)}, TYPES[question.form])

    async def _within(self, repository: Repository, question: Question, wanted: Wanted) -> Answered:
        """Raises StaleMapError, with the staleness, where the map is older than the client accepts."""
        if not repository.ready:
            raise self.not_ready(repository)
        policy = wanted.policy(repository.config)
        if policy.on_stale == "refresh":
            await self.service.refresh(repository)
        answered = await self.service.ask(repository, question)
        complaint = policy.complaint(answered.state)
        if complaint is not None and policy.on_stale == "refuse":
            self.service.update_later(repository)
            raise StaleMapError(f"the map is stale: {complaint}; {THEN}", answered.state)
        await self.service.note(repository, question, answered)
        return answered

    def not_ready(self, repository: Repository) -> StoreError:
        """Why a repository cannot answer yet."""
        at = self.service.updates.progress(repository.root)
        if at is not None:
            stage, done, total = at
            files = f" {done:,} of {total:,} files" if total > 1 else ""
            return StoreError(f"the map of {repository.name} is being made ({stage}{files}): /readyz?wait=30 waits")
        if repository.failed is not None:
            return StoreError(f"the map of {repository.name} could not be made: {repository.failed}")
        return StoreError(f"the map of {repository.name} is about to be made: /readyz?wait=30 waits")


def schema_of(question: Question) -> str:
    """The name and version of the schema of a question's answer."""
    return f"codemap/{SCHEMAS.get(question.name, question.name)}/1"


SCHEMAS = {"callers": "relations", "callees": "relations", "references": "relations"}
