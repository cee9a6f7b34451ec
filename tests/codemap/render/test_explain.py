"""Reasons in words, and how many of them are shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from codemap.render import explain, runs
from indexer.pipeline.report import Asked, Reason, Report

Validate = Callable[[str, object], None]

LOGIN = Reason("asked", "shop/auth.py", (Asked("login", "changed"),))
REPORT = Report(
    files=9, symbols=20, edges=1, skipped=0, extracted=1, relinked=3, removed=1, seconds=0.5, unchanged=False,
    rebuilt=False, relink_reasons={"b.py": LOGIN, "a\x1b.py": Reason("new"), "c.py": Reason("changed")}, messages=(),
    extract_reasons={"c.py": Reason("changed")}, removed_files=("old.py",),
)  # fmt: skip


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (Reason("changed"), "own content changed"),
        (LOGIN, "asked shop/auth.py for login, which has another answer now"),
        (LOGIN._replace(others=1), "asked shop/auth.py for login, which has another answer now; and 1 other file"),
        (
            Reason("asked", "a.py", (Asked("f", "gone"), Asked("g", "gone")), omitted=3),
            "asked a.py for f, g and 3 more, which are not there any more",
        ),
        (
            Reason("asked", "a.py", (Asked("f", "gone"), Asked("g", "there now"))),
            "asked a.py for f and g, which have other answers now",
        ),
        (Reason("asked", "a.py", (Asked("f", "there now"),)), "asked a.py for f, which is there now"),
        (
            Reason("import", "import of .auth", (Asked("shop/auth.py", "nothing here"),)),
            "import of .auth leads to shop/auth.py, before to nothing here",
        ),
    ],
)
def test_a_reason_in_words(reason: Reason, words: str) -> None:
    assert explain.words(reason) == words


def test_a_reason_has_a_length() -> None:
    long = explain.words(Reason("asked", "x" * 500, (Asked("f", "changed"),)))
    assert (len(long), long[-1]) == (200, "…")


def test_files_come_by_path_and_no_more_than_asked_for() -> None:
    assert explain.text_explanation(REPORT, 2) == (
        "parsed 1 file:\n  c.py: own content changed\n"
        "linked 3 files:\n  a\\x1b.py: new to the map\n"
        "  b.py: asked shop/auth.py for login, which has another answer now\n  … and 1 more\n"
        "removed 1 file:\n  old.py\n"
    )


def test_nothing_done_is_nothing_said() -> None:
    assert explain.text_explanation(replace(REPORT, relink_reasons={}, extract_reasons={}, removed_files=())) == ""


def test_an_explanation_as_json(validate: Validate) -> None:
    shown = json.loads(runs.json_report(REPORT, 2))
    validate("report", shown)
    assert [row["path"] for row in shown["explanation"]["linked"]] == ["a\x1b.py", "b.py"]
    assert shown["explanation"]["linked"][1] == {
        "path": "b.py",
        "kind": "asked",
        "reason": "asked shop/auth.py for login, which has another answer now",
        "file": "shop/auth.py",
    }
    assert shown["explanation"]["omitted"] == {"parsed": 0, "linked": 1, "removed": 0}
    assert "explanation" not in json.loads(runs.json_report(REPORT))
