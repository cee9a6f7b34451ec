"""`codemap serve` as a process of its own: MCP over HTTP, an orderly end, and a violent one."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent

from indexer.pipeline import verify


@contextmanager
def served(*folders: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A server that is ready, and its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "codemap", "serve", *map(str, folders), "--port", str(port), "--workers", "1"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    address = "http:" + f"//127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                httpx2.get(f"{address}/readyz?wait=30", timeout=60).raise_for_status()
                break
            except httpx2.ConnectError:
                assert process.poll() is None
                time.sleep(0.05)
        yield process, address
    finally:
        process.kill()
        process.wait()


def _text(result: CallToolResult) -> str:
    assert not result.is_error, result
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_mcp_over_http_and_an_orderly_end(own_shop: Path) -> None:
    async def talk(address: str, mode: str) -> None:
        async with Client(f"{address}/mcp", mode=mode) as client:
            assert len((await client.list_tools()).tools) == 5
            for number in range(2):
                name = f"marker_{mode}_{number}"
                (own_shop / "shop" / "new.py").write_text(f"def caller():\n    {name}()\n\ndef {name}(): ...\n")
                calls = (client.call_tool("subgraph", {"text": f"{name} {i}"}) for i in range(4))
                for answer in await asyncio.gather(*calls):
                    assert f"{name}:2" in _text(answer)
            refused = await client.call_tool("map_status", {"repo": "/"})
            assert refused.is_error

    async def stop(process: subprocess.Popen[bytes], address: str) -> None:
        async with httpx2.AsyncClient(base_url=address, timeout=60) as client:
            under_way = asyncio.create_task(client.post("/v1/update", json={"full": True}))
            await asyncio.sleep(0.2)
            process.send_signal(signal.SIGTERM)
            assert (await under_way).json()["rebuilt"] is True
        assert await asyncio.to_thread(process.wait, 20) in (0, -signal.SIGTERM)

    with served(own_shop) as (process, address):
        for mode in ("legacy", "auto"):
            asyncio.run(talk(address, mode))
        assert httpx2.get(address + "/mcp", headers={"host": "evil.example"}).status_code == 421
        asyncio.run(stop(process, address))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked for in /proc")
def test_a_server_that_is_killed_leaves_nothing_behind_and_loses_nothing(own_shop: Path) -> None:
    with served(own_shop) as (process, address):
        httpx2.get(address + "/v1/callers?name=login").raise_for_status()
        children = _children(process.pid)
        assert len(children) >= 2  # the worker and the updater
        process.kill()
        process.wait()
        until = time.monotonic() + 20
        while (left := [pid for pid in children if _alive(pid)]) and time.monotonic() < until:
            time.sleep(0.05)
        assert left == []
    with served(own_shop) as (_, address):
        assert httpx2.get(address + "/v1/callers?name=login").json()["staleness"]["fresh"] is True
    assert verify(str(own_shop), jobs=1).equal


def _children(parent: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and _parent(int(entry.name)) == parent:
            found.append(int(entry.name))
    return found


def _parent(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
