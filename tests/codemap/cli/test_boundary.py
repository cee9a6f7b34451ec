"""Whatever happens ends in one line and an exit code."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codemap.cli import boundary
from indexer import errors

Run = Callable[..., subprocess.CompletedProcess[str]]


def _ends(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int:
    def fail(arguments: list[str]) -> int:
        raise error

    monkeypatch.setattr(boundary, "_run", fail)
    return boundary.main([])


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (errors.CodemapError("a"), 1, "a"),
        (errors.UsageError("a"), 2, "a"),
        (errors.StaleMapError("a"), 6, "a"),
        (errors.RepositoryError("a"), 7, "a"),
        (errors.StoreError("a"), 8, "a"),
        (errors.BusyError("a"), 9, "a"),
        (errors.VerificationError("a"), 10, "a"),
        (errors.BudgetTooSmallError("at least 90", 90), 5, "at least 90"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (MemoryError(), 1, "not enough memory"),
        (OSError(errno.ENOSPC, "No space left on device", "/x/map.db"), 1, "/x/map.db: No space left on device"),
        (
            sqlite3.DatabaseError("malformed"),
            8,
            "the map cannot be used (malformed): run `codemap index --full` to rebuild it",
        ),
        (RecursionError(), 1, "the source nests too deeply (set CODEMAP_DEBUG=1 to see where)"),
        (ZeroDivisionError("a\nb"), 1, "internal error: ZeroDivisionError: a b (set CODEMAP_DEBUG=1 to see where)"),
    ],
)
def test_an_error_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, code: int, line: str
) -> None:
    monkeypatch.delenv("CODEMAP_DEBUG", raising=False)
    assert _ends(monkeypatch, error) == code
    assert capsys.readouterr().err == f"codemap: {line}\n"


def test_what_an_error_quotes_cannot_steer_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _ends(monkeypatch, errors.StoreError("cannot write a\x1b]0;b\x07\r\u202ec")) == 8
    assert capsys.readouterr().err == "codemap: cannot write a\\x1b]0;b\\x07\\r\\u202ec\n"


def test_choices_and_suggestions_are_listed_below(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _ends(monkeypatch, errors.NotFoundError("no lgin", ("login", "log\x1bout"))) == 3
    assert capsys.readouterr().err == "codemap: no lgin\n  did you mean:\n    login\n    log\\x1bout\n"
    choices = tuple(f"a.py:f{n}" for n in range(22))
    assert _ends(monkeypatch, errors.AmbiguousError("f fits 22 symbols", choices)) == 4
    rows = capsys.readouterr().err.splitlines()
    assert rows[:3] == ["codemap: f fits 22 symbols", "  type one of:", "    a.py:f0"]
    assert rows[-1] == "    … and 2 more"


def test_a_traceback_is_shown_when_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CODEMAP_DEBUG", "1")
    assert _ends(monkeypatch, ZeroDivisionError("a")) == 1
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["indx"], "no such command 'indx' (did you mean 'index'?); see `codemap --help`"),
        (["subgraph"], "missing argument 'WORDS...'; see `codemap subgraph --help`"),
        (["subgraph", "a", "--budget", "-3"], "invalid value for '--budget': -3 is not in the range x>=0"),
        (["subgraph", "a", "--budget", "many"], "invalid value for '--budget': 'many' is not a valid integer"),
        (["subgraph", "a", "--hops", "99"], "invalid value for '--hops': 99 is not in the range 0<=x<=10"),
        (["subgraph", "a", "--colour"], "no such option"),
        (["index", "--jobs", "0"], "invalid value for '--jobs'"),
        (["callers", "a", "b"], "unexpected extra argument (b)"),
        (["edges", "--kind", "likes"], "invalid value for '--kind': 'likes' is not one of"),
        (["-C"], "option '-C' requires an argument"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert boundary.main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert said.lower() in shown.err.lower()


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert boundary.main([]) == 2
    assert "Exit codes:" in capsys.readouterr().out


def test_help_and_version_are_no_errors(capsys: pytest.CaptureFixture[str]) -> None:
    assert boundary.main(["--version"]) == 0
    assert boundary.main(["subgraph", "-h"]) == 0
    assert capsys.readouterr().out.startswith("codemap 0.")


@pytest.mark.parametrize("place", ["nowhere", "file.txt"])
def test_a_folder_that_cannot_be_mapped(tmp_path: Path, run: Run, place: str) -> None:
    (tmp_path / "file.txt").write_text("not a folder\n")
    done = run("-C", str(tmp_path / place), "subgraph", "login")
    assert (done.returncode, done.stdout) == (7, "")
    assert done.stderr.startswith("codemap: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="closed pipes are told otherwise there")
def test_a_reader_that_goes_away_is_no_error() -> None:
    # The read end is closed before the program writes: the same as `codemap --help | head -0`, without a race.
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "codemap", "--help"], stdout=write, stderr=subprocess.PIPE, check=False, timeout=30
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_console_of_another_code_page_gets_utf8(run: Run, tmp_path: Path) -> None:
    done = run("-C", str(tmp_path / "日本"), "status")  # on streams that were opened for Windows' code page
    assert done.returncode == 7
    assert "日本" in done.stderr
