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
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from codemap import CodeMap
from tests.benchmarks.mutations import mutated

Edit = Callable[[str, random.Random], str]


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
        _edit_files(root, number, chance)
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


def _edit_files(root: Path, number: int, chance: random.Random) -> None:
    listed = subprocess.run(["git", "-C", str(root), "ls-files"], check=True, capture_output=True, text=True).stdout
    sources = [path for path in listed.splitlines() if path.endswith((".py", ".ts", ".tsx", ".js"))]
    for path in chance.sample(sources, min(number, len(sources))):
        file = root / path
        if not file.is_file():
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        kind = chance.choice(("edit", "edit", "edit", "edit", "edit", "remove", "double"))
        if kind == "remove":
            file.unlink()
        elif kind == "double":
            file.with_name(f"{file.stem}_copy{file.suffix}").write_text(text, encoding="utf-8")
        else:
            edits = PYTHON_EDITS if path.endswith(".py") else SCRIPT_EDITS
            file.write_text(chance.choice(edits)(text, chance), encoding="utf-8")


def _renamed(pattern: str) -> Edit:
    def edit(text: str, chance: random.Random) -> str:
        names = re.findall(pattern, text, re.MULTILINE)
        return re.sub(rf"\b{re.escape(chance.choice(names))}\b", "renamed_here", text, count=1) if names else text

    return edit


def _prefixed(line: str) -> Edit:
    return lambda text, chance: line + text


def _replaced(pattern: str, by: str) -> Edit:
    return lambda text, chance: re.sub(pattern, by, text, count=1, flags=re.MULTILINE)


PYTHON_EDITS: list[Edit] = [
    _renamed(r"^\s*(?:def|class) (\w+)"),
    _replaced(r"\):\n(\s+)", r') -> "Model":\n\1'),
    _replaced(r"^class (\w+)\((\w+)", r"class \1(object"),
    _replaced(r"^(\s+)return ", r"\1return None and "),
    _replaced(r"^( +)return ", r"\1added_here = 1\n\1return "),
    _prefixed("# moved\n\n"),
    _prefixed("from . import *\n"),
    _prefixed("from .models import *\n"),
    *[mutated] * 12,
    lambda text, chance: text + "\n__all__ = ['added_here']\n\n\ndef added_here():\n    return 1\n",
]
SCRIPT_EDITS: list[Edit] = [
    _renamed(r"^(?:export )?(?:async )?(?:function|class|const|interface) (\w+)"),
    _replaced(r"^export (?=function|const|class)", ""),
    _replaced(r"^(?=function |class )", "export "),
    _replaced(r"extends (\w+)", "extends Object"),
    _prefixed("// moved\n\n"),
    _prefixed("export * from './index'\n"),
    _prefixed("import * as added from '.'\n"),
    lambda text, chance: text + "\nexport default function added() { return 1 }\n",
]


if __name__ == "__main__":
    sys.exit(main())
