"""Write a map. One connection, one transaction; who calls decides when to commit."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import orjson

from indexer.ports import SourceFile
from indexer.store.link_writer import OF_FILE, LinkWriter
from indexer.store.schema import MAP_TABLES, MAP_VERSION, SYMBOL_INDEXES, statements
from indexer.store.states import States
from indexer.store.testcode import is_test
from indexer.store.text import TEXT_DELETE, TEXT_INSERT, Described, TextRow, text_rows

_SYMBOLS = f"INSERT INTO symbols VALUES ({', '.join('?' * 16)})"
_FILES = f"INSERT INTO files VALUES ({', '.join('?' * 11)})"
_SYMBOL_COLUMNS = (
    "id", "file", "position", "name", "qualname", "ordinal", "kind", "parent", "start_line", "end_line", "name_line",
    "start_byte", "end_byte", "signature", "doc", "flags",
)  # fmt: skip
_OF_SYMBOL = f"SELECT {', '.join(_SYMBOL_COLUMNS)} FROM symbols WHERE file = ?"
_MOVE_SYMBOL = f"UPDATE symbols SET {', '.join(f'{name} = ?' for name in _SYMBOL_COLUMNS[4:])} WHERE id = ?"


class KnownFile(NamedTuple):
    """A file as the map has it."""

    id: int
    path: str
    blob: str
    language: str
    state: str


class MapWriter(LinkWriter):
    """Changes to one map."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._connection = connection
        meta = self.meta()
        self._next_file = int(meta.get("next_file", "1"))
        self._next_symbol = int(meta.get("next_symbol", "1"))
        self.states = States(connection)

    # what is there

    def meta(self) -> dict[str, str]:
        return dict(self._execute("SELECT key, value FROM meta"))

    def known_files(self) -> dict[str, KnownFile]:
        rows = map(KnownFile._make, self._execute("SELECT id, path, blob, language, state FROM files"))
        known = {row.path: row for row in rows}
        self._file_ids = {path: row.id for path, row in known.items()}
        return known

    def known_skipped(self) -> dict[str, str]:
        return dict(self._execute("SELECT path, reason FROM skipped"))

    def all_symbol_ids(self) -> dict[str, Sequence[int]]:
        """The ids of the symbols of every file, by path. Of most they are a range: those that came with the file."""
        sql = (
            "SELECT f.path, s.least, s.most, s.number FROM files f JOIN (SELECT file, min(id - position) AS least, "
            "max(id - position) AS most, count(*) AS number FROM symbols GROUP BY file) s ON s.file = f.id"
        )
        return {
            path: range(least, least + number) if least == most else self.symbol_ids(path)
            for path, least, most, number in self._execute(sql).fetchall()
        }

    # files and symbols

    def begin(self) -> None:
        """Begin the transaction, if it has not begun."""
        if not self._connection.in_transaction:
            self._execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self._execute("COMMIT")

    def reset(self) -> None:
        """Empty the map, inside the transaction."""
        names = [name for (name,) in self._execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            if name == "text" or not name.startswith(("text_", "sqlite_")):
                self._execute(f"DROP TABLE {name}")
        for statement in statements(MAP_TABLES):
            self._execute(statement)
        self._file_ids.clear()
        self._added.clear()
        self._next_file = self._next_symbol = 1

    def expect_many(self) -> None:
        """Let the text index gather more words in memory before it writes them, until `index_symbols`."""
        self._execute("INSERT INTO text (text, rank) VALUES ('hashsize', 33554432)")

    def add_file(self, file: SourceFile, facts: Described, *, indexed: bool = True) -> Sequence[int]:
        """Store a file that the map does not have; gives its symbols' ids, in order. `indexed`: with its words."""
        number = self._next_file
        self._next_file += 1
        self._file_ids[file.path] = number
        first = self._next_symbol
        self._next_symbol += len(facts.symbols)
        ids = self._added[number] = range(first, self._next_symbol)
        self._execute(_FILES, _file_row(number, file, facts))
        self._many(_SYMBOLS, _symbol_rows(number, facts.symbols, ids))
        if indexed:
            self._replace_text((), text_rows(file.path, facts, ids))
        return ids

    def replace_file(self, file: SourceFile, facts: Described, old: Described | None) -> Sequence[int]:
        """Store other facts of a file; symbols that are still there keep their ids.

        `old`: the facts the map was made from; None leaves the text index alone, to be made anew (`rebuild_text`).
        """
        number = self._file_ids[file.path]
        rows = {row[0]: row for row in self._execute(_OF_SYMBOL, (number,))}
        kept = {(row[4], row[5]): symbol for symbol, row in rows.items()}
        ids = [kept.get((symbol[1], symbol[2])) or self._new_symbol() for symbol in facts.symbols]
        self._added.pop(number, None)
        for gone in sorted(rows.keys() - set(ids)):
            self._execute("DELETE FROM edges WHERE source = ?", (gone,))
            self._execute("DELETE FROM pending WHERE source = ?", (gone,))
            self._execute("DELETE FROM symbols WHERE id = ?", (gone,))
        self._replace_symbols(rows, _symbol_rows(number, facts.symbols, ids))
        self._execute("DELETE FROM files WHERE id = ?", (number,))
        self._execute(_FILES, _file_row(number, file, facts))
        if old is not None:
            before = sorted(rows, key=lambda symbol: rows[symbol][2])
            was, now = text_rows(file.path, old, before), text_rows(file.path, facts, ids)
            self._replace_text(sorted(set(was).difference(now)), sorted(set(now).difference(was)))
        return ids

    def _replace_symbols(self, rows: Mapping[int, tuple[object, ...]], now: Iterable[tuple[object, ...]]) -> None:
        """Write those of `now` that `rows`, by id, has otherwise. Most have but moved, which touches no index."""
        placed = [row for row in now if rows.get(row[0]) != row]  # type: ignore[call-overload]
        moved = [row for row in placed if row[0] in rows and rows[row[0]][:4] == row[:4]]  # type: ignore[index]
        self._many(_MOVE_SYMBOL, [(*row[4:], row[0]) for row in moved])
        others = [row for row in placed if row not in set(moved)]
        self._many("DELETE FROM symbols WHERE id = ?", [row[:1] for row in others])
        self._many(_SYMBOLS, others)

    def remove_file(self, path: str, old: Described | None) -> None:
        """Forget a file. `old` as in `replace_file`. Edges into it go when the files that made them are linked."""
        if old is not None:
            self._replace_text(text_rows(path, old, self.symbol_ids(path)), ())
        self.unlink(path)
        number = self._file_ids.pop(path)
        self._execute(f"DELETE FROM edges WHERE source IN {OF_FILE}", (number,))  # other files' links made them
        self._execute("DELETE FROM symbols WHERE file = ?", (number,))
        self._execute("DELETE FROM files WHERE id = ?", (number,))
        self._execute("DELETE FROM asked WHERE target = ?", (number,))

    def _replace_text(self, gone: Collection[TextRow], new: Collection[TextRow]) -> None:
        self._many(TEXT_DELETE, gone)
        self._many(TEXT_INSERT, new)
        self.states.text_changed(gone, new)

    def set_state(self, file: SourceFile) -> None:
        self._execute("UPDATE files SET state = ? WHERE path = ?", (file.state, file.path))

    def set_skipped(self, skipped: Mapping[str, str]) -> None:
        self._execute("DELETE FROM skipped")
        self._many("INSERT INTO skipped VALUES (?, ?)", sorted(skipped.items()))

    def rebuild_text(self, facts: Iterable[tuple[str, Described]]) -> None:
        """Make the whole text index anew from what the facts of every file say."""
        self.states.clear()
        self._execute("INSERT INTO text (text) VALUES ('delete-all')")
        for path, row in facts:
            self._many(TEXT_INSERT, text_rows(path, row, self.symbol_ids(path)))

    # the end

    def index_symbols(self) -> None:
        """What is left to do for files, symbols and text when a map was filled from nothing."""
        self._execute("INSERT INTO text (text, rank) VALUES ('hashsize', 1048576)")
        for statement in statements(SYMBOL_INDEXES):
            self._execute(statement)

    def counts(self) -> tuple[int, int, int]:
        """Numbers of files, symbols and edges."""
        sql = "SELECT (SELECT count(*) FROM files), (SELECT count(*) FROM symbols), (SELECT count(*) FROM edges)"
        files, symbols, edges = self._execute(sql).fetchone()
        return files, symbols, edges

    def set_meta(self, values: Mapping[str, str]) -> None:
        rows = {
            **values,
            "version": str(MAP_VERSION),
            "next_file": str(self._next_file),
            "next_symbol": str(self._next_symbol),
            "state": os.urandom(16).hex(),
        }
        self._many("INSERT OR REPLACE INTO meta VALUES (?, ?)", sorted(rows.items()))

    def _new_symbol(self) -> int:
        self._next_symbol += 1
        return self._next_symbol - 1


def _file_row(number: int, file: SourceFile, facts: Described) -> tuple[object, ...]:
    errors = orjson.dumps(facts.errors).decode() if facts.errors else "[]"
    notes = orjson.dumps(facts.notes).decode() if facts.notes else "[]"
    return (
        number, file.path, file.blob, file.language, file.size, facts.lines, file.state, int(is_test(file.path)),
        facts.header, errors, notes,
    )  # fmt: skip


def _symbol_rows(file: int, symbols: Sequence[tuple[Any, ...]], ids: Sequence[int]) -> Iterable[tuple[object, ...]]:
    names, qualnames, ordinals, kinds, parents, _, starts, ends, first, last, lines, _, signatures, docs, flags = zip(
        *symbols, strict=True
    )
    above = [*ids, 0]  # the parent of a module is -1
    return zip(
        ids, repeat(file), range(len(ids)), names, qualnames, ordinals, kinds, [above[parent] for parent in parents],
        first, last, lines, starts, ends, signatures, docs, flags,
    )  # fmt: skip
