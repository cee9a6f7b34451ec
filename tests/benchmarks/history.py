"""Replay the history of a real repository through updates, each held against a map built from nothing.

    python -m tests.benchmarks.history DIR [--commits 200] [--seed N] [--every K] [--events P] [--jobs N] [--worth N]

DIR is a clone, or a folder of source distributions of one package (archives or unpacked), which are replayed in the
order of their versions. A scratch clone is made, and only that is touched. It goes from commit to commit, oldest first,
in one of three ways (checkout, reset --hard, or the files first and the commit after), and with the chance P there
comes an event between: branch switches, reverts, renames, `reset --hard`, amends, … (`tests.benchmarks.events`).

After every step the map is updated; after every K-th, and after the last, it is compared with a clean one, row for row.
The clean map shares with the updated one the worktree and the code, and no file: its facts come from a cache of its
own, which only clean builds fill, so that each file's bytes are extracted once for the whole replay; all links are made
anew each time. The last comparison shares nothing: there even those facts are extracted again. Exit code 1 at the
first difference; the scratch folder is then kept, and named.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from indexer.discover import locate
from indexer.pipeline.update import update_at
from indexer.pipeline.verification import compare
from indexer.store import states
from tests.benchmarks.distributions import from_distributions
from tests.benchmarks.events import event
from tests.benchmarks.worktree import Worktree


def main() -> int:
    options = _options()
    states.WORTH = options.worth
    work = Path(tempfile.mkdtemp(prefix="codemap-history-", dir=options.work))
    tree = _opened(options.folder, work / "repository")
    replay = Replay(tree, work, every=options.every, jobs=options.jobs)
    chance = random.Random(options.seed)
    for label in history(tree, chance, options.commits, options.events):
        if not replay.holds(label):
            print(f"kept: {work}")
            return 1
    same = replay.holds("the end, with nothing shared", apart=True)
    print(replay.summary(), flush=True)
    if same:
        shutil.rmtree(work, ignore_errors=True)
    return 0 if same else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.history")
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--commits", type=int, default=200, metavar="N", help="how many, the newest of the history")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="compare after every K-th step")
    parser.add_argument("--events", type=float, default=0.4, metavar="P", help="chance of an event after a commit")
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="worker processes, of updates and clean builds"
    )
    parser.add_argument("--worth", type=int, default=3, metavar="N", help="files that make a state one to go back to")
    parser.add_argument("--work", type=Path, default=None, metavar="DIR", help="where the scratch folder is made")
    options = parser.parse_args()
    if options.commits < 1 or options.every < 1:
        parser.error("--commits and --every must be at least 1")
    return options


def _opened(folder: Path, root: Path) -> Worktree:
    made = from_distributions(folder, root)
    if made is not None:
        return made
    try:
        return Worktree.cloned(folder, root)
    except subprocess.CalledProcessError:
        sys.exit(f"{folder} is neither a git repository nor a folder of source distributions")


def history(tree: Worktree, chance: random.Random, commits: int, events: float) -> Iterator[str]:
    """Go through the last commits, oldest first, with events between; gives a line after each thing that was done."""
    listed = tree.run("rev-list", "--topo-order", "-n", str(commits), "HEAD").split()
    for number, commit in enumerate(reversed(listed), 1):
        for done in _advance(tree, chance, commit):
            yield f"{number}/{len(listed)} {commit[:10]} {done}"
        if chance.random() < events:
            for done in event(chance)(tree, chance):
                yield f"{number}/{len(listed)} {commit[:10]} {done}"
            if chance.random() < 0.3:  # else what the event left is still there when the next commit comes
                tree.go(commit)
                yield f"{number}/{len(listed)} {commit[:10]} restored"


def _advance(tree: Worktree, chance: random.Random, commit: str) -> Iterator[str]:
    way = chance.choice(("checkout", "reset", "files first"))
    if way == "files first":
        tree.run("read-tree", "-u", "--reset", commit)
        yield "files"
        tree.run("clean", "-q", "-f", "-d")
        tree.run("reset", "-q", "--hard", commit)
        yield "commit"
    elif way == "reset" and (tree.root / ".git" / "index").exists():
        tree.run("reset", "-q", "--hard", commit)
        yield "reset"
    else:
        tree.go(commit)
        yield "checkout"


class Replay:
    """A map that is only ever updated, and what it is held against."""

    def __init__(self, tree: Worktree, work: Path, *, every: int, jobs: int) -> None:
        self._location = locate(str(tree.root))
        self._clean = work / "clean"
        self._facts = work / "facts"
        self._every = every
        self._jobs = jobs
        self._steps = self._compared = self._linked = self._restored = self._files = self._rows = 0
        self._update_seconds = self._clean_seconds = 0.0

    def holds(self, label: str, *, apart: bool = False) -> bool:
        """Update, compare if it is time (always where `apart`, without the cached facts), say what came of it."""
        report = update_at(self._location, jobs=self._jobs)
        self._steps += 1
        self._linked += report.relinked
        self._restored += report.restored
        self._files += report.files
        self._update_seconds += report.seconds
        back = f", {report.restored} put back" if report.restored else ""
        line = f"{label}: {report.relinked} of {report.files} linked{back} in {report.seconds:.2f} s"
        if report.messages:
            print(f"{line}\n  " + "\n  ".join(report.messages), flush=True)
            return False
        if not apart and self._steps % self._every:
            print(line, flush=True)
            return True
        start = time.perf_counter()
        differences, rows = self._differences(apart)
        self._compared += 1
        self._rows += rows
        print(f"{line}; {rows:,} rows compared in {time.perf_counter() - start:.1f} s", flush=True)
        for difference in differences:
            print(f"  {difference}", flush=True)
        return not differences

    def _differences(self, apart: bool) -> tuple[tuple[str, ...], int]:
        shutil.rmtree(self._clean, ignore_errors=True)
        facts = self._clean if apart else self._facts
        clean = replace(self._location, map_dir=str(self._clean), facts_dir=str(facts))
        self._clean_seconds += update_at(clean, jobs=self._jobs).seconds
        differences, rows = compare(Path(self._location.map_dir, "map.db"), self._clean / "map.db")
        return differences, sum(rows.values())

    def summary(self) -> str:
        share = self._linked / self._files if self._files else 0.0
        return (
            f"{self._steps} steps, {self._compared} compared with a clean map, {self._rows:,} rows; "
            f"{share:.1%} of the files linked, {self._restored:,} put back; updates "
            f"{self._update_seconds:.0f} s, clean builds {self._clean_seconds:.0f} s"
        )


if __name__ == "__main__":
    sys.exit(main())
