"""Random edits of a real repository, each followed by an update, and a comparison with a map built from nothing.

    python -m tests.benchmarks.replay DIR [--seed N] [--rounds 2,30,200]

DIR is a git repository with a commit; it is copied, and only the copy is edited. Every round edits that many files at
once (names that change, files that go or are doubled, bases, return types, star imports, exports, and what
`mutations` does to Python), updates, and verifies; at the end all is undone with `git stash`, updated and verified.
Exits with 1 at the first difference.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from codemap import CodeMap
from tests.benchmarks.edits import edit_files


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.replay")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", default="2,30,200")
    arguments = parser.parse_args()
    rounds = [int(number) for number in arguments.rounds.split(",")]
    with tempfile.TemporaryDirectory() as work:
        root = Path(work, "repository")
        steps = (
            ["clone", "-q", str(arguments.folder), str(root)],
            ["-C", str(root), "rev-parse", "-q", "--verify", "HEAD"],
        )
        if any(subprocess.run(["git", *step], check=False, stdout=subprocess.DEVNULL).returncode for step in steps):
            parser.error(f"{arguments.folder} is no git repository with a commit")
        return _replay(root, random.Random(arguments.seed), rounds)


def _replay(root: Path, chance: random.Random, rounds: list[int]) -> int:
    print(CodeMap.index(root).files, "files", flush=True)
    for number in rounds:
        edit_files(root, number, chance)
        if not _agrees(root, f"{number} edits"):
            return 1
    subprocess.run(["git", "-C", str(root), "stash", "-q", "-u"], check=True)
    return 0 if _agrees(root, "all undone") else 1


def _agrees(root: Path, label: str) -> bool:
    start = time.perf_counter()
    report = CodeMap.index(root)
    seconds = time.perf_counter() - start
    with CodeMap.open(root, build=False) as code_map:
        verified = code_map.verify()
    rows = sum(verified.rows.values())
    print(f"{label}: {report.relinked} of {report.files} files linked in {seconds:.2f} s; {rows:,} rows compared")
    for difference in verified.differences:
        print(f"  {difference}")
    sys.stdout.flush()
    return verified.equal


if __name__ == "__main__":
    sys.exit(main())
