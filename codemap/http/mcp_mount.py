"""The MCP server of many clients: streamable HTTP, over the service that answers all of them."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from codemap.home import Home
from codemap.mcp.server import Context, make
from codemap.service.questions import Question
from codemap.service.updates import Watch
from indexer.errors import CodemapError

if TYPE_CHECKING:
    from codemap.http.settings import Settings
    from codemap.service.shared import SharedService

MOST_SESSIONS = 1000
IDLE_SECONDS = 600.0


class Mounted:
    """What stands at `/mcp`. Host, origin and token were checked before."""

    def __init__(self, service: SharedService, settings: Settings) -> None:
        self._service = service
        self._settings = settings
        self._sessions = StreamableHTTPSessionManager(
            make(self._answer, self._choose),
            max_request_body_size=settings.body,
            session_idle_timeout=IDLE_SECONDS,
            max_sessions=MOST_SESSIONS,
        )

    def running(self) -> AbstractAsyncContextManager[None]:
        """While the server runs."""
        return self._sessions.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._sessions.asgi_app(scope, receive, send)

    async def _choose(self, _: Context, __: types.CallToolRequestParams, named: str | None) -> Home:
        """Only what is served: a client of the network has no business with other folders."""
        return self._service.repositories.find(named).home

    async def _answer(self, home: Home, question: Question, watch: Watch | None) -> tuple[str, str | None]:
        repository = self._service.repositories.find(str(home.root))
        note = None
        try:
            await self._service.refresh(repository, watch)
        except CodemapError as error:
            if not repository.ready:
                raise
            note = f"the map could not be brought up to date: {error}"
        try:
            async with asyncio.timeout(self._settings.seconds):
                answered = await self._service.ask(repository, question)
        except TimeoutError as error:
            raise CodemapError(f"the answer took longer than {self._settings.seconds:g} s: ask for less") from error
        await self._service.note(repository, question, answered)
        return answered.text, note
