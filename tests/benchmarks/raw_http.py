"""The least client of HTTP/1.1 there can be: what is measured is the server, on the same cores as its clients."""

from __future__ import annotations

import asyncio
import json
from types import TracebackType
from typing import NamedTuple


class Reply(NamedTuple):
    status: int
    body: bytes


class Connection:
    """One connection that is kept, and asked one thing after another."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def __aenter__(self) -> Connection:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()

    async def get(self, path: str) -> Reply:
        return await self._send(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())

    async def post(self, path: str, value: object) -> Reply:
        body = json.dumps(value).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        return await self._send(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    async def _send(self, request: bytes) -> Reply:
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        length = next(
            int(line.partition(b":")[2]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")
        )
        return Reply(status, await self._reader.readexactly(length))
