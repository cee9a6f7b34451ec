"""The meter as an object: what it records by default, and many calls at once."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

import codemap
from codemap.tokens.meter.meter import Meter
from codemap.tokens.meter.values import Usage
from indexer.errors import UsageError

ROOT = Path(__file__).resolve().parents[4]


def test_it_is_part_of_the_package() -> None:
    assert codemap.Meter is Meter
    assert codemap.Usage is Usage


def test_defaults_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEMAP_TASK", "t")
    monkeypatch.setenv("CODEMAP_CALLER", "c")
    with Meter() as meter:
        entry = meter.record({"id": "r", "model": "m", "usage": {"input_tokens": 1, "output_tokens": 2}}).entry
        assert (entry.task, entry.caller, entry.model, entry.input, entry.output) == ("t", "c", "m", 1, 2)
        assert meter.record(Usage(1, 1), task="other").entry.task == "other"
    with Meter(task="mine") as meter:
        assert meter.record(Usage(1, 1)).entry.task == "mine"


def test_a_response_without_an_id_counts_each_time(meter: Meter) -> None:
    response = {"usage": {"input_tokens": 1, "output_tokens": 2}}
    assert not meter.record(response).identified
    assert meter.record(response).new
    assert meter.record(response, request_id="named").identified
    assert meter.report().total.calls == 3


def test_many_at_once_are_all_or_none(meter: Meter, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    calls = [(Usage(1, 1, request_id="a"), now), (Usage(1, 1, request_id="a"), now), (Usage(9, 9), now - 91 * 86_400)]
    assert meter.record_all(calls) == (1, 1, 1)
    monkeypatch.setenv("CODEMAP_PRICE_BAD_INPUT", "x")
    with pytest.raises(UsageError):
        meter.record_all([(Usage(1, 1, request_id="b"), now), (Usage(1, 1, request_id="c", model="bad"), now)])
    assert meter.report().total.calls == 1


def test_the_price_when_it_was_recorded_counts(meter: Meter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEMAP_PRICE_INPUT", "4")
    meter.record(Usage(1_000_000, 0))
    monkeypatch.setenv("CODEMAP_PRICE_INPUT", "8")
    assert meter.report().total.sums["cost"] == 4_000_000_000


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_a_forked_process_opens_the_ledger_itself(ledger_file: Path) -> None:
    code = (
        "import os, sys\n"
        "from codemap.tokens.meter.meter import Meter, Usage\n"
        "meter = Meter()\n"
        "meter.record(Usage(1, 1, request_id='parent'))\n"
        "child = os.fork()\n"
        "meter.record(Usage(1, 1, request_id='parent again' if child else 'child'))\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) if child else 0)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
    with Meter() as meter:
        assert meter.report().total.calls == 3
