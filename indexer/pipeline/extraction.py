"""The extract stage as the pipeline runs it: in this process, in a pool, or on an executor that was handed in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from indexer.codec import decode_documents
from indexer.extract import ExtractedRow, batches, extract_batch
from indexer.model import FileFacts
from indexer.ports import SourceFile
from indexer.store.facts import FactsRow
from indexer.store.text import Described

if TYPE_CHECKING:
    from concurrent.futures import Executor

POOL_BYTES = 300_000
"""Less source than this is parsed before a pool has started."""

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
            from indexer.pipeline.extraction_pool import in_pool  # multiprocessing takes a while to load

            yield from in_pool(self._root, list(batches(files, self._jobs)), self._jobs, self._lock)
        else:
            for group in batches(files, 1):
                yield group, extract_batch(self._root, group)


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
