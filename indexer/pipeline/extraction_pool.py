"""Extraction in worker processes, any of which may die of the file it is given."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeAlias

from indexer.extract import ExtractedRow, extract_batch
from indexer.pipeline.workers import process_pool
from indexer.ports import SourceFile

CRASHED = "extractor crashed"
"""Why a file is skipped that killed its worker."""

Batch: TypeAlias = tuple[list[SourceFile], list[ExtractedRow]]


def in_pool(root: str, groups: list[list[SourceFile]], jobs: int, lock: int | None) -> Iterator[Batch]:
    """Every group of files with what came of it; in order, but that groups are split where a worker died.

    `lock`: see `process_pool`.
    """
    while groups:
        done = yield from _until_a_death(root, groups, jobs, lock)
        # The batch at fault is mostly among the next ones; where it is not, the next round gets to it.
        suspects = groups[done : done + 2 * jobs + 1]
        yield from _one_by_one(root, [file for group in suspects for file in group], lock)
        groups = groups[done + len(suspects) :]


def _until_a_death(
    root: str, groups: list[list[SourceFile]], jobs: int, lock: int | None
) -> Generator[Batch, None, int]:
    """Batches from a new pool, up to the first one lost with a worker; returns how many there were."""
    done = 0
    pool = process_pool(jobs, lock)
    try:
        for rows in pool.map(extract_batch, [root] * len(groups), groups):
            yield groups[done], rows
            done += 1
    except BrokenProcessPool:
        pass
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
    return done


def _one_by_one(root: str, files: Iterable[SourceFile], lock: int | None) -> Iterator[Batch]:
    """Each file as a task of its own, so that only the one that kills its worker is lost.

    Still in a process apart: what brought a worker down would bring this one down.
    """
    pool: ProcessPoolExecutor | None = None
    try:
        for file in files:
            pool = pool or process_pool(1, lock)
            try:
                yield [file], pool.submit(extract_batch, root, [file]).result()
            except BrokenProcessPool:
                pool.shutdown()
                pool = None
                yield [file], [_crashed(file)]
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)


def _crashed(file: SourceFile) -> ExtractedRow:
    return ExtractedRow(file.path, "skipped", CRASHED, file.blob, file.size, b"", b"", b"", [], "", 0, (), ())
