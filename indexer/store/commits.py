"""The cache of what commits touched and said, shared by worktrees, branches and reverts. Rows never change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import orjson

from indexer.compressed import compress, decompress
from indexer.ports import CommitFacts, FileChange
from indexer.store.connect import open_own, transaction, translated
from indexer.store.history_schema import COMMITS_NAME, COMMITS_TABLES, COMMITS_VERSION

_CHUNK = 500


class KnownCommit(NamedTuple):
    """What the walk through history needs of a cached commit."""

    time: int
    parents: tuple[str, ...]


class CommitCache:
    """Rows of one fingerprint of rules. Any method raises DamagedError or StoreError."""

    def __init__(self, folder: str, rules: str) -> None:
        self._path = Path(folder, COMMITS_NAME)
        self._rules = rules
        self._connection = open_own(self._path, COMMITS_VERSION, COMMITS_TABLES)

    def close(self) -> None:
        self._connection.close()

    def forget(self) -> None:
        with translated(self._path):
            self._connection.execute("DELETE FROM commits WHERE rules = ?", (self._rules,))

    def known(self) -> dict[str, KnownCommit]:
        """Every cached commit by its id."""
        sql = "SELECT id, time, parents FROM commits WHERE rules = ?"
        with translated(self._path):
            rows = self._connection.execute(sql, (self._rules,))
            return {id.hex(): KnownCommit(time, _ids(parents, len(id))) for id, time, parents in rows}

    def put(self, commits: Iterable[CommitFacts]) -> None:
        """Add commits in a transaction of their own."""
        rows = [
            (
                bytes.fromhex(each.id), self._rules, each.time, b"".join(map(bytes.fromhex, each.parents)),
                compress(orjson.dumps([each.message, each.total, list(map(list, each.files))])),
            )
            for each in commits
        ]  # fmt: skip
        with transaction(self._connection, self._path):
            self._connection.executemany("INSERT OR REPLACE INTO commits VALUES (?, ?, ?, ?, ?)", rows)

    def facts(self, ids: Iterable[str]) -> Iterator[CommitFacts]:
        """What is known of some commits, in the order asked for; those that are not cached are left out."""
        wanted = list(ids)
        for start in range(0, len(wanted), _CHUNK):
            chunk = wanted[start : start + _CHUNK]
            marks = ", ".join("?" * len(chunk))
            sql = f"SELECT id, time, parents, facts FROM commits WHERE rules = ? AND id IN ({marks})"
            with translated(self._path):
                rows = self._connection.execute(sql, (self._rules, *map(bytes.fromhex, chunk))).fetchall()
            found = {row[0].hex(): row for row in rows}
            yield from (_facts(*found[id]) for id in chunk if id in found)


def _facts(id: bytes, time: int, parents: bytes, encoded: bytes) -> CommitFacts:
    message, total, files = orjson.loads(decompress(encoded))
    changes = tuple(FileChange(path, kind, before, tuple(names)) for path, kind, before, names in files)
    return CommitFacts(id.hex(), time, _ids(parents, len(id)), message, total, changes)


def _ids(joined: bytes, size: int) -> tuple[str, ...]:
    return tuple(joined[start : start + size].hex() for start in range(0, len(joined), size))
