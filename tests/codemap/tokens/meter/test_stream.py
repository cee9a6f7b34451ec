"""Usage in streams, however their bytes are cut."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from codemap.tokens.meter.stream import Events, Gathered, usage_in
from codemap.tokens.meter.values import Usage
from indexer.errors import UsageError

EXPECTED = {
    "openai_chat": Usage(19, 10, 0, None, 0, "openai", "gpt-4o-mini", "chatcmpl-123456789abcdefghij"),
    "openai_responses": Usage(
        37, 11, 5, None, 2, "openai", "gpt-4.1-2025-04-14", "resp_67c9fdcecf488190bdd9a0409de3a1ec07b8b0ad4e5eb654"
    ),
    # 25 fresh + 0 written + 400 read; the 15 of the last event are the total, the 1 of the first is not added.
    "anthropic_message": Usage(
        425, 15, 400, 0, None, "anthropic", "claude-sonnet-4-5-20250929", "msg_01HCDu5LRGeP2o7s2xGmxyx8"
    ),
    "gemini_content": Usage(8, 28, None, None, 22, "gemini", "gemini-2.5-flash", "vBkZaJqSGc6TmtkPq7aP0AY"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_stream_of_each_provider(samples: Path, name: str) -> None:
    assert usage_in((samples / f"{name}.sse").read_bytes()) == EXPECTED[name]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("name", EXPECTED)
def test_it_does_not_matter_where_the_bytes_are_cut(samples: Path, name: str, size: int) -> None:
    data = (samples / f"{name}.sse").read_bytes()
    whole = list(Events().feed(data, last=True))
    events = Events()
    pieces = [event for at in range(0, len(data), size) for event in events.feed(data[at : at + size])]
    assert [*pieces, *events.feed(b"", last=True)] == whole
    assert len(whole) == data.count(b"data:")


def test_lines_of_data_are_joined_and_all_line_ends_are_understood() -> None:
    data = b'\xef\xbb\xbfdata: {"a":\rdata:1}\r\r: comment\n\nevent: x\r\ndata: two\r\n\r\ndata: unfinished'
    assert list(Events().feed(data, last=True)) == [b'{"a":\n1}', b"two", b"unfinished"]


def test_the_whole_response_comes_as_one_chunk_of_each_form() -> None:
    chunk = b'{"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2},"responseId":"r"}'
    expected = Usage(1, 2, provider="gemini", request_id="r")
    for data in (
        chunk,
        b"[" + chunk + b"]",
        chunk + b"\n" + chunk,
        b"data: " + chunk + b"\n\n",
        b"\xef\xbb\xbf" + chunk,
    ):
        assert usage_in(data) == expected


def test_text_is_gathered_once() -> None:
    gathered = Gathered()
    for line in (
        b'{"type":"response.output_text.delta","delta":"Hi"}',
        b'{"type":"response.output_text.done","text":"Hi"}',
        b'{"choices":[{"delta":{"role":"assistant","content":" you"}}]}',
    ):
        gathered.add(orjson.loads(line))
    assert gathered.text() == "Hi you"
    assert gathered.usage() is None


@pytest.mark.parametrize(
    "data", [b"", b"no", b"{}", b"[]", b'{"usage":null}', b"data: no\n\n", b'{"usage":{}}', b"\xff"]
)
def test_what_reports_no_usage_is_refused(data: bytes) -> None:
    with pytest.raises(UsageError):
        usage_in(data)


def test_an_answer_that_nests_without_end_is_read_for_its_usage() -> None:
    """No provider puts text so deep; what is made of an answer must not break who is metered."""
    deep = b'{"content":' * 900 + b'"x"' + b"}" * 900
    found = usage_in(b'{"id":"a","usage":{"prompt_tokens":3,"completion_tokens":2},"choices":[' + deep + b"]}")
    assert (found.input, found.output) == (3, 2)
