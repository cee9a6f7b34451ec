"""The process that updates maps for a server: `python -m codemap.service.updater`.

A line on standard input names a folder, as JSON: {"root": …, "full": false}. Lines on standard output tell how far the
run is, {"progress": [stage, done, total]}, and how it ended, {"report": {…}} or {"error": {…}}. It ends with its input:
a server that dies takes it along, at the next thing it says.

In a process of its own, since a run takes all of a processor and some hundred megabytes, and answers must not wait.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any, BinaryIO

import orjson

from codemap.api import CodeMap
from indexer.errors import CodemapError

PROGRESS_SECONDS = 0.2
HISTORY_SECONDS = 1.0
"""For commits that are not indexed yet, after each run; what is left is done by the next."""


class _Lines:
    """Progress, told a few times a second."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._said = 0.0
        self._total = 0

    def begin(self, stage: str, total: int) -> None:
        self._total = total
        tell(self._out, {"progress": [stage, 0, total]})

    def advance(self, stage: str, done: int, made: int) -> None:
        now = time.monotonic()
        if now - self._said >= PROGRESS_SECONDS:
            self._said = now
            tell(self._out, {"progress": [stage, done, self._total]})

    def say(self, message: str) -> None:
        print(f"codemap: {message}", file=sys.stderr)


def main() -> int:
    # Workers write to this process's standard output nothing of their own, but a library might.
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal, meant for the server
    try:
        for line in sys.stdin.buffer:
            asked = orjson.loads(line)
            answer = run(asked, _Lines(out))
            tell(out, answer)
            if "report" in answer:
                read_commits(asked["root"])
    except BrokenPipeError:
        return 1
    return 0


def run(asked: dict[str, Any], progress: _Lines) -> dict[str, Any]:
    """One update; what became of it."""
    try:
        report = CodeMap.index(asked["root"], full=asked.get("full", False), progress=progress)
    except CodemapError as error:
        return {"error": {"type": type(error).__name__, "message": str(error)}}
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the outermost boundary: the server says it, and this process goes on
        return {"error": {"type": "CodemapError", "message": f"the update failed: {type(error).__name__}: {error}"}}
    from codemap.render.runs import json_report

    return {"report": orjson.loads(json_report(report))}


def read_commits(root: str) -> None:
    """Index commits that are not yet, when the map has been told of: nobody waits for them."""
    try:
        CodeMap.index_history(root, seconds=HISTORY_SECONDS)
    except CodemapError as error:
        print(f"codemap: the commits of {root} could not be indexed: {error}", file=sys.stderr)


def tell(out: BinaryIO, value: dict[str, Any]) -> None:
    """One line; raises BrokenPipeError where nobody reads any more."""
    out.write(orjson.dumps(value, default=str) + b"\n")


if __name__ == "__main__":
    sys.exit(main())
