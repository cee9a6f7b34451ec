"""What workers do: extract files, compare versions of them, and link them, with what they extracted still in memory."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from indexer.codec import decode_uses
from indexer.extract import extract_batch
from indexer.model import FileFacts
from indexer.pipeline.linking import linked, make_linker
from indexer.pipeline.pairs import Pair, compared, read
from indexer.pipeline.sources import CachedFacts
from indexer.ports import Resolver, SourceFile
from indexer.store.connect import read_facts
from indexer.store.facts import FactsCache, Key

Task: TypeAlias = Callable[[int], bytes]
"""As in `indexer.pipeline.workers`, which loads this module in new workers."""

KEPT_BYTES = 12_000_000
"""Source of which a worker keeps the facts in memory until it links; they take some ten times as much."""


class _Kept:
    """Facts this process has extracted, by blob and language."""

    def __init__(self) -> None:
        self.facts: dict[tuple[str, str], FileFacts] = {}
        self._bytes = 0

    def add(self, blob: str, size: int, facts: FileFacts) -> None:
        self._bytes += size
        if self._bytes <= KEPT_BYTES:
            self.facts[blob, facts.language] = facts._replace(documents=())


_kept = _Kept()


def extracting(root: str, groups: Sequence[Sequence[SourceFile]]) -> Task:
    """Tasks are groups of files; results are rows of `ExtractedRow`.

    Results are as `marshal` has them: three times as fast as `pickle` for many small tuples, and between processes of
    one interpreter its format is one and the same.
    """

    def task(number: int) -> bytes:
        return marshal.dumps([tuple(row) for row in extract_batch(root, groups[number], _kept.add)])

    return task


def comparing(facts_dir: str, pairs: Sequence[Pair]) -> Task:
    """Tasks are pairs; results are those of `compared`."""
    cache = FactsCache(read_facts(facts_dir))

    def task(number: int) -> bytes:
        pair = pairs[number]
        new = _kept.facts.get(pair.now[:2])
        if new is None:
            new, uses = read(cache, pair.now), cache.uses(pair.now)
            if new is not None and uses is not None:
                new = new._replace(references=decode_uses(uses))
                _kept.add(pair.now.blob, pair.size, new)
        found = compared(cache, pair, read(cache, pair.before), new)
        return marshal.dumps(None if found is None else tuple(found))

    return task


@dataclass(frozen=True)
class LinkContext:
    """All that linking depends on."""

    facts_dir: str
    keys: Mapping[str, Key]  # of every mapped file
    ids: Mapping[str, Sequence[int]]  # of every symbol of every mapped file
    resolvers: Mapping[str, Resolver]
    batches: Sequence[Sequence[str]]  # paths to link


def linking(context: LinkContext) -> Task:
    """Tasks are batches of files; results are rows of `LinkRow`."""
    cache = FactsCache(read_facts(context.facts_dir))
    sources = CachedFacts(cache, context.keys, context.ids.__getitem__, _kept.facts)
    linker = make_linker(sources, context.resolvers)

    def task(number: int) -> bytes:
        return marshal.dumps([tuple(linked(linker, sources, path)) for path in context.batches[number]])

    return task
