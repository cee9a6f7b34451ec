"""Sums, orders and scenarios, with a counter of one token a letter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codemap.tokens.encodings import Estimator, TokenizationLimitError, estimator
from codemap.tokens.estimate import Contributor, Request, Scenario, estimate
from codemap.tokens.estimate_inputs import RefusedError

LETTERS = Estimator("letters", {}, len)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path.resolve()
    for name, text in {"a": "xx", "b": "xxxxx", "c": "xx", "d": "\U0001f600x"}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_the_dearest_comes_first_then_the_longest_then_the_earliest(root: Path) -> None:
    found = estimate(Request(["c", "a", "d", "b"], str(root)), LETTERS)
    assert found.contributors == (
        Contributor(4, "file", 5, 5, 5),
        Contributor(3, "file", 5, 3, 2),
        Contributor(1, "file", 2, 2, 2),
        Contributor(2, "file", 2, 2, 2),
    )
    assert found.tokens == 11


@pytest.mark.parametrize(("limit", "shown"), [(0, 0), (1, 1), (3, 3), (64, 3)])
def test_a_limit_hides_rows_and_changes_no_sum(root: Path, limit: int, shown: int) -> None:
    found = estimate(Request(["a", "b", "c"], str(root), limit=limit), LETTERS)
    assert (len(found.shown), len(found.hidden), found.tokens) == (shown, 3 - shown, 9)


def test_inputs_are_rounded_up_one_by_one(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    (folder / "a").write_text("x")
    (folder / "b").write_text("y")
    assert estimate(Request(["a", "b"], str(folder)), estimator("heuristic")).tokens == 2


def test_a_scenario_multiplies(root: Path) -> None:
    found = estimate(Request(["b"], str(root), calls=1000, output_budget=300), LETTERS)
    assert found.scenario == Scenario(5000, 300_000, 305_000)


def test_an_output_budget_of_zero_is_known_and_an_absent_one_is_not(root: Path) -> None:
    assert estimate(Request(["b"], str(root), calls=2, output_budget=0), LETTERS).scenario == Scenario(10, 0, 10)
    assert estimate(Request(["b"], str(root), calls=2), LETTERS).scenario == Scenario(None, None, None)


def test_a_text_that_cannot_be_counted_is_refused_by_its_ordinal(root: Path) -> None:
    def count(text: str) -> int:
        if len(text) > 3:
            raise TokenizationLimitError
        return len(text)

    with pytest.raises(RefusedError, match="input 2 was refused: tokenization_limit"):
        estimate(Request(["a", "b"], str(root)), Estimator("short", {}, count))


@pytest.mark.parametrize(
    "fields",
    [
        {"inputs": []},
        {"inputs": [f"f{i}" for i in range(65)]},
        {"inputs": [None, None]},
        {"calls": 0},
        {"calls": 1_000_001},
        {"output_budget": -1},
        {"output_budget": 1_000_000_001},
        {"limit": -1},
        {"limit": 65},
    ],
)
def test_a_request_beyond_a_limit_is_no_request(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each has words of its own
        Request(**{"inputs": ["a"], **fields})


def test_a_request_at_its_limits_is_one() -> None:
    Request([f"f{i}" for i in range(63)] + [None], calls=1_000_000, output_budget=1_000_000_000, limit=64)
