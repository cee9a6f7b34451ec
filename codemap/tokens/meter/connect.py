"""Opening the ledger's file: its version, its tables, and what its errors mean."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from indexer.errors import BusyError, StoreError

VERSION = 1
APPLICATION_ID = 0x636D6C67  # "cmlg"
BUSY_SECONDS = 30.0

_TABLES = """
CREATE TABLE requests (request_id TEXT PRIMARY KEY, day TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE spent (
    task TEXT PRIMARY KEY, input INTEGER NOT NULL, output INTEGER NOT NULL, unknown INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE budgets (
    task TEXT PRIMARY KEY, input INTEGER, output INTEGER, warn_percent INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE reservations (
    id TEXT PRIMARY KEY, task TEXT NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL, until REAL NOT NULL
) WITHOUT ROWID;
"""


def connect(path: Path) -> sqlite3.Connection:
    """A connection to the ledger, which is made where there is none. Raises StoreError for what is no ledger."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot make the folder of the ledger {path}: {error.strerror or error}") from error
    if not path.exists():
        # What was asked of which model is nobody else's business.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        _settle(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _settle(connection: sqlite3.Connection, path: Path) -> None:
    _patiently(connection, "PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
        connection.execute("BEGIN IMMEDIATE")
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StoreError(f"{path} is no ledger of codemap: set CODEMAP_LEDGER to another file")
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found != VERSION:
        raise StoreError(
            f"the ledger {path} has version {found}, this codemap knows {VERSION}: bring codemap up to date"
        )


def _patiently(connection: sqlite3.Connection, statement: str) -> None:
    """Switching to WAL does not wait for other connections by itself (SQLite, `sqlite3_busy_handler`)."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute(statement)
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Errors of SQLite and of the disk as StoreError, BusyError. A ledger is never set aside: it is the only copy."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise BusyError(f"another program keeps the ledger {path} locked: try again") from error
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise StoreError(f"the ledger {path} is damaged: move it away, and a new one is begun") from error
        if code == sqlite3.SQLITE_FULL:
            raise StoreError(f"no space left to write the ledger {path}") from error
        raise StoreError(f"the ledger {path} cannot be used: {error}") from error
    except OSError as error:
        raise StoreError(f"the ledger {path} cannot be used: {error.strerror or error}") from error
