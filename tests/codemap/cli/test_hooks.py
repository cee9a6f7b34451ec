"""`codemap hooks`, as a person or a program sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.hooks import record
from tests import hooked
from tests.hooked import Repository

Run = Callable[..., subprocess.CompletedProcess[str]]
Validate = Callable[[str, object], None]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return hooked.make(tmp_path / "repository")


def test_install_says_what_it_did_and_uninstall_undoes_it(repository: Repository, run: Run) -> None:
    repository.hook("post-commit", "#!/bin/sh\necho hello\n")
    before = repository.snapshot()
    done = run("-C", str(repository.root), "hooks", "install")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"hooks: {repository.hooks}",
        "  post-commit: installed in the hook that was there",
        "  post-merge: installed",
        "  post-checkout: installed",
        "  post-rewrite: installed",
        f"they start: {os.path.abspath(sys.executable)}",
        "there is no map here yet, and hooks make none: run `codemap index` once",
    ]
    assert run("-C", str(repository.root), "hooks", "uninstall").returncode == 0
    assert repository.snapshot() == before


def test_a_refusal_writes_nothing(repository: Repository, run: Run) -> None:
    repository.git("config", "core.hooksPath", ".husky")
    done = run("-C", str(repository.root), "hooks", "install")
    assert (done.returncode, done.stdout) == (7, "")
    assert "codemap writes no file that git sees (.husky/post-commit): add the line" in done.stderr
    shown = run("-C", str(repository.root), "hooks", "status").stdout
    assert f"hooks: {repository.root}/.husky (core.hooksPath, local)\n  post-commit: no hook\n" in shown
    assert "note: " in shown
    assert "add the line" in shown
    assert run("-C", str(repository.root), "hooks", "uninstall").stdout == shown
    assert repository.git("status", "--porcelain", "--ignored").stdout == ""


def test_lines_in_a_file_that_git_sees_are_left_to_its_owner(repository: Repository, run: Run) -> None:
    assert run("-C", str(repository.root), "hooks", "install").returncode == 0
    repository.hooks.rename(repository.root / ".githooks")
    repository.git("config", "core.hooksPath", ".githooks")
    done = run("-C", str(repository.root), "hooks", "uninstall")
    assert done.returncode == 7
    assert "(.githooks/post-commit): take the lines of codemap out of the hooks there yourself" in done.stderr


def test_every_answer_keeps_to_the_schema(repository: Repository, run: Run, validate: Validate) -> None:
    repository.index()
    record.note(str(repository.map_dir), record.Entry("2026-01-02T03:04:05Z", "post-merge", False, "disk full"))
    for command in (["status"], ["install"], ["uninstall"]):
        answer = json.loads(run("-C", str(repository.root), "hooks", *command, "--json").stdout)
        validate("hooks", answer)
        assert answer["trouble"] == {
            "hook": "post-merge",
            "text": "disk full",
            "at": "2026-01-02T03:04:05Z",
            "times": 1,
            "command": f"codemap -C {repository.root} update",
        }
    status = json.loads(run("-C", str(repository.root), "status", "--json").stdout)
    validate("status", status)
    assert status["hooks"]["trouble"] == answer["trouble"]
    assert status["hooks"]["last"]["ok"] is False


def test_status_shows_what_went_wrong_and_how_to_see_it(repository: Repository, run: Run) -> None:
    repository.index()
    assert "hook" not in run("-C", str(repository.root), "status").stdout
    failed = record.Entry("2026-01-02T03:04:05Z", "post-merge", False, "disk\x1b[31m full")
    record.note(str(repository.map_dir), failed._replace(ok=True, text="1 parsed"))
    shown = run("-C", str(repository.root), "status").stdout
    assert "last update by a hook: 2026-01-02T03:04:05Z after post-merge: 1 parsed\n" in shown
    record.note(str(repository.map_dir), failed)
    record.note(str(repository.map_dir), failed)
    expected = (
        "the last update by a hook failed (post-merge, 2026-01-02T03:04:05Z, 2 times in a row): disk\\x1b[31m full\n"
        f"  to see it again: codemap -C {repository.root} update\n"
    )
    assert expected in run("-C", str(repository.root), "status").stdout
    assert expected in run("-C", str(repository.root), "hooks", "status").stdout


def test_status_says_what_updates_wait_for(repository: Repository, run: Run) -> None:
    assert "under way" not in run("-C", str(repository.root), "hooks", "status").stdout
    (repository.root / ".git/BISECT_LOG").touch()
    shown = run("-C", str(repository.root), "hooks", "status").stdout
    assert "note: a bisect is under way: updates wait for its end, half an hour at most\n" in shown


def test_run_starts_an_update_and_returns(repository: Repository, run: Run, validate: Validate) -> None:
    done = run("-C", str(repository.root), "hooks", "run", "post-commit")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not repository.map_dir.exists()
    repository.index()
    repository.commit("b.py")
    done = run("-C", str(repository.root), "hooks", "run", "post-rewrite", "--json", "rebase")
    validate("hooks", json.loads(done.stdout))
    assert repository.follows()
    assert run("-C", str(repository.root), "hooks", "run", "pre-commit").returncode == 2
