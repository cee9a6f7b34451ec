"""One request on its way through the transport: its row in the ledger, and what its response tells of its usage."""

from __future__ import annotations

import logging
import math
import uuid
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from codemap.tokens.meter import stream
from codemap.tokens.meter.meter import Meter
from codemap.tokens.meter.values import Outcome, Usage
from indexer.errors import CodemapError, UsageError
from queries.tokens import HEURISTIC_RATIO, Measure

FREE = frozenset({"GET", "HEAD", "OPTIONS"})
"""What no provider charges for. Where its response reports usage all the same, as one polled for does, that counts."""
_OUTPUT_LIMITS = ("max_output_tokens", "max_completion_tokens", "max_tokens", "maxOutputTokens")
_log = logging.getLogger("codemap.meter")


class Library(NamedTuple):
    """What `httpx` and `httpx2` name alike and do not share.

    unsent   errors that mean that a request was not sent
    """

    response: Any
    decoding_error: type[Exception]
    unsent: tuple[type[Exception], ...]


class Call:
    """One request: begun before it is sent, finished once."""

    def __init__(
        self, library: Library, meter: Meter, task: str | None, caller: str | None, method: str, body: bytes, size: int
    ) -> None:
        """`body` is that of a request in JSON, else empty; `size` is what is sent, in bytes."""
        self._library = library
        self._meter = meter
        self._task = task
        self._caller = caller
        self._paid = method.upper() not in FREE
        self._asked = _json(body)
        self._sent = size
        self._row = f"call-{uuid.uuid4().hex}"
        self._reservation: str | None = None
        self._gathered = stream.Gathered()
        self._events: stream.Events | None = None
        self._kept: list[bytes] = []
        self._size = 0
        self._readable = True
        self._inflate: Callable[[bytes], bytes] | None = None
        self._response: Any = None
        self._done = False

    def begin(self, *, enforce: bool) -> None:
        """Write down that the request is about to be sent. Raises BudgetStopError, StoreError, BusyError."""
        if not self._paid:
            return
        if enforce and self._task is not None:
            estimated = _estimate_input(self._asked, self._sent)
            self._reservation = self._meter.demand(self._task, estimated, output=self._output_limit()).reservation
        usage = Usage(model=self._model(), request_id=self._row, basis="unknown", outcome="open")
        try:
            self._meter.record(usage, task=self._task, caller=self._caller)
        except BaseException:
            self._give_back()
            raise

    def _give_back(self) -> None:
        """Free what was set aside for a request that is not sent after all."""
        if self._reservation is None:
            return
        try:
            self._meter.release(self._reservation)
        except CodemapError as error:
            _log.warning("what was set aside for a call is held until it runs out: %s", error)

    def answered(self, response: Any, body: object) -> Any:
        """The same response with a body that is watched."""
        self._response = response
        kind = response.headers.get("content-type", "json").lower()
        self._readable = "json" in kind or kind.startswith("text/")  # sound and pictures say nothing of usage
        if kind.startswith("text/event-stream"):
            self._events = stream.Events()
        self._inflate = _inflater(response.headers.get("content-encoding", ""))
        return self._library.response(
            response.status_code, headers=response.headers, stream=body, extensions=response.extensions
        )

    def watch(self, data: bytes) -> None:
        """Read a piece of the body. Never raises: the client's bytes do not depend on what is made of them."""
        if self._done or not self._readable:
            return
        if self._inflate is None or self._events is None:
            self._kept.append(data)
            self._size += len(data)
            self._readable = self._size <= stream.LIMIT
            return
        try:
            self._take(self._events.feed(self._inflate(data)))
        except zlib.error:
            self._readable = False

    def _take(self, events: Iterator[bytes]) -> None:
        for event in events:
            if event.strip() == b"[DONE]":
                self._gathered.ended = True
                continue
            try:
                self._gathered.add(orjson.loads(event))
            except orjson.JSONDecodeError:
                continue  # what is no JSON reports no usage

    def finish(self, outcome: Outcome) -> None:
        """Complete the row of the request; once.

        A ledger that cannot be written now keeps the row as open: the call is there, its tokens unknown, and the client
        gets what it has paid for.
        """
        if self._done:
            return
        self._done = True
        usage = self._usage(outcome)
        self._kept.clear()
        if not self._paid and (usage.basis != "reported" or usage.request_id == self._row):
            return
        under_way = self._row if self._paid else None
        try:
            self._meter.record(
                usage, task=self._task, caller=self._caller, reservation=self._reservation, replaces=under_way
            )
        except CodemapError as error:
            _log.warning("a call stays open in the ledger: %s", error)

    def _usage(self, outcome: Outcome) -> Usage:
        response = self._response
        if response is not None and response.status_code >= 400:
            outcome = "failed"
        self._read_kept()
        try:
            found = self._gathered.usage()
        except UsageError:
            found = None
        if outcome == "cut" and self._gathered.ended:
            outcome = "ok"  # the client closed it after the provider had said its last word
        if found is None:
            found = self._estimated() if outcome != "failed" else self._gathered.identity()
        elif outcome == "cut":
            # A first event may tell the input and that output has begun; what came after it is estimated.
            seen = Measure().count(self._gathered.text())
            found = replace(found, output=max(found.output or 0, seen), basis="estimated")
        return replace(
            found,
            model=found.model or self._model(),
            request_id=found.request_id or self._row,
            outcome=outcome,
        )

    def _read_kept(self) -> None:
        """What could not be read as it came: JSON, and bodies in an encoding that only httpx knows."""
        if not self._readable:
            return
        try:
            if self._events is not None and self._inflate is not None:
                self._take(self._events.feed(b"", last=True))
            elif self._kept and self._response is not None:
                encoding = self._response.headers.get("content-encoding", "")
                data = b"".join(self._kept)
                whole = self._library.response(200, headers={"content-encoding": encoding}, content=data).content
                self._gathered = stream.read(whole)
        except (self._library.decoding_error, orjson.JSONDecodeError):
            return

    def _estimated(self) -> Usage:
        """What a response without usage is likely to have cost; unknown where it holds no generated text."""
        found = self._gathered.identity()
        text = self._gathered.text()
        if not text or not self._paid:
            return found
        return replace(
            found, input=_estimate_input(self._asked, self._sent), output=Measure().count(text), basis="estimated"
        )

    def _model(self) -> str | None:
        model = self._asked.get("model")
        return model if isinstance(model, str) and model else None

    def _output_limit(self) -> int | None:
        asked = self._asked.get("generationConfig")
        for part in (self._asked, asked if isinstance(asked, dict) else {}):
            for name in _OUTPUT_LIMITS:
                if isinstance(part.get(name), int):
                    return int(part[name])
        return None


def _json(body: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _estimate_input(asked: dict[str, Any], size: int) -> int:
    """Tokens of a request by the heuristic: over its JSON, whose names and marks stand for what a chat template adds;
    for any other body over its size in bytes, as if it were text."""
    return Measure().count(orjson.dumps(asked).decode()) if asked else math.ceil(size / HEURISTIC_RATIO)


def _inflater(encoding: str) -> Callable[[bytes], bytes] | None:
    """What undoes a content encoding piece by piece; None where only the whole can be decoded."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return lambda data: data
    if name in ("gzip", "x-gzip"):
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress
    return None
