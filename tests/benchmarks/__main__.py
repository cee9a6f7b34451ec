"""`python -m tests.benchmarks`: measure codemap on pinned sources, each figure beside its bound.

Exit code 0 when every bound holds, 1 when one does not or a command fails, 2 when nothing could be measured.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pygit2

from tests.benchmarks import callers, landmarks
from tests.benchmarks.corpora import CORPORA, DJANGO, Corpus, Unavailable, prepare
from tests.benchmarks.measure import PROJECT, Failed
from tests.benchmarks.rounds import FIGURES, Figure, Values, measure, medians


def main() -> int:
    options = _options()
    print("\n".join(f"{name}: {value}" for name, value in environment().items()), flush=True)
    measured: dict[str, list[Values]] = {}
    missed: list[str] = []
    for corpus in CORPORA:
        if corpus.name not in (options.only or corpus.name):
            continue
        try:
            root = prepare(corpus, options.work)
        except Unavailable as error:
            print(f"\nskipped: {error}", flush=True)
            continue
        rounds = [measure(corpus, root, number) for number in range(options.runs + 1)][1:]
        measured[corpus.label] = rounds
        print("\n" + "\n".join(table(corpus, rounds)), flush=True)
        missed += [f"{corpus.label}: {figure.title}" for figure in misses(corpus, rounds)]
        if corpus is DJANGO:
            missed += answers(root)
    if options.json:
        report = {"environment": environment(), "rounds": measured, "missed": missed}
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    if not measured:
        print("\nnothing was measured")
        return 2
    print("\nmissed: " + "; ".join(missed) if missed else "\nevery bound holds")
    return 1 if missed else 0


def answers(root: Path) -> list[str]:
    """Check what is answered on Django, not only how fast; gives what is wrong."""
    compared = callers.compare(root)
    lost = landmarks.missing(root)
    print(f"\n{compared.summary()}\n{landmarks.summary(lost)}", flush=True)
    few = [] if compared.share >= callers.BOUND else [f"callers {callers.NAME}"]
    return few + ([f"subgraph {landmarks.WORDS!r}"] if lost else [])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "codemap-benchmarks", metavar="DIR")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="measured rounds, after one that warms up")
    parser.add_argument("--only", metavar="CORPUS", help=", ".join(corpus.name for corpus in CORPORA))
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every value there")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    return options


def environment() -> dict[str, str]:
    """What the figures depend on beside the code."""
    packages = ("tree-sitter", "tree-sitter-python", "tree-sitter-typescript", "pygit2", "orjson")
    return {
        "commit": _commit(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "packages": ", ".join(f"{name} {version(name)}" for name in packages),
    }


def _commit() -> str:
    try:
        repository = pygit2.Repository(str(PROJECT))
        return str(repository.head.target)[:12] + (" with changes" if repository.status() else "")
    except pygit2.GitError:
        return "unknown"


def table(corpus: Corpus, rounds: list[Values]) -> Iterator[str]:
    """Markdown: a row a figure, with its spread over the rounds."""
    middle = medians(rounds)
    yield f"| {corpus.label}, median of {len(rounds)} | measured | least – most | bound | |"
    yield "|---|---|---|---|---|"
    for figure in FIGURES:
        if figure.key not in middle:
            yield f"| {figure.title} | not measured here | | | |"
            continue
        values = [values[figure.key] for values in rounds]
        bound = _bound(corpus, figure)
        verdict = "" if bound is None else "holds" if middle[figure.key] <= bound else "over"
        spread = f"{_number(min(values))} – {_number(max(values))}"
        limit = "" if bound is None else f"{_number(bound)} {figure.unit}"
        yield f"| {figure.title} | {_number(middle[figure.key])} {figure.unit} | {spread} | {limit} | {verdict} |"


def misses(corpus: Corpus, rounds: list[Values]) -> list[Figure]:
    """The figures of a corpus whose median is over the bound."""
    middle = medians(rounds) if rounds else {}
    found = []
    for figure in FIGURES:
        bound = _bound(corpus, figure)
        if bound is not None and middle.get(figure.key, 0.0) > bound:
            found.append(figure)
    return found


def _bound(corpus: Corpus, figure: Figure) -> float | None:
    return figure.bound if corpus.name in figure.corpora else None


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.2f}"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as error:
        sys.exit(f"a measured command failed: {error}")
