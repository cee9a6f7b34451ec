"""The report of an estimate: its shape, its size, and what it does not say."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from codemap import __version__
from codemap.tokens import estimate_report
from codemap.tokens.encodings import Estimator
from codemap.tokens.estimate import Contributor, Estimate, Scenario
from codemap.tokens.estimate_inputs import RefusedError
from codemap.tokens.estimate_report import failure_json, hint, to_json, to_text

Validate = Callable[[str, object], None]

FOUND = Estimate(
    Estimator("utf16-ceil-div4@1", {}, len),
    (Contributor(2, "stdin", 30, 29, 8), Contributor(1, "file", 13, 13, 4)),
    1,
    Scenario(24, 0, 24),
)


def test_a_complete_report(validate: Validate) -> None:
    text = to_json(FOUND)
    assert text.endswith("}\n")
    assert text.count("\n") == 1
    assert " " not in text
    report = json.loads(text)
    validate("estimate", report)
    unknown = report.pop("unknown")
    assert "money" in unknown
    assert report == {
        "schemaVersion": 1,
        "status": "complete",
        "scope": "selected_text_only",
        "estimator": {
            "method": "utf16-ceil-div4@1",
            "versions": {"codemap": __version__},
            "model": None,
            "charactersPerToken": None,
            "calibratedAt": None,
        },
        "input": {"count": 2, "bytes": 43, "units": 42, "estimatedTokensPerCall": 12},
        "contributors": [{"ordinal": 2, "source": "stdin", "bytes": 30, "units": 29, "estimatedTokens": 8}],
        "projection": {"returned": 1, "omitted": 1, "omittedEstimatedTokens": 4},
        "scenario": {
            "inputEstimatedTokens": 24,
            "outputAllocatedTokens": 0,
            "totalAllocatedTokens": 24,
            "money": None,
        },
        "snapshot": "checked_unchanged_not_atomic",
        "errorCode": None,
        "errorInputOrdinal": None,
    }


@pytest.mark.parametrize(("status", "code", "ordinal"), [("incomplete", "nul_byte", 3), ("invalid", "usage", None)])
def test_a_failed_report_shows_no_sum(validate: Validate, status: str, code: str, ordinal: int | None) -> None:
    report = json.loads(failure_json(status, code, ordinal))
    validate("estimate", report)
    assert (report["status"], report["errorCode"], report["errorInputOrdinal"]) == (status, code, ordinal)
    assert [report[block] for block in ("estimator", "input", "projection", "scenario")] == [None] * 4
    assert report["contributors"] == []


def test_the_longest_report_is_far_below_its_limit() -> None:
    rows = tuple(Contributor(i, "stdin", 262_144, 262_144, 262_144) for i in range(1, 65))
    assert len(to_json(Estimate(FOUND.estimator, rows, 64, FOUND.scenario)).encode()) < 8_192


def test_a_report_beyond_its_limit_is_refused() -> None:
    def named(length: int) -> Estimate:
        return Estimate(Estimator("m", {}, len, model="x" * length), FOUND.contributors, 1, FOUND.scenario)

    rest = len(to_json(named(0)).encode()) - len("null") + len('""')
    assert rest < 1000
    room = estimate_report.REPORT_LIMIT - len(to_json(named(1)).encode()) + 1
    assert len(to_json(named(room)).encode()) == 32_768
    with pytest.raises(RefusedError, match="output_limit"):
        to_json(named(room + 1))


def test_text_for_people() -> None:
    assert to_text(FOUND) == (
        "12 tokens a call (utf16-ceil-div4@1): 2 inputs, 43 B\n"
        "  input 2 (stdin): 8, 30 B\n"
        "  1 more: 4\n"
        "all calls: 24 in + 0 out = 24\n"
    )
    unknown = Estimate(FOUND.estimator, FOUND.contributors, 0, Scenario(None, None, None))
    assert to_text(unknown).endswith("all calls: not known without --output-budget\n")


def test_hints_are_for_what_can_be_helped() -> None:
    assert "codemap-subgraph[exact]" in hint("encoding_unavailable")
    assert hint("something_else") == ""
