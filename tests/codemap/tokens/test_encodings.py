"""Counts worked out by hand, and those that tokenizers are known for."""

from __future__ import annotations

import sys

import pytest

from codemap.tokens import encodings
from codemap.tokens.encodings import EncodingUnavailableError, TokenizationLimitError, estimator, heuristic, units

EXACT = pytest.mark.skipif(
    __import__("importlib.util").util.find_spec("bpe_openai") is None, reason="the extra `exact` is not installed"
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("x" * 13, 4), ("\U0001f600" * 2, 1), ("\U0001f600" * 2 + "a", 2)],
)
def test_the_heuristic_is_a_quarter_of_the_utf16_units_rounded_up(text: str, tokens: int) -> None:
    assert heuristic(text) == tokens
    assert estimator("heuristic").count(text) == tokens


def test_units_are_those_of_utf16() -> None:
    assert [units(text) for text in ("", "ab", "é", "漢", "\U0001f600", "\ufeff")] == [0, 2, 1, 1, 2, 1]


def test_the_heuristic_is_named_with_its_version() -> None:
    assert estimator("heuristic").method == "utf16-ceil-div4@1"


@EXACT
@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
def test_hello_world_is_three_tokens(encoding: str) -> None:
    found = estimator(encoding)
    assert found.count("Hello world!") == 3
    assert found.method == encoding
    assert found.versions.keys() == {"bpe-openai"}


@EXACT
@pytest.mark.parametrize("text", ["<|endoftext|>", "<|im_start|>", "<|fim_prefix|>"])
@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
def test_what_looks_like_a_special_token_is_plain_text(encoding: str, text: str) -> None:
    assert estimator(encoding).count(text) > 1


@EXACT
def test_work_is_bounded_and_nothing_takes_the_place_of_an_encoding() -> None:
    found = estimator("o200k_base")
    assert found.count("\x01" * encodings.TOKEN_LIMIT) == encodings.TOKEN_LIMIT
    with pytest.raises(TokenizationLimitError):
        found.count("\x01" * (encodings.TOKEN_LIMIT + 1))


@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
def test_an_encoding_that_is_not_installed_is_unavailable(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bpe_openai", None)
    with pytest.raises(EncodingUnavailableError):
        estimator(encoding)


def test_an_unknown_encoding_is_unavailable() -> None:
    with pytest.raises(EncodingUnavailableError):
        estimator("p50k_base")
