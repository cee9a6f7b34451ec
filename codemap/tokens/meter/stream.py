"""Usage in a response as it arrives: one JSON document, server-sent events, JSON lines or Gemini's array of chunks.

Server-sent events are read after the WHATWG HTML Standard, section 9.2.6: lines end with CR, LF or CRLF, an empty line
ends an event, several `data` lines are joined by a line feed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from codemap.tokens.meter import fields
from codemap.tokens.meter.values import Usage
from indexer.errors import UsageError

DEPTH = 64
"""Containers within containers that are looked into for generated text."""

LIMIT = 64 << 20  # bytes of a response that are kept until it can be read
_LINE_END = re.compile(rb"\r\n|\n|\r")
_TEXT_KEYS = frozenset({"text", "content", "delta", "arguments", "partial_json", "thinking", "reasoning_content"})
_ENDS = frozenset({"message_stop", "response.completed", "response.incomplete", "response.failed"})


class Events:
    """Splits bytes, however they are cut, into the data of server-sent events."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes, *, last: bool = False) -> Iterator[bytes]:
        """The events that `data` completes; with `last` also one that no empty line ended."""
        text = self._rest + data
        start = 0
        for match in _LINE_END.finditer(text):
            if match.end() == len(text) and match[0] == b"\r" and not last:
                break  # the second half of CRLF may be under way
            yield from self._line(text[start : match.start()])
            start = match.end()
        self._rest = text[start:]
        if len(self._rest) + self._size > LIMIT:
            self._rest, self._data, self._size = b"", [], 0
        if last:
            yield from self._line(self._rest)
            yield from self._line(b"")
            self._rest = b""

    def _line(self, line: bytes) -> Iterator[bytes]:
        if line:
            name, _, value = line.partition(b":")
            if name.removeprefix(b"\xef\xbb\xbf") == b"data":
                self._data.append(value.removeprefix(b" "))
                self._size += len(value)
        elif self._data:
            yield b"\n".join(self._data)
            self._data, self._size = [], 0


class Gathered:
    """What a response has said so far about its usage. Later figures replace earlier ones: they are cumulative."""

    def __init__(self) -> None:
        self._usage: dict[str, Any] = {}
        self._head: dict[str, Any] = {}
        self._key = "usage"
        self.ended = False
        self._texts: list[str] = []

    def add(self, event: object) -> None:
        """Take in an event, a chunk or a whole response."""
        if isinstance(event, list):
            for each in event:
                self.add(each)
        if not isinstance(event, Mapping):
            return
        kind = str(event.get("type", ""))
        self.ended = self.ended or kind in _ENDS or _finished(event.get("candidates"))
        inner: Mapping[str, Any] = event
        if kind == "message_start" or kind.startswith("response."):
            wrapped = event.get("message" if kind == "message_start" else "response")
            inner = wrapped if isinstance(wrapped, Mapping) else event
        for name in ("id", "model", "object", "responseId", "modelVersion"):
            if isinstance(inner.get(name), str) and inner[name]:
                self._head[name] = inner[name]
        if kind == "message_start" or inner.get("type") == "message":
            self._head["type"] = "message"
        for name in ("usage", "usageMetadata"):
            if isinstance(inner.get(name), Mapping):
                self._key = name
                self._usage.update({key: value for key, value in inner[name].items() if value is not None})
        if kind.endswith("delta") or not kind:  # other events of a typed stream repeat what the deltas said
            self._texts.extend(_texts(inner))

    def usage(self) -> Usage | None:
        """The usage reported so far; None where there was none. Raises UsageError for what is no count."""
        if not self._usage:
            return None
        return fields.find({**self._head, self._key: self._usage})

    def identity(self) -> Usage:
        """Id and model of a response that did not report usage."""
        head = self._head
        return Usage(model=head.get("model") or head.get("modelVersion"), request_id=head.get("id"), basis="unknown")

    def text(self) -> str:
        """What the model said, as far as it was seen."""
        return "".join(self._texts)


def read(data: bytes) -> Gathered:
    """A whole response in any of the forms. Raises ValueError for what is none of them."""
    gathered = Gathered()
    text = data.removeprefix(b"\xef\xbb\xbf").strip()
    try:
        gathered.add(orjson.loads(text))
        return gathered
    except orjson.JSONDecodeError:
        pass
    if re.search(rb"^data:", text, re.M):
        for event in Events().feed(text, last=True):
            if event.strip() != b"[DONE]":
                gathered.add(orjson.loads(event))
        return gathered
    for line in text.splitlines():
        if line.strip():
            gathered.add(orjson.loads(line))
    return gathered


def _finished(candidates: object) -> bool:
    """Whether a chunk of Gemini's is the last."""
    found = candidates if isinstance(candidates, list) else []
    return any(isinstance(each, Mapping) and each.get("finishReason") for each in found)


def _texts(value: object, key: str = "", depth: int = DEPTH) -> Iterator[str]:
    """Strings of an answer under the names providers give to generated text, as deep as any provider puts them."""
    if isinstance(value, str):
        if key in _TEXT_KEYS:
            yield value
    elif depth and isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _texts(inner, str(name), depth - 1)
    elif depth and isinstance(value, list):
        for inner in value:
            yield from _texts(inner, key, depth - 1)


def usage_in(data: bytes) -> Usage:
    """The usage in a whole response. Raises UsageError where there is none."""
    try:
        gathered = read(data)
        found = gathered.usage()
        if found is None:
            value = orjson.loads(data.removeprefix(b"\xef\xbb\xbf"))
            found = fields.find(value) if isinstance(value, Mapping) else None
    except orjson.JSONDecodeError as error:
        raise UsageError("this is no response: neither JSON nor the events of a stream that report usage") from error
    if found is None or not found.known:
        raise UsageError("no usage in this response: it has neither `usage` nor `usageMetadata`")
    return found
