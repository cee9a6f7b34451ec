"""One round of measurements on one corpus, and what they may cost at most."""

from __future__ import annotations

import json
import shutil
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.corpora import Corpus
from tests.benchmarks.measure import Failed, codemap, run
from tests.benchmarks.places import sample

MEGABYTE = 1_000_000
MOST = 0.97  # of the parsed files; a few are broken on purpose, generated or oversized


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that is measured. The median of its values over the rounds is held against the bound."""

    key: str
    title: str
    unit: str
    bound: float | None
    corpora: tuple[str, ...]  # names of the corpora the bound holds for


EVERY = ("django", "maplibre-gl")
FIGURES = (
    Figure("reference", "bare tree-sitter parse, one core", "s", None, ()),
    Figure("cold", "cold full index, wall", "s", None, ()),
    Figure("cold_cpu", "cold full index, processor", "s", None, ()),
    Figure("ratio", "cold full index / bare parse", "×", 2.0, ("django",)),
    Figure("peak", "cold full index, peak of the largest process", "MB", 500, EVERY),
    Figure("unchanged", "update, nothing changed", "s", 0.4, EVERY),
    Figure("edited", "update, one line in one function body", "s", 0.6, EVERY),
    Figure("query", "warm subgraph, whole process", "s", 0.3, EVERY),
    Figure("inside", "warm subgraph, in process", "ms", 30, EVERY),
    Figure("definitions", "300 definitions, whole process", "s", 2.0, ("django",)),
    Figure("size", "map on disk / source", "×", 3.0, EVERY),
)

Values = dict[str, float]


def measure(corpus: Corpus, root: Path, number: int) -> Values:
    """Every figure once, one after the other, so that a slow spell of the machine falls on all alike.

    `number` makes the edit of this round one that no earlier round has cached.
    """
    parsed = json.loads(_python("reference", corpus.grammar, corpus.extension, str(root)))
    forget(root)
    cold = codemap(root, "index", "--full")
    mapped = mapped_files(root)
    require_most(corpus, mapped, parsed["files"])
    unchanged = codemap(root, "update")
    query = codemap(root, "subgraph", *corpus.words)
    inside = float(_python("inprocess", str(root), *corpus.words))
    places = sample(root)
    asked = codemap(root, "definition", "-", "--json", text="\n".join(places)) if places else None
    with edited(corpus, root, number):
        edit = codemap(root, "update")
    codemap(root, "update")
    values = {
        "reference": parsed["seconds"],
        "cold": cold.wall,
        "cold_cpu": cold.cpu,
        "ratio": cold.wall / parsed["seconds"],
        "unchanged": unchanged.wall,
        "edited": edit.wall,
        "query": query.wall,
        "inside": inside * 1000,
        "size": map_size(root) / source_size(root, mapped),
    }
    if asked is not None:
        values["definitions"] = asked.wall
    return values if cold.peak is None else values | {"peak": cold.peak / MEGABYTE}


class edited:
    """Within the block, the corpus has one more line in one function body."""

    def __init__(self, corpus: Corpus, root: Path, number: int) -> None:
        self.path = root / corpus.edited
        self.before = self.path.read_bytes()
        anchor, line = corpus.anchor.encode(), corpus.line.format(n=number).encode()
        if self.before.count(anchor) != 1:
            raise ValueError(f"{self.path} holds {corpus.anchor!r} {self.before.count(anchor)} times, not once")
        self.after = self.before.replace(anchor, anchor + line)

    def __enter__(self) -> None:
        self.path.write_bytes(self.after)

    def __exit__(self, *_: object) -> None:
        self.path.write_bytes(self.before)


def map_folder(root: Path) -> Path:
    return root / ".git" / "codemap"


def forget(root: Path) -> None:
    """Remove the map and the facts, so that the next index starts from nothing."""
    shutil.rmtree(map_folder(root), ignore_errors=True)


def map_size(root: Path) -> int:
    """Bytes of everything codemap keeps of the repository."""
    return sum(path.stat().st_size for path in map_folder(root).rglob("*") if path.is_file())


def mapped_files(root: Path) -> list[str]:
    """Paths of the files in the map, as `codemap symbols` names them."""
    lines = codemap(root, "symbols", "--json").output.splitlines()
    return sorted({json.loads(line)["path"] for line in lines})


def require_most(corpus: Corpus, mapped: list[str], parsed: int) -> None:
    """Raise `Failed` when the map lacks files that the reference parsed: the speed of half a map says nothing."""
    count = sum(path.endswith(corpus.extension) for path in mapped)
    if count < MOST * parsed:
        raise Failed(
            f"{corpus.label}: {count} of {parsed} {corpus.extension} files are in the map; see status --skipped"
        )


def source_size(root: Path, mapped: list[str]) -> int:
    """Bytes of the files in the map."""
    return sum((root / path).stat().st_size for path in mapped)


def medians(rounds: list[Values]) -> Values:
    """The median of each figure that every round has."""
    return {f.key: statistics.median(r[f.key] for r in rounds) for f in FIGURES if all(f.key in r for r in rounds)}


def _python(module: str, *arguments: str) -> str:
    return run((sys.executable, "-m", f"tests.benchmarks.{module}", *arguments)).output
