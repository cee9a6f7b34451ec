"""Sums and their forms, on a ledger small enough to add up by hand."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import pytest

from codemap.tokens.meter import render
from codemap.tokens.meter.meter import Meter
from codemap.tokens.meter.plot import svg
from codemap.tokens.meter.values import Usage
from indexer.errors import UsageError

NOW = 1_772_366_400.0  # 2026-03-01T12:00:00Z
DAY = 86_400.0


@pytest.fixture
def filled(meter: Meter, monkeypatch: pytest.MonkeyPatch) -> Meter:
    monkeypatch.setattr("time.time", lambda: NOW)
    monkeypatch.setenv("CODEMAP_PRICE_A_1_INPUT", "2")
    monkeypatch.setenv("CODEMAP_PRICE_A_1_OUTPUT", "10")
    meter.record(Usage(1000, 100, 900, 50, 40, model="a-1", request_id="1"), task="x", caller="me", at=NOW - DAY)
    meter.record(Usage(500, 20, model="a-1", request_id="2"), task="x", caller="ci")
    meter.record(Usage(4000, None, model="b", request_id="3", basis="estimated"), task="y")
    meter.record(Usage(model="b", request_id="4", outcome="open", basis="unknown"))
    return meter


def test_by_task(filled: Meter) -> None:
    found = filled.report()
    y, x, none = found.rows  # most input first; what is not known last
    assert (y.key, y.calls, y.estimated, y.sums["input"], y.sums["output"], y.unknown["output"]) == (
        "y",
        1,
        1,
        4000,
        None,
        1,
    )
    assert (x.key, x.calls, x.sums["input"], x.sums["output"], x.sums["cached"]) == ("x", 2, 1500, 120, 900)
    assert x.unknown == {"input": 0, "output": 0, "cached": 1, "cache_write": 1, "reasoning": 1, "cost": 0}
    assert x.sums["cost"] == (1500 * 2 + 120 * 10) * 1000
    assert (none.key, none.sums["input"], none.unfinished) == (None, None, 1)
    assert (found.total.calls, found.total.sums["input"], found.total.unknown["input"]) == (4, 5500, 1)
    assert found.unpriced == ("b",)
    assert found.since == "2025-12-02"


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("model", [("b", 2), ("a-1", 2)]),
        ("caller", [(None, 2), ("me", 1), ("ci", 1)]),
        ("day", [("2026-02-28", 1), ("2026-03-01", 3)]),
    ],
)
def test_by_other_keys(filled: Meter, by: str, expected: list[tuple[str | None, int]]) -> None:
    assert [(row.key, row.calls) for row in filled.report(by).rows] == expected


def test_part_of_it(filled: Meter) -> None:
    assert filled.report(since="2026-03-01").total.calls == 3
    assert filled.report(task="x").total.calls == 2
    assert filled.report(since="2000-01-01").since == "2025-12-02"
    with pytest.raises(UsageError, match="2025-01-31"):
        filled.report(since="yesterday")
    with pytest.raises(UsageError, match="task, model, caller or day"):
        filled.report("request_id; DROP TABLE requests")


def test_the_table(filled: Meter) -> None:
    assert render.text_report(filled.report()).splitlines() == [
        "task    calls    input  output  cached  cache write  reasoning    cost",
        "y           1    4,000       ?       ?            ?          ?    0.00",
        "x           2    1,500     120   900+?         50+?       40+?  0.0042",
        "(none)      1        ?       ?       ?            ?          ?    0.00",
        "all         4  5,500+?   120+?   900+?         50+?       40+?  0.0042",
        "cached and cache write are parts of input, reasoning of output; since 2025-12-02",
        "estimated and not reported: 1 call",
        "failed, cut short or still open: 1 call",
        "+? marks sums that lack calls whose tokens are not known",
        "no price is set for: b; calls recorded without one cost zero",
    ]


def test_json_and_csv(filled: Meter, validate: Callable[[str, object], None]) -> None:
    answer = json.loads(render.json_report(filled.report()))
    validate("meter-report", answer)
    assert answer["rows"][1]["cost"] == "0.0042"
    assert answer["rows"][2]["input"] is None
    rows = list(csv.DictReader(io.StringIO(render.csv_report(filled.report()))))
    assert [row["task"] for row in rows] == ["y", "x", ""]
    assert (rows[0]["input"], rows[0]["output"], rows[0]["output_unknown"]) == ("4000", "", "1")


def test_an_empty_ledger(meter: Meter, validate: Callable[[str, object], None]) -> None:
    found = meter.report()
    assert render.text_report(found).startswith("no calls are recorded since ")
    validate("meter-report", json.loads(render.json_report(found)))
    validate("meter-map", json.loads(render.json_map(meter.map_report())))
    assert len(render.csv_report(found).splitlines()) == 1
    ElementTree.fromstring(svg(found))


def test_the_plot_has_bars_to_scale(filled: Meter) -> None:
    filled.record(Usage(2000, 10, request_id="<&>"), task='<b "1">\x1b')
    root = ElementTree.fromstring(svg(filled.report()))
    name = "{http://www.w3.org/2000/svg}"
    bars = [float(bar.get("width", "0")) for bar in root.iter(f"{name}rect") if bar.get("fill") == "#3465a4"]
    assert bars == [260.0, 130.0, 97.5]  # of 4,000, 2,000 and 1,500
    words = [text.text for text in root.iter(f"{name}text")]
    assert '<b "1">\\x1b' in words
    assert words.count("not known") == 3  # input of one row, output of two


@pytest.mark.parametrize(
    ("billionths", "shown"), [(0, "0.00"), (4_200_000, "0.0042"), (1_500_000_000, "1.50"), (1, "0.000000001")]
)
def test_money(billionths: int, shown: str) -> None:
    assert render.money(billionths) == shown


def test_no_name_is_a_formula_or_moves_a_cursor(meter: Meter) -> None:
    meter.record(Usage(1, 1), task="=1+1")
    meter.record(Usage(1, 1), task="a\x1b[2J")
    assert "'=1+1" in render.csv_report(meter.report())
    assert "\x1b" not in render.csv_report(meter.report()) + render.text_report(meter.report())


def test_answers_of_the_map(meter: Meter, validate: Callable[[str, object], None]) -> None:
    meter.record_answer("subgraph", answer_tokens=100, file_tokens=1000, files=2, method="m", task="x")
    meter.record_answer("subgraph", answer_tokens=50, file_tokens=20, files=1, method="m", missing=1, task="x")
    meter.record_answer("callers", answer_tokens=7, file_tokens=5, files=1, method="other", task="x")
    m, other = meter.map_report().rows
    assert (m.method, m.answers, m.answer_tokens, m.file_tokens, m.saved) == ("m", 2, 150, 1020, 870)
    assert (other.method, other.saved) == ("other", -2)
    assert [row.key for row in meter.map_report("command").rows] == ["callers", "subgraph"]
    answer = json.loads(render.json_map(meter.map_report()))
    validate("meter-map", answer)
    assert answer["rows"][1]["saved"] == -2
    assert render.text_map(meter.map_report()).splitlines()[-1] == "1 file could not be read and stand in no sum"
    assert render.csv_map(meter.map_report()).splitlines()[1] == "x,m,2,150,3,1020,1,870"
