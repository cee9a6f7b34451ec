"""How much of what a fix changed an answer holds, and tables of that with bootstrap intervals."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

Shown = tuple[str, str, int]
"""Path, qualified name, first line."""

_RESAMPLES = 2000
_DECORATORS = 30  # lines above a definition where a node of its name still means it


class Changed(NamedTuple):
    """A definition that a fix changed."""

    path: str
    qualname: str
    start_line: int  # decorators included
    def_line: int


class Task(NamedTuple):
    """A text, and what the fix for it changed."""

    id: str
    repository: str
    base: str
    language: str
    query: str
    files: tuple[str, ...]
    symbols: tuple[Changed, ...]
    leaky: bool

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Task:
        symbols = tuple(Changed(*(each[name] for name in Changed._fields)) for each in row["symbols"])
        place = row["id"], row["repo"], row["base_sha"], row["lang"], row["query"]
        return cls(*place, tuple(row["files"]), symbols, row["leaky"])


class Score(NamedTuple):
    """file, function: shares of what was changed that is shown. reciprocal: 1 / rank of the first right file."""

    task: Task
    file: float
    function: float
    reciprocal: float
    tokens: int


def score(task: Task, shown: Sequence[Shown], tokens: int, budget: int) -> Score:
    """What an answer is worth; beyond the budget, without the share of its symbols that it is over."""
    kept = shown if tokens <= budget else shown[: int(len(shown) * budget / tokens)]
    paths = list(dict.fromkeys(path for path, _, _ in kept))
    files = sum(1 for path in task.files if path in paths) / len(task.files)
    held = sum(1 for symbol in task.symbols if any(_means(each, symbol) for each in kept)) / len(task.symbols)
    rank = next((rank for rank, path in enumerate(paths, 1) if path in task.files), None)
    return Score(task, files, held, 1 / rank if rank else 0.0, tokens)


def _means(shown: Shown, changed: Changed) -> bool:
    path, qualname, line = shown
    if path != changed.path:
        return False
    if changed.start_line <= line <= changed.def_line:
        return True
    mine, its = qualname.split("."), changed.qualname.split(".")
    same = min(len(mine), len(its))
    return mine[-same:] == its[-same:] and changed.start_line - _DECORATORS <= line <= changed.def_line + 1


def table(scores: Sequence[Score], title: str) -> Iterator[str]:
    """A Markdown table: a row for each language, for tasks whose text names an answer or not, and for all."""
    yield f"| {title} | tasks | files | functions | first right file |\n|---|---|---|---|---|"
    for language in sorted({each.task.language for each in scores}):
        yield _row(language, [each for each in scores if each.task.language == language])
    yield _row("text names no answer", [each for each in scores if not each.task.leaky])
    yield _row("text names an answer", [each for each in scores if each.task.leaky])
    yield _row("all", scores)


def _row(name: str, scores: Sequence[Score]) -> str:
    columns = [[each.file for each in scores], [each.function for each in scores], [each.reciprocal for each in scores]]
    return f"| {name} | {len(scores)} | " + " | ".join(_with_interval(values) for values in columns) + " |"


def _with_interval(values: Sequence[float]) -> str:
    """Mean and 95 % of the means of resampled tasks."""
    if not values:
        return "–"
    chance = random.Random(7)
    means = sorted(sum(chance.choices(values, k=len(values))) / len(values) for _ in range(_RESAMPLES))
    low, high = means[int(0.025 * _RESAMPLES)], means[int(0.975 * _RESAMPLES)]
    return f"{sum(values) / len(values):.3f} ({low:.3f} – {high:.3f})"
