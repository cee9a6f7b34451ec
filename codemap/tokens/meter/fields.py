"""The fields in which providers report usage, in the meter's terms.

- OpenAI, Chat Completions (also most compatible servers): `prompt_tokens` holds the cached ones, `completion_tokens`
  the reasoning ones. Responses: the same as `input_tokens` and `output_tokens`.
- Anthropic, Messages: `input_tokens` leaves out what was read from or written to the cache; the three make the prompt.
- Gemini, generateContent: `promptTokenCount` holds the cached ones; `thoughtsTokenCount` comes on top of
  `candidatesTokenCount`, and `toolUsePromptTokenCount` on top of the prompt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codemap.tokens.meter.values import Usage
from indexer.errors import UsageError

Object = Mapping[str, Any]

_GEMINI = ("usageMetadata", "usage_metadata")
_WRAPPERS = ("message", "response")  # of streaming events: `message_start`, `response.completed`
_ANTHROPIC_MARKS = ("cache_read_input_tokens", "cache_creation_input_tokens", "cache_creation")
_BARE = ("prompt_tokens", "input_tokens", "output_tokens", "completion_tokens", "promptTokenCount")
MOST = 2**53 - 1
"""The largest count that every reader of JSON keeps exact."""


def usage_of(response: object) -> Usage:
    """The usage in a provider's response: a mapping, or an object of an SDK that gives one.

    Raises UsageError where there is none, or a figure is no count.
    """
    found = find(_mapping(response))
    if found is None or not found.known:
        raise UsageError("no usage in this response: it has neither `usage` nor `usageMetadata`")
    return found


def find(document: Object) -> Usage | None:
    """The usage in a response or in an event of a stream; None where there is none. Raises UsageError."""
    for name in _GEMINI:
        if isinstance(document.get(name), Mapping):
            return _gemini(document, document[name])
    for name in _WRAPPERS:
        inner = document.get(name)
        if isinstance(inner, Mapping) and not isinstance(document.get("usage"), Mapping):
            return find(inner)
    usage = document.get("usage")
    if isinstance(usage, Mapping):
        return _named(document, usage)
    return _named({}, document) if any(name in document for name in _BARE) else None


def _named(document: Object, usage: Object) -> Usage:
    if "prompt_tokens" in usage or "completion_tokens" in usage:
        return _openai(document, usage, "prompt_tokens", "completion_tokens")
    if "promptTokenCount" in usage:
        return _gemini(document, usage)
    if any(name in usage for name in _ANTHROPIC_MARKS) or str(document.get("type", "")).startswith("message"):
        return _anthropic(document, usage)
    return _openai(document, usage, "input_tokens", "output_tokens")


def _openai(document: Object, usage: Object, prompt: str, completion: str) -> Usage:
    read = _part(usage, f"{prompt}_details")
    made = _part(usage, f"{completion}_details")
    cached = count(read, "cached_tokens")
    return Usage(
        input=count(usage, prompt),
        output=count(usage, completion),
        cached=cached if cached is not None else count(usage, "prompt_cache_hit_tokens"),
        cache_write=count(read, "cache_write_tokens"),
        reasoning=count(made, "reasoning_tokens"),
        provider="openai",
        model=_text(document, "model"),
        request_id=_text(document, "id"),
    )


def _anthropic(document: Object, usage: Object) -> Usage:
    fresh = count(usage, "input_tokens")
    read = count(usage, "cache_read_input_tokens")
    written = count(usage, "cache_creation_input_tokens")
    if written is None and isinstance(usage.get("cache_creation"), Mapping):
        parts = usage["cache_creation"]
        written = _sum(*(count(parts, name) for name in parts if name.endswith("_input_tokens")))
    return Usage(
        input=None if fresh is None else _sum(fresh, read, written),
        output=count(usage, "output_tokens"),
        cached=read,
        cache_write=written,
        reasoning=count(_part(usage, "output_tokens_details"), "thinking_tokens"),
        provider="anthropic",
        model=_text(document, "model"),
        request_id=_text(document, "id"),
    )


def _gemini(document: Object, usage: Object) -> Usage:
    def either(camel: str, snake: str) -> int | None:
        return count(usage, camel if camel in usage else snake)

    prompt = either("promptTokenCount", "prompt_token_count")
    tools = either("toolUsePromptTokenCount", "tool_use_prompt_token_count")
    said = either("candidatesTokenCount", "candidates_token_count")
    thought = either("thoughtsTokenCount", "thoughts_token_count")
    total = either("totalTokenCount", "total_token_count")
    read = None if prompt is None else _sum(prompt, tools)
    made = None if said is None else _sum(said, thought)
    if made is None and total is not None and read is not None and total >= read:
        made = total - read  # zero counts are left out of the JSON
    return Usage(
        input=read,
        output=made,
        cached=either("cachedContentTokenCount", "cached_content_token_count"),
        reasoning=thought,
        provider="gemini",
        model=_text(document, "modelVersion") or _text(document, "model_version"),
        request_id=_text(document, "responseId") or _text(document, "response_id"),
    )


def _mapping(response: object) -> Object:
    if isinstance(response, Mapping):
        return response
    for name in ("model_dump", "to_dict"):
        dump = getattr(response, name, None)
        if callable(dump):
            made = dump()
            if isinstance(made, Mapping):
                return made
    raise UsageError(f"a response is a JSON object, not {type(response).__name__}")


def count(usage: Object, name: str) -> int | None:
    """A count by its name; None where it is absent or null. Raises UsageError for what is no count."""
    value = usage.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
        raise UsageError(f"{name} is no count of tokens: {value!r:.40}")
    return value


def _sum(*counts: int | None) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _part(usage: Object, name: str) -> Object:
    part = usage.get(name)
    return part if isinstance(part, Mapping) else {}


def _text(document: Object, name: str) -> str | None:
    value = document.get(name)
    return value if isinstance(value, str) and value else None
