"""A history as it reads without numbers, so that two can be compared row for row whatever became of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from indexer.store.connect import read_only
from indexer.store.dump import Row
from indexer.store.history_schema import HISTORY_NAME

_UNCOMPARED = ("objects",)
"""Keys of meta that tell of when it was made."""

_TABLES = {
    "history.meta": "SELECT key, value FROM meta",
    "history.commits": "SELECT hex(id), time, subject, files, names FROM commits",
    "history.touched": (
        "SELECT u.path, u.name, hex(c.id) FROM touched t LEFT JOIN units u ON u.number = t.unit "
        'LEFT JOIN commits c ON c.number = t."commit"'
    ),
    "history.units": "SELECT path, name FROM units",
    "history.renames": (
        'SELECT hex(c.id), r.before, r.after FROM renames r LEFT JOIN commits c ON c.number = r."commit"'
    ),
    "history.words": "SELECT w.term, hex(c.id) FROM temp.entries w LEFT JOIN commits c ON c.number = w.doc",
}


def dump(folder: str) -> dict[str, list[Row]]:
    """Every table of the history in a folder, sorted; empty where there is none. Raises sqlite3.Error."""
    path = Path(folder, HISTORY_NAME)
    if not path.exists():
        return {}
    with closing(read_only(path)) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.entries USING fts5vocab('main', 'words', 'instance')")
        connection.execute("BEGIN")
        found = {table: _sorted(connection, sql) for table, sql in _TABLES.items()}
    found["history.meta"] = [row for row in found["history.meta"] if row[0] not in _UNCOMPARED]
    return found


def _sorted(connection: sqlite3.Connection, sql: str) -> list[Row]:
    return sorted(connection.execute(sql), key=repr)
