"""Calibrations as they are kept, and what is never taken for one."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from codemap.tokens.pieces import CHARACTERS
from codemap.tokens.ratios import FILE, KINDS, Calibration, Ratio, Ratios, Sample, calibrated_estimator
from indexer.errors import NotFoundError, StoreError

ROWS = (Sample("small", "ab" * 32, 240, 75.5, 93),)
MAP, JSON, SOURCE = (
    Ratio(4.0, 4.0, -0.01, 0.1, ROWS),
    Ratio(3.0, 3.0, 0.02, 0.09, ROWS),
    Ratio(6.0, 6.0, 0.0, 0.15, ROWS),
)
PLAIN = Calibration(
    "gpt",
    "2025-01-02T03:04:05Z",
    "c" * 40,
    "https://example.org/v1",
    CHARACTERS,
    11,
    dict(zip(KINDS, (MAP, JSON, SOURCE), strict=True)),
)


def test_what_is_put_is_found_again(tmp_path: Path) -> None:
    ratios = Ratios(str(tmp_path / "new"))
    other = replace(PLAIN, model="other/model:1", commit=None)
    ratios.put(PLAIN)
    ratios.put(other)
    assert ratios.of("gpt") == PLAIN
    assert ratios.of("other/model:1") == other
    assert list(ratios.all()) == ["gpt", "other/model:1"]


def test_a_new_calibration_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    ratios = Ratios(str(tmp_path))
    ratios.put(PLAIN)
    ratios.put(replace(PLAIN, overhead=3))
    assert ratios.of("gpt").overhead == 3


def test_no_ratio_is_guessed_for_another_model(tmp_path: Path) -> None:
    ratios = Ratios(str(tmp_path))
    with pytest.raises(NotFoundError, match="gpt-4 is not calibrated here: run `codemap calibrate --model gpt-4`"):
        ratios.of("gpt-4")
    ratios.put(PLAIN)
    with pytest.raises(NotFoundError) as caught:
        ratios.of("gpt-4")
    assert caught.value.suggestions == ("gpt",)


def test_weights_of_another_version_are_of_no_use(tmp_path: Path) -> None:
    ratios = Ratios(str(tmp_path))
    ratios.put(replace(PLAIN, estimator="pieces-grouped@0"))
    with pytest.raises(NotFoundError, match="another version"):
        ratios.of("gpt")


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"schema": "other"}', '{"schema": "codemap/ratios/1", "models": {"m": {}}}']
)
def test_a_damaged_file_is_said(tmp_path: Path, damage: str) -> None:
    (tmp_path / FILE).write_text(damage)
    with pytest.raises(StoreError, match="remove it and calibrate again"):
        Ratios(str(tmp_path)).all()


def test_a_ratio_that_cannot_be_is_no_ratio(tmp_path: Path) -> None:
    Ratios(str(tmp_path)).put(PLAIN)
    content = json.loads((tmp_path / FILE).read_text())
    content["models"]["gpt"]["ratios"]["map"]["characters_per_token"] = 0
    (tmp_path / FILE).write_text(json.dumps(content))
    with pytest.raises(StoreError):
        Ratios(str(tmp_path)).of("gpt")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="cannot"):
        Ratios(str(tmp_path)).put(PLAIN)


def test_counting_by_characters() -> None:
    assert [PLAIN.counter("map")(text) for text in ("", "x", "x" * 4, "x" * 5, "\U0001f600" * 2)] == [0, 1, 1, 2, 1]
    assert PLAIN.counter("map", "source")("x" * 48) == 10  # 48/4 and 48/6, in equal parts


def test_counting_by_weights() -> None:
    weighed = replace(PLAIN, estimator="pieces-single@1")
    assert weighed.counter("map")("12345678") == 2  # 8 / 4
    assert weighed.counter("json")("12345678") == 3  # 8 / 3


def test_the_measure_says_whose_ratio_it_is_and_how_good() -> None:
    measure = PLAIN.measure("json", "source")
    assert (measure.method, measure.model) == ("calibrated-characters@1", "gpt")
    assert measure.characters_per_token == 4.0  # 1 / ((1/3 + 1/6) / 2)
    assert measure.calibrated_at == "2025-01-02T03:04:05Z"
    assert measure.calibrated_on == "json and source text, checked within 2.0%"
    assert measure.count("x" * 8) == 2


def test_a_mixture_keeps_back_what_its_worst_part_needs() -> None:
    assert (PLAIN.margin("map"), PLAIN.margin("json", "source")) == (0.1, 0.15)


def test_the_estimator_of_a_kind() -> None:
    found = calibrated_estimator(PLAIN, "source")
    assert (found.method, found.model, found.characters_per_token) == ("calibrated-characters@1", "gpt", 6.0)
    assert found.count("x" * 13) == 3
