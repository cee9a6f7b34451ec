"""Facts that no map uses are given up when there are many, and no others."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from indexer.discover import locate
from indexer.locks import writer_lock
from indexer.pipeline import pruning, update
from indexer.pipeline.update import LOCK
from indexer.store.facts import FactsCache


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with a commit on `main` and another on `side`."""
    folder = tmp_path / "main"
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    for branch, text in (("main", "def f(): pass\n"), ("side", "def g(): pass\n")):
        (folder / "a.py").write_text(text)
        _git(folder, "checkout", "-q", "-B", branch)
        _git(folder, "add", "-A")
        _git(folder, "commit", "-q", "-m", branch)
    return folder


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True)


def _edited(folder: Path, *numbers: int) -> None:
    for number in numbers:
        (folder / "a.py").write_text(f"x = {number}\n")
        update(str(folder), jobs=1)


def _cached(folder: Path) -> int:
    with closing(sqlite3.connect(Path(locate(str(folder)).facts_dir, "facts.db"))) as connection:
        return int(connection.execute("SELECT count(*) FROM facts").fetchone()[0])


@pytest.fixture
def greedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "LEAST_BYTES", 1)
    monkeypatch.setattr(pruning, "FACTOR", 2)


def test_a_small_cache_is_left_alone(root: Path) -> None:
    _edited(root, 1, 2, 3)
    assert _cached(root) == 3


@pytest.mark.usefixtures("greedy")
def test_what_no_map_uses_goes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "LEAST_BYTES", 10**9)
    _edited(root, 1, 2, 3)
    monkeypatch.setattr(pruning, "LEAST_BYTES", 1)
    _edited(root, 4)
    assert _cached(root) == 1
    _edited(root, 3)
    assert _cached(root) == 1, "read from the source again, and 4 is what nobody uses"


@pytest.mark.usefixtures("greedy")
def test_what_another_worktree_uses_stays(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    _git(root, "worktree", "add", "-q", str(other), "main")
    update(str(other), jobs=1)
    update(str(root), jobs=1)
    _edited(root, 1, 2)
    assert _cached(root) == 2
    (other / "b.py").write_text("")
    assert update(str(other), jobs=1).extracted == 1, "its a.py is cached as before"


@pytest.mark.usefixtures("greedy")
def test_while_another_worktree_is_updated_nothing_goes(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    _git(root, "worktree", "add", "-q", str(other), "main")
    update(str(other), jobs=1)
    with writer_lock(os.path.join(locate(str(other)).map_dir, LOCK), 0, print):
        _edited(root, 1, 2, 3)
    assert _cached(root) == 4
    _edited(root, 4)
    assert _cached(root) == 2


@pytest.mark.usefixtures("greedy")
def test_while_another_worktree_is_mapped_for_the_first_time_nothing_goes(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    _git(root, "worktree", "add", "-q", str(other), "main")
    folder = Path(locate(str(other)).map_dir)
    folder.mkdir()
    with writer_lock(os.path.join(folder, LOCK), 0, print):
        _edited(root, 1, 2, 3)
    assert _cached(root) == 3


@pytest.mark.usefixtures("greedy")
def test_what_goes_wrong_is_told_and_the_map_is_made(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise sqlite3.OperationalError("database or disk is full")

    _edited(root, 1, 2)
    monkeypatch.setattr(FactsCache, "prune", full)
    (root / "a.py").write_text("x = 3\ny = 4\n")
    report = update(str(root), jobs=1)
    assert report.messages == ("the facts cache could not be pruned: database or disk is full",)
    assert report.symbols == 3
