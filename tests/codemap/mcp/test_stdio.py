"""`codemap mcp` as a process of its own, through the SDK's client and through the bare protocol."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp_types import CallToolResult, ListRootsResult, Root, TextContent

from indexer.errors import CodemapError

Connect = Callable[..., Any]
Line = dict[str, Any]


def text(result: CallToolResult, *, error: bool = False) -> str:
    """The text of a result: once, and nothing structured beside it."""
    assert result.is_error is error, result
    assert result.structured_content is None
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_agent_asks_edits_and_asks_again(own_shop: Path, connect: Connect, mode: str) -> None:
    told: list[float] = []

    async def progress(at: float, total: float | None, message: str | None) -> None:
        assert total == 100
        assert str(message).startswith("making the map: ")
        told.append(at)

    async def main() -> None:
        async with connect(own_shop, mode=mode) as client:
            assert "subgraph" in str(client.instructions)
            first = text(await client.call_tool("subgraph", {"text": "who logs in"}, progress_callback=progress))
            assert "def login(request, user, remember: bool = False)" in first
            assert first.endswith(", fresh\n")
            told.append(100)
            assert told == sorted(told)

            found = text(await client.call_tool("symbol", {"name": "rotate_token", "show": "callers"}))
            assert found.startswith("callers of shop/auth.py:rotate_token:21-22: 1 place in 1 file\n")
            route = text(await client.call_tool("path", {"from": "login", "to": "new_token"}))
            assert route.startswith("path of 2 edges\n")
            assert "names used" in text(await client.call_tool("map_status", {}))

            auth = own_shop / "shop" / "auth.py"
            auth.write_text(auth.read_text() + '\n\ndef throttle_visitor(request):\n    """Too many tries."""\n')
            second = text(await client.call_tool("subgraph", {"text": "throttle visitor", "budget": 400}))
            assert "def throttle_visitor(request)" in second
            assert "1 uncommitted file, fresh" in second
            impact = text(await client.call_tool("impact", {"symbols": ["rotate_token"]}))
            assert "login" in impact

    asyncio.run(main())


def test_calls_side_by_side_and_during_updates(own_shop: Path, connect: Connect) -> None:
    async def main() -> None:
        async with connect(own_shop) as client:
            await client.call_tool("map_status", {})
            answers = []
            for number in range(3):
                (own_shop / "shop" / "new.py").write_text(
                    f"def caller():\n    marker_{number}()\n\ndef marker_{number}(): ...\n"
                )
                calls = (client.call_tool("subgraph", {"text": f"marker_{number} login {i}"}) for i in range(6))
                answers.append(await asyncio.gather(*calls))
        for number, each in enumerate(answers):
            for answer in map(text, each):
                assert f"def marker_{number}()" in answer
                assert f"marker_{number}:2" in answer  # definition and call are of one state

    asyncio.run(main())


def test_what_is_wrong_is_said_as_an_error_of_the_tool(own_shop: Path, connect: Connect) -> None:
    async def main() -> None:
        async with connect(own_shop) as client:

            async def said(tool: str, **arguments: Any) -> str:
                return text(await client.call_tool(tool, arguments), error=True)

            assert await said("symbol", name="logn") == "no symbol is called logn\ndid you mean: login"
            assert await said("subgraph") == "subgraph needs the argument text"
            assert await said("subgraph", text="x", budgt=5) == "subgraph has no argument budgt: did you mean budget?"
            assert await said("subgraph", text="login", budget=5) == "subgraph: budget has to be at least 200"
            assert "no such place does not exist" in await said("subgraph", text="x", repo="no such place")
            assert (await said("symbl")).startswith("there is no tool symbl: there are subgraph, ")

    asyncio.run(main())


def roots(*folders: Path) -> Callable[..., Any]:
    async def answer(_: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=folder.as_uri()) for folder in folders])  # type: ignore[arg-type]

    return answer


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_repository_is_that_of_the_clients_root(
    tmp_path: Path, own_shop: Path, connect: Connect, repository: Callable[[Path], None], mode: str
) -> None:
    other = tmp_path / "other"
    repository(other)
    (other / "shop" / "only_here.py").write_text("def only_here():\n    pass\n")
    plain = tmp_path / "plain"
    plain.mkdir()

    async def main() -> None:
        async with connect(plain, mode=mode, list_roots_callback=roots(other / "shop", plain)) as client:
            assert "only_here.py" in text(await client.call_tool("symbol", {"name": "only_here"}))
            named = {"name": "only_here", "repo": str(own_shop / "shop" / "auth.py")}
            assert text(await client.call_tool("symbol", named), error=True).startswith("no symbol is called only_here")
        async with connect(plain, mode=mode, list_roots_callback=roots(other, own_shop)) as client:
            said = text(await client.call_tool("symbol", {"name": "only_here"}), error=True)
            assert said == f"several repositories are open: say which with repo, one of {other}, {own_shop}"
            found = await client.call_tool("symbol", {"name": "only_here", "repo": "only_here.py"})
            assert found.is_error  # there is no such file at either root
            found = await client.call_tool("symbol", {"name": "only_here", "repo": "shop/only_here.py"})
            assert "only_here.py" in text(found)

    asyncio.run(main())


def test_a_folder_that_nobody_chose_is_not_mapped(tmp_path: Path, connect: Connect) -> None:
    (tmp_path / "letters.py").write_text("def private():\n    pass\n")

    async def main() -> None:
        async with connect(tmp_path) as client:
            said = text(await client.call_tool("symbol", {"name": "private"}), error=True)
            assert "name a repository, or map the folder with `codemap index`" in said

    asyncio.run(main())
    assert [path.name for path in tmp_path.iterdir()] == ["letters.py"]


class Bare:
    """A server that is spoken to line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.number = 0

    def send(self, method: str, params: Line | None = None, *, notification: bool = False) -> int:
        message: Line = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        if not notification:
            self.number += 1
            message["id"] = self.number
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        return self.number

    def read(self, number: int) -> Line:
        """The response of that number. Whatever is on standard output has to be the protocol."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message: Line = json.loads(line)
            assert message["jsonrpc"] == "2.0"
            if message.get("id") == number:
                return message
        raise CodemapError("the server has closed its end")


@contextmanager
def bare(folder: Path) -> Iterator[Bare]:
    process = subprocess.Popen(
        [sys.executable, "-m", "codemap", "mcp"], cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        server = Bare(process)
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bare", "version": "1"}}
        server.read(server.send("initialize", hello))
        server.send("notifications/initialized", notification=True)
        yield server
    finally:
        process.kill()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            pipe.close()
        process.wait()


def test_a_call_that_is_cancelled_is_not_answered_and_others_are(own_shop: Path) -> None:
    with bare(own_shop) as server:
        call = {"name": "subgraph", "arguments": {"text": "login"}}
        first = server.send("tools/call", call)
        server.send("notifications/cancelled", {"requestId": first, "reason": "enough"}, notification=True)
        second = server.send("tools/call", call)
        answer = server.read(second)
        assert "def login" in answer["result"]["content"][0]["text"]


@pytest.mark.parametrize("busy", [False, True])
def test_a_client_that_disappears_ends_the_process(own_shop: Path, busy: bool) -> None:
    with bare(own_shop) as server:
        if busy:
            server.send("tools/call", {"name": "subgraph", "arguments": {"text": "login"}})
            time.sleep(0.3)
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.process.wait(timeout=10) == 0
