"""How worker processes start: by a fork where that is safe, else anew."""

from __future__ import annotations

import _thread
import sys
import threading
from pathlib import Path

import pytest

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
