"""A linker over a map that is there, for questions that are answered at the moment they are asked."""

from __future__ import annotations

import sqlite3
import weakref
from contextlib import closing
from pathlib import Path

import orjson

from indexer.discover import locate
from indexer.errors import NotFoundError, StoreError
from indexer.extract import fingerprint
from indexer.link import Linker
from indexer.pipeline.linking import make_linker
from indexer.pipeline.plan import ConfigurationReader
from indexer.pipeline.sources import CachedFacts
from indexer.resolve import build_resolvers
from indexer.store.connect import MAP_NAME, read_facts, read_only, translated
from indexer.store.facts import FactsCache, Key


def open_linker(folder: str) -> Linker:
    """A linker for the state of the repository that the map of `folder` was made from.

    Its questions are answered from the facts cache; it writes nothing. Raises NotFoundError where there is no map,
    StoreError for one that cannot be read, or whose facts another version of codemap laid out.
    """
    location = locate(folder)
    path = Path(location.map_dir, MAP_NAME)
    if not path.exists():
        raise NotFoundError(f"no map of {location.root}: run `codemap index`")
    with translated(path), closing(read_only(path)) as connection:
        connection.execute("BEGIN")
        keys, ids, configs = _state(connection)
    used = {(key.language, key.fingerprint) for key in keys.values()}
    if any(known != fingerprint(language) for language, known in used):
        raise StoreError("the map was made by another version of codemap: run `codemap update`")
    facts = read_facts(location.facts_dir)
    sources = CachedFacts(FactsCache(facts), keys, ids.__getitem__)
    languages = {path: key.language for path, key in keys.items()}
    linker = make_linker(sources, build_resolvers(languages, ConfigurationReader(location.root), configs))
    weakref.finalize(sources, facts.close)
    return linker


def _state(connection: sqlite3.Connection) -> tuple[dict[str, Key], dict[str, list[int]], list[str]]:
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    fingerprints: dict[str, str] = orjson.loads(meta["fingerprints"])
    keys = {
        path: Key(blob, language, fingerprints[language])
        for path, blob, language in connection.execute("SELECT path, blob, language FROM files")
    }
    ids: dict[str, list[int]] = {path: [] for path in keys}
    sql = "SELECT f.path, s.id FROM symbols s JOIN files f ON f.id = s.file ORDER BY s.file, s.position"
    for path, symbol in connection.execute(sql):
        ids[path].append(symbol)
    return keys, ids, list(orjson.loads(meta["configs"]))
