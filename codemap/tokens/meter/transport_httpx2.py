"""The transports of `codemap.tokens.meter.transport` for `httpx2`, on which newer SDKs stand."""

from __future__ import annotations

import httpx2

from codemap.tokens.meter.call import Library
from codemap.tokens.meter.meter import Meter
from codemap.tokens.meter.metered import AsyncBody, Metered, SyncBody

_LIBRARY = Library(
    httpx2.Response,
    httpx2.DecodingError,
    (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol),
)


class MeterTransport(Metered, httpx2.BaseTransport):
    """For `httpx2.Client(transport=MeterTransport())`; `wrapped` is what sends, default a `httpx2.HTTPTransport`."""

    def __init__(
        self,
        meter: Meter | None = None,
        wrapped: httpx2.BaseTransport | None = None,
        *,
        task: str | None = None,
        caller: str | None = None,
        enforce: bool = False,
    ) -> None:
        super().__init__(_LIBRARY, meter, task, caller, enforce=enforce)
        self._wrapped = wrapped or httpx2.HTTPTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        response: httpx2.Response = self.send(request, self._wrapped.handle_request, _SyncBody)
        return response

    def close(self) -> None:
        self._wrapped.close()


class AsyncMeterTransport(Metered, httpx2.AsyncBaseTransport):
    """For `httpx2.AsyncClient(transport=AsyncMeterTransport())`."""

    def __init__(
        self,
        meter: Meter | None = None,
        wrapped: httpx2.AsyncBaseTransport | None = None,
        *,
        task: str | None = None,
        caller: str | None = None,
        enforce: bool = False,
    ) -> None:
        super().__init__(_LIBRARY, meter, task, caller, enforce=enforce)
        self._wrapped = wrapped or httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response: httpx2.Response = await self.send_async(request, self._wrapped.handle_async_request, _AsyncBody)
        return response

    async def aclose(self) -> None:
        await self._wrapped.aclose()


class _SyncBody(SyncBody, httpx2.SyncByteStream):
    pass


class _AsyncBody(AsyncBody, httpx2.AsyncByteStream):
    pass
