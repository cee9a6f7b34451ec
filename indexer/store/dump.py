"""A map as it reads without ids, so that two maps can be compared row for row whatever their histories."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any, TypeAlias

from indexer.compressed import decompress
from indexer.store.dispatch import LINE, WORD

Row: TypeAlias = tuple[Any, ...]

_UNCOMPARED = ("built_at", "facts", "installation", "next_file", "next_symbol", "state")
"""Keys of meta that tell of the map's history, not of what it holds."""

_FILES = "SELECT path, blob, language, size, lines, state, test, header, errors, notes FROM files"
_SYMBOLS = """
SELECT f.path, s.qualname, s.ordinal, s.position, s.name, s.kind, s.parent, s.start_line, s.end_line, s.name_line,
       s.start_byte, s.end_byte, s.signature, s.doc, s.flags
FROM symbols s LEFT JOIN files f ON f.id = s.file"""
_EDGES = f"""
SELECT e.source, e.target, e.kind, {LINE}, f.path, {WORD}, iif(e.kind = 'inherits', 0, e.receiver),
       iif(e.kind = 'inherits', e.receiver, 0)
FROM edges e LEFT JOIN files f ON f.id = e.file"""
_PENDING = """
SELECT p.source, p.name, p.line, f.path, p.receiver FROM pending p LEFT JOIN files f ON f.id = p.file"""
_LINKS = """
SELECT f.path, l.counts, l.lookups, l.modules
FROM links l LEFT JOIN files f ON f.id = l.file"""
_ASKED = """
SELECT t.path, f.path FROM asked a LEFT JOIN files t ON t.id = a.target LEFT JOIN files f ON f.id = a.file"""


def dump(connection: sqlite3.Connection) -> dict[str, list[Row]]:
    """Every table of a map, sorted; symbols stand as "path qualname#ordinal". Writes nothing but a temporary table."""
    return {table: rows(connection) for table, rows in tables(connection).items()}


def tables(connection: sqlite3.Connection) -> dict[str, Callable[[sqlite3.Connection], list[Row]]]:
    """How to read each table, for those who compare one after the other."""
    names = _symbol_names(connection)

    def named(sql: str, *columns: int) -> Callable[[sqlite3.Connection], list[Row]]:
        return lambda connection: sorted(_with_names(row, columns, names) for row in connection.execute(sql))

    return {
        "meta": lambda connection: sorted(
            row for row in connection.execute("SELECT key, value FROM meta") if row[0] not in _UNCOMPARED
        ),
        "files": named(_FILES),
        "skipped": named("SELECT path, reason FROM skipped"),
        "symbols": named(_SYMBOLS, 6),
        "edges": named(_EDGES, 0, 1, 6),
        "pending": named(_PENDING, 0, 4),
        "links": lambda connection: sorted(
            (path, counts, decompress(lookups).decode(), decompress(modules).decode())
            for path, counts, lookups, modules in connection.execute(_LINKS)
        ),
        "asked": named(_ASKED),
        "text": lambda connection: _words(connection, names),
        "sizes": named("SELECT id, hex(sz) FROM text_docsize", 0),
    }


def _symbol_names(connection: sqlite3.Connection) -> dict[int, str]:
    """Natural key of each symbol; unique, or the file's symbols are wrong."""
    sql = "SELECT s.id, f.path, s.qualname, s.ordinal FROM symbols s LEFT JOIN files f ON f.id = s.file"
    return {symbol: f"{path} {qualname}#{ordinal}" for symbol, path, qualname, ordinal in connection.execute(sql)}


def _with_names(row: Row, columns: tuple[int, ...], names: dict[int, str]) -> Row:
    if not columns:
        return row
    return tuple(_name(value, names) if column in columns else value for column, value in enumerate(row))


def _name(symbol: int, names: dict[int, str]) -> str:
    """0 is the parent of a module, or no receiver; less: a class that lacks the member. An id that names no symbol is a
    defect that has to show."""
    if symbol < 0:
        return f"not {_name(-symbol, names)}"
    return names.get(symbol, "" if symbol == 0 else "no such symbol")


def _words(connection: sqlite3.Connection, names: dict[int, str]) -> list[Row]:
    """(word, symbol, column) of every entry of the text index."""
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.entries USING fts5vocab('main', 'text', 'instance')")
    return sorted(
        (term, _name(symbol, names), column)
        for term, symbol, column in connection.execute("SELECT term, doc, col FROM temp.entries")
    )
