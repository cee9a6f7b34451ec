"""A client of the SDK on a server in a process of its own, for a repository made of the fixture `shop`."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra `server` is not installed")

from mcp import Client
from mcp.client.stdio import StdioServerParameters

Connect = Callable[..., Any]


@asynccontextmanager
async def connected(folder: Path, *arguments: str, **options: Any) -> AsyncIterator[Client]:
    """A client of `codemap mcp`, started in `folder`."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "codemap", *arguments, "mcp"], cwd=folder)
    async with Client(server, **options) as client:
        yield client


@pytest.fixture
def connect() -> Connect:
    return connected


@pytest.fixture
def own_shop(tmp_path: Path, repository: Callable[[Path], None]) -> Path:
    """The fixture as a repository that has no map yet and may be changed."""
    folder = tmp_path / "shop"
    repository(folder)
    return folder
