"""Read one worktree's history. What is not there, or of another version, is no history and no error: it comes with a
later update."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import orjson

from indexer.errors import StoreError
from indexer.store.history_schema import HISTORY_VERSION
from indexer.store.postings import last_varint
from indexer.store.reader import connect, damaged, listed
from indexer.store.schema import APPLICATION_ID

MOST_FILES = 20
"""Source files that a commit touches; one that touches more says nothing of what belongs together."""

MOST_NAMES = 60
"""Definitions likewise."""

Unit: TypeAlias = tuple[str, str]
"""A path, and the qualified name of a definition in that file or "" for the file."""

_IDS = "(SELECT value FROM json_each(?))"
_TOGETHER = f"c.files <= {MOST_FILES} AND c.names <= {MOST_NAMES}"


class CommitRow(NamedTuple):
    """A commit that touched something."""

    number: int
    id: str
    time: int
    subject: str
    files: int
    names: int


class HistoryReader:
    """One open history. Not for two threads at once."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self._path = path
        self._depth = 0
        self._vocabulary = False

    @classmethod
    def open(cls, path: str) -> HistoryReader | None:
        """The history at `path`; None where there is none that can be read."""
        if not Path(path).is_file():
            return None
        connection = None
        try:
            connection = connect(path)
            marks = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
            if marks == [APPLICATION_ID, HISTORY_VERSION]:
                return cls(connection, path)
        except (StoreError, sqlite3.Error):
            pass
        if connection is not None:
            connection.close()
        return None

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def reading(self) -> Iterator[HistoryReader]:
        """One state of the history for what is read inside."""
        if not self._depth:
            self._connection.execute("BEGIN")
        self._depth += 1
        try:
            yield self
        finally:
            self._depth -= 1
            if not self._depth and self._connection.in_transaction:
                self._connection.execute("COMMIT")

    def version(self) -> int:
        """A number that changes when another process has written."""
        return int(self._rows("PRAGMA data_version")[0][0])

    def meta(self) -> dict[str, str]:
        return {str(key): str(value) for key, value in self._rows("SELECT key, value FROM meta")}

    def commit_count(self) -> int:
        """Commits that touched source files."""
        return int(self._rows("SELECT count(*) FROM commits WHERE files > 0")[0][0])

    # what was touched

    def units(self, path: str, name: str, *, inside: bool) -> list[int]:
        """The numbers of a file (name "") or of a definition; `inside`: and of all that is defined in it."""
        rows = self._rows("SELECT number, name FROM units WHERE path = ?", (path,))
        return [number for number, each in rows if each == name or (inside and name and each.startswith(name + "."))]

    def numbers(self, units: Iterable[Unit]) -> dict[Unit, int]:
        """Those of some units that commits touched, with their numbers."""
        wanted = set(units)
        rows = self._rows(
            f"SELECT number, path, name FROM units WHERE path IN {_IDS}", (listed(sorted({p for p, _ in wanted})),)
        )
        return {(path, name): number for number, path, name in rows if (path, name) in wanted}

    def named(self, numbers: Iterable[int]) -> dict[int, Unit]:
        rows = self._rows(f"SELECT number, path, name FROM units WHERE number IN {_IDS}", (listed(numbers),))
        return {number: (path, name) for number, path, name in rows}

    def commits_of(self, units: Iterable[int]) -> list[CommitRow]:
        """The commits that touched one of some units, newest first."""
        sql = (
            "SELECT c.number, hex(c.id), c.time, c.subject, c.files, c.names FROM commits c WHERE c.number IN "
            f'(SELECT "commit" FROM touched WHERE unit IN {_IDS}) ORDER BY c.time DESC, c.id'
        )
        return [CommitRow(n, id.lower(), *rest) for n, id, *rest in self._rows(sql, (listed(units),))]

    def touched_by(self, commits: Iterable[int], *, names: bool) -> list[tuple[int, int]]:
        """(commit, unit) for definitions, or for files."""
        sql = (
            'SELECT t."commit", t.unit FROM touched t JOIN units u ON u.number = t.unit '
            f"WHERE t.\"commit\" IN {_IDS} AND (u.name <> '') = ?"
        )
        return self._rows(sql, (listed(commits), int(names)))

    # what changes together

    def together(self, units: Sequence[int], least: int) -> list[tuple[int, int, int]]:
        """(one of `units`, another unit of its sort, commits that touched both), where there are `least`."""
        sql = (
            "SELECT a.unit, b.unit, count(*) FROM touched a "
            f'JOIN commits c ON c.number = a."commit" AND {_TOGETHER} '
            'JOIN touched b ON b."commit" = a."commit" AND b.unit <> a.unit '
            "JOIN units ua ON ua.number = a.unit JOIN units ub ON ub.number = b.unit "
            f"WHERE a.unit IN {_IDS} AND (ua.name = '') = (ub.name = '') GROUP BY 1, 2 HAVING count(*) >= ?"
        )
        return self._rows(sql, (listed(units), least))

    def changes(self, units: Iterable[int]) -> dict[int, int]:
        """How many of the commits that say what belongs together touched each of some units."""
        sql = (
            f'SELECT t.unit, count(*) FROM touched t JOIN commits c ON c.number = t."commit" AND {_TOGETHER} '
            f"WHERE t.unit IN {_IDS} GROUP BY 1"
        )
        return dict(self._rows(sql, (listed(units),)))

    def often(self, least: int) -> list[int]:
        """Units that at least so many commits touched, in no particular order."""
        return [unit for (unit,) in self._rows("SELECT unit FROM touched GROUP BY 1 HAVING count(*) >= ?", (least,))]

    # what was said

    def frequencies(self, words: Iterable[str]) -> dict[str, int]:
        """word → number of commits whose message holds it; words that none holds are absent."""
        if not self._vocabulary:
            self._rows("CREATE VIRTUAL TABLE IF NOT EXISTS temp.said USING fts5vocab('main', 'words', 'row')")
            self._vocabulary = True
        sql = "SELECT w.term, w.doc FROM json_each(?) j JOIN temp.said w ON w.term = j.value"
        return dict(self._rows(sql, (listed(words),)))

    def saying(self, words: Iterable[str]) -> list[int]:
        """Numbers of the commits whose message holds one of some words."""
        quoted = " OR ".join('"' + word.replace('"', '""') + '"' for word in words)
        found: list[int] = orjson.loads(
            self._rows("SELECT json_group_array(rowid) FROM words WHERE words MATCH ?", (quoted,))[0][0]
        )
        return found

    def lengths(self, commits: Iterable[int]) -> dict[int, int]:
        """Number of distinct words of each message, from the index's own size records."""
        rows = self._rows(f"SELECT id, sz FROM words_docsize WHERE id IN {_IDS}", (listed(commits),))
        return {number: last_varint(record) for number, record in rows}

    def sizes(self, commits: Iterable[int]) -> dict[int, int]:
        """How many definitions each of some commits touched."""
        return dict(self._rows(f"SELECT number, names FROM commits WHERE number IN {_IDS}", (listed(commits),)))

    def _rows(self, sql: str, parameters: tuple[object, ...] = ()) -> list[Any]:
        try:
            return self._connection.execute(sql, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise damaged(self._path, error) from error
