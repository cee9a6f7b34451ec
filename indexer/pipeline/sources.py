"""Facts by path, read from the cache when first asked for and kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from indexer.codec import decode, decode_uses
from indexer.model import FileFacts, Reference
from indexer.store.facts import FactsCache, Key


class CachedFacts:
    """The linker's view of a map: what each path holds, and the ids its symbols have.

    `extracted`: facts by blob and language that need not be read. Only for one thread: it reads through one connection.
    """

    def __init__(
        self,
        cache: FactsCache,
        keys: Mapping[str, Key],
        symbol_ids: Callable[[str], Sequence[int]],
        extracted: Mapping[tuple[str, str], FileFacts] = MappingProxyType({}),
    ) -> None:
        self._cache = cache
        self._keys = keys
        self._symbol_ids = symbol_ids
        self._extracted = extracted
        self._facts: dict[str, FileFacts] = {}
        self._ids: dict[str, Sequence[int]] = {}

    def facts(self, path: str) -> FileFacts | None:
        """All but documents, and references perhaps; None for a file that is not mapped."""
        known = self._facts.get(path)
        if known is None:
            key = self._keys.get(path)
            if key is None:
                return None
            known = self._extracted.get(key[:2])
            if known is None:
                definitions = self._cache.definitions(key)
                if definitions is None:
                    return None
                known = decode(definitions)
            self._facts[path] = known
        return known

    def references(self, path: str) -> Sequence[Reference]:
        """Not kept: they are read once, when the file itself is linked."""
        key = self._keys[path]
        known = self._extracted.get(key[:2])
        if known is not None:
            return known.references
        uses = self._cache.uses(key)
        return () if uses is None else decode_uses(uses)

    def symbol_ids(self, path: str) -> Sequence[int]:
        known = self._ids.get(path)
        if known is None:
            known = self._ids[path] = self._symbol_ids(path)
        return known
