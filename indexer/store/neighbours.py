"""Read the edges of a map, and the calls on unknown receivers that are candidates."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from indexer.store.reader import Reader, damaged, listed

CANDIDATE_LIMIT = 5
"""A name that more symbols bear than this says too little of which of them a call means."""


NAME_LIMIT = 40
"""Nor does one that this many symbols of any kind bear, fields and variables included."""


class EdgeRow(NamedTuple):
    """An edge between two symbol ids; the line is in the source's file."""

    source: int
    target: int
    kind: str
    line: int
    evidence: str


_edge = partial(tuple.__new__, EdgeRow)  # as `_make`, without a call of Python for each row
_EDGE = "SELECT e.source, e.target, e.kind, e.line, e.evidence FROM edges e"
_IDS = "(SELECT value FROM json_each(?))"


class Neighbours:
    """Edges around some symbols, in no particular order unless said."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def out_of(self, ids: Iterable[int]) -> list[EdgeRow]:
        return self._edges(f"{_EDGE} WHERE e.source IN {_IDS}", listed(ids))

    def into(self, ids: Iterable[int]) -> list[EdgeRow]:
        return self._edges(f"{_EDGE} WHERE e.target IN {_IDS}", listed(ids))

    def among(self, ids: Iterable[int]) -> list[EdgeRow]:
        """Edges whose both ends are given."""
        both = listed(ids)
        return self._edges(f"{_EDGE} WHERE e.source IN {_IDS} AND e.target IN {_IDS}", both, both)

    def degrees(self, ids: Iterable[int], *, column: str, limit: int) -> dict[int, int]:
        """Number of edges at one end ("source" or "target") of each symbol, counted no further than `limit`."""
        sql = (
            f"SELECT j.value, (SELECT count(*) FROM (SELECT 1 FROM edges WHERE {column} = j.value LIMIT ?)) "
            "FROM json_each(?) j"
        )
        return dict(self._reader.rows(sql, (limit, listed(ids))))

    def candidates_out(self, ids: Iterable[int]) -> list[EdgeRow]:
        """What calls on unknown receivers, made in some symbols, may reach."""
        rows = self._reader.rows(
            "SELECT p.source, p.name, p.line, f.language FROM pending p JOIN files f ON f.id = p.file "
            f"WHERE p.source IN {_IDS}",
            (listed(ids),),
        )
        bearers = self._bearers({name for _, name, _, _ in rows})
        return [
            EdgeRow(source, target, "calls", line, "name")
            for source, name, line, language in rows
            for target, other in bearers.get(name, ())
            if family(language) == family(other)
        ]

    def candidates_into(self, targets: dict[int, str]) -> list[EdgeRow]:
        """Calls on unknown receivers that may reach some callable symbols, given as id → name."""
        bearers = self._bearers(set(targets.values()))
        rows = self._reader.rows(
            "SELECT p.source, p.name, p.line, f.language FROM pending p JOIN files f ON f.id = p.file "
            f"WHERE p.name IN {_IDS}",
            (listed(sorted(bearers)),),
        )
        return [
            EdgeRow(source, target, "calls", line, "name")
            for source, name, line, language in rows
            for target, other in bearers[name]
            if target in targets and family(language) == family(other)
        ]

    def _bearers(self, names: set[str]) -> dict[str, list[tuple[int, str]]]:
        """Callable symbols by name, for the names that few enough bear within a language family."""
        rows = self._reader.rows(
            "SELECT s.name, s.id, f.language FROM json_each(?) j CROSS JOIN symbols s ON s.name = j.value "
            "JOIN files f ON f.id = s.file WHERE s.kind IN ('function', 'method') "
            "AND (SELECT count(*) FROM (SELECT 1 FROM symbols o WHERE o.name = j.value LIMIT ?)) <= ?",
            (listed(sorted(names)), NAME_LIMIT + 1, NAME_LIMIT),
        )
        grouped: dict[tuple[str, str], list[tuple[int, str]]] = {}
        for name, symbol, language in rows:
            grouped.setdefault((name, family(language)), []).append((symbol, language))
        found: dict[str, list[tuple[int, str]]] = {}
        for (name, _), symbols in grouped.items():
            if len(symbols) <= CANDIDATE_LIMIT:
                found.setdefault(name, []).extend(symbols)
        return found

    def all_edges(self, kinds: Iterable[str] | None = None) -> Iterator[EdgeRow]:
        """Every edge, streamed, by the source's path, line, and the rest of what is shown."""
        chosen = f"WHERE e.kind IN {_IDS}" if kinds is not None else ""
        sql = (
            f"{_EDGE} JOIN symbols s ON s.id = e.source JOIN files f ON f.id = s.file "
            f"JOIN symbols t ON t.id = e.target JOIN files g ON g.id = t.file {chosen} "
            "ORDER BY f.path, e.line, s.qualname, e.kind, g.path, t.start_line, t.qualname, s.ordinal, t.ordinal"
        )
        parameters = (listed(sorted(kinds)),) if kinds is not None else ()
        try:
            for row in self._reader.connection.execute(sql, parameters):
                yield EdgeRow._make(row)
        except sqlite3.DatabaseError as error:
            raise damaged(self._reader.path, error) from error

    def pending_sources(self) -> list[int]:
        return [source for (source,) in self._reader.rows("SELECT DISTINCT source FROM pending")]

    def file_edges(self, file: int, *, column: str) -> list[tuple[str, str, str, int]]:
        """(source path, target path, kind, line) of the edges between a file and others; column: the file's end."""
        near, far = ("s", "t") if column == "source" else ("t", "s")
        ends = {"s": "source", "t": "target"}
        sql = (
            f"SELECT f.path, g.path, e.kind, e.line FROM symbols {near} "
            f"CROSS JOIN edges e ON e.{ends[near]} = {near}.id "
            f"JOIN symbols {far} ON {far}.id = e.{ends[far]} JOIN files f ON f.id = s.file "
            f"JOIN files g ON g.id = t.file WHERE {near}.file = ? AND s.file <> t.file"
        )
        return [tuple(row) for row in self._reader.rows(sql, (file,))]

    def _edges(self, sql: str, *parameters: str) -> list[EdgeRow]:
        return list(map(_edge, self._reader.rows(sql, parameters)))


def family(language: str) -> str:
    """Names mean each other only within a family of languages."""
    return _FAMILIES.get(language, language)


_FAMILIES = {"typescript": "javascript", "tsx": "javascript", "jsx": "javascript"}
