"""One update at a time, and one for all that came meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from indexer.hooks import runner
from indexer.hooks.runner import TURN, WAITING, WANTED, Pace, follow
from indexer.locks import writer_lock

QUICK = Pace(settle=0.01, settle_limit=0.1, look=0.01, look_limit=0.05, patience=20)


@pytest.fixture
def git_dir(tmp_path: Path) -> Path:
    (tmp_path / "codemap").mkdir()
    return tmp_path


def _counted(git_dir: Path, during: Callable[[int], None] = lambda number: None, pace: Pace = QUICK) -> int:
    """How many updates one call makes; `during` is called in each."""
    updates = 0

    def update() -> None:
        nonlocal updates
        updates += 1
        during(updates)

    follow(str(git_dir), update, pace)
    return updates


def test_one_update_and_no_mark_stays(git_dir: Path) -> None:
    assert _counted(git_dir) == 1
    assert os.listdir(git_dir / "codemap") == [TURN]


def test_what_comes_while_an_update_runs_is_served_by_one_more(git_dir: Path) -> None:
    def a_burst(number: int) -> None:
        if number == 1:
            for _ in range(5):
                assert _counted(git_dir) == 0  # the turn is taken: a mark is left, nothing done

    assert _counted(git_dir, a_burst) == 2


def test_a_mark_left_as_the_turn_ends_is_not_lost(git_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = threading.Event()

    serve = runner._serve

    def late(*given: Any) -> None:
        serve(*given)
        if not left.is_set():
            left.set()
            (git_dir / "codemap" / WANTED).touch()  # by one who finds the turn still taken

    monkeypatch.setattr(runner, "_serve", late)
    assert _counted(git_dir) == 2


@pytest.mark.parametrize("name", ["rebase-merge", "rebase-apply", "MERGE_HEAD", "BISECT_LOG", "CHERRY_PICK_HEAD"])
def test_the_end_of_an_operation_is_waited_for(git_dir: Path, name: str) -> None:
    state = git_dir / name
    state.mkdir() if name.startswith("rebase") else state.touch()
    seen: list[tuple[bool, bool]] = []

    def end() -> None:
        time.sleep(0.05)
        seen.append(((git_dir / "codemap" / WAITING).exists(), bool(counts)))
        state.rmdir() if state.is_dir() else state.unlink()

    counts: list[int] = []
    thread = threading.Thread(target=end)
    thread.start()
    assert _counted(git_dir, counts.append) == 1
    thread.join()
    assert seen == [(True, False)]
    assert not (git_dir / "codemap" / WAITING).exists()


def test_an_operation_that_does_not_end_is_not_waited_for_forever(git_dir: Path) -> None:
    (git_dir / "BISECT_LOG").touch()
    assert _counted(git_dir, pace=QUICK._replace(patience=0.05)) == 1


def test_waiting_hardly_looks(git_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(time, "monotonic", lambda: sum(slept))
    (git_dir / "BISECT_LOG").touch()
    assert _counted(git_dir, pace=runner.PACE) == 1
    assert 1800 <= sum(slept) < 1806
    assert len(slept) < 400


def test_the_lock_of_a_killed_process_holds_nobody_up(git_dir: Path) -> None:
    code = (
        "import sys, time\n"
        "from indexer.hooks.runner import follow\n"
        "follow(sys.argv[1], lambda: (print('mine', flush=True), time.sleep(60)))\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, str(git_dir)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    holder.stdout.readline()
    assert _counted(git_dir) == 0
    holder.kill()
    holder.communicate()
    assert _counted(git_dir) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="workers are forked on POSIX alone")
def test_a_forked_worker_does_not_keep_the_turn(git_dir: Path) -> None:
    pids: list[int] = []

    def fork(number: int) -> None:
        pid = os.fork()
        if pid == 0:
            time.sleep(60)
            os._exit(0)
        pids.append(pid)

    assert _counted(git_dir, fork) == 1
    try:
        with writer_lock(str(git_dir / "codemap" / TURN), 10, lambda message: None):
            pass
    finally:
        os.kill(pids[0], 9)
        os.waitpid(pids[0], 0)


def test_clocks_do_not_matter(git_dir: Path) -> None:
    """Marks of a time to come, as after a clock was set back, and of long ago."""
    for when in (4_000_000_000, 1):
        for name in (WANTED, WAITING, TURN):
            (git_dir / "codemap" / name).touch()
            os.utime(git_dir / "codemap" / name, (when, when))
        assert _counted(git_dir) == 1
        assert not (git_dir / "codemap" / WANTED).exists()
