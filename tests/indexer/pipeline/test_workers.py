"""How worker processes start: by a fork where that is safe, else anew."""

from __future__ import annotations

import _thread
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from indexer.locks import writer_lock
from indexer.pipeline.workers import process_pool


def method(jobs: int = 1) -> str | None:
    """How a pool that was just asked for would start its processes."""
    context = process_pool(jobs, None)._mp_context
    assert context is not None
    return context.get_start_method()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks")
def test_one_thread_forks() -> None:
    assert method() == "fork"


@pytest.mark.skipif(sys.platform != "linux", reason="threads of C libraries are only seen there")
def test_a_thread_that_python_does_not_list_is_one() -> None:
    running, done = threading.Lock(), threading.Lock()
    running.acquire()
    done.acquire()

    def stay() -> None:
        running.release()
        done.acquire()

    _thread.start_new_thread(stay, ())
    with running:
        assert threading.active_count() == 1
        found = method()
        done.release()
    assert found == "spawn"


def test_a_second_thread_means_new_interpreters() -> None:
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        assert method() == "spawn"
    finally:
        done.set()
        other.join()


def _prepare(folder: str) -> None:
    Path(folder, "prepared").write_text("")


def test_workers_are_prepared_before_their_first_task(tmp_path: Path) -> None:
    with process_pool(1, None, _prepare, (str(tmp_path),)) as pool:
        assert pool.submit(Path(tmp_path, "prepared").exists).result()


@pytest.mark.skipif(sys.platform != "linux", reason="only a forked worker has what its parent had")
def test_a_forked_worker_closes_the_lock(tmp_path: Path) -> None:
    with writer_lock(str(tmp_path / "lock"), 0, print) as lock, process_pool(1, lock) as pool:
        with pytest.raises(OSError, match="Bad file descriptor"):
            pool.submit(os.lseek, lock, 0, os.SEEK_CUR).result()
        assert os.lseek(lock, 0, os.SEEK_CUR) == 0


_HELD = """
import sys, time
from indexer.locks import writer_lock
from indexer.pipeline.workers import process_pool
if __name__ == "__main__":
    with writer_lock(sys.argv[1], 0, print) as lock, process_pool(2, lock) as pool:
        pool.submit(int).result()
        tasks = [pool.submit(time.sleep, 60) for _ in range(2)]
        print("busy", flush=True)
        time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX process groups")
def test_busy_workers_do_not_outlive_a_killed_run(tmp_path: Path, project_root: Path) -> None:
    lock = str(tmp_path / "lock")
    run = subprocess.Popen(
        [sys.executable, "-c", _HELD, lock], cwd=project_root, stdout=subprocess.PIPE, start_new_session=True
    )
    with run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"busy\n"
        run.kill()
        run.wait(30)
        with writer_lock(lock, 10, print):
            pass
        deadline = time.monotonic() + 10
        while _has_members(run.pid) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not _has_members(run.pid)


def _has_members(group: int) -> bool:
    """Whether a process group has members left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
