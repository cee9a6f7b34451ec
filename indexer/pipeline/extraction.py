"""The extract stage as the pipeline runs it: in this process, in a pool, or on an executor that was handed in."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple

from indexer.codec import decode_documents
from indexer.extract import ExtractedRow, batches, extract_batch
from indexer.model import FileFacts
from indexer.pipeline.workers import process_pool
from indexer.ports import SourceFile
from indexer.store.facts import FactsRow
from indexer.store.text import Described

POOL_BYTES = 300_000
"""Less source than this is parsed before a pool has started."""

CRASHED = "extractor crashed"

_OF_BYTES = ("binary", "minified", "generated", "extractor failed")
"""How reasons begin that depend on the bytes alone, and are cached with them. Others (unreadable, a symbolic link) are
those of a place at a time, and are looked into again each time."""


class Extracted(NamedTuple):
    """One file after extraction."""

    file: SourceFile  # as it was when read: the blob may be another than discover found
    described: Described | None  # None: no facts
    reason: str  # why not; "" also for a file that has gone
    row: FactsRow | None  # for the cache


class Extraction:
    """Extracts files with `jobs` processes, or on `executor`, whose workers have to see the same files."""

    def __init__(self, root: str, jobs: int, lock: int | None, executor: Executor | None) -> None:
        self._root = root
        self._jobs = jobs
        self._lock = lock
        self._executor = executor

    def run(self, files: Sequence[SourceFile], fingerprints: Mapping[str, str]) -> Iterator[Extracted]:
        """Every file once, in the order given but for those that follow the death of a worker."""
        for group, rows in self._batches(files):
            for file, row in zip(group, rows, strict=True):
                yield _extracted(file, row, fingerprints[file.language])

    def _batches(self, files: Sequence[SourceFile]) -> Iterator[tuple[list[SourceFile], list[ExtractedRow]]]:
        if self._executor is not None:
            groups = list(batches(files, self._jobs))
            yield from zip(groups, self._executor.map(extract_batch, [self._root] * len(groups), groups), strict=True)
        elif self._jobs > 1 and sum(file.size for file in files) > POOL_BYTES:
            yield from self._in_pool(list(batches(files, self._jobs)))
        else:
            for group in batches(files, 1):
                yield group, extract_batch(self._root, group)

    def _in_pool(self, groups: list[list[SourceFile]]) -> Iterator[tuple[list[SourceFile], list[ExtractedRow]]]:
        while groups:
            done = yield from self._until_a_death(groups)
            # The batch at fault is mostly among the next ones; where it is not, the next round gets to it.
            suspects = groups[done : done + 2 * self._jobs + 1]
            yield from self._one_by_one([file for group in suspects for file in group])
            groups = groups[done + len(suspects) :]

    def _until_a_death(
        self, groups: list[list[SourceFile]]
    ) -> Generator[tuple[list[SourceFile], list[ExtractedRow]], None, int]:
        """Batches from a new pool, up to the first one lost with a worker; returns how many there were."""
        done = 0
        pool = process_pool(self._jobs, self._lock)
        try:
            for rows in pool.map(extract_batch, [self._root] * len(groups), groups):
                yield groups[done], rows
                done += 1
        except BrokenProcessPool:
            pass
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        pool.shutdown()
        return done

    def _one_by_one(self, files: Iterable[SourceFile]) -> Iterator[tuple[list[SourceFile], list[ExtractedRow]]]:
        """Each file as a task of its own, so that only the one that kills its worker is lost.

        Still in a process apart: what brought a worker down would bring this one down.
        """
        pool: ProcessPoolExecutor | None = None
        try:
            for file in files:
                pool = pool or process_pool(1, self._lock)
                try:
                    yield [file], pool.submit(extract_batch, self._root, [file]).result()
                except BrokenProcessPool:
                    pool.shutdown()
                    pool = None
                    crashed = ExtractedRow(
                        file.path, "skipped", CRASHED, file.blob, file.size, b"", b"", b"", [], "", 0, (), ()
                    )
                    yield [file], [crashed]
        finally:
            if pool is not None:
                pool.shutdown(cancel_futures=True)


def describe(facts: FileFacts) -> Described:
    """What the map keeps of facts that were decoded with their documents."""
    return Described(
        facts.symbols, facts.documents, facts.header, len(facts.line_lengths), facts.error_lines, facts.notes
    )


def _extracted(file: SourceFile, row: ExtractedRow, fingerprint: str) -> Extracted:
    if row.blob != file.blob:
        file = file._replace(blob=row.blob, size=row.size)
    if row.status == "vanished":
        return Extracted(file, None, "", None)
    cached = FactsRow(row.blob, file.language, fingerprint, row.reason, row.definitions, row.uses, row.documents)
    if row.status == "skipped":
        return Extracted(file, None, row.reason, cached if row.reason.startswith(_OF_BYTES) else None)
    documents = decode_documents(row.documents)
    return Extracted(file, Described(row.symbols, documents, row.header, row.lines, row.errors, row.notes), "", cached)
