"""The ledger under several writers, sudden deaths, damage and time."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest

from codemap.tokens.meter import connect, ledger
from codemap.tokens.meter.meter import Meter
from codemap.tokens.meter.values import Usage
from indexer.errors import BusyError, StoreError, UsageError

DAY = 86_400.0
ROOT = Path(__file__).resolve().parents[4]

WRITER = """
import sys
from codemap.tokens.meter.meter import Meter
from codemap.tokens.meter.values import Usage

meter = Meter(sys.argv[1])
for number in range(int(sys.argv[3])):
    name = f"{sys.argv[2]}-{number}"
    meter.record(Usage(10, 1, request_id=name), task="t")
    meter.record(Usage(10, 1, request_id=f"shared-{number}"), task="t")
    print(name, flush=True)
"""


def _writer(path: Path, name: str, number: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), name, str(number)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def _ids(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        tables = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE name LIKE 'calls!_%' ESCAPE '!'")
        ]
        return [name for table in tables for (name,) in connection.execute(f'SELECT request_id FROM "{table}"')]


def test_several_writers_lose_and_double_nothing(ledger_file: Path) -> None:
    writers = [_writer(ledger_file, f"w{number}", 25) for number in range(4)]
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    expected = {f"w{w}-{n}" for w in range(4) for n in range(25)} | {f"shared-{n}" for n in range(25)}
    ids = _ids(ledger_file)
    assert len(ids) == len(expected) == 125
    assert set(ids) == expected
    with Meter() as meter:
        assert meter.check("t").spent.input == 1250
        assert meter.check("t").spent.output == 125


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_what_was_acknowledged_survives_kill_9(ledger_file: Path) -> None:
    acknowledged: list[str] = []
    for round_ in range(3):
        writer = _writer(ledger_file, f"r{round_}", 10_000)
        assert writer.stdout is not None
        acknowledged += [writer.stdout.readline().strip() for _ in range(5 + round_ * 7)]
        os.kill(writer.pid, signal.SIGKILL)
        acknowledged += writer.stdout.read().split("\n")[:-1]  # lines that ended: the rest was never acknowledged
        writer.stdout.close()
        assert writer.wait(timeout=30) == -signal.SIGKILL
    ids = _ids(ledger_file)
    assert set(acknowledged) <= set(ids)
    assert len(ids) == len(set(ids))
    with Meter() as meter:
        assert meter.check("t").spent.input == 10 * len(ids)
        assert meter.report().total.calls == len(ids)
    with closing(sqlite3.connect(ledger_file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_acknowledged_rows_are_written_through(meter: Meter) -> None:
    with meter._ledger.write() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_request_counts_once_across_days(meter: Meter) -> None:
    now = time.time()
    assert meter.record(Usage(5, 5, request_id="a"), at=now - DAY).new
    again = meter.record(Usage(6, 6, request_id="a"), at=now)
    assert not again.new
    assert again.entry.input == 5
    assert meter.report("day").total.calls == 1


def test_one_table_a_day_by_utc(meter: Meter, ledger_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_772_366_399.5  # 2026-03-01T11:59:59.500Z
    monkeypatch.setattr("time.time", lambda: now)
    for days in (0, 0, 1, 2):
        meter.record(Usage(1, 1), at=now - days * DAY)
    meter.close()
    with closing(sqlite3.connect(ledger_file)) as connection:
        counts = {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE name GLOB 'calls_*' AND type='table'"
            )
        }
    assert counts == {"calls_20260227": 1, "calls_20260228": 1, "calls_20260301": 2}
    assert ledger.moment(now) == "2026-03-01T11:59:59.500Z"


def test_ninety_days_are_kept(meter: Meter, monkeypatch: pytest.MonkeyPatch) -> None:
    start = 1_772_366_400.0  # 2026-03-01
    for day in range(92):
        now = start + day * DAY
        monkeypatch.setattr("time.time", lambda now=now: now)
        meter.record(Usage(1, 2, request_id=f"d{day}"), task="t")
    rows = meter.report("day").rows
    assert len(rows) == 90
    assert rows[0].key == "2026-03-03"
    assert rows[-1].key == "2026-05-31"
    assert meter.check("t").spent.input == 92  # a budget does not refill by itself
    with pytest.raises(UsageError, match="before the 90 days"):
        meter.record(Usage(1, 1), at=start)
    assert meter.record(Usage(1, 2, request_id="d0")).new  # its day is gone, and so is its id


def test_a_report_leaves_out_days_that_are_over_but_not_dropped(meter: Meter, monkeypatch: pytest.MonkeyPatch) -> None:
    meter.record(Usage(1, 2))
    later = time.time() + 90 * DAY
    monkeypatch.setattr("time.time", lambda: later)
    assert meter.report().total.calls == 0


def test_what_was_cut_short_is_completed_and_what_is_complete_stays(meter: Meter) -> None:
    assert meter.record(Usage(10, 1, request_id="a", outcome="cut"), task="t").new
    assert meter.record(Usage(10, 40, request_id="a"), task="t").new
    assert not meter.record(Usage(10, 90, request_id="a"), task="t").new
    assert not meter.record(Usage(10, 95, request_id="a", outcome="cut"), task="t").new
    assert meter.report().total.sums["output"] == 40
    assert meter.check("t").spent.output == 40


def test_threads_share_a_meter(meter: Meter) -> None:
    def write(first: int) -> None:
        for number in range(first, first + 20):
            meter.record(Usage(1, 1, request_id=str(number)))

    threads = [threading.Thread(target=write, args=(first,)) for first in (0, 10, 20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert meter.report().total.calls == 40


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("not a database, but long enough to be looked at as one" * 20)
    with Meter(text) as meter, pytest.raises(StoreError, match="is damaged: move it away"):
        meter.record(Usage(1, 1))
    assert text.read_text().startswith("not a database")
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    with Meter(other) as meter, pytest.raises(StoreError, match="is no ledger"):
        meter.record(Usage(1, 1))


def test_a_newer_ledger_is_not_touched(meter: Meter, ledger_file: Path) -> None:
    meter.record(Usage(1, 1))
    meter.close()
    with closing(sqlite3.connect(ledger_file)) as connection:
        connection.execute("PRAGMA user_version = 2")
    with Meter() as newer, pytest.raises(StoreError, match="version 2"):
        newer.record(Usage(1, 1))


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Meter(tmp_path / "file" / "ledger.db") as meter, pytest.raises(StoreError, match="folder of the ledger"):
        meter.record(Usage(1, 1))


def test_a_locked_ledger_is_busy(meter: Meter, ledger_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "BUSY_SECONDS", 0.05)
    meter.record(Usage(1, 1, request_id="a"))
    with closing(sqlite3.connect(ledger_file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BusyError):
            meter.record(Usage(1, 1, request_id="b"))
        other.execute("ROLLBACK")
    assert meter.record(Usage(1, 1, request_id="b")).new


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files")
def test_the_ledger_is_its_owner_s_alone(meter: Meter, ledger_file: Path) -> None:
    meter.record(Usage(1, 1))
    assert ledger_file.stat().st_mode & 0o077 == 0


def test_an_estimate_gives_way_to_what_the_provider_reports_and_to_no_other_estimate(meter: Meter) -> None:
    def record(tokens: int, basis: Literal["estimated", "reported"]) -> int | None:
        return meter.record(Usage(tokens, tokens, request_id="a", basis=basis), task="t").entry.input

    assert record(5, "estimated") == 5
    assert record(9, "estimated") == 5
    assert record(500, "reported") == 500
    assert record(7, "estimated") == 500
    assert record(8, "reported") == 500
    assert (meter.report().total.calls, meter.check("t").spent.input) == (1, 500)
