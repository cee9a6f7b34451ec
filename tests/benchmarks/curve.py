"""What an update costs, by the number of files that changed and by the size of the repository.

    python -m tests.benchmarks.curve [--scales 1,4,16] [--changed 1,10,100,1000] [--kind bodies] [--runs 3] [--switch N]
        [--packages django,tests,scripts,js_tests]

A repository of scale N holds Django N times, each copy's packages under names of their own, so that no copy imports
another. A change is a line that no cache has seen in one function body of each file, or with `--kind signatures` a
parameter that no version had, which reaches those who call it. After it `codemap update` runs as a whole process; the
figures of changes are medians, after a round that warmed up.

`--switch` makes two branches that differ in that many files (500), half in bodies and half in signatures, and measures
the first switch (to contents that no cache has seen), the switch back, and both once more; 0 leaves it out.

Processor time is what to compare on a machine that does other things; the row without changes is the constant.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.benchmarks.__main__ import environment
from tests.benchmarks.corpora import DJANGO, Unavailable, prepare
from tests.benchmarks.edits import tracked
from tests.benchmarks.measure import Failed, codemap
from tests.benchmarks.worktree import Worktree

_FUNCTION = re.compile(r"^( *)def \w+\((self|cls|)[^()]*\):\n(?=\1    \S)", re.M)
"""A function with its parameters on one line and a body below."""

_PACKAGES = ("django", "tests", "scripts", "js_tests")
"""Top folders of Python and JavaScript in the distribution."""


class Row(NamedTuple):
    scale: int
    files: int
    what: str
    linked: int
    wall: float  # seconds, median
    cpu: float


def main() -> int:
    options = _options()
    print("\n".join(f"{name}: {value}" for name, value in environment().items()), flush=True)
    print("\n| scale | files | changed | linked | wall | processor |\n|---|---|---|---|---|---|", flush=True)
    try:
        django = prepare(DJANGO, options.work)
    except Unavailable as error:
        print(f"nothing was measured: {error}")
        return 2
    for scale in options.scales:
        name = "django" if options.packages == _PACKAGES else "-".join(options.packages) + "-alone"
        tree = multiplied(django, scale, options.work / f"{name}-times-{scale}", options.packages)
        for row in _measured(tree, scale, options):
            print(
                f"| {row.scale} × | {row.files:,} | {row.what} | {row.linked:,} | {row.wall:.2f} s | {row.cpu:.2f} s |",
                flush=True,
            )
    return 0


def _options() -> argparse.Namespace:
    def numbers(text: str) -> list[int]:
        return [int(number) for number in text.split(",")]

    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.curve")
    parser.add_argument("--scales", type=numbers, default=[1, 4, 16])
    parser.add_argument("--changed", type=numbers, default=[1, 10, 100, 1000])
    parser.add_argument("--kind", choices=("bodies", "signatures"), default="bodies")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--switch", type=int, default=500, metavar="FILES")
    parser.add_argument("--packages", type=lambda text: tuple(text.split(",")), default=_PACKAGES)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "codemap-benchmarks", metavar="DIR")
    return parser.parse_args()


def multiplied(django: Path, scale: int, root: Path, packages: Sequence[str] = _PACKAGES) -> Worktree:
    """A repository with one commit that holds some of Django's top folders `scale` times, made if it is not there."""
    if (root / ".git").is_dir():
        tree = Worktree(root)
        tree.run("checkout", "-q", "-f", "master")
        return tree
    tree = Worktree.empty(root)
    tree.run("symbolic-ref", "HEAD", "refs/heads/master")
    for copy in range(scale):
        suffix = f"_{copy}" if copy else ""
        names = re.compile(rf"^( *(?:from|import) +(?:{'|'.join(packages)}))\b".encode(), re.M)
        for package in packages:
            for path in sorted((django / package).rglob("*")):
                if path.is_file() and not path.is_symlink():
                    to = root / f"{package}{suffix}" / path.relative_to(django / package)
                    to.parent.mkdir(parents=True, exist_ok=True)
                    text = path.read_bytes()
                    to.write_bytes(names.sub(rb"\1" + suffix.encode(), text) if suffix else text)
    tree.commit(f"{scale} times {DJANGO.label}")
    return tree


def _measured(tree: Worktree, scale: int, options: argparse.Namespace) -> Iterator[Row]:
    files = int(_report(codemap(tree.root, "index", "--full", "--json").output, "files"))
    for number in (0, *options.changed):
        chance, rounds = Random(number), []
        for count in range(options.runs + 1):
            change(tree, number, chance, f"{number}_{count}", _body if options.kind == "bodies" else _signature)
            rounds.append(codemap(tree.root, "update", "--json"))
        linked = int(statistics.median(_report(run.output, "relinked") for run in rounds[1:]))
        walls, cpus = ([getattr(run, field) for run in rounds[1:]] for field in ("wall", "cpu"))
        yield Row(scale, files, f"{number}", linked, statistics.median(walls), statistics.median(cpus))
        tree.run("checkout", "-q", "-f", ".")
        codemap(tree.root, "update")
    if options.switch:
        yield from _switches(tree, scale, files, options.switch)


def _switches(tree: Worktree, scale: int, files: int, number: int) -> Iterator[Row]:
    tree.run("checkout", "-q", "-B", "other")
    half = number // 2
    change(tree, half, Random("bodies"), "branch", _body)
    change(tree, number - half, Random("signatures"), "branch", _signature)
    tree.commit(f"{number} files")
    tree.run("checkout", "-q", "master")
    codemap(tree.root, "update")
    for label, branch in (("first switch", "other"), ("back", "master"), ("again", "other"), ("back again", "master")):
        tree.run("checkout", "-q", branch)
        run = codemap(tree.root, "update", "--json")
        yield Row(scale, files, f"{label}, {number}", int(_report(run.output, "relinked")), run.wall, run.cpu)


def _report(output: str, field: str) -> float:
    found = re.search(rf'"{field}":([\d.]+)', output)
    assert found is not None, output
    return float(found[1])


Edit = Callable[[re.Match[str], str], str]


def _body(match: re.Match[str], mark: str) -> str:
    return f"{match[0]}{match[1]}    codemap_mark_{mark} = 1\n"


def _signature(match: re.Match[str], mark: str) -> str:
    head, colon, rest = match[0].rpartition("):")
    comma = "" if head.endswith(("(", ", ", ",")) else ", "
    return f"{head}{comma}codemap_mark_{mark}=None{colon}{rest}"


def change(tree: Worktree, number: int, chance: Random, mark: str, edit: Edit) -> None:
    """Edit one function in each of `number` files; `mark` makes the line unlike any before."""
    fit = [path for path in tracked(tree.root) if path.endswith(".py")]
    chance.shuffle(fit)
    left = number
    for path in fit:
        if not left:
            return
        text = (tree.root / path).read_text(encoding="utf-8")
        functions = [match for match in _FUNCTION.finditer(text) if "*" not in match[0]]
        if functions:
            match = chance.choice(functions)
            (tree.root / path).write_text(
                f"{text[: match.start()]}{edit(match, mark)}{text[match.end() :]}", encoding="utf-8"
            )
            left -= 1
    assert not left, f"{number} files have no function to edit"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as error:
        sys.exit(f"a measured command failed: {error}")
