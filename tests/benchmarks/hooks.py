"""From a commit to a map that is current, end to end: `python -m tests.benchmarks.hooks DIR FILE [--commits N]`.

A clone of the repository DIR is mapped and gets the hooks; then FILE, a path in it, is changed and committed N times.
For each commit: how long git took, with its output read to the end, and how long after that the map was of it.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT_SECONDS = 60.0
PAUSE_SECONDS = 1.0  # between commits, so that each is an update


def main(arguments: list[str]) -> int:
    """Returns 1 when a map did not follow in time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("file")
    parser.add_argument("--commits", type=int, default=5)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        clone = Path(scratch, "clone")
        subprocess.run(["git", "clone", "-q", str(options.folder), str(clone)], check=True)
        for command in (["index"], ["hooks", "install"]):
            subprocess.run([sys.executable, "-m", "codemap", "-C", str(clone), *command], check=True)
        followed = [_commit(clone, options.file, number) for number in range(options.commits)]
        return 0 if all(followed) else 1


def _commit(clone: Path, file: str, number: int) -> bool:
    with (clone / file).open("a", encoding="utf-8") as stream:
        stream.write(f"\n\ndef codemap_probe_{number}():\n    return {number}\n")
    start = time.perf_counter()
    subprocess.run(["git", "-C", str(clone), "commit", "-qam", str(number)], check=True, capture_output=True)
    returned = time.perf_counter()
    head = subprocess.run(["git", "-C", str(clone), "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    while (current := _map_commit(clone)) != head.stdout.strip() and time.perf_counter() - returned < LIMIT_SECONDS:
        time.sleep(0.005)
    seconds = time.perf_counter() - returned
    followed = current == head.stdout.strip()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"commit {returned - start:.3f} s, map {'current' if followed else 'STALE'} after {seconds:.3f} s{load}")
    time.sleep(PAUSE_SECONDS)
    return followed


def _map_commit(clone: Path) -> str:
    connection = sqlite3.connect(f"file:{clone}/.git/codemap/map.db?mode=ro", uri=True)
    try:
        return str(connection.execute("SELECT value FROM meta WHERE key = 'commit'").fetchone()[0])
    finally:
        connection.close()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
