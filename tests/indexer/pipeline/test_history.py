"""The history of a worktree: what is kept after any sequence of commits equals what is read from nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.discover import Location, locate
from indexer.pipeline import history, history_tables
from indexer.pipeline.history import Followed, follow_at
from indexer.store.history_dump import dump
from indexer.store.history_reader import HistoryReader
from tests.indexer.repositories import Past

EXAMPLES = int(os.environ.get("CODEMAP_PROPERTY_EXAMPLES", "40")) // 2
BODY = "def f():\n    return {0}\n\nclass C:\n    def m(self):\n        return {1}\n" + "# a line\n" * 6


def ready(root: Path) -> Location:
    location = locate(str(root))
    Path(location.map_dir).mkdir(parents=True, exist_ok=True)
    return location


def check(location: Location, **options: Any) -> Followed:
    """Follow, and compare with a history read from nothing."""
    done = follow_at(location, **options)
    with tempfile.TemporaryDirectory() as scratch:
        clean = replace(location, map_dir=scratch, facts_dir=scratch)
        assert follow_at(clean, commits=done.limit) == replace(done, read=done.indexed)
        want, have = dump(scratch), dump(location.map_dir)
    for table, rows in want.items():
        assert have[table] == rows, table
    return done


def subjects(location: Location, path: str, name: str = "") -> list[str]:
    """The commits that touched a file or definition, newest first."""
    reader = HistoryReader.open(os.path.join(location.map_dir, "history.db"))
    assert reader is not None
    try:
        return [row.subject for row in reader.commits_of(reader.units(path, name, inside=True))]
    finally:
        reader.close()


@pytest.fixture
def past(tmp_path: Path) -> Past:
    return Past(tmp_path / "past")


_PATHS = ("a.py", "b.py", "pkg/a.py", "pkg/c.py")
_EDITS = st.tuples(st.sampled_from(_PATHS), st.integers(0, 3), st.integers(0, 3))
_STEPS = st.one_of(
    st.tuples(st.just("commit"), st.lists(_EDITS, min_size=1, max_size=3)),
    st.tuples(st.just("move"), st.tuples(st.sampled_from(_PATHS), st.sampled_from(_PATHS))),
    st.tuples(st.just("amend"), st.lists(_EDITS, max_size=1)),
    st.tuples(st.just("go"), st.integers(0, 50)),
    st.tuples(st.just("merge"), st.integers(0, 50)),
)


def apply(past: Past, commits: list[str], step: tuple[str, Any], number: int) -> None:
    """One thing that a person does with git."""
    kind, what = step
    if kind == "go":
        past.go(commits[what % len(commits)])
        return
    files: dict[str, str | bytes | None] = {}
    parents = None
    if kind == "move":
        before, after = what
        if before != after and (past.root / before).exists():
            files = {after: (past.root / before).read_bytes(), before: None}
    elif kind == "merge":
        parents = list(dict.fromkeys([str(past.repository.head.target), commits[what % len(commits)]]))
    else:
        files = {path: BODY.format(one, other) for path, one, other in what}
    if kind == "amend":
        parents = [str(each) for each in past.repository[past.repository.head.target].parent_ids]  # type: ignore[attr-defined]
    commits.append(past.commit(f"{kind} number {number}", files, parents=parents))


@settings(max_examples=EXAMPLES)
@given(st.lists(st.lists(_STEPS, min_size=1, max_size=3), min_size=1, max_size=6), st.integers(1, 6))
def test_incremental_equals_clean(rounds: list[list[tuple[str, Any]]], limit: int) -> None:
    folder = Path(tempfile.mkdtemp())
    patch = pytest.MonkeyPatch()
    patch.setattr(history_tables, "_SHARE_REBUILT", 0)  # however few commits there are
    try:
        past = Past(folder / "past")
        commits = [past.commit("first", {"a.py": BODY, "b.py": BODY.replace("C", "D")})]
        location = ready(past.root)
        check(location, commits=limit)
        number = 0
        for steps in rounds:
            for step in steps:
                number += 1
                apply(past, commits, step, number)
            check(location, commits=limit)
        past.repository.free()
    finally:
        patch.undo()
        shutil.rmtree(folder)


def test_a_commit_more_is_read_alone_and_nothing_new_writes_nothing(past: Past) -> None:
    past.commit("one", {"a.py": BODY})
    past.commit("two", {"a.py": BODY.replace("{1}", "2")})
    location = ready(past.root)
    assert check(location) == Followed(2, 2, 2, 5000)
    past.commit("three", {"a.py": BODY.replace("{0}", "3")})
    assert check(location) == Followed(3, 3, 1, 5000)
    follow_at(location)  # takes in the log that a reader has kept open
    kept = [Path(location.map_dir, name) for name in ("history.db", "commits.db")]
    before = [(path.read_bytes(), path.stat().st_mtime_ns) for path in kept]
    assert follow_at(location) == Followed(3, 3, 0, 5000)
    assert [(path.read_bytes(), path.stat().st_mtime_ns) for path in kept] == before
    assert subjects(location, "a.py", "f") == ["three", "one"]


def test_renames_are_followed_and_forgotten_with_their_commit(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_tables, "_SHARE_REBUILT", 0)
    past.commit("one", {"a.py": BODY})
    before = past.commit("two", {"a.py": BODY.replace("{1}", "2")})
    location = ready(past.root)
    check(location)
    past.commit("three", {"a.py": None, "pkg/b.py": BODY.replace("{1}", "2")})
    check(location)
    assert subjects(location, "pkg/b.py", "C.m") == ["two", "one"]
    assert subjects(location, "pkg/b.py") == ["three", "two", "one"]
    assert subjects(location, "a.py") == []
    past.go(before)
    check(location)
    assert subjects(location, "a.py") == ["two", "one"]
    past.commit("new", {"new.py": BODY})
    check(location)
    past.go(before)
    check(location)
    assert ("new.py", "") not in dump(location.map_dir)["history.units"]


def test_rewritten_history_is_forgotten(past: Past) -> None:
    first = past.commit("one", {"a.py": BODY})
    past.commit("two", {"a.py": BODY.replace("{1}", "2")})
    location = ready(past.root)
    check(location)
    past.go(first)
    assert check(location).read == 0
    assert subjects(location, "a.py") == ["one"]


def test_a_limit_and_none_at_all(past: Past) -> None:
    for number in range(5):
        past.commit(f"commit {number}", {"a.py": BODY.format(number, 0)})
    location = ready(past.root)
    assert follow_at(location, commits=0) == Followed(0, 0, 0)
    assert not Path(location.map_dir, "history.db").exists()
    assert check(location, commits=2).indexed == 2
    assert follow_at(location).limit == 2  # as the last time
    assert check(location, commits=3).read == 1
    assert follow_at(location, commits=0).window == 0
    assert dump(location.map_dir)["history.commits"] == []


def test_what_time_does_not_allow_is_done_the_next_time(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_BATCH", 2)
    for number in range(5):
        past.commit(f"commit {number}", {"a.py": BODY.format(number, 0)})
    location = ready(past.root)
    done = follow_at(location, seconds=0)
    assert (done.indexed, done.window, done.complete) == (2, 5, False)
    assert subjects(location, "a.py") == ["commit 4", "commit 3"]
    assert follow_at(location, seconds=0).indexed == 4
    assert check(location).complete


def test_no_commits_and_no_repository(past: Past, tmp_path: Path) -> None:
    location = ready(past.root)
    assert check(location) == Followed(0, 0, 0)
    past.commit("one", {"a.py": BODY})
    assert check(location).indexed == 1
    plain = tmp_path / "plain"
    plain.mkdir()
    assert follow_at(locate(str(plain))) == Followed(0, 0, 0)


def test_worktrees_share_what_commits_touched(past: Past, tmp_path: Path) -> None:
    first = past.commit("one", {"a.py": BODY})
    past.commit("two", {"a.py": BODY.replace("{1}", "2")})
    check(ready(past.root))
    past.repository.references.create("refs/heads/side", first)
    past.repository.add_worktree("side", str(tmp_path / "side"), past.repository.references["refs/heads/side"])
    location = ready(tmp_path / "side")
    assert check(location) == Followed(1, 1, 0, 5000)


def test_a_shallow_clone_ends_where_it_was_cut(past: Past) -> None:
    commits = [past.commit(f"commit {number}", {"a.py": BODY.format(number, 0)}) for number in range(4)]
    location = ready(past.root)
    shallow = past.root / ".git" / "shallow"
    shallow.write_text(commits[1] + "\n")
    assert check(location).window == 2
    assert ("cut", "1") in dump(location.map_dir)["history.meta"]
    shallow.unlink()
    assert check(location).window == 4
    assert ("cut", "0") in dump(location.map_dir)["history.meta"]


def test_a_partial_clone_is_known_by_file_alone(past: Past) -> None:
    past.commit("one", {"a.py": BODY})
    made = past.commit("two", {"a.py": BODY.replace("{1}", "2")})
    past.repository.config["remote.origin.promisor"] = True
    blob = str(past.repository[made].tree["a.py"].id)
    past.repository.free()
    (past.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    location = ready(past.root)
    assert check(location).indexed == 2
    assert subjects(location, "a.py") == ["two", "one"]
    assert subjects(location, "a.py", "f") == []


def test_trees_that_are_not_there_and_come(past: Past, tmp_path: Path) -> None:
    first = past.commit("one", {"a.py": BODY})
    past.commit("two", {"a.py": BODY.replace("{1}", "2")})
    tree = str(past.repository[first].tree.id)
    past.repository.free()
    stored = past.root / ".git" / "objects" / tree[:2] / tree[2:]
    aside = tmp_path / "tree"
    shutil.move(stored, aside)
    location = ready(past.root)
    done = follow_at(location)
    assert (done.indexed, done.window) == (0, 0)
    assert ("lacking", "2") in dump(location.map_dir)["history.meta"]
    shutil.move(aside, stored)
    os.utime(past.root / ".git" / "objects" / "pack", ns=(1, 1))  # as a fetch changes it
    assert follow_at(location).indexed == 2


def test_damaged_files_are_set_aside(past: Past) -> None:
    past.commit("one", {"a.py": BODY})
    location = ready(past.root)
    check(location)
    for name in ("history.db", "commits.db"):
        Path(location.map_dir, name).write_bytes(b"no database" * 1000)
        Path(location.map_dir, "history.db-wal").unlink(missing_ok=True)
        assert check(location, anew=True).indexed == 1
        assert Path(location.map_dir, f"{name}.damaged-1").exists()


def test_a_run_beside_another_reads_nothing(past: Past) -> None:
    from indexer.locks import writer_lock

    past.commit("one", {"a.py": BODY})
    location = ready(past.root)
    with writer_lock(os.path.join(location.map_dir, "history.lock"), 0, lambda _: None):
        assert follow_at(location).message == "another run is reading the history"


def test_a_repository_that_cannot_be_opened_is_told_in_a_line(tmp_path: Path) -> None:
    root = tmp_path / "sha256"
    root.mkdir()
    environment = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    try:
        for command in (
            ["init", "-q", "--object-format=sha256", "-b", "main"],
            ["commit", "-q", "--allow-empty", "-m", "one"],
        ):
            subprocess.run(["git", *command], cwd=root, env=environment, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no git, or none that knows SHA-256")
    done = follow_at(ready(root))
    assert done.message.startswith("the history is not read: ")
    assert "\n" not in done.message
