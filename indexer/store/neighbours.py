"""Read the edges of a map, and the calls on unknown receivers that are candidates."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from indexer.evidence import EVIDENCE, NAME
from indexer.store.classes import Classes
from indexer.store.dispatch import STORED, TYPED, WORD, Dispatch, EdgeRow, Stored, Typed
from indexer.store.reader import Reader, damaged, listed

CANDIDATE_LIMIT = 5
"""A name that more symbols bear than this says too little of which of them a call means."""


NAME_LIMIT = 40
"""Nor does one that this many symbols of any kind bear, fields and variables included."""


_edge = partial(tuple.__new__, EdgeRow)  # as `_make`, without a call of Python for each row
_IDS = "(SELECT value FROM json_each(?))"
_COLUMNS = "source, target, kind, line, evidence, receiver"
_GUESSED = "SELECT p.source, p.name, p.line, f.language, p.receiver FROM pending p JOIN files f ON f.id = p.file"
_Guessed: TypeAlias = tuple[int, str, int, str, int]


class Neighbours:
    """Edges around some symbols, in no particular order unless said; what dispatch adds is among them, as resolved.

    All questions must be asked of one state of the map: what is found of its classes and names is kept.
    """

    def __init__(self, reader: Reader, before: Neighbours | None = None) -> None:
        """before: of another state of the map; what holds in this one, too, is not worked out again."""
        self._reader = reader
        self.classes: Classes = Classes(reader, before.classes if before is not None else None)
        self._dispatch = Dispatch(reader, self.classes)
        self._known_bearers: dict[str, list[tuple[int, str]]] = {}
        self._degrees: dict[tuple[str, int], dict[int, int]] = {}

    def out_of(self, ids: Iterable[int]) -> list[EdgeRow]:
        wanted = listed(ids)
        stored = self._stored(f"{STORED} WHERE e.source IN {_IDS}", wanted)
        derived = self._dispatch.out_of(_called(stored), self._typed(wanted))
        derived.update(self._dispatch.registered(stored))
        return self._complete(stored, derived)

    def into(self, ids: Iterable[int], *, limit: int | None = None) -> list[EdgeRow]:
        """limit: what stands in for a method with more edges into it than that gets none of them."""
        wanted = list(ids)
        stored = self._stored(f"{STORED} WHERE e.target IN {_IDS}", listed(wanted))
        derived = self._dispatch.into(wanted, limit)
        ends = set(wanted)
        for edge in self._dispatch.registered(self._dispatch.generic_calls(ends)):
            if edge.target in ends:
                derived.add(edge)
        return self._complete(stored, derived)

    def among(self, ids: Iterable[int]) -> list[EdgeRow]:
        """Edges whose both ends are given."""
        ends = set(ids)
        both = listed(ends)
        sql = f"{STORED} WHERE e.source IN {_IDS} AND (e.target IN {_IDS} OR e.receiver <> 0)"
        found = self._stored(sql, both, both)
        derived = self._dispatch.out_of(_called(found), self._typed(both))
        generic = self._dispatch.generic_calls(ends)
        derived.update(edge for edge in self._dispatch.registered(generic) if edge.source in ends)
        stored = [row for row in found if row[1] in ends]
        return self._complete(stored, (edge for edge in derived if edge.target in ends))

    def degrees(self, ids: Iterable[int], *, column: str, limit: int) -> dict[int, int]:
        """Number of edges at one end ("source" or "target") of each symbol, counted no further than `limit`."""
        known = self._degrees.setdefault((column, limit), {})
        wanted = list(ids)
        missing = [symbol for symbol in wanted if symbol not in known]
        if missing:
            sql = (
                f"SELECT j.value, (SELECT count(*) FROM (SELECT 1 FROM edges WHERE {column} = j.value LIMIT ?)) "
                "FROM json_each(?) j"
            )
            known.update(self._reader.rows(sql, (limit, listed(missing))))
        return {symbol: known[symbol] for symbol in wanted}

    def candidates_out(self, ids: Iterable[int]) -> list[EdgeRow]:
        """What calls on unknown receivers, made in some symbols, may reach."""
        rows = self._without_dispatch(self._reader.rows(f"{_GUESSED} WHERE p.source IN {_IDS}", (listed(ids),)))
        bearers = self._bearers({name for _, name, *_ in rows})
        return [
            _edge((source, target, "calls", line, NAME, 0))
            for source, name, line, language, _ in rows
            for target, other in bearers.get(name, ())
            if family(language) == other
        ]

    def candidates_into(self, targets: dict[int, str]) -> list[EdgeRow]:
        """Calls on unknown receivers that may reach some callable symbols, given as id → name."""
        bearers: dict[str, list[tuple[int, str]]] = {}
        for name, symbols in self._bearers(set(targets.values())).items():
            wanted = [each for each in symbols if each[0] in targets]
            if wanted:
                bearers[name] = wanted
        rows = self._reader.rows(f"{_GUESSED} WHERE p.name IN {_IDS}", (listed(sorted(bearers)),))
        return [
            _edge((source, target, "calls", line, NAME, 0))
            for source, name, line, language, _ in self._without_dispatch(rows)
            for target, other in bearers[name]
            if family(language) == other
        ]

    def _without_dispatch(self, rows: Iterable[_Guessed]) -> list[_Guessed]:
        """Calls of which only the name is known; where subclasses of a receiver have the member, that is more, and
        where its class surely lacks it, no name-alike will do."""
        return [row for row in rows if row[4] == 0 or (row[4] > 0 and not self.classes.standing_in(row[4], row[1]))]

    def _bearers(self, names: set[str]) -> dict[str, list[tuple[int, str]]]:
        """Callable symbols, each with its family of languages, by name, for the names that few enough of one bear."""
        missing = names - self._known_bearers.keys()
        if missing:
            found = self._read_bearers(missing)
            self._known_bearers.update((name, found.get(name, [])) for name in missing)
        return {name: self._known_bearers[name] for name in names if self._known_bearers[name]}

    def _read_bearers(self, names: set[str]) -> dict[str, list[tuple[int, str]]]:
        rows = self._reader.rows(
            "SELECT s.name, s.id, f.language FROM json_each(?) j CROSS JOIN symbols s ON s.name = j.value "
            "JOIN files f ON f.id = s.file WHERE s.kind IN ('function', 'method') "
            "AND (SELECT count(*) FROM (SELECT 1 FROM symbols o WHERE o.name = j.value LIMIT ?)) <= ?",
            (listed(sorted(names)), NAME_LIMIT + 1, NAME_LIMIT),
        )
        grouped: dict[tuple[str, str], list[tuple[int, str]]] = {}
        for name, symbol, language in rows:
            kin = family(language)
            grouped.setdefault((name, kin), []).append((symbol, kin))
        found: dict[str, list[tuple[int, str]]] = {}
        for (name, _), symbols in grouped.items():
            if len(symbols) <= CANDIDATE_LIMIT:
                found.setdefault(name, []).extend(symbols)
        return found

    def all_edges(self, kinds: Iterable[str] | None = None) -> Iterator[EdgeRow]:
        """Every edge once, streamed, by the source's path, line, and the rest of what is shown."""
        wanted = None if kinds is None else sorted(kinds)
        edges, many = "edges", {}
        if wanted is None or "calls" in wanted:
            many = self._derive_all()
            edges = f"(SELECT {_COLUMNS} FROM edges UNION ALL SELECT {_COLUMNS} FROM temp.dispatched)"
        sql = (
            f"SELECT e.source, e.target, e.kind, iif(e.line > 0, e.line, s.start_line - e.line) AS line, {WORD}, "
            f"e.receiver FROM {edges} e JOIN symbols s ON s.id = e.source JOIN files f ON f.id = s.file "
            "JOIN symbols t ON t.id = e.target JOIN files g ON g.id = t.file "
            f"{'' if wanted is None else f'WHERE e.kind IN {_IDS}'} "
            "ORDER BY f.path, line, s.qualname, e.kind, g.path, t.start_line, t.qualname, s.ordinal, t.ordinal"
        )
        try:
            rows = self._reader.connection.execute(sql, () if wanted is None else (listed(wanted),))
            yield from _each_once(rows, many)
        except sqlite3.DatabaseError as error:
            raise damaged(self._reader.path, error) from error

    def _derive_all(self) -> dict[tuple[int, int], int]:
        """Put all that dispatch adds into a temporary table, so that it is sorted with the rest.

        Gives the number of methods that stand in for a target called on a receiver, where they are too many.
        """
        rows, connection = self._reader.rows, self._reader.connection
        called = self._stored(f"{STORED} WHERE e.kind <> 'inherits' AND e.receiver <> 0")
        derived = self._dispatch.out_of(called, rows(TYPED))
        derived.update(self._dispatch.registered(self._dispatch.generic_calls()))
        rows(f"CREATE TEMP TABLE IF NOT EXISTS dispatched ({_COLUMNS})")
        rows("DELETE FROM temp.dispatched")
        connection.executemany(
            "INSERT INTO temp.dispatched VALUES (?, ?, ?, ?, ?, 0)",
            ((*edge[:4], EVIDENCE.index(edge.evidence)) for edge in derived),
        )
        shown = zip(self._dispatch.declared(called), called, strict=True)
        many = {(edge.target, row[5]): edge.overrides for edge, row in shown if edge.overrides}
        return many | {(target, 0): number for target, number in self._dispatch.registering().items()}

    def pending_sources(self) -> list[int]:
        return [source for (source,) in self._reader.rows("SELECT DISTINCT source FROM pending")]

    def file_edges(self, file: int, *, column: str) -> list[tuple[str, str, str, int]]:
        """(source path, target path, kind, line) of the edges between a file and others; column: the file's end.

        Only what the source's own text names: being handed a function of another file, or a subclass, needs no file.
        """
        near, far = ("s", "t") if column == "source" else ("t", "s")
        ends = {"s": "source", "t": "target"}
        sql = (
            f"SELECT f.path, g.path, e.kind, e.line FROM symbols {near} "
            f"CROSS JOIN edges e ON e.{ends[near]} = {near}.id "
            f"JOIN symbols {far} ON {far}.id = e.{ends[far]} JOIN files f ON f.id = s.file "
            f"JOIN files g ON g.id = t.file WHERE {near}.file = ? AND s.file <> t.file AND e.line > 0"
        )
        return [tuple(row) for row in self._reader.rows(sql, (file,))]

    def _stored(self, sql: str, *parameters: str) -> list[Stored]:
        rows: list[Stored] = self._reader.rows(sql, parameters)
        return rows

    def _typed(self, sources: str) -> list[Typed]:
        rows: list[Typed] = self._reader.rows(f"{TYPED} AND p.source IN {_IDS}", (sources,))
        return rows

    def _complete(self, stored: list[Stored], derived: Iterable[EdgeRow]) -> list[EdgeRow]:
        """Stored edges and, but for those that are stored as well, derived ones."""
        edges: list[EdgeRow] = [_edge(row) for row in stored if not row[5]]
        edges += [_edge((*row[:5], 0)) for row in stored if row[5] and row[2] == "inherits"]
        many = self._dispatch.registering()
        if many:
            edges = [e._replace(overrides=many.get(e.target, 0)) if e.kind == "calls" else e for e in edges]
        edges += self._dispatch.declared(_called(stored))
        added = list(derived)
        known = {row[:4] for row in stored} if added else set()
        return edges + [edge for edge in added if edge[:4] not in known]


def _called(rows: Iterable[Stored]) -> list[Stored]:
    """Those with a receiver whose subclasses may stand in."""
    # Of a class's base, the number says its place among them.
    return [row for row in rows if row[5] and row[2] != "inherits"]


def _each_once(rows: Iterable[Stored], many: Mapping[tuple[int, int], int]) -> Iterator[EdgeRow]:
    """Of equal edges, which follow each other, one: by the evidence that says most, with the most overrides."""
    last: EdgeRow | None = None
    for source, target, kind, line, evidence, receiver in rows:
        edge = EdgeRow(source, target, kind, line, evidence, many.get((target, receiver), 0) if kind == "calls" else 0)
        if last is not None:
            if edge[:4] == last[:4]:
                edge = surer(last, edge)
            else:
                yield last
        last = edge
    if last is not None:
        yield last


def surer(one: EdgeRow, other: EdgeRow) -> EdgeRow:
    """Two rows of one edge as one."""
    best = min(one, other, key=lambda edge: _RANKS.get(edge.evidence, len(_RANKS)))
    return best._replace(overrides=max(one.overrides, other.overrides))


_RANKS = {evidence: rank for rank, evidence in enumerate(EVIDENCE)}


def family(language: str) -> str:
    """Names mean each other only within a family of languages."""
    return _FAMILIES.get(language, language)


_FAMILIES = {"typescript": "javascript", "tsx": "javascript", "jsx": "javascript"}
