"""Who is let in. The application behind the guard says what it was asked."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from codemap.http.guard import Guard
from codemap.http.metrics import Metrics
from codemap.http.settings import Settings, checked
from indexer.errors import UsageError

TOKEN = "a-token-of-some-length"
BEARER = {"authorization": f"Bearer {TOKEN}"}


async def behind(scope: Scope, receive: Receive, send: Send) -> None:
    body = await Request(scope, receive).body()
    if body == b"slow":
        await asyncio.sleep(0.2)
    await PlainTextResponse(f"{len(body)}")(scope, receive, send)


def status(settings: Settings, path: str = "/v1/status", host: str = "127.0.0.1:7802", **headers: str) -> int:
    async def main() -> int:
        transport = httpx2.ASGITransport(app=Guard(behind, settings, Metrics()))
        async with httpx2.AsyncClient(transport=transport, base_url="http://" + "127.0.0.1:7802") as client:
            return (await client.get(path, headers={"host": host, **headers})).status_code

    return asyncio.run(main())


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1:7802", 200),
        ("127.0.0.1", 200),
        ("127.9.9.9:1", 200),
        ("localhost:7802", 200),
        ("LOCALHOST", 200),
        ("[::1]:7802", 200),
        ("evil.example:7802", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example:7802", 421),
        ("192.168.0.7:7802", 421),
        ("", 421),
    ],
)
def test_a_name_that_was_made_to_point_here_is_refused(host: str, expected: int) -> None:
    assert status(Settings(), host=host) == expected


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("http:" + "//localhost:3000", 200),
        ("http:" + "//127.0.0.1", 200),
        ("https://evil.example", 403),
        ("http:" + "//localhost.evil.example", 403),
        ("null", 403),
        ("file://", 403),
        ("localhost", 403),
    ],
)
def test_a_page_of_another_origin_is_refused(origin: str, expected: int) -> None:
    assert status(Settings(), origin=origin) == expected


def test_names_that_are_allowed() -> None:
    named = Settings(hosts=("map.example",))
    assert status(named, host="map.example:7802", origin="https://map.example") == 200
    assert status(named, host="other.example") == 421
    assert status(Settings(host="192.0.2.1", token=TOKEN), host="any.example", **BEARER) == 200
    assert status(Settings(host="192.0.2.1", token=TOKEN, hosts=("map.example",)), host="any.example", **BEARER) == 421


@pytest.mark.parametrize(
    "given", [None, "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer", TOKEN, "Bearer \\u00e9"]
)
def test_without_the_token_nothing_but_health_is_told(given: str | None) -> None:
    settings = Settings(token=TOKEN)
    headers = {} if given is None else {"authorization": given}
    assert status(settings, **headers) == 401
    assert status(settings, "/mcp", **headers) == 401
    assert status(settings, "/metrics", **headers) == 401
    assert status(settings, "/healthz", **headers) == 200
    assert status(settings, **BEARER) == 200


def test_settings_that_anybody_could_ask_are_refused() -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "map.example"):
        with pytest.raises(UsageError, match="set CODEMAP_TOKEN"):
            checked(Settings(host=host))
        assert checked(Settings(host=host, token=TOKEN))
    for host in ("127.0.0.1", "::1", "localhost", "127.1.2.3"):
        assert checked(Settings(host=host))
    with pytest.raises(UsageError, match="at least 16 characters"):
        checked(Settings(token="short"))


def test_a_body_whose_length_is_not_told_is_limited_all_the_same() -> None:
    async def pieces() -> Any:
        for _ in range(11):
            yield b"x" * 10

    async def main() -> list[int]:
        transport = httpx2.ASGITransport(app=Guard(behind, Settings(body=100), Metrics()))
        async with httpx2.AsyncClient(transport=transport, base_url="http://" + "127.0.0.1:7802") as client:
            told = await client.post("/", content=b"x" * 101)
            whole = await client.post("/", content=b"x" * 100)
            return [told.status_code, whole.status_code, (await client.post("/", content=pieces())).status_code]

    assert asyncio.run(main()) == [413, 200, 413]


def test_a_body_that_comes_slowly_is_not_waited_for() -> None:
    async def slowly() -> Any:
        yield b"x"
        await asyncio.sleep(0.3)
        yield b"x"

    async def swallowing(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await behind(scope, receive, send)
        except Exception as error:  # noqa: BLE001 - as frameworks do
            await PlainTextResponse(str(error), 400)(scope, receive, send)

    async def main(app: ASGIApp, path: str) -> tuple[int, str, str]:
        transport = httpx2.ASGITransport(app=Guard(app, Settings(sending=0.05), metrics))
        async with httpx2.AsyncClient(transport=transport, base_url="http://" + "127.0.0.1:7802") as client:
            got = await client.post(path, content=slowly())
            assert (await client.post(path, content=b"slow")).status_code == 200  # an answer may take longer
            return got.status_code, got.json()["code"], got.headers["connection"]

    metrics = Metrics()
    for app, path in ((behind, "/"), (swallowing, "/"), (behind, "/mcp")):
        assert asyncio.run(main(app, path)) == (408, "too_slow", "close")
    assert 'codemap_requests_total{route="/mcp",status="408"} 1\n' in metrics.text()
    assert "codemap_requests_under_way 0\n" in metrics.text()


def test_calls_of_mcp_count_and_streams_that_wait_do_not() -> None:
    async def main() -> list[int]:
        transport = httpx2.ASGITransport(app=Guard(behind, Settings(requests=1), Metrics()))
        async with httpx2.AsyncClient(transport=transport, base_url="http://" + "127.0.0.1:7802") as client:
            calls = (client.post("/mcp", content=b"slow") for _ in range(2))
            streams = (client.request("GET", "/mcp", content=b"slow") for _ in range(2))
            return [each.status_code for each in await asyncio.gather(*streams, *calls)]

    assert asyncio.run(main()) == [200, 200, 200, 429]


def test_no_more_requests_at_once_than_allowed() -> None:
    metrics = Metrics()

    async def main() -> list[int]:
        transport = httpx2.ASGITransport(app=Guard(behind, Settings(requests=2), metrics))
        async with httpx2.AsyncClient(transport=transport, base_url="http://" + "127.0.0.1:7802") as client:
            asked = await asyncio.gather(*(client.post("/", content=b"slow") for _ in range(3)))
            return sorted([each.status_code for each in asked] + [(await client.get("/")).status_code])

    assert asyncio.run(main()) == [200, 200, 200, 429]
    assert 'codemap_requests_total{route="refused",status="429"} 1\n' in metrics.text()
    assert "codemap_requests_under_way 0\n" in metrics.text()
