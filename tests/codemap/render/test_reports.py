"""What status says."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from codemap.render import reports
from queries.answers import Staleness
from queries.status import References, Status
from queries.tokens import Measure

Validate = Callable[[str, object], None]

STATUS = Status(
    languages={"python": 2, "typescript": 1},
    files=3,
    lines=1200,
    source_bytes=40_000,
    symbols={"function": 10, "class": 2},
    edges={"contains": 12, "calls": 7},
    references=References(50, 10, 30, 10, {"receiver unknown": 8, "no such name": 2}),
    broken=("a.py",),
    noted=(("b.py", "decoded as latin-1"),),
    skipped=(("c\x1b.min.js", "minified"),),
)
PLACE = reports.Place("/src", "/src/.git/codemap/map.db", 2_500_000, 9_000_000)


def test_status_adds_up(fresh: Staleness, measure: Measure) -> None:
    rows = reports.text_status(STATUS, PLACE, fresh, measure).splitlines()
    assert rows[:12] == [
        "sources: /src",
        "map file: /src/.git/codemap/map.db (2.5 MB; the source is 40.0 kB, the cache of facts 9.0 MB)",
        "files: 3 with 1,200 lines (python 2, typescript 1)",
        "symbols: 12 (function 10, class 2)",
        "edges: 19 (contains 12, calls 7)",
        "names used: 100",
        "  resolved: 50 (50.0%)",
        "  candidate: 10 (10.0%)",
        "  external: 30 (30.0%)",
        "  unresolved: 10 (10.0%)",
        "    receiver unknown: 8",
        "    no such name: 2",
    ]
    assert "skipped: 1 file; --skipped lists them" in rows


def test_rare_reasons_are_summed_up(fresh: Staleness, measure: Measure) -> None:
    reasons = {f"reason {number}": 20 - number for number in range(15)}
    many = replace(STATUS, references=References(0, 0, 0, sum(reasons.values()), reasons))
    rows = reports.text_status(many, PLACE, fresh, measure).splitlines()
    assert "    reason 11: 9" in rows
    assert "    3 other reasons: 21" in rows  # 8 + 7 + 6


def test_status_as_json(stale: Staleness, measure: Measure, validate: Validate) -> None:
    text = reports.json_status(STATUS, PLACE, stale, measure)
    shown = json.loads(text)
    validate("status", shown)
    assert shown["tokens"]["estimate"] == measure.count(text)


def test_skipped_files_are_listed_with_their_reason() -> None:
    assert reports.text_skipped(STATUS) == "c\\x1b.min.js: minified\n"
    assert reports.text_skipped(replace(STATUS, skipped=())) == "nothing was skipped\n"
