"""One commit that touches thousands of files: those that it adds, edits and removes, each time followed by an update.

    python -m tests.benchmarks.many [--files 10000] [--work DIR]

The files are tiny, so that what an update does for each file is most of it. At the end the map is held against a clean
one; exit code 1 where they differ.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.__main__ import environment
from tests.benchmarks.measure import Failed, codemap
from tests.benchmarks.worktree import Worktree


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.many")
    parser.add_argument("--files", type=int, default=10_000, metavar="N")
    parser.add_argument("--work", type=Path, default=None, metavar="DIR", help="where the scratch folder is made")
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="codemap-many-", dir=options.work))
    print("\n".join(f"{name}: {value}" for name, value in environment().items()), flush=True)
    print(
        "\n| commit | files of the map | parsed | linked | put back | wall | processor |\n|---|---|---|---|---|---|---|"
    )
    try:
        tree = Worktree.empty(work / "repository")
        _write(tree, 1, "def f(): pass\n")
        tree.commit("first")
        codemap(tree.root, "index")
        _update(tree, f"{options.files:,} files come", options.files, "from m0 import f\nf()\n")
        _update(tree, "all are edited", options.files, "import m0\n\n\ndef g():\n    m0.f()\n")
        _update(tree, "all but one go", 1, "def f(): pass\n")
        tree.run("reset", "-q", "--hard", "HEAD~1")
        _row(tree, "they come back (reset --hard)")
        return 0 if '"equal":true' in codemap(tree.root, "verify", "--json").output.replace(" ", "") else 1
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write(tree: Worktree, number: int, text: str) -> None:
    """`m0.py` as it is in all commits, and files up to a number with a text of their own."""
    shutil.rmtree(tree.root / "p", ignore_errors=True)
    (tree.root / "m0.py").write_text("def f(): pass\n")
    for each in range(1, number):
        path = tree.root / "p" / f"{each // 500}" / f"m{each}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {each}\n{text}")


def _update(tree: Worktree, what: str, number: int, text: str) -> None:
    _write(tree, number, text)
    tree.commit(what)
    _row(tree, what)


def _row(tree: Worktree, what: str) -> None:
    run = codemap(tree.root, "update", "--json")
    numbers = [int(_field(run.output, name)) for name in ("files", "extracted", "relinked", "restored")]
    print(f"| {what} | {' | '.join(f'{n:,}' for n in numbers)} | {run.wall:.2f} s | {run.cpu:.2f} s |", flush=True)


def _field(output: str, name: str) -> str:
    found = re.search(rf'"{name}":(\d+)', output)
    assert found is not None, output
    return found[1]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as error:
        sys.exit(f"a measured command failed: {error}")
