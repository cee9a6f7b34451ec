"""Two versions of a file, and what is different between them of what was asked of it."""

from __future__ import annotations

from dataclasses import dataclass

from indexer.codec import decode, decode_uses
from indexer.link import BODY, LINES
from indexer.model import FileFacts
from indexer.pipeline.linking import rules_of
from indexer.pipeline.relink import Difference, difference
from indexer.store.facts import FactsCache, Key


@dataclass(frozen=True)
class Pair:
    """Two versions of a file in one language, and what was asked of it."""

    path: str
    size: int  # bytes, of the file now
    before: Key
    now: Key
    names: frozenset[str]


def compared(cache: FactsCache, pair: Pair, old: FileFacts | None, new: FileFacts | None) -> Difference | None:
    """What is different of the names of a pair, whose facts these are, but for references; None where they are lost."""
    if old is None or new is None:
        return None
    if any(name.endswith((BODY, LINES)) for name in pair.names):
        before, now = cache.uses(pair.before), cache.uses(pair.now)
        if before is None or now is None:
            return None
        old, new = old._replace(references=decode_uses(before)), new._replace(references=decode_uses(now))
    return difference(old, new, rules_of(old.language), pair.names)


def read(cache: FactsCache, key: Key) -> FileFacts | None:
    """All but documents and references; None where the facts are lost."""
    row = cache.definitions(key)
    return None if row is None else decode(row)
