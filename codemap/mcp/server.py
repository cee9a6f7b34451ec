"""The server: tools listed, tools called, progress told. Transports are others' business."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from codemap import __version__
from codemap.home import Home
from codemap.mcp.arguments import checked
from codemap.mcp.tools import INSTRUCTIONS, TOOLS
from codemap.render import escape
from codemap.service.questions import Question
from codemap.service.updates import Watch
from indexer.errors import CodemapError

Context = ServerRequestContext[Any]
Called = types.CallToolResult | types.InputRequiredResult
Choose = Callable[[Context, types.CallToolRequestParams, str | None], Awaitable[Home | types.InputRequiredResult]]

PROGRESS_SECONDS = 0.25
SHOWN_NAMES = 10
STAGES = {"discover": (0, 5), "extract": (5, 45), "link": (50, 45), "store": (95, 5)}
"""Where each stage begins and how much it is, of a hundred: what a client is told has to rise."""


class Answer(Protocol):
    """What answers: the text of an answer, and a note beside it."""

    async def __call__(self, home: Home, question: Question, watch: Watch | None) -> tuple[str, str | None]: ...


def make(answer: Answer, choose: Choose) -> Server[Any]:
    """A server that asks `answer`, about the repository that `choose` finds for a call."""

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=definitions())

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> Called:
        try:
            tool, arguments = checked(params.name, params.arguments)
            home = await choose(context, params, arguments.get("repo"))
            if isinstance(home, types.InputRequiredResult):
                return home
            question = tool.question(arguments)
            async with _Progress(context) as watch:
                text, note = await answer(home, question, watch)
        except CodemapError as error:
            return _result(_said(error), is_error=True)
        return _result(f"{escape.line(note)}\n{text}" if note else text)

    return Server(
        "codemap",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def definitions() -> list[types.Tool]:
    """The tools as the protocol has them."""
    return [types.Tool(name=tool.name, description=tool.description, input_schema=tool.schema) for tool in TOOLS]


def _result(text: str, *, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=is_error)


def _said(error: CodemapError) -> str:
    """An error as a model can act on it: what is wrong, and the names to choose from."""
    lines = [escape.line(" ".join(str(error).split()))]
    for attribute, title in (("suggestions", "did you mean"), ("choices", "say one of")):
        names: tuple[str, ...] = getattr(error, attribute, ())
        if names:
            more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
            lines.append(f"{title}: {', '.join(map(escape.line, names[:SHOWN_NAMES]))}{more}")
    return "\n".join(lines)


class _Progress:
    """Tells the client how far an update is, a few times a second, while the block lasts."""

    def __init__(self, context: Context) -> None:
        self._session = context.session
        self._sending, self._receiving = anyio.create_memory_object_stream[tuple[float, str]](1)
        self._tasks = anyio.create_task_group()
        self._told = -1.0
        self._said = time.monotonic()

    async def __aenter__(self) -> Watch:
        await self._tasks.__aenter__()
        self._tasks.start_soon(self._tell)
        return self._watch

    async def __aexit__(self, *error: Any) -> None:
        self._sending.close()
        self._tasks.cancel_scope.cancel()
        await self._tasks.__aexit__(None, None, None)

    def _watch(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        begins, part = STAGES.get(stage, (0, 0))
        at = begins + (part * done / total if total else 0.0)
        if at <= self._told or now - self._said < PROGRESS_SECONDS:
            return
        files = f" {done:,} of {total:,} files" if total > 1 else ""
        try:
            self._sending.send_nowait((at, f"{stage}{files}"))
        except anyio.WouldBlock:
            return  # the client takes its time: it is told the next one
        self._told, self._said = at, now

    async def _tell(self) -> None:
        async with self._receiving:
            async for at, message in self._receiving:
                await self._session.report_progress(at, 100, f"making the map: {message}")
