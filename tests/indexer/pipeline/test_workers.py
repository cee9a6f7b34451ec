"""How worker processes start: by a fork where that is safe, else anew."""

from __future__ import annotations

import _thread
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from indexer.locks import writer_lock
from indexer.pipeline.workers import Crew, Done, Task, start_method


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks")
def test_one_thread_forks() -> None:
    assert start_method() == "fork"


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
        found = start_method()
        done.release()
    assert found == "spawn"


def test_a_second_thread_means_new_interpreters() -> None:
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        assert start_method() == "spawn"
    finally:
        done.set()
        other.join()


def _numbers(offset: int) -> Task:
    """Task 7 kills its worker, and task 8 raises."""

    def task(number: int) -> bytes:
        if number == 7:
            os._exit(3)
        if number == 8:
            raise ValueError("eight")
        return b"%d by %d" % (number + offset, os.getpid())

    return task


@pytest.fixture
def crew() -> Iterator[Crew]:
    made = Crew(2, None)
    yield made
    made.close()
    assert made.workers == []


def numbers(results: Iterable[Done]) -> list[tuple[int, bytes | None]]:
    return sorted((done.task, done.result and done.result.split()[0]) for done in results)


def test_every_task_is_done_once_and_workers_can_be_given_others(crew: Crew) -> None:
    crew.prepare(_numbers, 10)
    assert numbers(crew.run([-1, 0, 0, 0, 1])) == [(n, b"%d" % (n + 10)) for n in range(5)]
    crew.prepare(_numbers, 20)
    assert numbers(crew.run([0, 0])) == [(0, b"20"), (1, b"21")]
    assert numbers(crew.run([])) == []


def test_a_worker_does_its_own_tasks_first(crew: Crew) -> None:
    crew.prepare(_numbers, 0)
    owners = [1, 0, 1, 0, 1, 0]
    by = {done.task: done.worker for done in crew.run(owners)}
    assert [by[task] for task in range(6)] == owners


def test_a_death_tells_its_task_and_the_others_are_done(crew: Crew) -> None:
    crew.prepare(_numbers, 0)
    found = numbers(crew.run([0] * 8))
    assert found == [*((n, b"%d" % n) for n in range(7)), (7, None)]
    assert len(crew.workers) == 1
    assert numbers(crew.run([-1] * 7)) == [(n, b"%d" % n) for n in range(7)]


def _deadly() -> Task:
    return lambda number: os._exit(3)


def test_tasks_are_given_back_when_no_worker_is_left(crew: Crew) -> None:
    crew.prepare(_deadly)
    assert numbers(crew.run([-1] * 6)) == [(n, None) for n in range(6)]
    assert numbers(crew.run([-1] * 2)) == [(0, None), (1, None)]


def test_an_exception_in_a_task_is_raised_here(crew: Crew) -> None:
    crew.prepare(_numbers, 1)
    with pytest.raises(ValueError, match="eight"):
        numbers(crew.run([-1] * 9))


def _reads(descriptor: int) -> Task:
    return lambda _: b"%d" % os.lseek(descriptor, 0, os.SEEK_CUR)


@pytest.mark.skipif(sys.platform != "linux", reason="only a forked worker has what its parent had")
def test_a_forked_worker_closes_the_lock(tmp_path: Path) -> None:
    with writer_lock(str(tmp_path / "lock"), 0, print) as lock, closing(Crew(1, lock)) as crew:
        crew.prepare(_reads, lock)
        with pytest.raises(OSError, match="Bad file descriptor"):
            numbers(crew.run([-1]))
        assert os.lseek(lock, 0, os.SEEK_CUR) == 0


_HELD = """
import sys, time
from contextlib import closing
from indexer.locks import writer_lock
from indexer.pipeline.workers import Crew
from tests.indexer.pipeline.test_workers import sleeping
if __name__ == "__main__":
    with writer_lock(sys.argv[1], 0, print) as lock, closing(Crew(2, lock)) as crew:
        crew.prepare(sleeping)
        results = crew.run([0, 1, 0, 1])
        next(results), next(results)
        print("busy", flush=True)
        time.sleep(60)
"""


def sleeping() -> Task:
    """The second task of a worker takes longer than a test."""
    done: list[int] = []

    def task(number: int) -> bytes:
        time.sleep(60 * len(done))
        done.append(number)
        return b"."

    return task


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


def test_a_script_without_a_guard_is_mapped_in_one_process(tmp_path: Path) -> None:
    """Where workers are new interpreters they run the caller's script first: it must neither wait nor lose files."""
    repository = tmp_path / "repository"
    repository.mkdir()
    for number in range(40):
        (repository / f"m{number}.py").write_text("def f():\n    return 1\n" * 800)
    script = tmp_path / "script.py"
    script.write_text(
        "import threading\nfrom codemap import CodeMap\n"
        "done = threading.Event()\nthreading.Thread(target=done.wait, daemon=True).start()\n"
        f"report = CodeMap.index({str(repository)!r}, jobs=2)\n"
        "print(report.files, report.skipped, report.messages[0].partition(':')[0])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3])}
    ended = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=50)
    assert ended.stdout == "40 0 worker processes do not start\n"
