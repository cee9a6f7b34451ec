"""Usage from the session logs of coding agents: one file and one session that the caller names, nothing is looked for.

Codex writes `rollout-*.jsonl`: a line `session_meta` with the session's id, `turn_context` with the model, and after
each answer an `event_msg` of type `token_count` with the figures of that answer and the running total. Claude Code
writes a line for each part of an answer, with the message's id and its figures so far. Neither format is published;
what a file does not tell is said in `notes`, and lines that tell nothing of tokens are passed over.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import orjson

from codemap.tokens.meter import fields
from codemap.tokens.meter.values import COUNTS, Usage
from indexer.errors import AmbiguousError, NotFoundError, UsageError

Agent = Literal["codex", "claude"]
Figures = tuple[int | None, int | None, int | None, int | None, int | None]
"""In the order of COUNTS."""

LONGEST_LINE = 64 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Session:
    """The calls of one session, each with its time in seconds since 1970, and what the file does not tell."""

    agent: Agent
    session: str
    calls: tuple[tuple[Usage, float], ...]
    notes: tuple[str, ...]


@dataclass
class _Lines:
    """The JSON objects of a file, with their line numbers; counts what is none."""

    path: Path
    broken: int = 0
    cut: bool = False
    total: int = field(default=0)

    def __iter__(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        if not stat.S_ISREG(self.path.stat().st_mode):  # before it is opened: a FIFO would wait for a writer
            raise UsageError(f"{self.path} is no regular file")
        with open(self.path, "rb") as file:
            number = 0
            while line := file.readline(LONGEST_LINE + 1):
                number += 1
                self.total = number
                if len(line) > LONGEST_LINE:
                    raise UsageError(f"line {number} of {self.path} is longer than {LONGEST_LINE >> 20} MB")
                if not line.strip():
                    continue
                try:
                    value = orjson.loads(line)
                except orjson.JSONDecodeError:
                    self.cut = not line.endswith(b"\n")
                    self.broken += not self.cut
                    continue
                if isinstance(value, dict):
                    yield number, value
                else:
                    self.broken += 1

    def notes(self) -> list[str]:
        found = [f"{_times(self.broken, 'line')} could not be read"] if self.broken else []
        if self.cut:
            found.append("the last line is cut off: the session may still be running, import it again when it is done")
        return found


def codex(path: Path, session: str) -> Session:
    """The calls of a Codex rollout. Raises UsageError, NotFoundError where the file is of another session."""
    lines = _Lines(path)
    found = _Rollout(session)
    for number, line in lines:
        found.take(number, line)
    if found.session is None:
        raise UsageError(f"{path} is no rollout of Codex: no line says which session it is of")
    return Session("codex", session, tuple(found.calls), (*lines.notes(), *found.notes()))


class _Rollout:
    """Reads the lines of a rollout in order."""

    def __init__(self, session: str) -> None:
        self.session: str | None = None
        self.calls: list[tuple[Usage, float]] = []
        self._wanted = session
        self._model: str | None = None
        self._total: Figures | None = None
        self._silent = self._undated = self._nameless = self._odd = 0
        self._forked = False

    def take(self, number: int, line: Mapping[str, Any]) -> None:
        payload = line.get("payload")
        body: Mapping[str, Any] = payload if isinstance(payload, Mapping) else line
        kind = line.get("type")
        if self.session is None and (kind == "session_meta" or (kind is None and "instructions" in line)):
            self._begin(body)
        elif kind == "turn_context" and isinstance(body.get("model"), str):
            self._model = body["model"]
        elif kind == "event_msg" and body.get("type") == "token_count":
            self._count(number, line, body.get("info"))

    def _begin(self, meta: Mapping[str, Any]) -> None:
        name = meta.get("id") or meta.get("session_id")
        if not isinstance(name, str):
            return
        if name != self._wanted:
            raise NotFoundError(f"the file is of session {name}, not {self._wanted}", (name,))
        self.session = name
        self._forked = bool(meta.get("forked_from_id"))

    def _count(self, number: int, line: Mapping[str, Any], info: object) -> None:
        if not isinstance(info, Mapping):
            self._silent += 1
            return
        try:
            total, last = _codex_figures(info.get("total_token_usage")), _codex_figures(info.get("last_token_usage"))
        except UsageError:
            self._odd += 1
            return
        if total is not None and total == self._total:
            return  # the same event again: Codex repeats it when only the rate limits changed
        if last is None and total is not None:
            last = _difference(total, self._total)
        self._total = total
        at = _time(line.get("timestamp"))
        if last is None or at is None:
            self._silent += last is None
            self._undated += last is not None
            return
        self._nameless += self._model is None
        read, made, cached, written, thought = last
        usage = Usage(
            input=read,
            output=made,
            cached=cached,
            cache_write=written,
            reasoning=thought,
            provider="openai",
            model=self._model,
            request_id=f"codex:{self._wanted}:{number}",
        )
        self.calls.append((usage, at))

    def notes(self) -> list[str]:
        said = {
            "bore no figures": self._silent,
            "bore no time and were left out": self._undated,
            "bore figures that are no counts and were left out": self._odd,
            "do not name their model": self._nameless,
        }
        found = [f"{_times(number, 'event')} {what}" for what, number in said.items() if number]
        if self._forked:
            found.append("the session was forked: calls copied from the one before it are counted in both")
        if self._total is not None:
            found.extend(self._missing(self._total))
        return found

    def _missing(self, total: Figures) -> Iterator[str]:
        for index, name in enumerate(COUNTS[:2]):
            sum_ = sum(getattr(usage, name) or 0 for usage, _ in self.calls)
            if total[index] is not None and total[index] != sum_:
                yield f"the session's own total of {name} is {total[index]:,}, its events add up to {sum_:,}"


def claude(path: Path, session: str | None) -> Session:
    """The calls of a Claude Code session. Raises UsageError; AmbiguousError where the file holds several sessions."""
    lines = _Lines(path)
    calls: dict[str, tuple[Usage, float]] = {}
    sessions: dict[str, None] = {}
    odd = undated = nameless = 0
    for number, line in lines:
        message = line.get("message")
        name = line.get("sessionId")
        if isinstance(name, str):
            sessions[name] = None
        if line.get("type") != "assistant" or not isinstance(message, Mapping) or session not in (None, name):
            continue
        if message.get("model") == "<synthetic>" or not isinstance(message.get("usage"), Mapping):
            continue  # what Claude Code says itself
        at = _time(line.get("timestamp"))
        try:
            usage = fields.find({**message, "type": "message"})
        except UsageError:
            odd += 1
            continue
        if usage is None or at is None:
            undated += 1
            continue
        key = usage.request_id or line.get("requestId")
        if not isinstance(key, str):
            nameless += 1
            key = f"claude:{name}:{number}"
        ended = message.get("stop_reason") is not None
        usage = replace(usage, request_id=key, outcome="ok" if ended else "cut")
        calls[key] = (_further(calls[key][0], usage), calls[key][1]) if key in calls else (usage, at)
    chosen = _chosen(path, session, tuple(sessions))
    open_ = sum(usage.outcome == "cut" for usage, _ in calls.values())
    said = {
        "bore no time and were left out": undated,
        "bore figures that are no counts and were left out": odd,
        "bore no id: only their place in the file tells them apart": nameless,
        "have no end in the file: their output may be more than it says": open_,
    }
    notes = [f"{_times(number, 'answer')} {what}" for what, number in said.items() if number]
    notes.append("agents that the session started write files of their own, which are not in this import")
    return Session("claude", chosen, tuple(calls.values()), (*lines.notes(), *notes))


def _chosen(path: Path, session: str | None, sessions: tuple[str, ...]) -> str:
    if not sessions:
        raise UsageError(f"{path} is no session of Claude Code: no line bears a sessionId")
    if session is None:
        if len(sessions) > 1:
            raise AmbiguousError(f"{path} holds {len(sessions)} sessions: choose one with --session", sessions)
        return sessions[0]
    if session not in sessions:
        raise NotFoundError(f"{path} does not hold session {session}", sessions)
    return session


def _further(one: Usage, other: Usage) -> Usage:
    """Two states of the same answer as one: the figures only grow while it is written."""

    def larger(a: int | None, b: int | None) -> int | None:
        return max((n for n in (a, b) if n is not None), default=None)

    return replace(
        other,
        input=larger(one.input, other.input),
        output=larger(one.output, other.output),
        cached=larger(one.cached, other.cached),
        cache_write=larger(one.cache_write, other.cache_write),
        reasoning=larger(one.reasoning, other.reasoning),
        outcome="ok" if "ok" in (one.outcome, other.outcome) else "cut",
    )


def _codex_figures(usage: object) -> Figures | None:
    """Codex's figures: its input holds the cached ones, its output the reasoning ones."""
    if not isinstance(usage, Mapping) or "input_tokens" not in usage:
        return None
    return (
        fields.count(usage, "input_tokens"),
        fields.count(usage, "output_tokens"),
        fields.count(usage, "cached_input_tokens"),
        fields.count(usage, "cache_write_input_tokens"),
        fields.count(usage, "reasoning_output_tokens"),
    )


def _difference(total: Figures, before: Figures | None) -> Figures | None:
    """What an event added to the running total; None where the total fell."""
    if before is None:
        return total
    a, b, c, d, e = (None if n is None else n - (old or 0) for n, old in zip(total, before, strict=True))
    found = (a, b, c, d, e)
    return None if any(n is not None and n < 0 for n in found) else found


def _time(text: object) -> float | None:
    if not isinstance(text, str):
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).timestamp()


def _times(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"
