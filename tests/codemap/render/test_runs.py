"""What a run says, and a comparison with a map built from nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from codemap.render import runs
from indexer.pipeline.report import Report
from indexer.pipeline.verification import Verification

Validate = Callable[[str, object], None]

REPORT = Report(
    files=12, symbols=1068, edges=1, skipped=0, extracted=10, relinked=3, removed=1, seconds=0.5, unchanged=False,
    rebuilt=True, relink_reasons={}, messages=("set aside a damaged map",), stages={"extract": 0.25},
)  # fmt: skip


def test_one_line_about_a_run() -> None:
    assert runs.text_report(REPORT) == (
        "12 files, 1,068 symbols, 1 edge; 10 parsed, 3 linked, 1 removed in 0.50 s, 20 files/s\n"
    )
    idle = replace(REPORT, unchanged=True, skipped=2)
    assert runs.text_report(idle) == "12 files, 1,068 symbols, 1 edge; 2 skipped; nothing changed, 0.50 s\n"


def test_a_run_as_json(validate: Validate) -> None:
    shown = json.loads(runs.json_report(REPORT))
    validate("report", shown)
    assert shown["messages"] == ["set aside a damaged map"]


def test_a_map_that_equals_a_clean_one(validate: Validate) -> None:
    found = Verification((), {"files": 3, "symbols": 1200}, REPORT, 0.25)
    assert runs.text_verification(found) == ("the map equals one built from nothing: 1,203 rows compared in 0.25 s\n")
    validate("verification", json.loads(runs.json_verification(found)))


def test_a_map_that_differs(validate: Validate) -> None:
    found = Verification(("edges: only in the map: ('a\x1b',)",), {"edges": 1}, REPORT, 0.25)
    assert runs.text_verification(found) == (
        "1 row compared in 0.25 s; these differ:\nedges: only in the map: ('a\\x1b',)\n"
    )
    shown = json.loads(runs.json_verification(found))
    validate("verification", shown)
    assert shown["equal"] is False
