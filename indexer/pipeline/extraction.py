"""The extract stage as the pipeline runs it: in this process, in a pool, or on an executor that was handed in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from indexer.codec import decode_described
from indexer.extract import ExtractedRow, batches, extract_batch
from indexer.model import FileFacts
from indexer.pipeline.state import State
from indexer.ports import SourceFile
from indexer.store.facts import FactsRow
from indexer.store.text import Described

if TYPE_CHECKING:
    from indexer.pipeline.extraction_pool import Batch

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
    """Extracts files with the workers of `state`, in this process, or on an executor that sees the same files."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._root = state.location.root

    def run(self, files: Sequence[SourceFile]) -> Iterator[Extracted]:
        """Every file once, in the order given. Notes in `state` which worker has whose facts in memory."""
        state = self._state
        for group, rows, worker in self._batches(files):
            for file, row in zip(group, rows, strict=True):
                state.owners[file.path] = worker
                yield _extracted(file, row, state.fingerprints[file.language])

    def _batches(self, files: Sequence[SourceFile]) -> Iterator[Batch]:
        options = self._state.options
        if options.executor is not None:
            groups = list(batches(files, options.jobs))
            for group, rows in zip(
                groups, options.executor.map(extract_batch, [self._root] * len(groups), groups), strict=True
            ):
                yield group, rows, -1
        elif options.jobs > 1 and sum(file.size for file in files) > POOL_BYTES:
            from indexer.pipeline.extraction_pool import in_pool  # multiprocessing takes a while to load

            groups = list(batches(files, options.jobs))
            yield from in_pool(self._root, groups, self._state.crew(), options.workforce.alone)
        else:
            for group in batches(files, 1):
                yield group, extract_batch(self._root, group), -1


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
    return Extracted(file, Described(*decode_described(row.described)), "", cached)
