"""The service in this process, on maps of the fixture `shop`, asked through an HTTP client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra `server` is not installed")

import httpx2
from starlette.types import ASGIApp, Message

from codemap.http.app import make
from codemap.http.settings import Settings
from codemap.service.shared import SharedService

HERE = "http://" + "127.0.0.1:7802"

Ask = Callable[..., None]


@asynccontextmanager
async def alive(app: ASGIApp) -> AsyncIterator[None]:
    """The application between its start and its end, as a server has it."""
    to_app: asyncio.Queue[Message] = asyncio.Queue()
    from_app: asyncio.Queue[Message] = asyncio.Queue()
    scope: Any = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
    task = asyncio.create_task(_run(app, scope, to_app, from_app))
    await to_app.put({"type": "lifespan.startup"})
    assert (await from_app.get())["type"] == "lifespan.startup.complete"
    try:
        yield
    finally:
        await to_app.put({"type": "lifespan.shutdown"})
        assert (await from_app.get())["type"] == "lifespan.shutdown.complete"
        await task


async def _run(app: ASGIApp, scope: Any, to_app: asyncio.Queue[Message], from_app: asyncio.Queue[Message]) -> None:
    await app(scope, to_app.get, from_app.put)


@asynccontextmanager
async def serving(*folders: Path, settings: Settings | None = None) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the service for some repositories, whose maps are ready."""
    app = make(SharedService(folders, workers=1), settings or Settings())
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with alive(app), httpx2.AsyncClient(transport=transport, base_url=HERE, timeout=60) as client:
        assert (await client.get("/readyz?wait=60")).status_code == 200
        yield client


@pytest.fixture
def own_shop(tmp_path: Path, repository: Callable[[Path], None]) -> Path:
    """The fixture as a repository that has no map yet and may be changed."""
    folder = tmp_path / "shop"
    repository(folder)
    return folder


@pytest.fixture
def ask(own_shop: Path) -> Ask:
    """Run something with a client of the service for `own_shop`."""

    def run(
        main: Callable[[httpx2.AsyncClient], Awaitable[None]], *others: Path, settings: Settings | None = None
    ) -> None:
        async def whole() -> None:
            async with serving(own_shop, *others, settings=settings) as client:
                await main(client)

        asyncio.run(whole())

    return run
