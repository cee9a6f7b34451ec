"""The ledger: one SQLite file, a table for each UTC day, 90 days kept, safe under several writers and any death of one.

What `write` has returned from is on the disk (WAL, synchronous FULL). A request id is held by one row of all the days,
so that a call recorded twice is counted once. What a task has spent is kept beside the days and outlives them.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from codemap.tokens.meter.connect import connect, translated
from codemap.tokens.meter.values import COUNTS, Entry

KEPT_DAYS = 90
PREFIX = "calls_"
ANSWERS = "answers_"

COLUMNS = (
    "request_id",
    "time",
    "task",
    "caller",
    "provider",
    "model",
    *COUNTS,
    "cost",
    "basis",
    "outcome",
)

_DAY = """
CREATE TABLE IF NOT EXISTS "{table}" (
    request_id TEXT PRIMARY KEY, time TEXT NOT NULL, task TEXT, caller TEXT, provider TEXT, model TEXT,
    input INTEGER, output INTEGER, cached INTEGER, cache_write INTEGER, reasoning INTEGER, cost INTEGER,
    basis TEXT NOT NULL, outcome TEXT NOT NULL
) WITHOUT ROWID
"""
_ANSWERS_DAY = """
CREATE TABLE IF NOT EXISTS "{table}" (
    time TEXT NOT NULL, task TEXT, caller TEXT, command TEXT NOT NULL, answer_tokens INTEGER NOT NULL,
    file_tokens INTEGER NOT NULL, files INTEGER NOT NULL, missing INTEGER NOT NULL, method TEXT NOT NULL
)
"""


def moment(now: float | None = None) -> str:
    """A time as the ledger writes it."""
    at = datetime.fromtimestamp(time.time() if now is None else now, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def oldest_day(now: float | None = None) -> str:
    """The first of the days that are kept, today being the last."""
    today = datetime.fromtimestamp(time.time() if now is None else now, UTC).date()
    return (today - timedelta(days=KEPT_DAYS - 1)).isoformat()


class Ledger:
    """One ledger file; may be shared by threads, and by processes that open it themselves or were forked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._owner = 0
        self._inherited: list[sqlite3.Connection] = []  # a fork must not close what belongs to its parent

    def close(self) -> None:
        with self._lock:
            if self._connection is not None and self._owner == os.getpid():
                self._connection.close()
            self._connection = None

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """One state of the ledger. Raises StoreError, BusyError."""
        with self._lock, translated(self.path):
            connection = self._open()
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("ROLLBACK")

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A transaction, alone among all writers; on the disk when the block is left without an error."""
        with self._lock, translated(self.path):
            connection = self._open()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            try:
                connection.execute("COMMIT")
            except sqlite3.Error:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._owner != os.getpid():
            self._inherited.append(self._connection)
            self._connection = None
        if self._connection is None:
            self._connection = connect(self.path)
            self._owner = os.getpid()
        return self._connection


def insert(connection: sqlite3.Connection, entry: Entry) -> Entry | None:
    """Add a row, inside `write`; gives the row that stands in its place where the request id is known already.

    A row that was open, cut short or unknown is completed by one that tells more; any other row is never changed.
    """
    found = connection.execute("SELECT day FROM requests WHERE request_id = ?", (entry.request_id,)).fetchone()
    if found is not None:
        old = fetch(connection, found[0], entry.request_id)
        if old is not None and not _completes(entry, old):
            return old
        remove(connection, entry.request_id)
    connection.execute("INSERT INTO requests VALUES (?, ?)", (entry.request_id, entry.day))
    table = _table(connection, PREFIX, _DAY, entry.day)
    marks = ", ".join("?" * len(COLUMNS))
    values = [getattr(entry, name) for name in COLUMNS]
    connection.execute(f'INSERT INTO "{table}" ({", ".join(COLUMNS)}) VALUES ({marks})', values)
    _spend(connection, entry, 1)
    return None


def remove(connection: sqlite3.Connection, request_id: str) -> None:
    """Take a row out, inside `write`: one that another is about to replace."""
    found = connection.execute("SELECT day FROM requests WHERE request_id = ?", (request_id,)).fetchone()
    if found is None:
        return
    old = fetch(connection, found[0], request_id)
    connection.execute("DELETE FROM requests WHERE request_id = ?", (request_id,))
    if old is not None:
        connection.execute(f'DELETE FROM "{_name(PREFIX, old.day)}" WHERE request_id = ?', (request_id,))
        _spend(connection, old, -1)


def holds(connection: sqlite3.Connection, request_id: str) -> bool:
    """Whether a row bears a request id."""
    return connection.execute("SELECT 1 FROM requests WHERE request_id = ?", (request_id,)).fetchone() is not None


def fetch(connection: sqlite3.Connection, day: str, request_id: str) -> Entry | None:
    """The row of a request id."""
    table = _name(PREFIX, day)
    row = connection.execute(f'SELECT {", ".join(COLUMNS)} FROM "{table}" WHERE request_id = ?', (request_id,))
    found = row.fetchone()
    return None if found is None else Entry(*found)


def insert_answer(connection: sqlite3.Connection, at: str, values: Iterable[object]) -> None:
    """Add a row on an answer of the map, inside `write`."""
    table = _table(connection, ANSWERS, _ANSWERS_DAY, at[:10])
    connection.execute(f'INSERT INTO "{table}" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', (at, *values))


def tables(connection: sqlite3.Connection, prefix: str, since: str) -> list[str]:
    """The tables of the days from `since` on, oldest first."""
    rows = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name >= ? AND name < ? ORDER BY name",
        (_name(prefix, since), prefix + ":"),
    )
    return [name for (name,) in rows]


def _completes(new: Entry, old: Entry) -> bool:
    if old.outcome == "ok" and (old.basis == "reported" or new.basis != "reported"):
        return old.basis == "unknown" and new.basis == "estimated"
    if new.outcome == "ok" and new.basis == "reported":
        return True
    return (new.input or 0, new.output or 0) > (old.input or 0, old.output or 0) and new.basis != "unknown"


def _spend(connection: sqlite3.Connection, entry: Entry, sign: int) -> None:
    if entry.task is None:
        return
    unknown = 1 if entry.input is None and entry.output is None else 0
    connection.execute(
        "INSERT INTO spent VALUES (?, ?, ?, ?) ON CONFLICT (task) DO UPDATE SET "
        "input = input + excluded.input, output = output + excluded.output, unknown = unknown + excluded.unknown",
        (entry.task, sign * (entry.input or 0), sign * (entry.output or 0), sign * unknown),
    )


def _name(prefix: str, day: str) -> str:
    return prefix + day.replace("-", "")


def _table(connection: sqlite3.Connection, prefix: str, statement: str, day: str) -> str:
    """The table of a day, made where there is none; a new day is when days that are no longer kept go."""
    table = _name(prefix, day)
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone()
    if known is None:
        connection.execute(statement.format(table=table))
        prune(connection, oldest_day())
    return table


def prune(connection: sqlite3.Connection, oldest: str) -> None:
    """Drop the days before `oldest`, inside `write`."""
    for prefix in (PREFIX, ANSWERS):
        for table in tables(connection, prefix, "0000-00-00"):
            if table < _name(prefix, oldest):
                connection.execute(f'DROP TABLE "{table}"')
    connection.execute("DELETE FROM requests WHERE day < ?", (oldest,))
