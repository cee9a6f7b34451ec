"""Read a map: files, symbols and the figures about them. Edges are read by `neighbours`, words by `postings`.

Rows are read inside one read transaction for each question, so that an answer never mixes two states of the map. Row
ids only join rows within that transaction; whatever is ordered is ordered by path, line and qualified name.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from indexer.errors import NotFoundError, StoreError
from indexer.store.schema import APPLICATION_ID, MAP_VERSION


class FileRow(NamedTuple):
    """A mapped file."""

    id: int
    path: str
    blob: str
    language: str
    size: int
    lines: int
    state: str
    test: bool
    header: str
    errors: str
    notes: str


class SymbolRow(NamedTuple):
    """A symbol with what its file says of it."""

    id: int
    file: int
    path: str
    language: str
    test_file: int
    name: str
    qualname: str
    ordinal: int
    kind: str
    parent: int
    start_line: int
    end_line: int
    name_line: int
    signature: str
    doc: str
    flags: int


_FILE = "SELECT id, path, blob, language, size, lines, state, test, header, errors, notes FROM files"
_SYMBOL = """
SELECT s.id, s.file, f.path, f.language, f.test, s.name, s.qualname, s.ordinal, s.kind, s.parent, s.start_line,
       s.end_line, s.name_line, s.signature, s.doc, s.flags
FROM symbols s JOIN files f ON f.id = s.file"""
_IN_ORDER = " ORDER BY f.path, s.start_line, s.qualname, s.ordinal"


_TEST = 1 << 7  # indexer.model.Flag.TEST, without the module
KEPT_ROWS = 8192
"""Symbols that are kept for further questions: a kilobyte each."""

_encode = json.JSONEncoder(check_circular=False).encode


def listed(ids: Iterable[int | str]) -> str:
    """Values for `IN (SELECT value FROM json_each(?))`: one statement whatever their number."""
    return _encode(list(ids))


class Reader:
    """One open map. Not for two threads at once."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self.connection = connection
        self.path = path
        self._known: tuple[int, dict[int, SymbolRow]] = -1, {}

    @classmethod
    def open(cls, path: str) -> Reader:
        """Open the map at `path` for reading.

        Raises NotFoundError where there is none, StoreError where it is damaged or of another version.
        """
        if not Path(path).is_file():
            raise NotFoundError(f"no map at {path}: run `codemap index`")
        reader = cls(connect(path), path)
        try:
            reader._check()
        except StoreError:
            reader.close()
            raise
        return reader

    def _check(self) -> None:
        if self.rows("PRAGMA application_id")[0][0] != APPLICATION_ID:
            raise StoreError(f"{self.path} was not made by codemap: run `codemap index`")
        version = self.rows("PRAGMA user_version")[0][0]
        if version != MAP_VERSION:
            raise StoreError(f"the map at {self.path} has version {version}, not {MAP_VERSION}: run `codemap index`")
        self.meta()

    def close(self) -> None:
        self.connection.close()

    def begin(self) -> None:
        """Start reading one state of the map."""
        self.connection.execute("BEGIN")

    def end(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("COMMIT")

    def version(self) -> int:
        """A number that changes when another process has committed to the map."""
        return int(self.rows("PRAGMA data_version")[0][0])

    def rows(self, sql: str, parameters: tuple[object, ...] = ()) -> list[Any]:
        """All rows of a statement; a damaged map is a StoreError."""
        try:
            return self.connection.execute(sql, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise damaged(self.path, error) from error

    def state(self) -> str | None:
        """What tells this state of the map from every other, in whatever process; None for a map that does not say."""
        found = self.rows("SELECT value FROM meta WHERE key = 'state'")
        return str(found[0][0]) if found else None

    def meta(self) -> dict[str, str]:
        return {str(key): str(value) for key, value in self.rows("SELECT key, value FROM meta")}

    # files

    def files(self) -> list[FileRow]:
        return [_file(row) for row in self.rows(_FILE + " ORDER BY path")]

    def file(self, path: str) -> FileRow | None:
        rows = self.rows(_FILE + " WHERE path = ?", (path,))
        return _file(rows[0]) if rows else None

    def files_at(self, paths: Iterable[str]) -> list[FileRow]:
        rows = self.rows(_FILE + " WHERE path IN (SELECT value FROM json_each(?)) ORDER BY path", (listed(paths),))
        return [_file(row) for row in rows]

    def paths(self) -> list[str]:
        return [str(path) for (path,) in self.rows("SELECT path FROM files ORDER BY path")]

    def file_states(self) -> dict[str, int]:
        """Number of files by their state: committed, modified, untracked."""
        return {str(state): int(number) for state, number in self.rows("SELECT state, count(*) FROM files GROUP BY 1")}

    # symbols

    def symbol_count(self) -> int:
        return int(self.rows("SELECT count(*) FROM symbols")[0][0])

    def symbols(self, ids: Iterable[int]) -> dict[int, SymbolRow]:
        """Some symbols by id, in no particular order. Those of the last questions to one state of the map are kept."""
        version, known = self.version(), self._known[1]
        if self._known[0] != version or len(known) > KEPT_ROWS:
            known = {}
            self._known = version, known
        wanted = list(ids)
        missing = [symbol for symbol in wanted if symbol not in known]
        if missing:
            rows = self.rows(_SYMBOL + " WHERE s.id IN (SELECT value FROM json_each(?))", (listed(missing),))
            known.update([(row[0], _symbol(row)) for row in rows])
        return {symbol: known[symbol] for symbol in wanted if symbol in known}

    def first_in_order(self, ids: Iterable[int], limit: int) -> list[int]:
        """The first `limit` of some symbols by path, line and qualified name."""
        sql = "SELECT s.id FROM symbols s JOIN files f ON f.id = s.file WHERE s.id IN (SELECT value FROM json_each(?))"
        return [int(row[0]) for row in self.rows(sql + _IN_ORDER + " LIMIT ?", (listed(ids), limit))]

    def in_tests(self, ids: Iterable[int]) -> list[int]:
        """Those of some symbols that are test code, in no particular order."""
        sql = (
            "SELECT s.id FROM symbols s JOIN files f ON f.id = s.file "
            f"WHERE s.id IN (SELECT value FROM json_each(?)) AND (f.test OR s.flags & {_TEST})"
        )
        return [int(row[0]) for row in self.rows(sql, (listed(ids),))]

    def named(self, names: Iterable[str]) -> list[SymbolRow]:
        """Symbols that bear one of the names, spelt exactly so."""
        sql = _SYMBOL + " WHERE s.name IN (SELECT value FROM json_each(?))" + _IN_ORDER
        return [_symbol(row) for row in self.rows(sql, (listed(names),))]

    def named_in(self, paths: Iterable[str], names: Iterable[str]) -> list[SymbolRow]:
        """Symbols of some files that bear one of the names; the files are gone through, since names can be common."""
        sql = (
            f"{_SYMBOL} WHERE s.file IN (SELECT id FROM files WHERE path IN (SELECT value FROM json_each(?))) "
            "AND +s.name IN (SELECT value FROM json_each(?))"
        )
        return [_symbol(row) for row in self.rows(sql + _IN_ORDER, (listed(paths), listed(names)))]

    def named_loosely(self, name: str) -> list[SymbolRow]:
        """Symbols that bear the name but for (ASCII) case. Reads every symbol."""
        return [_symbol(row) for row in self.rows(_SYMBOL + " WHERE s.name = ? COLLATE NOCASE" + _IN_ORDER, (name,))]

    def symbol_names(self) -> list[str]:
        return [str(name) for (name,) in self.rows("SELECT DISTINCT name FROM symbols ORDER BY name")]

    def symbols_in(self, path: str) -> list[SymbolRow]:
        """The symbols of a file, its module first, in source order."""
        sql = _SYMBOL + " WHERE f.path = ? ORDER BY s.position"
        return [_symbol(row) for row in self.rows(sql, (path,))]

    def modules(self, files: Iterable[int]) -> list[SymbolRow]:
        sql = _SYMBOL + " WHERE s.file IN (SELECT value FROM json_each(?)) AND s.position = 0" + _IN_ORDER
        return [_symbol(row) for row in self.rows(sql, (listed(files),))]

    def children(self, parents: Iterable[SymbolRow]) -> list[SymbolRow]:
        """Symbols directly inside others, in source order within each file."""
        wanted = sorted({parent.id for parent in parents})
        files = sorted({parent.file for parent in parents})
        sql = (
            _SYMBOL
            + " WHERE s.file IN (SELECT value FROM json_each(?)) AND s.parent IN (SELECT value FROM json_each(?))"
            + _IN_ORDER
        )
        return [_symbol(row) for row in self.rows(sql, (listed(files), listed(wanted)))]

    def all_symbols(self) -> Iterator[SymbolRow]:
        """Every symbol, streamed, by path and line."""
        try:
            for row in self.connection.execute(_SYMBOL + _IN_ORDER):
                yield _symbol(row)
        except sqlite3.DatabaseError as error:
            raise damaged(self.path, error) from error


def damaged(path: str, error: sqlite3.Error) -> StoreError:
    return StoreError(f"the map at {path} cannot be read ({error}): run `codemap index` to rebuild it")


def connect(path: str) -> sqlite3.Connection:
    """A database of ours, for reading. Raises StoreError where it cannot be."""
    uri = Path(path).absolute().as_uri()
    try:
        connection = sqlite3.connect(uri + "?mode=ro", uri=True, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("SELECT 1 FROM sqlite_master").fetchall()
        except sqlite3.DatabaseError as error:
            connection.close()
            if not isinstance(error, sqlite3.OperationalError):
                raise
            # A folder that cannot be written cannot hold the log's shared memory: read the file as it stands, unless
            # there is a log that it needs.
            log = Path(path + "-wal")
            if log.exists() and log.stat().st_size:
                raise
            connection = sqlite3.connect(uri + "?immutable=1", uri=True, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA cache_size = -65536")
        connection.execute("PRAGMA temp_store = MEMORY")
    except sqlite3.Error as error:
        raise damaged(path, error) from error
    return connection


def _file(row: Iterable[Any]) -> FileRow:
    made = FileRow._make(row)
    return made._replace(test=bool(made.test))


_symbol = partial(tuple.__new__, SymbolRow)  # as `_make`, without a call of Python for each row
