"""The MCP server of one client, over standard input and output."""

from __future__ import annotations

import logging
import os

import anyio
import mcp_types as types
from mcp.server.stdio import stdio_server

from codemap.home import Home
from codemap.mcp.roots import Context, Roots
from codemap.mcp.server import make
from codemap.service.local import LocalService
from codemap.service.questions import Question
from codemap.service.updates import Watch


def serve(folder: str | os.PathLike[str]) -> None:
    """Serve until the client closes its end. `folder`: what is asked about where the client names nothing else."""
    logging.basicConfig(level=logging.ERROR)  # to standard error
    anyio.run(_serve, os.path.abspath(folder))


async def _serve(folder: str) -> None:
    service = LocalService()
    roots = Roots(folder)

    async def answer(home: Home, question: Question, watch: Watch | None) -> tuple[str, str | None]:
        told = await service.ask(home, question, watch)
        return told.answered.text, told.note

    async def changed(_: Context, __: types.NotificationParams) -> None:
        roots.forget()

    server = make(answer, roots.home)
    server.add_notification_handler("notifications/roots/list_changed", types.NotificationParams, changed)
    async with stdio_server() as (reading, writing):
        try:
            await server.run(reading, writing, server.create_initialization_options())
        finally:
            with anyio.CancelScope(shield=True):
                await service.close()
