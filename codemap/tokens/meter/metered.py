"""What the transports for `httpx` and `httpx2` share: they differ in the classes they stand on, not in what they do."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import anyio.to_thread

from codemap.tokens.meter.call import Call, Library
from codemap.tokens.meter.meter import Meter
from codemap.tokens.meter.values import Outcome
from indexer.errors import UsageError

_MARK = "codemap.metered"


class Metered:
    """Sends requests through another transport, each with its row in the ledger.

    meter    whose ledger is written to; default: a new one
    task     of every request through this transport; default: the meter's
    caller   likewise
    enforce  hold the task to its budget: tokens are set aside for a request, and BudgetStopError is raised instead of
             sending one that does not fit. Needs a task
    """

    def __init__(
        self, library: Library, meter: Meter | None, task: str | None, caller: str | None, *, enforce: bool
    ) -> None:
        self.meter = meter or Meter()
        self.task = task or self.meter.task
        self.caller = caller or self.meter.caller
        if enforce and self.task is None:
            raise UsageError("a budget is held for a task: name one")
        self._library = library
        self._enforce = enforce

    def send(self, request: Any, send: Callable[[Any], Any], body: Callable[[Any, Call], Any]) -> Any:
        """The response of `send`, its body wrapped by `body`."""
        if _MARK in request.extensions:
            return send(request)
        asked = request.read() if self._reads(request) else b""
        call = self._begin(request, asked)
        try:
            with _marked(request):
                response = send(request)
        except BaseException as error:
            call.finish(self._outcome(error))
            raise
        return call.answered(response, body(response.stream, call))

    async def send_async(
        self, request: Any, send: Callable[[Any], Awaitable[Any]], body: Callable[[Any, Call], Any]
    ) -> Any:
        """Like `send`; the ledger is written in a thread of its own."""
        if _MARK in request.extensions:
            return await send(request)
        asked = await request.aread() if self._reads(request) else b""
        call: Call = await anyio.to_thread.run_sync(self._begin, request, asked)
        try:
            with _marked(request):
                response = await send(request)
        except BaseException as error:
            outcome = self._outcome(error)
            await _surely(lambda: call.finish(outcome))
            raise
        return call.answered(response, body(response.stream, call))

    def _reads(self, request: Any) -> bool:
        """Whether a body is read before it is sent: what is no JSON only where its size has to be known and is not."""
        return _is_json(request) or (self._enforce and _size(request) is None)

    def _begin(self, request: Any, body: bytes) -> Call:
        size = len(body) or _size(request) or 0
        asked = body if _is_json(request) else b""
        call = Call(self._library, self.meter, self.task, self.caller, request.method, asked, size)
        call.begin(enforce=self._enforce)
        return call

    def _outcome(self, error: BaseException) -> Outcome:
        """What is known of a request without a response: never sent, or perhaps answered and charged."""
        return "failed" if isinstance(error, self._library.unsent) else "cut"


class SyncBody:
    """A body that passes on what it is given, as it comes."""

    def __init__(self, wrapped: Iterable[bytes], call: Call) -> None:
        self._wrapped = wrapped
        self._call = call

    def __iter__(self) -> Iterator[bytes]:
        try:
            for data in self._wrapped:
                self._call.watch(data)
                yield data
        except GeneratorExit:
            raise
        except BaseException:
            self._call.finish("cut")
            raise
        self._call.finish("ok")

    def close(self) -> None:
        try:
            self._wrapped.close()  # type: ignore[attr-defined]
        finally:
            self._call.finish("cut")


class AsyncBody:
    """The same for an async client."""

    def __init__(self, wrapped: AsyncIterable[bytes], call: Call) -> None:
        self._wrapped = wrapped
        self._call = call

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for data in self._wrapped:
                self._call.watch(data)
                yield data
        except GeneratorExit:
            raise
        except BaseException:
            await _surely(lambda: self._call.finish("cut"))
            raise
        await _surely(lambda: self._call.finish("ok"))

    async def aclose(self) -> None:
        try:
            await self._wrapped.aclose()  # type: ignore[attr-defined]
        finally:
            await _surely(lambda: self._call.finish("cut"))


async def _surely(write: Callable[[], None]) -> None:
    """Write to the ledger in a thread, even in a task that is being cancelled."""
    with anyio.CancelScope(shield=True):
        await anyio.to_thread.run_sync(write)


@contextmanager
def _marked(request: Any) -> Iterator[None]:
    """While a request is sent on, a transport below this one knows that it is metered. Not longer: clients send the
    same request again, and copy its extensions when they are redirected."""
    before = request.extensions
    request.extensions = {**before, _MARK: True}
    try:
        yield
    finally:
        request.extensions = before


def _size(request: Any) -> int | None:
    """The bytes of a body as its header tells them; None where it does not."""
    told = request.headers.get("content-length", "")
    if told.isascii() and told.isdigit():
        return int(told)
    return None if "transfer-encoding" in request.headers else 0


def _is_json(request: Any) -> bool:
    return "json" in request.headers.get("content-type", "")
