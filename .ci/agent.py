"""Ask an installed codemap over MCP, as an agent does: `python agent.py CODEMAP FOLDER`, with the extra `server`."""

from __future__ import annotations

import asyncio
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters

from codemap.http.schemas import components


async def main(command: str, folder: str) -> None:
    server = StdioServerParameters(command=command, args=["-C", folder, "mcp"], cwd="/")
    async with Client(server) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        answer = await client.call_tool("subgraph", {"text": "login timeout"})
    assert tools == {"subgraph", "symbol", "impact", "path", "map_status"}, tools
    assert not answer.is_error, answer
    assert "session.py" in str(answer.content), answer
    assert "subgraph" in components(), "the wheel lacks the schemas"


asyncio.run(main(*sys.argv[1:]))
