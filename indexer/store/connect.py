"""Open the map and the facts cache for writing; what cannot be used is set aside, or removed if it is merely old.

A first map is built in `map.db.new`, which nobody else opens, without a journal, and takes its name when complete.
Where there is a map already, it is changed inside one transaction (WAL): replacing a file that readers hold open could
pair the new file with the log of the old one.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from indexer.errors import StoreError
from indexer.store.schema import (
    APPLICATION_ID,
    FACTS_PAGE,
    FACTS_TABLES,
    FACTS_VERSION,
    MAP_TABLES,
    MAP_VERSION,
    statements,
)
from indexer.store.schema import FACTS_NAME as FACTS_NAME
from indexer.store.schema import MAP_NAME as MAP_NAME

BUSY_SECONDS = 60.0
"""How long a write waits for that of another worktree to the shared cache."""

_SIBLINGS = ("", "-wal", "-shm", "-journal")
_MAP_TABLES = frozenset({"meta", "files", "skipped", "symbols", "edges", "pending", "links", "asked", "text"})
_FACTS_TABLES = frozenset({"meta", "facts"})


class DamagedError(Exception):
    """The file cannot be used; whoever catches this calls `put_away`.

    worthless   it is whole, and of an earlier version: all that is in it is made anew
    """

    def __init__(self, path: Path, why: str, *, worthless: bool = False) -> None:
        super().__init__(path, why)
        self.path = path
        self.why = why
        self.worthless = worthless

    def __str__(self) -> str:
        return f"{self.path.name} {self.why}"


def open_map(folder: str) -> sqlite3.Connection | None:
    """The map of a folder, for writing; None where there is none. Raises DamagedError, StoreError."""
    path = Path(folder, MAP_NAME)
    if not path.exists():
        return None
    with translated(path):
        return _checked(path, MAP_VERSION, _MAP_TABLES)


def remembered(folder: str, key: str) -> str | None:
    """What the map of a folder has in its `meta`; None where there is no such map, key or readable file."""
    path = Path(folder, MAP_NAME)
    if not path.exists():
        return None
    try:
        with closing(read_only(path)) as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    except sqlite3.Error:
        return None  # whoever opens it for writing says what is wrong with it
    return None if row is None else str(row[0])


def new_map(folder: str) -> sqlite3.Connection:
    """An empty map that takes its place with `publish`. Only without a map, and under the writer's lock."""
    path = Path(folder, MAP_NAME + ".new")
    for name in (MAP_NAME, MAP_NAME + ".new"):
        for sibling in _SIBLINGS:
            Path(folder, name + sibling).unlink(missing_ok=True)
    with translated(path):
        connection = _connect(path)
        with _closed_on_error(connection):
            connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
            connection.executescript(MAP_TABLES)
            _mark(connection, MAP_VERSION)
        return connection


def publish(connection: sqlite3.Connection, folder: str) -> None:
    """Close a map made by `new_map` and give it its name."""
    path = Path(folder, MAP_NAME + ".new")
    with translated(path):
        connection.close()
        with closing(_connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        # Written without waiting for the disk so far; from here on a power cut must not damage what bears the name.
        descriptor = os.open(path, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(path, Path(folder, MAP_NAME))


def open_facts(folder: str) -> sqlite3.Connection:
    """The facts cache, for writing, made if there is none. Raises DamagedError, StoreError."""
    path = Path(folder, FACTS_NAME)
    with translated(path):
        if not path.exists() or path.stat().st_size == 0:
            with closing(_connect(path)) as connection:
                connection.execute(f"PRAGMA page_size = {FACTS_PAGE}")  # before anything is in it
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("BEGIN IMMEDIATE")
                if not _tables(connection):  # nobody else was first
                    for statement in statements(FACTS_TABLES):
                        connection.execute(statement)
                    _mark(connection, FACTS_VERSION)
                connection.execute("COMMIT")
        return _checked(path, FACTS_VERSION, _FACTS_TABLES)


def open_own(path: Path, version: int, tables: str) -> sqlite3.Connection:
    """A database of ours for writing, made with `tables` if there is none. Raises DamagedError, StoreError."""
    with translated(path):
        if not path.exists() or path.stat().st_size == 0:
            with closing(_connect(path)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("BEGIN IMMEDIATE")
                if not _tables(connection):  # nobody else was first
                    for statement in statements(tables):
                        connection.execute(statement)
                    _mark(connection, version)
                connection.execute("COMMIT")
        return _checked(path, version, frozenset({"commits"}))


def read_facts(folder: str) -> sqlite3.Connection:
    """The facts cache, for reading in a worker."""
    path = Path(folder, FACTS_NAME)
    with translated(path):
        return read_only(path)


def read_only(path: Path) -> sqlite3.Connection:
    """A database that is there, for reading."""
    uri = path.absolute().as_uri() + "?mode=ro"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False)
    with _closed_on_error(connection):
        connection.execute("PRAGMA mmap_size = 268435456")
    return connection


def put_away(damaged: DamagedError) -> str:
    """Make room for a new database; gives what was done with the old one, in words. Raises StoreError."""
    if not damaged.worthless:
        return f"set aside as {_set_aside(damaged.path).name}"
    try:
        for sibling in _SIBLINGS:
            damaged.path.with_name(damaged.path.name + sibling).unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"cannot remove {damaged.path}: {error.strerror}") from error
    return "removed"


def _set_aside(path: Path) -> Path:
    """Rename a database, with its log, to the first free `<name>.damaged-N`; gives the new path."""
    number = 1
    while path.with_name(f"{path.name}.damaged-{number}").exists():
        number += 1
    kept = path.with_name(f"{path.name}.damaged-{number}")
    try:
        for sibling in _SIBLINGS:
            old = path.with_name(path.name + sibling)
            if old.exists():
                os.replace(old, kept.with_name(kept.name + sibling))
    except OSError as error:
        raise StoreError(f"cannot set {path} aside: {error.strerror}") from error
    return kept


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Errors of SQLite and of the disk as DamagedError or StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise explained(error, path) from error
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error


@contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """One write to the database at `path`; what goes wrong inside leaves all as it was. Errors as of `translated`."""
    with translated(path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # some errors have rolled back already
                connection.execute("ROLLBACK")
            raise


def explained(error: sqlite3.Error, *paths: Path) -> DamagedError | StoreError:
    """What an error of SQLite means, which came from one of the databases `paths`."""
    path = paths[0]
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return DamagedError(next((path for path in paths if not _sound(path)), path), "is damaged")
    if code == sqlite3.SQLITE_FULL:
        return StoreError(f"no space left to write {path}: free some and run again")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreError(f"cannot write {path}: the file or its folder is read-only")
    if code == sqlite3.SQLITE_BUSY:
        return StoreError(f"cannot write {path}: another program keeps it locked")
    return StoreError(f"cannot write {path}: {error}")


def _checked(path: Path, version: int, tables: frozenset[str]) -> sqlite3.Connection:
    connection = _connect(path)
    with _closed_on_error(connection):
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise DamagedError(path, "was not made by codemap")
        if found != version:
            raise DamagedError(path, f"has version {found}, not {version}", worthless=0 < found < version)
        if not tables <= _tables(connection) or _truncated(connection, path):
            raise DamagedError(path, "is not complete")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _sound(path: Path) -> bool:
    try:
        with closing(_connect(path)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.Error:
        return False


def _truncated(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether pages are missing at the end, which SQLite itself finds only when it gets there."""
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size > 0:
        return False  # the pages may be in the log
    pages: int = connection.execute("PRAGMA page_count").fetchone()[0]
    size: int = connection.execute("PRAGMA page_size").fetchone()[0]
    with open(path, "rb") as file:
        claimed = int.from_bytes(file.read(32)[28:32], "big")
    return path.stat().st_size < max(pages, claimed) * size


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS)
    with _closed_on_error(connection):
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA cache_size = -65536")
    return connection


@contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    """For what opens a connection and gives it away only when all went well."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _mark(connection: sqlite3.Connection, version: int) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")
