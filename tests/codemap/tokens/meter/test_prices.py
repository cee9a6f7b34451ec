"""Prices from the environment."""

from __future__ import annotations

from decimal import Decimal

import pytest

from codemap.tokens.meter.prices import cost, price, priced, variable
from codemap.tokens.meter.values import Usage
from indexer.errors import UsageError

ALL = {
    "CODEMAP_PRICE_M_1_INPUT": "3",
    "CODEMAP_PRICE_M_1_OUTPUT": "15",
    "CODEMAP_PRICE_M_1_CACHED": "0.30",
    "CODEMAP_PRICE_M_1_CACHE_WRITE": "3.75",
}


def test_a_variable_is_the_name_of_the_model_in_capitals() -> None:
    assert variable("gpt-4.1-mini", "cache_write") == "CODEMAP_PRICE_GPT_4_1_MINI_CACHE_WRITE"
    assert variable("qwen/qwen3:8b", "input") == "CODEMAP_PRICE_QWEN_QWEN3_8B_INPUT"
    assert variable(None, "input") == "CODEMAP_PRICE_INPUT"


def test_a_cost_by_hand() -> None:
    # 95 fresh x 3 + 1,800 read x 0.30 + 200 written x 3.75 + 503 x 15 = 285 + 540 + 750 + 7,545 = 9,120 millionths
    assert cost(Usage(2095, 503, 1800, 200), "m-1", ALL) == 9_120_000


def test_parts_without_a_price_cost_what_the_whole_does() -> None:
    found = {"CODEMAP_PRICE_INPUT": "2", "CODEMAP_PRICE_OUTPUT": "8"}
    assert cost(Usage(1000, 100, 900, 50, 60), "m-1", found) == (1000 * 2 + 100 * 8) * 1000


def test_reasoning_may_have_a_price_of_its_own() -> None:
    found = {"CODEMAP_PRICE_OUTPUT": "8", "CODEMAP_PRICE_REASONING": "10"}
    assert cost(Usage(0, 100, reasoning=60), None, found) == (40 * 8 + 60 * 10) * 1000


def test_a_price_of_the_model_comes_before_one_for_all() -> None:
    found = {"CODEMAP_PRICE_M_INPUT": "5", "CODEMAP_PRICE_CACHED": "1", "CODEMAP_PRICE_INPUT": "9"}
    assert price("m", "cached", found) == Decimal(5)
    assert price("other", "cached", found) == Decimal(1)


def test_without_prices_the_cost_is_zero_and_no_model_is_priced() -> None:
    assert cost(Usage(1000, 1000), "m", {}) == 0
    assert not priced("m", {})
    assert priced("m", {"CODEMAP_PRICE_M_OUTPUT": "0"})


def test_an_unknown_count_that_has_a_price_makes_the_cost_unknown() -> None:
    assert cost(Usage(None, 10), "m-1", ALL) is None
    assert cost(Usage(None, 10), "m", {"CODEMAP_PRICE_OUTPUT": "1"}) == 10_000


@pytest.mark.parametrize("text", ["free", "-1", "NaN", "Infinity", "1e30", "1,5"])
def test_what_is_no_price_is_named(text: str) -> None:
    with pytest.raises(UsageError, match="CODEMAP_PRICE_INPUT is no price"):
        price("m", "input", {"CODEMAP_PRICE_INPUT": text})
