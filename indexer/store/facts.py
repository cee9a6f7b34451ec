"""The facts cache: what is known of some bytes, whatever file, branch or worktree they are found in."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from indexer.store.connect import transaction, translated


class Key(NamedTuple):
    """What facts are a function of."""

    blob: str
    language: str
    fingerprint: str


class FactsRow(NamedTuple):
    """Encoded facts, or the reason why there are none. The columns of the table."""

    blob: str
    language: str
    fingerprint: str
    reason: str  # "" where there are facts
    definitions: bytes
    uses: bytes
    documents: bytes


class FactsCache:
    """Rows by key. Rows never change, so what is committed early does no harm; writers commit often, since the cache is
    shared by the worktrees of a repository. Any method raises DamagedError or StoreError."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._path = Path(connection.execute("PRAGMA database_list").fetchone()[2])

    def close(self) -> None:
        self._connection.close()

    def known(self, keys: Iterable[Key]) -> dict[Key, str]:
        """Those of the keys that are cached, with the reason why they have no facts ("" where they have)."""
        wanted = set(keys)
        if not wanted:
            return {}
        sql = (
            "SELECT f.blob, f.language, f.fingerprint, f.reason FROM json_each(?) j "
            "CROSS JOIN facts f ON f.blob = j.value"
        )
        blobs = json.dumps(sorted({key.blob for key in wanted}))
        with translated(self._path):
            rows = [(Key(*row[:3]), row[3]) for row in self._connection.execute(sql, (blobs,))]
        return {key: reason for key, reason in rows if key in wanted}

    def put(self, rows: Iterable[FactsRow]) -> None:
        """Add rows in a transaction of their own."""
        with transaction(self._connection, self._path):
            self._connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def size(self) -> int:
        """Bytes that the rows take, without what deleted ones have left."""
        with translated(self._path):
            pages, free, size = (
                self._connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("page_count", "freelist_count", "page_size")
            )
        return int((pages - free) * size)

    def state(self) -> str:
        """Equal as long as no row has gone."""
        with translated(self._path):
            sql = "SELECT value FROM meta WHERE key IN ('born', 'deletions') ORDER BY key"
            return " ".join(str(value) for (value,) in self._connection.execute(sql))

    def note(self, key: str, value: int) -> None:
        """Keep a number about the cache."""
        with transaction(self._connection, self._path):
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, str(value)))

    def noted(self, key: str) -> int:
        """A number that was kept; 0 where it was not."""
        with translated(self._path):
            row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return 0 if row is None else int(row[0])

    def prune(self, used: Iterable[Key], factor: int, least: int) -> int:
        """Delete facts that are not `used`, those that came first before others, until all that are left take half of
        `factor` times what the used ones take, or of `least` bytes if that is more. Gives the bytes of the used ones.
        """
        keep = set(used)
        sizes = "length(definitions) + length(uses) + length(documents)"
        sql = f"SELECT blob, language, fingerprint, rowid, {sizes} FROM facts WHERE reason = '' ORDER BY rowid"
        with translated(self._path):
            rows = [(Key(*row[:3]), row[3], row[4]) for row in self._connection.execute(sql)]
        left = sum(size for _, _, size in rows)
        in_use: int = sum(size for key, _, size in rows if key in keep)
        most, gone = max(in_use * factor, least) // 2, []
        for key, number, size in rows:
            if left > most and key not in keep:
                gone.append((number,))
                left -= size
        with transaction(self._connection, self._path):
            self._connection.executemany("DELETE FROM facts WHERE rowid = ?", gone)
        return in_use

    def definitions(self, key: Key) -> bytes | None:
        return self._blob("definitions", key)

    def uses(self, key: Key) -> bytes | None:
        return self._blob("uses", key)

    def described(self, key: Key) -> tuple[bytes, bytes] | None:
        """Definitions and documents; None where there are no facts."""
        row: tuple[bytes, bytes] | None = self._row("definitions, documents", key)
        return row

    def _blob(self, column: str, key: Key) -> bytes | None:
        row = self._row(column, key)
        return row[0] if row else None

    def _row(self, columns: str, key: Key) -> Any:
        sql = f"SELECT {columns} FROM facts WHERE blob = ? AND language = ? AND fingerprint = ? AND reason = ''"
        with translated(self._path):
            return self._connection.execute(sql, key).fetchone()
