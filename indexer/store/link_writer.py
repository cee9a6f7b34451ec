"""Write what linking gave: edges, pending names, and what every link asked of other files."""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import orjson

from indexer.compressed import DamagedBytesError, decompress
from indexer.evidence import EVIDENCE
from indexer.store import lookups
from indexer.store.connect import DamagedError
from indexer.store.schema import LINK_INDEXES, statements

OF_FILE = "(SELECT id FROM symbols WHERE file = ?)"
_EDGE = "INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?, ?)"
_PENDING = "INSERT INTO pending VALUES (?, ?, ?, ?, ?)"
_LINK = "INSERT INTO links VALUES (?, ?, ?, ?)"
_CODES = {word: number for number, word in enumerate(EVIDENCE)}

_LOOKUPS_KEPT = 64 << 20
"""Bytes of look-ups that are kept in memory: those of some 8,000 files of Django."""


_Row: TypeAlias = tuple[Any, ...]


class LinkRow(NamedTuple):
    """What linking one file gave, with everything but the edges encoded as it is stored."""

    path: str
    edges: Sequence[tuple[int, int, str, int, str, int]]  # as in `indexer.ports.Link`
    pending: Sequence[tuple[int, str, int, int]]
    counts: str
    lookups: bytes
    modules: bytes
    asked: Sequence[str]  # the paths in lookups


class LinkWriter:
    """The links of a map. File ids are those that `known_files` of the map's writer has read or added."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute
        self._many = connection.executemany
        self._file_ids: dict[str, int] = {}
        self._added: dict[int, range] = {}  # ids of the symbols of files that were added, by file id
        self._asked: list[tuple[int, int]] = []
        self._asked_of: dict[int, bytes] = {}  # lookups by file id, as long as no link is stored
        self._bytes_kept = 0

    def symbol_ids(self, path: str) -> Sequence[int]:
        """Ids of the symbols of a file, in order of position; empty for a file that is not mapped."""
        rows = self._execute("SELECT id FROM symbols WHERE file = ? ORDER BY position", (self._file_ids.get(path, 0),))
        return tuple(row[0] for row in rows)

    def askers(self, path: str, but: Container[str] = ()) -> dict[str, list[str]]:
        """The files whose links asked something of `path`, each with the bindings it asked for; some left out."""
        sql = "SELECT f.id, f.path FROM asked a JOIN files f ON f.id = a.file WHERE a.target = ?"
        rows = self._execute(sql, (self._file_ids.get(path, 0),)).fetchall()
        return {asker: lookups.asked_of(self._lookups(number), path) for number, asker in rows if asker not in but}

    def _lookups(self, number: int) -> bytes:
        """What the link of a file asked of others. Kept: the askers of several changed files are mostly the same."""
        found = self._asked_of.get(number)
        if found is None:
            row = self._execute("SELECT lookups FROM links WHERE file = ?", (number,)).fetchone()
            found = b"" if row is None else self._whole(row[0])
            self._bytes_kept += len(found)
            if self._bytes_kept > _LOOKUPS_KEPT:
                self._asked_of.clear()
                self._bytes_kept = len(found)
            self._asked_of[number] = found
        return found

    def module_questions(self) -> Iterable[tuple[str, list[list[Any]]]]:
        """Of every linked file, what its link asked the resolver: (path, [[question, answer], …])."""
        rows = self._execute("SELECT f.path, l.modules FROM links l JOIN files f ON f.id = l.file")
        return ((path, orjson.loads(self._whole(modules))) for path, modules in rows)

    def _whole(self, data: bytes) -> bytes:
        """Bytes as they were before they were compressed. Raises DamagedError."""
        try:
            return decompress(data)
        except DamagedBytesError as error:
            path = Path(self._execute("PRAGMA database_list").fetchone()[2])
            raise DamagedError(path, "is damaged") from error

    def unlink(self, path: str) -> None:
        """Delete what the link of a file gave. Before its symbols change: edges are found through them."""
        number = self._file_ids[path]
        self._execute(f"DELETE FROM edges WHERE source IN {OF_FILE} AND line > 0", (number,))
        self._execute("DELETE FROM edges WHERE file = ? AND line <= 0", (number,))
        self._execute(f"DELETE FROM pending WHERE source IN {OF_FILE}", (number,))
        self._execute("DELETE FROM links WHERE file = ?", (number,))
        self._asked_of.pop(number, None)
        self._execute("DELETE FROM asked WHERE file = ?", (number,))

    def add_link(self, link: LinkRow) -> None:
        """Store the link of a file that has none."""
        number = self._file_ids[link.path]
        self._many(_EDGE, self._edges(link))
        self._many(_PENDING, _pending(number, link))
        self._execute(_LINK, (number, link.counts, link.lookups, link.modules))
        self._asked += [(target, number) for target in self._targets(link)]

    def put_link(self, link: LinkRow) -> None:
        """Store the link of a file in the place of the one it has, if it has one: what is the same stays."""
        number = self._file_ids[link.path]
        own = f"SELECT rowid, * FROM edges WHERE source IN {OF_FILE} AND line > 0"
        others = "SELECT rowid, * FROM edges WHERE file = ? AND line <= 0"
        rows = [*self._execute(own, (number,)), *self._execute(others, (number,))]
        self._replace("edges", _EDGE, 3, rows, self._edges(link))
        rows = list(self._execute(f"SELECT rowid, * FROM pending WHERE source IN {OF_FILE}", (number,)))
        self._replace("pending", _PENDING, 2, rows, _pending(number, link))
        known = self._execute("SELECT counts, lookups, modules FROM links WHERE file = ?", (number,)).fetchone()
        if known is None:
            self._execute(_LINK, (number, link.counts, link.lookups, link.modules))
        elif known != (link.counts, link.lookups, link.modules):
            update = "UPDATE links SET counts = ?, lookups = ?, modules = ? WHERE file = ?"
            self._execute(update, (link.counts, link.lookups, link.modules, number))
            self._asked_of.pop(number, None)
        asked = {target for (target,) in self._execute("SELECT target FROM asked WHERE file = ?", (number,))}
        now = set(self._targets(link))
        self._many("DELETE FROM asked WHERE target = ? AND file = ?", [(target, number) for target in asked - now])
        self._asked += [(target, number) for target in now - asked]

    def _replace(self, table: str, insert: str, at: int, old: Iterable[_Row], new: Iterable[_Row]) -> None:
        """Write what is different between stored rows, behind their rowids, and others. Rows of which only the line, at
        `at`, is another one are moved, which touches no index."""
        gone = {row[1:]: row[0] for row in old}
        added = []
        for row in new:
            if gone.pop(row, None) is None:
                added.append(row)
        free: dict[_Row, list[int]] = {}
        for row, number in gone.items():
            free.setdefault(row[:at] + row[at + 1 :], []).append(number)
        moved, others = [], []
        for row in added:
            places = free.get(row[:at] + row[at + 1 :])
            if places:
                moved.append((row[at], places.pop()))
            else:
                others.append(row)
        self._many(f"UPDATE {table} SET line = ? WHERE rowid = ?", moved)
        left = [(number,) for places in free.values() for number in places]
        self._many(f"DELETE FROM {table} WHERE rowid = ?", left)
        self._many(insert, others)

    def _edges(self, link: LinkRow) -> list[_Row]:
        number = self._file_ids[link.path]
        own = self._added.get(number) or frozenset(self.symbol_ids(link.path))
        return [
            (source, target, kind, line if source in own else -line, number, _CODES[evidence], receiver)
            for source, target, kind, line, evidence, receiver in link.edges
        ]

    def _targets(self, link: LinkRow) -> Iterable[int]:
        return (self._file_ids[path] for path in link.asked if path in self._file_ids)

    def move_lines(self, source: int, lines: Mapping[int, int]) -> None:
        """Put right the edges of a symbol that other files' links made, whose lines have moved within it."""
        stored = self._execute("SELECT rowid, line FROM edges WHERE source = ? AND line <= 0", (source,)).fetchall()
        moved = ((-lines[-line], row) for row, line in stored if lines.get(-line, -line) != -line)
        self._many("UPDATE edges SET line = ? WHERE rowid = ?", moved)

    def end_links(self) -> None:
        """Store what `add_link` has gathered, which is quickest in order."""
        self._many("INSERT INTO asked VALUES (?, ?)", sorted(self._asked))
        self._asked = []

    def index_links(self) -> None:
        """What is left to do for links when a map was filled from nothing."""
        for statement in statements(LINK_INDEXES):
            self._execute(statement)


def _pending(number: int, link: LinkRow) -> list[_Row]:
    return [(source, name, line, number, receiver) for source, name, line, receiver in link.pending]
