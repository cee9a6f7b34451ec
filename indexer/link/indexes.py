"""The arranged facts of all files."""

from __future__ import annotations

from collections.abc import Mapping

from indexer.link.index import FileIndex
from indexer.ports import FactsSource, LinkRules


class Indexes(dict[str, FileIndex]):
    """The arranged facts of files by path, made when first asked for. KeyError for a path that is not mapped."""

    def __init__(self, sources: FactsSource, languages: Mapping[str, LinkRules]) -> None:
        super().__init__()
        self._sources = sources
        self._languages = languages

    def __missing__(self, path: str) -> FileIndex:
        facts = self._sources.facts(path)
        if facts is None:
            raise KeyError(path)
        index = self[path] = FileIndex(path, facts, self._languages[facts.language])
        return index
