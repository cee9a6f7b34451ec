"""Extraction in worker processes, any of which may die of the file it is given."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from indexer.extract import ExtractedRow
from indexer.pipeline.report import CRASHED as CRASHED
from indexer.pipeline.tasks import extracting
from indexer.pipeline.workers import Crew
from indexer.ports import SourceFile

Batch: TypeAlias = tuple[Sequence[SourceFile], list[ExtractedRow], int]
"""Files, what came of each, and the worker that has their facts (-1: none)."""


def in_pool(
    root: str, groups: Sequence[Sequence[SourceFile]], crew: Crew, alone: Callable[[], Crew]
) -> Iterator[Batch]:
    """Every group of files with what came of it, in order.

    `alone` gives a crew of one for the files of a group that a worker died of; it is closed here.
    """
    crew.prepare(extracting, root, groups)
    ready: dict[int, Batch] = {}
    turn = 0
    for task, worker, result in crew.run([-1] * len(groups)):
        group = groups[task]
        rows = list(_one_by_one(root, group, alone)) if result is None else _rows(result)
        ready[task] = group, rows, -1 if result is None else worker
        while turn in ready:
            yield ready.pop(turn)
            turn += 1


def _one_by_one(root: str, files: Iterable[SourceFile], alone: Callable[[], Crew]) -> Iterator[ExtractedRow]:
    """Each file as a task of its own, so that only the one that kills its worker is lost.

    Still in a process apart: what brought a worker down would bring this one down.
    """
    crew: Crew | None = None
    try:
        for file in files:
            crew = crew or alone()
            crew.prepare(extracting, root, [[file]])
            ((_, _, result),) = crew.run([-1])
            if result is None:
                crew.close()
                crew = None
                yield ExtractedRow(file.path, "skipped", CRASHED, file.blob, file.size, b"", b"", b"", b"")
            else:
                yield from _rows(result)
    finally:
        if crew is not None:
            crew.close()


def _rows(result: bytes) -> list[ExtractedRow]:
    return list(map(ExtractedRow._make, marshal.loads(result)))
