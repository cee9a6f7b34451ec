"""The httpx transport: bytes untouched, every request in the ledger, whatever becomes of it."""

from __future__ import annotations

import asyncio
import gzip
import threading
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from codemap.tokens.meter.meter import Meter
from codemap.tokens.meter.report import Row
from codemap.tokens.meter.transport import AsyncMeterTransport, MeterTransport
from codemap.tokens.meter.values import BudgetStopError, Pair
from indexer.errors import BusyError, StoreError

URL = "https://llm.example/v1/messages"
ASK = {"model": "asked", "messages": [{"role": "user", "content": "Hello"}]}
SSE = {"content-type": "text/event-stream; charset=utf-8"}

NAMES = ["openai_chat", "openai_responses", "anthropic_message", "gemini_content"]
WHOLE = {
    "openai_chat": (2006, 300),
    "openai_responses": (36, 87),
    "anthropic_message": (2095, 503),
    "gemini_content": (1030, 140),
}
STREAMED = {
    "openai_chat": (19, 10),
    "openai_responses": (37, 11),
    "anthropic_message": (425, 15),
    "gemini_content": (8, 28),
}


class Pieces(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body in pieces; notes how far it has been read."""

    def __init__(self, pieces: list[bytes], error: Exception | None = None) -> None:
        self.pieces = pieces
        self.error = error
        self.given = 0
        self.closed = False

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            self.given += 1
            yield piece
        if self.error is not None:
            raise self.error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece

    def close(self) -> None:
        self.closed = True

    async def aclose(self) -> None:
        self.closed = True


def _client(meter: Meter, response: httpx.Response | Exception, **options: object) -> httpx.Client:
    def answer(request: httpx.Request) -> httpx.Response:
        if isinstance(response, Exception):
            raise response
        return response

    return httpx.Client(transport=MeterTransport(meter, httpx.MockTransport(answer), **options))  # type: ignore[arg-type]


def _total(meter: Meter) -> Row:
    return meter.report().total


def _counts(meter: Meter) -> tuple[int, int | None, int | None]:
    total = _total(meter)
    return total.calls, total.sums["input"], total.sums["output"]


@pytest.mark.parametrize("name", NAMES)
def test_a_response_is_metered_and_comes_through(meter: Meter, samples: Path, name: str) -> None:
    data = (samples / f"{name}.json").read_bytes()
    with _client(
        meter, httpx.Response(200, content=data, headers={"content-type": "application/json"}), task="t"
    ) as client:
        response = client.post(URL, json=ASK)
    assert response.content == data
    assert _counts(meter) == (1, *WHOLE[name])
    assert meter.report().rows[0].key == "t"


@pytest.mark.parametrize("coding", ["identity", "gzip", "deflate"])
@pytest.mark.parametrize("name", NAMES)
def test_a_stream_is_metered_and_comes_through_piece_by_piece(
    meter: Meter, samples: Path, name: str, coding: str
) -> None:
    import zlib

    data = (samples / f"{name}.sse").read_bytes()
    coded = {"identity": data, "gzip": gzip.compress(data), "deflate": zlib.compress(data)}[coding]
    pieces = [coded[at : at + 50] for at in range(0, len(coded), 50)]
    body = Pieces(pieces)
    with (
        _client(meter, httpx.Response(200, stream=body, headers={**SSE, "content-encoding": coding})) as client,
        client.stream("POST", URL, json=ASK) as response,
    ):
        seen = []
        for piece in response.iter_raw():
            seen.append(piece)
            assert body.given == len(seen)  # nothing is read ahead
    assert seen == pieces
    assert body.closed
    assert _counts(meter) == (1, *STREAMED[name])
    assert _total(meter).unfinished == 0


@pytest.mark.parametrize("name", NAMES)
def test_an_async_client(meter: Meter, samples: Path, name: str) -> None:
    data = (samples / f"{name}.sse").read_bytes()
    pieces = [data[at : at + 64] for at in range(0, len(data), 64)]

    async def main() -> None:
        transport = AsyncMeterTransport(
            meter, httpx.MockTransport(lambda _: httpx.Response(200, stream=Pieces(pieces), headers=SSE))
        )
        async with httpx.AsyncClient(transport=transport) as client, client.stream("POST", URL, json=ASK) as response:
            assert [piece async for piece in response.aiter_raw()] == pieces

    asyncio.run(main())
    assert _counts(meter) == (1, *STREAMED[name])


def test_an_async_task_that_is_cancelled_leaves_its_row(meter: Meter, samples: Path) -> None:
    first, _, _ = (samples / "anthropic_message.sse").read_bytes().partition(b"event: content_block_stop")

    class Endless(Pieces):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield first
            await asyncio.sleep(60)

    async def main() -> None:
        transport = AsyncMeterTransport(
            meter, httpx.MockTransport(lambda _: httpx.Response(200, stream=Endless([]), headers=SSE))
        )
        async with httpx.AsyncClient(transport=transport) as client:
            task = asyncio.create_task(client.post(URL, json=ASK))
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    total = _total(meter)
    # 425 was reported; "Hello! What can I do?" has 21 characters, at 3.2 a token.
    assert (total.calls, total.sums["input"], total.sums["output"]) == (1, 425, 7)
    assert (total.estimated, total.unfinished) == (1, 1)


def test_a_stream_that_is_left_early_is_estimated(meter: Meter, samples: Path) -> None:
    data = (samples / "anthropic_message.sse").read_bytes()
    cut = data.index(b"event: content_block_stop")
    body = Pieces([data[:cut], data[cut:]])
    with (
        _client(meter, httpx.Response(200, stream=body, headers=SSE)) as client,
        client.stream("POST", URL, json=ASK) as response,
    ):
        next(response.iter_raw())
    assert _counts(meter) == (1, 425, 7)
    assert (_total(meter).estimated, _total(meter).unfinished) == (1, 1)


def test_a_stream_left_after_its_last_word_is_whole(meter: Meter, samples: Path) -> None:
    data = (samples / "openai_chat.sse").read_bytes()
    with (
        _client(meter, httpx.Response(200, stream=Pieces([data, b""]), headers=SSE)) as client,
        client.stream("POST", URL, json=ASK) as response,
    ):
        next(response.iter_raw())
    assert _counts(meter) == (1, 19, 10)
    assert _total(meter).unfinished == 0


def test_a_stream_without_usage_is_estimated_by_its_text(meter: Meter) -> None:
    chunk = (
        b'data: {"id":"chatcmpl-0123456789abcdef","model":"m","choices":[{"delta":{"content":"0123456789abcdef"}}]}\n\n'
    )
    with _client(meter, httpx.Response(200, content=chunk * 2 + b"data: [DONE]\n\n", headers=SSE)) as client:
        client.post(URL, json=ASK)
    # 32 characters at 3.2 are 10; the request has 64 characters of JSON: 20.
    assert _counts(meter) == (1, 20, 10)
    assert _total(meter).estimated == 1
    assert meter.report("model").rows[0].key == "m"


def test_a_row_stands_before_the_request_is_sent(meter: Meter) -> None:
    seen = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(_total(meter))
        return httpx.Response(200, json={"id": "r", "usage": {"prompt_tokens": 1, "completion_tokens": 2}})

    with httpx.Client(transport=MeterTransport(meter, httpx.MockTransport(answer))) as client:
        client.post(URL, json=ASK)
    assert (seen[0].calls, seen[0].sums["input"], seen[0].unfinished) == (1, None, 1)
    assert _counts(meter) == (1, 1, 2)


def test_redirects_and_retries_are_requests_of_their_own(meter: Meter, samples: Path) -> None:
    data = (samples / "openai_chat.json").read_bytes()
    answers = iter(
        [
            httpx.Response(429, json={"error": {"message": "slow down"}}),
            httpx.Response(307, headers={"location": URL + "/2"}),
            httpx.Response(200, content=data, headers={"content-type": "application/json"}),
        ]
    )
    transport = MeterTransport(meter, httpx.MockTransport(lambda _: next(answers)))
    with httpx.Client(transport=transport, follow_redirects=True) as client:
        assert client.post(URL, json=ASK).status_code == 429
        assert client.post(URL, json=ASK).content == data
    total = _total(meter)
    assert (total.calls, total.sums["input"], total.unknown["input"], total.unfinished) == (3, 2006, 2, 1)


@pytest.mark.parametrize(
    ("error", "outcome"), [(httpx.ConnectError("no"), "failed"), (httpx.ReadTimeout("late"), "cut")]
)
def test_a_request_without_a_response_has_its_row(meter: Meter, error: Exception, outcome: str) -> None:
    with _client(meter, error) as client, pytest.raises(type(error)):
        client.post(URL, json=ASK)
    with meter._ledger.read() as connection:
        (table,) = (
            n
            for (n,) in connection.execute("SELECT name FROM sqlite_master WHERE name GLOB 'calls_*' AND type='table'")
        )
        rows = connection.execute(f"SELECT model, input, output, basis, outcome FROM {table}").fetchall()
    assert rows == [("asked", None, None, "unknown", outcome)]


def test_a_body_that_breaks_off_is_cut(meter: Meter, samples: Path) -> None:
    data = (samples / "anthropic_message.sse").read_bytes()[:600]
    body = Pieces([data], httpx.ReadError("gone"))
    with _client(meter, httpx.Response(200, stream=body, headers=SSE)) as client, pytest.raises(httpx.ReadError):
        client.post(URL, json=ASK)
    assert (_total(meter).calls, _total(meter).sums["input"], _total(meter).unfinished) == (1, 425, 1)


def test_what_is_only_asked_for_costs_nothing_and_polling_counts_once(meter: Meter, samples: Path) -> None:
    data = (samples / "openai_responses.json").read_bytes()
    with _client(meter, httpx.Response(200, json={"object": "list", "data": []})) as client:
        client.get("https://llm.example/v1/models")
    assert _total(meter).calls == 0
    for _ in range(2):
        with _client(meter, httpx.Response(200, content=data, headers={"content-type": "application/json"})) as client:
            client.get("https://llm.example/v1/responses/resp_1")
    assert _counts(meter) == (1, 36, 87)


def test_an_id_that_a_server_gives_twice_hides_no_request(meter: Meter) -> None:
    answer = {"id": "chatcmpl-0123456789abcdefghij", "usage": {"prompt_tokens": 5, "completion_tokens": 1}}
    for _ in range(3):
        with _client(meter, httpx.Response(200, json=answer)) as client:
            client.post(URL, json=ASK)
    assert _counts(meter) == (3, 15, 3)
    assert not meter.record(answer).new


def test_a_transport_within_another_counts_once(meter: Meter, samples: Path) -> None:
    data = (samples / "openai_chat.json").read_bytes()
    answers = iter(
        [
            httpx.Response(307, headers={"location": URL + "/2"}),
            httpx.Response(200, content=data, headers={"content-type": "application/json"}),
        ]
    )
    inner = MeterTransport(meter, httpx.MockTransport(lambda _: next(answers)))
    with httpx.Client(transport=MeterTransport(meter, inner), follow_redirects=True) as client:
        client.post(URL, json=ASK)
    assert (_total(meter).calls, _total(meter).sums["input"]) == (2, 2006)


def test_a_request_that_is_sent_again_counts_again(meter: Meter) -> None:
    class Twice(httpx.Auth):
        def auth_flow(self, request: httpx.Request) -> Iterator[httpx.Request]:  # type: ignore[override]
            yield request
            yield request

    answer = {"id": "r", "usage": {"prompt_tokens": 5, "completion_tokens": 1}}
    transport = MeterTransport(meter, httpx.MockTransport(lambda _: httpx.Response(200, json=answer)))
    with httpx.Client(transport=transport, auth=Twice()) as client:
        client.post(URL, json=ASK)
    assert _counts(meter) == (2, 10, 2)


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, content=b"\x00\x01" * 100, headers={"content-type": "audio/mpeg"}),
        httpx.Response(200, content=b"<html>", headers={"content-type": "text/html"}),
        httpx.Response(200, json={"usage": {"prompt_tokens": -1, "completion_tokens": "x"}}),
        httpx.Response(200, content=b"data: {broken\n\ndata: 7\n\n", headers=SSE),
        httpx.Response(204),
    ],
)
def test_what_cannot_be_read_is_unknown_and_comes_through(meter: Meter, response: httpx.Response) -> None:
    expected = response.content
    with _client(meter, response) as client:
        assert client.post(URL, json=ASK).content == expected
    assert _counts(meter) == (1, None, None)


def test_a_budget_is_held(meter: Meter, samples: Path) -> None:
    data = (samples / "openai_chat.json").read_bytes()
    meter.set_budget("t", 2100, output=1000)
    answer = httpx.Response(200, content=data, headers={"content-type": "application/json"})
    with _client(meter, answer, task="t", enforce=True) as client:
        client.post(URL, json={**ASK, "max_tokens": 400})
        assert meter.check("t").spent.input == 2006
        assert meter.check("t").reserved.input == 0
        with pytest.raises(BudgetStopError):
            client.post(URL, json={**ASK, "max_tokens": 701})  # 700 are left
    assert _total(meter).calls == 1


@pytest.mark.parametrize(
    ("sent", "tokens"),
    [
        ({"content": b"x" * 320, "headers": {"content-type": "text/plain"}}, 100),
        ({"content": iter([b"x" * 160, b"y" * 160])}, 100),  # no length is told: it is read to know it
        ({"content": b"{broken", "headers": {"content-type": "application/json"}}, 3),  # 7 / 3.2, rounded up
        ({"json": ["x" * 28]}, 10),  # [" and "] around it: 32
        ({}, 0),
    ],
    ids=["text", "chunked", "broken JSON", "a list", "empty"],
)
def test_a_body_that_is_no_json_object_sets_aside_its_size(meter: Meter, sent: dict[str, Any], tokens: int) -> None:
    meter.set_budget("t", 1000)
    seen: list[tuple[int | None, bytes]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append((meter.check("t").reserved.input, request.read()))
        return httpx.Response(200, json={"usage": {"prompt_tokens": 1, "completion_tokens": 1}})

    with httpx.Client(transport=MeterTransport(meter, httpx.MockTransport(answer), task="t", enforce=True)) as client:
        client.post(URL, **sent)
        assert seen[0][0] == tokens
        assert tokens < 100 or len(seen[0][1]) == 320
        with pytest.raises(BudgetStopError):
            client.post(URL, content=b"x" * 3200)  # 999 are left


def test_an_async_body_of_untold_length_sets_aside_its_size(meter: Meter) -> None:
    meter.set_budget("t", 1000)

    async def pieces() -> AsyncIterator[bytes]:
        yield b"x" * 3300

    async def main() -> None:
        transport = AsyncMeterTransport(
            meter, httpx.MockTransport(lambda _: httpx.Response(200)), task="t", enforce=True
        )
        async with httpx.AsyncClient(transport=transport) as client:
            with pytest.raises(BudgetStopError):
                await client.post(URL, content=pieces())

    asyncio.run(main())


def test_what_was_set_aside_is_free_again_when_the_row_cannot_be_written(
    meter: Meter, monkeypatch: pytest.MonkeyPatch
) -> None:
    meter.set_budget("t", 1000)

    def full(*_: object, **__: object) -> None:
        raise StoreError("no space left")

    with _client(meter, httpx.Response(200), task="t", enforce=True) as client:
        monkeypatch.setattr(meter, "record", full)
        with pytest.raises(StoreError, match="no space left"):
            client.post(URL, json={**ASK, "max_tokens": 10})
        assert meter.check("t").reserved == Pair(0, 0)
        monkeypatch.setattr(meter, "release", lambda _: (_ for _ in ()).throw(BusyError("locked")))
        with pytest.raises(StoreError, match="no space left"):  # it runs out by itself; the first error is told
            client.post(URL, json={**ASK, "max_tokens": 10})
    assert _total(meter).calls == 0


def test_a_ledger_that_cannot_be_written_stops_a_request_before_it_is_sent(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with _client(Meter(tmp_path / "file" / "x"), httpx.Response(200)) as client, pytest.raises(StoreError):
        client.post(URL, json=ASK)


def test_a_paid_answer_comes_through_when_the_ledger_fails_after_it(
    meter: Meter, samples: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    data = (samples / "openai_chat.json").read_bytes()

    def answer(request: httpx.Request) -> httpx.Response:
        monkeypatch.setenv("CODEMAP_PRICE_INPUT", "broken")
        return httpx.Response(200, content=data, headers={"content-type": "application/json"})

    with httpx.Client(transport=MeterTransport(meter, httpx.MockTransport(answer))) as client:
        assert client.post(URL, json=ASK).content == data
    assert "stays open" in caplog.text
    monkeypatch.delenv("CODEMAP_PRICE_INPUT")
    assert (_total(meter).calls, _total(meter).unfinished) == (1, 1)


def test_over_a_real_connection(meter: Meter, samples: Path) -> None:
    """Chunks reach the client as the server sends them: it waits for the client before it goes on."""
    data = (samples / "anthropic_message.sse").read_bytes()
    half = data.index(b"event: content_block_stop")
    seen = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for part in (data[:half], data[half:], b""):
                self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
                self.wfile.flush()
                if part == data[:half] and not seen.wait(10):
                    return

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            url = f"http://{server.server_address[0]!s}:{server.server_address[1]}/v1/messages"
            with (
                httpx.Client(transport=MeterTransport(meter)) as client,
                client.stream("POST", url, json=ASK) as response,
            ):
                got = b""
                for piece in response.iter_raw():
                    got += piece
                    if got == data[:half]:
                        seen.set()
        finally:
            seen.set()
            server.shutdown()
            thread.join()
    assert got == data
    assert _counts(meter) == (1, 425, 15)
