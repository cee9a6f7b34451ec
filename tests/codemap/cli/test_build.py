"""What a run tells a person."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from codemap.cli.commands import build
from indexer.pipeline.report import Report

Run = Callable[..., subprocess.CompletedProcess[str]]
Validate = Callable[[str, object], None]


def _report(messages: tuple[str, ...]) -> Report:
    return Report(1, 1, 0, 0, 1, 1, 0, 0.5, False, True, {}, messages)


def test_what_was_said_while_it_ran_is_not_said_again(capsys: pytest.CaptureFixture[str]) -> None:
    build._write(_report(("set aside", "a.py: odd\x1b")), ["set aside"], json=False)
    shown = capsys.readouterr()
    assert shown.err == "codemap: a.py: odd\\x1b\n"
    assert shown.out.startswith("1 file, 1 symbol, 0 edges; ")


def test_many_messages_are_cut_short(capsys: pytest.CaptureFixture[str]) -> None:
    build._write(_report(tuple(f"m{number}" for number in range(8))), [], json=False)
    rows = capsys.readouterr().err.splitlines()
    assert rows == [
        *(f"codemap: m{number}" for number in range(5)),
        "codemap: … and 3 more such messages; --json has them all",
    ]


def test_an_update_explains_what_it_did(tmp_path: Path, run: Run, validate: Validate) -> None:
    (tmp_path / "auth.py").write_text("def login(): return 1\n")
    (tmp_path / "cart.py").write_text("from auth import login\nlogin()\n")
    assert run("-C", str(tmp_path), "index", "--jobs", "1").returncode == 0
    (tmp_path / "auth.py").write_text("def logout(): return 1\n")
    (tmp_path / "new.py").write_text("")
    shown = run("-C", str(tmp_path), "update", "--explain").stdout
    assert shown.splitlines()[:-1] == [
        "parsed 2 files:",
        "  auth.py: own content changed",
        "  new.py: new to the map",
        "linked 3 files:",
        "  auth.py: own content changed",
        "  cart.py: asked auth.py for login, which is not there any more",
        "  new.py: new to the map",
    ]
    (tmp_path / "new.py").unlink()
    answer = json.loads(run("-C", str(tmp_path), "update", "--explain", "--limit", "1", "--json").stdout)
    validate("report", answer)
    assert answer["explanation"]["removed"] == ["new.py"]
    assert run("-C", str(tmp_path), "update", "--limit", "1").returncode == 2


def test_repair_is_quiet_where_all_is_equal(tmp_path: Path, run: Run, validate: Validate) -> None:
    (tmp_path / "a.py").write_text("def f(): pass\nf()\n")
    quiet = run("-C", str(tmp_path), "verify", "--repair")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")
    with closing(sqlite3.connect(tmp_path / ".codemap/map.db")) as connection:
        connection.execute("DELETE FROM edges")
        connection.commit()
    assert run("-C", str(tmp_path), "verify").returncode == 10
    repaired = run("-C", str(tmp_path), "verify", "--repair", "--json")
    assert repaired.returncode == 11
    assert repaired.stderr.startswith("codemap: the map differed from one built from nothing and was replaced")
    validate("verification", json.loads(repaired.stdout))
    assert run("-C", str(tmp_path), "verify").returncode == 0
