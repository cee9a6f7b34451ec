"""Providers' field names, worked out by hand from their documentation."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from codemap.tokens.meter.fields import usage_of
from codemap.tokens.meter.values import Usage
from indexer.errors import UsageError

EXPECTED = {
    # OpenAI: 1,920 of the 2,006 were cached, 128 of the 300 were reasoning.
    "openai_chat": Usage(
        2006, 300, 1920, None, 128, "openai", "gpt-4.1-2025-04-14", "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT"
    ),
    "openai_responses": Usage(
        36, 87, 0, None, 64, "openai", "gpt-5-2025-08-07", "resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b"
    ),
    # Anthropic: 95 fresh + 200 written + 1,800 read make a prompt of 2,095.
    "anthropic_message": Usage(
        2095, 503, 1800, 200, None, "anthropic", "claude-sonnet-4-5-20250929", "msg_01XFDUDYJgAACzvnptvVoYEL"
    ),
    # Gemini: 1,000 + 30 of tools read; 40 said + 100 thought.
    "gemini_content": Usage(1030, 140, 900, None, 100, "gemini", "gemini-2.5-flash", "mAkZaLuDGZ2TmtkP4aqPwAI"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_response_of_each_provider(samples: Path, name: str) -> None:
    assert usage_of(json.loads((samples / f"{name}.json").read_text(encoding="utf-8"))) == EXPECTED[name]


def test_what_is_not_told_is_unknown_and_not_zero() -> None:
    found = usage_of({"usage": {"prompt_tokens": 5, "total_tokens": 5}})  # an embedding
    assert (found.input, found.output, found.cached, found.reasoning) == (5, None, None, None)
    assert usage_of({"usage": {"prompt_tokens": 5, "completion_tokens": 0}}).output == 0


def test_an_object_of_an_sdk_is_as_good_as_its_json() -> None:
    response = SimpleNamespace(model_dump=lambda: {"id": "r", "usage": {"input_tokens": 3, "output_tokens": 4}})
    assert usage_of(response) == Usage(3, 4, provider="openai", request_id="r")


def test_the_names_of_the_python_sdk_of_gemini() -> None:
    found = usage_of(
        {"usage_metadata": {"prompt_token_count": 7, "candidates_token_count": 2, "thoughts_token_count": None}}
    )
    assert (found.input, found.output, found.reasoning) == (7, 2, None)


def test_gemini_leaves_a_count_of_zero_out() -> None:
    found = usage_of({"usageMetadata": {"promptTokenCount": 10, "totalTokenCount": 110, "thoughtsTokenCount": 100}})
    assert (found.input, found.output, found.reasoning) == (10, 100, 100)


def test_cache_writes_by_duration_are_added_where_the_sum_is_missing() -> None:
    parts = {"ephemeral_5m_input_tokens": 30, "ephemeral_1h_input_tokens": 12}
    found = usage_of({"usage": {"input_tokens": 1, "output_tokens": 2, "cache_creation": parts}})
    assert (found.input, found.cache_write) == (43, 42)


def test_a_usage_object_alone() -> None:
    assert usage_of({"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 10}).input == 11


@pytest.mark.parametrize("value", [-1, 1.5, True, "12", 2**53])
def test_what_is_no_count_is_refused(value: Any) -> None:
    with pytest.raises(UsageError, match="prompt_tokens is no count"):
        usage_of({"usage": {"prompt_tokens": value, "completion_tokens": 1}})


@pytest.mark.parametrize("value", [{}, {"usage": None}, {"choices": []}, [], "text", 7])
def test_a_response_without_usage_is_refused(value: Any) -> None:
    with pytest.raises(UsageError):
        usage_of(value)
