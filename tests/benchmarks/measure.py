"""Running one command and weighing it: wall time, processor time, peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent.parent
CODEMAP = (sys.executable, "-c", "import sys; from codemap.cli import main; sys.exit(main())")


class Run(NamedTuple):
    """What one process, with all its children, took."""

    wall: float  # seconds
    cpu: float  # seconds, user and system
    peak: int | None  # bytes, of the largest process, and no less than this one's; None where the system does not tell
    output: str


class Failed(Exception):
    """A measured command ended with an error; the message holds its last words."""


def codemap(root: Path, *arguments: str, text: str = "") -> Run:
    """Run the command line of this checkout on a repository, with `text` on standard input."""
    return run((*CODEMAP, "-C", str(root), *arguments), text)


def run(command: Sequence[str], text: str = "") -> Run:
    """Run a command to its end. Raises `Failed` on a non-zero exit code."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        given.write(text.encode())
        given.seek(0)
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=PROJECT, stdin=given, stdout=output, stderr=errors)
        cpu, peak = _wait(process)
        wall = time.perf_counter() - started
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            raise Failed(f"{' '.join(command)}: exit code {process.returncode}\n{_text(errors.read())[-2000:]}")
        return Run(wall, cpu, peak, _text(output.read()))


if sys.platform == "win32":

    def _wait(process: subprocess.Popen[bytes]) -> tuple[float, int | None]:
        process.wait()
        return 0.0, None

else:

    def _wait(process: subprocess.Popen[bytes]) -> tuple[float, int | None]:
        """Reap the process and read what it and the children it reaped used."""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        unit = 1 if sys.platform == "darwin" else 1024
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
