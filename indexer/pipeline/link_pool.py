"""Linking in worker processes, each with a linker of its own that it keeps for all its tasks."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from indexer.link import Linker
from indexer.pipeline.linking import linked, make_linker
from indexer.pipeline.sources import CachedFacts
from indexer.ports import Resolver
from indexer.store.connect import read_facts
from indexer.store.facts import FactsCache, Key
from indexer.store.writer import LinkRow

BATCH = 24
"""Files a task: few enough that the last tasks end together, many enough that neighbours share what they look up."""


@dataclass(frozen=True)
class LinkContext:
    """All that linking depends on; what a worker is given when it starts."""

    facts_dir: str
    keys: Mapping[str, Key]  # of every mapped file
    ids: Mapping[str, Sequence[int]]  # of every symbol of every mapped file
    resolvers: Mapping[str, Resolver]


def link_in_pool(paths: Sequence[str], start: Callable[[], ProcessPoolExecutor]) -> Iterator[LinkRow]:
    """Link files in the pool that `start` gives, in order. Raises BrokenProcessPool when a worker dies.

    The pool's workers must have been prepared by `prepare_worker`. It is running when the first row is asked for.
    """
    batches = [tuple(paths[first : first + BATCH]) for first in range(0, len(paths), BATCH)]
    with start() as pool:
        try:
            for rows in pool.map(_link_batch, batches):
                yield from map(LinkRow._make, marshal.loads(rows))
        except BrokenProcessPool:
            raise
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


_worker: tuple[Linker, CachedFacts] | None = None


def prepare_worker(context: LinkContext) -> None:
    """Make a worker's linker, once for all its tasks."""
    global _worker
    cache = FactsCache(read_facts(context.facts_dir))
    sources = CachedFacts(cache, context.keys, context.ids.__getitem__)
    _worker = make_linker(sources, context.resolvers), sources


def _link_batch(paths: tuple[str, ...]) -> bytes:
    """Links as `marshal` has them: three times as fast as `pickle` for many small tuples, and between processes of one
    interpreter its format is one and the same."""
    assert _worker is not None
    linker, sources = _worker
    return marshal.dumps([tuple(linked(linker, sources, path)) for path in paths])
