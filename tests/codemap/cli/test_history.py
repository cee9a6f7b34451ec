"""`codemap history`, and when commits are indexed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codemap.api import CodeMap
from codemap.cli.commands import build
from tests.indexer.repositories import Past

Validate = Callable[[str, object], None]
Run = Callable[..., subprocess.CompletedProcess[str]]
BODY = "def login(user):\n    return {}\n\ndef logout(user):\n    return {}\n"


@pytest.fixture
def past(tmp_path: Path) -> Past:
    past = Past(tmp_path / "past")
    for number in range(4):
        past.commit(f"Login {number}", {"auth.py": BODY.format(number, number)})
    return past


def test_after_index_the_history_is_there(past: Past, run: Run, validate: Validate) -> None:
    root = str(past.root)
    done = run("-C", root, "index", "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    shown = json.loads(run("-C", root, "history", "login", "--json").stdout)
    validate("history", shown)
    assert (shown["changes"], shown["coverage"]["complete"]) == (4, True)
    assert run("-C", root, "history", "auth.py", "--limit", "1").stdout.startswith("history of auth.py: 4 commits")
    status = json.loads(run("-C", root, "status", "--json").stdout)
    validate("status", status)
    assert status["history"] == {"indexed": 4, "window": 4, "complete": True, "notes": []}
    edges = [
        json.loads(line) for line in run("-C", root, "edges", "--json", "--kind", "changes_with").stdout.splitlines()
    ]
    for edge in edges:
        validate("edge-line", edge)
    assert [(e["caller"]["qualname"], e["callee"]["qualname"], e["support"], e["confidence"]) for e in edges] == [
        ("login", "logout", 4, 1.0),
        ("logout", "login", 4, 1.0),
    ]
    text = run("-C", root, "edges", "--kind", "changes_with").stdout.splitlines()
    assert text[0] == "auth.py:login changes_with:1 auth.py:logout (4 commits, 100%)"


def test_a_first_answer_does_not_wait_for_it(past: Past, run: Run) -> None:
    done = run("-C", str(past.root), "history", "login")
    assert done.returncode == 0
    assert "history: not indexed" in done.stdout
    assert not (past.root / ".git/codemap/history.db").exists()


def test_what_is_left_is_told_and_done_when_asked_for(past: Past, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from indexer.pipeline import history

    monkeypatch.setattr(history, "_BATCH", 1)
    monkeypatch.setattr(build, "HISTORY_SECONDS", 0.0)
    root = str(past.root)
    said = "codemap: {} of 4 commits are indexed; `codemap index --history` does the rest\n"
    assert run("-C", root, "index", "--jobs", "1").stderr == said.format(1)
    assert run("-C", root, "update").stderr == said.format(2)
    assert "history: 2 of 4 commits are indexed" in run("-C", root, "status").stdout
    assert run("-C", root, "update", "--history").stderr == ""
    assert "history: 4 commits indexed" in run("-C", root, "status").stdout


def test_the_configuration_says_how_many(past: Past) -> None:
    (past.root / "codemap.toml").write_text("history = 2\n")
    CodeMap.index(past.root, jobs=1)
    assert CodeMap.index_history(past.root).window == 2
    (past.root / "codemap.toml").write_text("history = 0\n")
    assert CodeMap.index_history(past.root).window == 0


def test_verify_covers_it(past: Past, run: Run) -> None:
    import sqlite3

    root = str(past.root)
    run("-C", root, "index", "--jobs", "1")
    assert json.loads(run("-C", root, "verify", "--json").stdout)["rows"]["history.commits"] == 4
    with sqlite3.connect(past.root / ".git/codemap/history.db") as connection:
        connection.execute("DELETE FROM touched WHERE unit = 1")
    connection.close()
    done = run("-C", root, "verify")
    assert done.returncode == 10
    assert "history.touched: only in a clean map" in done.stdout
    assert run("-C", root, "verify", "--repair").returncode == 11
    assert run("-C", root, "verify").returncode == 0
