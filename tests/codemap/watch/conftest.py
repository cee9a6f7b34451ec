"""A repository to watch, and a `codemap watch` that runs beside the test."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 60.0  # seconds; far more than it takes


class Running:
    """`codemap watch --json` in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        command = [sys.executable, "-m", "codemap", "-C", str(folder), "watch", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def line(self) -> str:
        """The next line. Raises queue.Empty where none comes."""
        return self._lines.get(timeout=PATIENCE)

    def event(self) -> dict[str, Any]:
        event: dict[str, Any] = json.loads(self.line())
        return event

    def ended(self, signal: int) -> int:
        self.process.send_signal(signal)
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join(PATIENCE)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


@pytest.fixture
def folder(tmp_path: Path, repository: Callable[[Path], None]) -> Path:
    made = tmp_path / "shop"
    repository(made)
    time.sleep(0.05)  # what is younger than a look is not trusted, and looked at once more
    return made


@pytest.fixture
def start(folder: Path) -> Iterator[Callable[..., Running]]:
    made: list[Running] = []

    def starting(*options: str) -> Running:
        made.append(Running(folder, *options))
        return made[-1]

    yield starting
    for each in made:
        each.close()
