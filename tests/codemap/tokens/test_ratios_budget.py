"""What a budget keeps back, and that an answer says the budget that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codemap import CodeMap
from codemap.tokens.calibrate import calibrate
from codemap.tokens.ratios import KINDS, Calibration
from codemap.tokens.ratios_budget import kinds_of, needed, within
from codemap.tokens.samples import Samples
from indexer.errors import BudgetTooSmallError, NotFoundError

FOUR = calibrate(
    "four", dict.fromkeys(KINDS, Samples("x" * 240, "x" * 24_000, "x" * 12_000)), lambda text: 11 + len(text) // 4
)


@pytest.fixture
def shop_map(tmp_path: Path, repository: Callable[[Path], None]) -> Iterator[CodeMap]:
    folder = tmp_path / "shop"
    repository(folder)
    with CodeMap.open(folder) as code_map:
        code_map.ratios.put(FOUR)
        yield code_map


def test_the_share_and_the_overhead_are_kept_back() -> None:
    assert within(FOUR, ("map",), 4000) == 3626  # (4000 - 11) / 1.1
    assert within(FOUR, ("json",), 4000) == 3693  # / 1.08
    assert within(FOUR, ("map", "source"), 4000) == 3561  # / 1.12
    assert within(FOUR, ("map",), 5) == 0


@pytest.mark.parametrize("kinds", [("map",), ("json",), ("source",)])
def test_the_least_budget_is_enough_and_one_less_is_not(kinds: tuple[str, ...]) -> None:
    for estimate in range(1, 500, 7):
        least = needed(FOUR, kinds, estimate)
        assert within(FOUR, kinds, least) >= estimate > within(FOUR, kinds, least - 1)


@pytest.mark.parametrize(
    ("form", "bodies", "kinds"),
    [("text", False, ("map",)), ("json", False, ("json",)), ("text", True, ("map", "source"))],
)
def test_the_kinds_of_an_answer(form: str, bodies: bool, kinds: tuple[str, ...]) -> None:
    assert kinds_of(form, include_bodies=bodies) == kinds


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_answer_for_a_model_holds_the_budget_as_its_provider_counts(shop_map: CodeMap, form: str) -> None:
    answer = shop_map.subgraph("login session", budget=400, form=form, model="four")  # type: ignore[arg-type]
    text = shop_map.render(answer, form)  # type: ignore[arg-type]
    assert (answer.tokens.budget, answer.tokens.model) == (400, "four")
    assert answer.tokens.estimate == -(-len(text) // 4)
    assert 200 < 11 + len(text) // 4 <= 400
    assert ("400" if form == "json" else " of 400 (calibrated-characters@1 for four)") in text


def test_a_budget_that_holds_nothing_names_one_that_does(shop_map: CodeMap) -> None:
    with pytest.raises(BudgetTooSmallError) as caught:
        shop_map.subgraph("login", budget=20, model="four")
    shop_map.subgraph("login", budget=caught.value.smallest, model="four")


def test_a_model_that_is_not_calibrated_is_an_error(shop_map: CodeMap) -> None:
    with pytest.raises(NotFoundError, match="five is not calibrated here"):
        shop_map.subgraph("login", model="five")


def test_the_ratio_belongs_to_one_model(shop_map: CodeMap) -> None:
    found: Calibration = shop_map.ratios.of("four")
    assert found == FOUR
    assert shop_map.subgraph("login").tokens.model is None
