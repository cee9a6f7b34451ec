"""Keep the facts cache from growing without end: facts that no map uses go, the oldest first, when there are many."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import orjson

from indexer.discover import Location
from indexer.errors import BusyError, StoreError
from indexer.locks import writer_lock
from indexer.store.connect import FACTS_NAME, MAP_NAME, DamagedError, open_facts, read_only
from indexer.store.facts import FactsCache, Key

LEAST_BYTES = 200_000_000
"""A cache that is smaller is left alone."""

FACTOR = 4
"""So many times as much as the maps use is let be."""

_IN_USE = "in_use"
"""Key of the cache's meta: bytes that the maps used when it was last pruned."""


def prune(location: Location, lock_name: str) -> str:
    """Prune the cache of a repository if it has grown too large. Under the lock of the map of `location`.

    Facts that were cached for an update that goes on must stay until its map is written: where any other worktree is
    being updated, nothing is pruned. Gives what went wrong, or "": the map is none the worse for it.
    """
    try:
        if os.path.getsize(os.path.join(location.facts_dir, FACTS_NAME)) <= LEAST_BYTES:
            return ""
        with closing(FactsCache(open_facts(location.facts_dir))) as cache, ExitStack() as locks:
            if cache.size() <= max(LEAST_BYTES, FACTOR * cache.noted(_IN_USE)):
                return ""
            folders = _map_folders(location)
            for folder in folders:
                if folder != location.map_dir:
                    locks.enter_context(writer_lock(os.path.join(folder, lock_name), 0.0, lambda _: None))
            cache.note(_IN_USE, cache.prune([key for folder in folders for key in _used(folder)], FACTOR, LEAST_BYTES))
    except BusyError:
        return ""  # the next run tries again
    except (StoreError, DamagedError, OSError, sqlite3.Error) as error:
        return f"the facts cache could not be pruned: {error}"
    return ""


def _map_folders(location: Location) -> list[str]:
    """Where maps that use the cache of a location are or are being made: its own, and those of other worktrees."""
    import glob  # takes a while to load

    found = {location.map_dir}
    if location.common_dir is not None and location.facts_dir == os.path.join(location.common_dir, "codemap"):
        found.add(location.facts_dir)
        found.update(glob.glob(os.path.join(glob.escape(location.common_dir), "worktrees", "*", "codemap")))
    return sorted(folder for folder in found if os.path.isdir(folder))


def _used(folder: str) -> Iterator[Key]:
    """The keys of the facts of a map's files; none where there is no map yet."""
    if not os.path.isfile(os.path.join(folder, MAP_NAME)):
        return
    with closing(read_only(Path(folder, MAP_NAME))) as connection:
        (text,) = connection.execute("SELECT value FROM meta WHERE key = 'fingerprints'").fetchone()
        fingerprints: dict[str, str] = orjson.loads(text)
        for blob, language in connection.execute("SELECT blob, language FROM files"):
            yield Key(blob, language, fingerprints.get(language, ""))
