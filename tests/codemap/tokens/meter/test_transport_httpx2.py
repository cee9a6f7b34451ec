"""The transports for httpx2: the same code on its classes, so that what is its own is tested here."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest

from codemap.tokens.meter.meter import Meter
from codemap.tokens.meter.transport_httpx2 import AsyncMeterTransport, MeterTransport

URL = "https://llm.example/v1/messages"
ASK = {"model": "asked", "messages": [{"role": "user", "content": "Hello"}]}
SSE = {"content-type": "text/event-stream"}


class Pieces(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        yield from self.pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece


def _counts(meter: Meter) -> tuple[int, int | None, int | None, int]:
    total = meter.report().total
    return total.calls, total.sums["input"], total.sums["output"], total.unfinished


def test_a_stream(meter: Meter, samples: Path) -> None:
    data = gzip.compress((samples / "anthropic_message.sse").read_bytes())
    pieces = [data[at : at + 40] for at in range(0, len(data), 40)]
    inner = httpx2.MockTransport(
        lambda _: httpx2.Response(200, stream=Pieces(pieces), headers={**SSE, "content-encoding": "gzip"})
    )
    with (
        httpx2.Client(transport=MeterTransport(meter, inner)) as client,
        client.stream("POST", URL, json=ASK) as response,
    ):
        assert list(response.iter_raw()) == pieces
    assert _counts(meter) == (1, 425, 15, 0)


def test_an_async_stream(meter: Meter, samples: Path) -> None:
    data = (samples / "openai_responses.sse").read_bytes()

    async def main() -> None:
        inner = httpx2.MockTransport(lambda _: httpx2.Response(200, stream=Pieces([data]), headers=SSE))
        async with httpx2.AsyncClient(transport=AsyncMeterTransport(meter, inner)) as client:
            assert (await client.post(URL, json=ASK)).content == data

    asyncio.run(main())
    assert _counts(meter) == (1, 37, 11, 0)


def test_a_request_that_was_not_sent(meter: Meter) -> None:
    def refuse(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("no")

    client = httpx2.Client(transport=MeterTransport(meter, httpx2.MockTransport(refuse)))
    with client, pytest.raises(httpx2.ConnectError):
        client.post(URL, json=ASK)
    assert _counts(meter) == (1, None, None, 1)


def test_an_encoding_that_does_not_decode(meter: Meter) -> None:
    headers = {"content-type": "application/json", "content-encoding": "deflate"}
    inner = httpx2.MockTransport(lambda _: httpx2.Response(200, stream=Pieces([b"\xff\xff"]), headers=headers))
    with (
        httpx2.Client(transport=MeterTransport(meter, inner)) as client,
        client.stream("POST", URL, json=ASK) as response,
    ):
        assert list(response.iter_raw()) == [b"\xff\xff"]
    assert _counts(meter) == (1, None, None, 0)
