"""Lines of a watch."""

from __future__ import annotations

import json

from codemap.render import watch
from codemap.watch.events import Event
from indexer.pipeline.report import Report
from tests.codemap.conftest import Validate

REPORT = Report(12, 68, 92, 0, 2, 5, 1, 0.2109, False, False, {}, ())


def test_text_is_a_line() -> None:
    assert watch.text(Event("refreshed", 0, None, REPORT))[8:] == " 2 parsed, 5 linked, 1 removed in 0.21 s\n"
    assert watch.text(Event("failed", 0, "a\x1b\nb"))[8:] == " could not update: a\\x1b\\nb\n"
    assert watch.text(Event("started", 0, "watching x"))[8:] == " watching x\n"


def test_json_follows_its_schema(validate: Validate) -> None:
    for event in (Event("refreshed", 1.5, None, REPORT), Event("failed", 1.5, "a")):
        line = watch.json(event)
        assert line.count("\n") == 1
        validate("watch-line", json.loads(line))
    found = json.loads(watch.json(Event("refreshed", 1.5, None, REPORT)))
    assert found["at"] == "1970-01-01T00:00:01.500000Z"
    assert found["report"] == {
        "files": 12, "symbols": 68, "edges": 92, "extracted": 2, "relinked": 5, "removed": 1, "seconds": 0.2109
    }  # fmt: skip
