"""`codemap watch` on a real tree: edits, a branch switch, a flood, and how it ends."""

from __future__ import annotations

import re
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pygit2
import pytest

from codemap import CodeMap
from tests.codemap.conftest import Validate
from tests.codemap.watch.conftest import Running

Start = Callable[..., Running]

FLOOD = 1000


def _knows(folder: Path, name: str) -> bool:
    with CodeMap.open(folder, build=False) as code_map:
        return bool(code_map.find(name))


def _branch(folder: Path, name: str) -> None:
    """Switch to a branch, as git does: files first, then the index, then HEAD."""
    repository = pygit2.Repository(str(folder))
    if name not in repository.branches:
        commit = repository[repository.head.target]
        assert isinstance(commit, pygit2.Commit)
        repository.branches.create(name, commit)
    repository.checkout(repository.branches[name])


def _commit(folder: Path) -> None:
    repository = pygit2.Repository(str(folder))
    repository.index.add_all()
    repository.index.write()
    author = pygit2.Signature("Test", "test@example.org", 1_800_000_000, 0)
    repository.create_commit("HEAD", author, author, "more", repository.index.write_tree(), [repository.head.target])


def test_what_happens_in_a_tree_is_followed(folder: Path, start: Start, validate: Validate) -> None:
    watch = start("--json")
    events = [watch.event(), watch.event()]
    assert [event["event"] for event in events] == ["refreshed", "started"], "the map is made first"
    (folder / "shop/auth.py").write_text("def edited(): ...\n")
    events.append(watch.event())
    assert events[-1]["report"]["extracted"] == 1
    assert _knows(folder, "edited")

    (folder / "fresh/deep").mkdir(parents=True)
    (folder / "fresh/deep/new.py").write_text("def newcomer(): ...\n")
    events.append(watch.event())
    assert _knows(folder, "newcomer")
    time.sleep(0.5)
    (folder / "fresh/deep/new.py").write_text("def neighbour(): ...\n")  # in a folder that was not there at first
    events.append(watch.event())
    assert _knows(folder, "neighbour")

    shutil.rmtree(folder / "fresh")
    events.append(watch.event())
    assert events[-1]["report"]["removed"] == 1
    assert all(event["event"] == "refreshed" for event in events[2:])
    for event in events:
        validate("watch-line", event)


def test_commits_and_branches_are_followed(folder: Path, start: Start) -> None:
    watch = start("--json")
    assert [watch.event()["event"], watch.event()["event"]] == ["refreshed", "started"]
    _branch(folder, "other")
    (folder / "shop/auth.py").write_text("def elsewhere(): ...\n")
    while not _knows(folder, "elsewhere"):
        watch.event()
    _commit(folder)
    _until(watch, folder, fresh=True)
    _branch(folder, "main")
    while _knows(folder, "elsewhere"):
        watch.event()
    _until(watch, folder, fresh=True)
    with CodeMap.open(folder, build=False) as code_map:
        assert code_map.staleness().map_commit == str(pygit2.Repository(str(folder)).branches["main"].target)


def _until(watch: Running, folder: Path, *, fresh: bool) -> None:
    """Read on until the map is of the head: a commit may be seen half done, and is then seen again."""
    with CodeMap.open(folder, build=False) as code_map:
        while code_map.staleness().fresh is not fresh:
            watch.event()


def test_a_flood_is_few_refreshes(folder: Path, start: Start) -> None:
    watch = start("--json")
    assert [watch.event()["event"], watch.event()["event"]] == ["refreshed", "started"]
    (folder / "flood").mkdir()
    for number in range(FLOOD):
        (folder / f"flood/m{number}.py").write_text("x = 1\n")
    stored = before = watch.event()["report"]["files"]
    refreshes = 1
    while not _all_there(folder):
        stored = watch.event()["report"]["files"]
        refreshes += 1
    assert refreshes <= 5, (before, stored)


def _all_there(folder: Path) -> bool:
    with CodeMap.open(folder, build=False) as code_map, code_map.session.read() as reader:
        return len([path for path in reader.paths() if path.startswith("flood/")]) == FLOOD


@pytest.mark.skipif(sys.platform == "win32", reason="signals end a process there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly(start: Start, number: signal.Signals) -> None:
    watch = start()
    assert re.fullmatch(r"\d\d:\d\d:\d\d \d+ parsed, \d+ linked in \d+\.\d\d s\n", watch.line())
    assert re.fullmatch(r"\d\d:\d\d:\d\d watching .*shop\n", watch.line())
    assert watch.ended(number) == 0
    assert watch.line().endswith(" stopped\n")
    assert watch.process.stderr is not None
    assert watch.process.stderr.read() == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals end a process there")
def test_quiet_tells_nothing_that_goes_right(folder: Path, start: Start) -> None:
    watch = start("--quiet")
    with_map = folder / ".git/codemap/seen"
    until = time.monotonic() + 60
    while not with_map.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert watch.ended(signal.SIGTERM) == 0
    assert watch._lines.empty()
