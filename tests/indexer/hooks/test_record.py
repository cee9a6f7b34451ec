"""The log of updates stays short, and tells what is wrong now."""

from __future__ import annotations

from pathlib import Path

from indexer.hooks import record
from indexer.hooks.record import Entry, Trouble

GOOD = Entry("2026-01-02T03:04:05Z", "post-commit", True, "1 parsed")
BAD = Entry("2026-01-02T03:05:05Z", "post-merge", False, "disk full \udcff")


def test_nothing_yet(tmp_path: Path) -> None:
    assert record.entries(str(tmp_path)) == ()
    assert record.trouble(str(tmp_path)) is None


def test_what_is_noted_is_read_again(tmp_path: Path) -> None:
    for entry in (GOOD, BAD):
        record.note(str(tmp_path), entry)
    assert record.entries(str(tmp_path)) == (GOOD, BAD._replace(text="disk full \\udcff"))


def test_trouble_is_what_went_wrong_since_it_last_went_well(tmp_path: Path) -> None:
    for entry in (BAD, GOOD, BAD, BAD._replace(text="again")):
        record.note(str(tmp_path), entry)
    assert record.trouble(str(tmp_path)) == Trouble("post-merge", "again", BAD.at, 2)
    record.note(str(tmp_path), GOOD)
    assert record.trouble(str(tmp_path)) is None


def test_an_interpreter_that_did_not_come_up_is_trouble(tmp_path: Path) -> None:
    record.note(str(tmp_path), GOOD)
    (tmp_path / record.START_ERRORS).write_bytes(b"Traceback\n\nNo module named codemap\n\n")
    assert record.trouble(str(tmp_path)) == Trouble(None, "No module named codemap", None, 1)
    (tmp_path / record.START_ERRORS).write_bytes(b"")
    assert record.trouble(str(tmp_path)) is None


def test_the_log_does_not_grow_for_ever(tmp_path: Path) -> None:
    line = GOOD._replace(text="x" * 1000)
    for number in range(100):
        record.note(str(tmp_path), line._replace(hook=str(number)))
    assert (tmp_path / record.LOG).stat().st_size <= record.LIMIT + 1200
    kept = [int(entry.hook) for entry in record.entries(str(tmp_path))]
    assert kept == list(range(kept[0], 100))
    assert kept[0] > 0


def test_lines_that_are_not_whole_are_left_out(tmp_path: Path) -> None:
    record.note(str(tmp_path), GOOD)
    with (tmp_path / record.LOG).open("ab") as file:
        file.write(b'\xff\xfe\n[1]\n{"at": 1, "hook": "", "ok": true, "text": ""}\n{"at": "2026')
    assert record.entries(str(tmp_path)) == (GOOD,)
