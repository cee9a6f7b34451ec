"""One writer at a time, and no lock that outlives its holder."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from indexer.errors import BusyError, StoreError
from indexer.locks import writer_lock

_HOLD = """
import sys, time
from indexer.locks import writer_lock
with writer_lock(sys.argv[1], 5, print):
    print("held", flush=True)
    time.sleep(60)
"""


def holder(path: Path, root: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", _HOLD, str(path)], stdout=subprocess.PIPE, text=True, cwd=root)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_run_waits_says_so_once_and_gives_up(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    said: list[str] = []
    start = time.monotonic()
    with writer_lock(path, 0, said.append), pytest.raises(BusyError), writer_lock(path, 0.3, said.append):
        pass
    assert 0.3 <= time.monotonic() - start < 5
    assert said == ["another run is writing this map: waiting for it"]


def test_a_free_lock_is_taken_without_a_word(tmp_path: Path) -> None:
    said: list[str] = []
    for _ in range(2):
        with writer_lock(str(tmp_path / "lock"), 0, said.append):
            pass
    assert said == []


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path, project_root: Path) -> None:
    path = tmp_path / "lock"
    process = holder(path, project_root)
    try:
        with pytest.raises(BusyError), writer_lock(str(path), 0, lambda _: None):
            pass
        process.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        process.wait(10)
        with writer_lock(str(path), 0, lambda _: None):
            pass
    finally:
        process.kill()
        process.wait(10)
        assert process.stdout is not None
        process.stdout.close()


def test_a_lock_file_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    lock = writer_lock(str(tmp_path / "gone" / "lock"), 0, lambda _: None)
    with pytest.raises(StoreError, match=r"^cannot write .*lock: No such file or directory$"), lock:
        pass
