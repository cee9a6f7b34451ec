"""A transport for `httpx` that meters every request which passes through it, whatever client is built on it.

    client = SomeClient(http_client=httpx.Client(transport=MeterTransport(meter)))

A request that may cost something (any but GET, HEAD, OPTIONS) has a row in the ledger before it is sent, so that one
whose process dies is there as well, as open. The bytes of a response reach the client untouched, in order and as they
come; a copy of them is read for the usage. The row is completed when the body ends or is closed, and before the client
sees its end. What a provider does not report is estimated by codemap's heuristic and says so, or is unknown.
"""

from __future__ import annotations

import httpx

from codemap.tokens.meter.call import Library
from codemap.tokens.meter.meter import Meter
from codemap.tokens.meter.metered import AsyncBody, Metered, SyncBody

_LIBRARY = Library(
    httpx.Response,
    httpx.DecodingError,
    (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol),
)


class MeterTransport(Metered, httpx.BaseTransport):
    """For `httpx.Client(transport=MeterTransport())`; `wrapped` is what sends, default a `httpx.HTTPTransport`."""

    def __init__(
        self,
        meter: Meter | None = None,
        wrapped: httpx.BaseTransport | None = None,
        *,
        task: str | None = None,
        caller: str | None = None,
        enforce: bool = False,
    ) -> None:
        super().__init__(_LIBRARY, meter, task, caller, enforce=enforce)
        self._wrapped = wrapped or httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response: httpx.Response = self.send(request, self._wrapped.handle_request, _SyncBody)
        return response

    def close(self) -> None:
        self._wrapped.close()


class AsyncMeterTransport(Metered, httpx.AsyncBaseTransport):
    """For `httpx.AsyncClient(transport=AsyncMeterTransport())`."""

    def __init__(
        self,
        meter: Meter | None = None,
        wrapped: httpx.AsyncBaseTransport | None = None,
        *,
        task: str | None = None,
        caller: str | None = None,
        enforce: bool = False,
    ) -> None:
        super().__init__(_LIBRARY, meter, task, caller, enforce=enforce)
        self._wrapped = wrapped or httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response: httpx.Response = await self.send_async(request, self._wrapped.handle_async_request, _AsyncBody)
        return response

    async def aclose(self) -> None:
        await self._wrapped.aclose()


class _SyncBody(SyncBody, httpx.SyncByteStream):
    pass


class _AsyncBody(AsyncBody, httpx.AsyncByteStream):
    pass
