"""Links of states that the worktree was in before, for when it is in them again: a branch that is switched back to, an
edit that is undone.

A link is a function of its file's facts, of what it asked of other files, and of the resolver's answers. One that is
taken off the map is put here under the contents of all these files; where they are all as they were, it is what linking
would give. Symbols stand as file and position, since ids do not outlive them. Nothing here is part of what two
maps have to have in common.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha1
from typing import Any
from zlib import compress, decompress

import orjson

from indexer.evidence import EVIDENCE
from indexer.store.link_writer import LinkRow
from indexer.store.writer import MapWriter

KEPT_LINKS = 1_000
"""Links that are kept at least; else as many as there are files in the map. The oldest go first."""

CANDIDATES = 4
"""States of the other files that are tried for one content of a file, newest first."""

_EDGES = """
SELECT e.source, e.target, e.kind, e.line, e.evidence, e.receiver, t.file, t.position
FROM edges e LEFT JOIN symbols t ON t.id = e.target """
_OWN = _EDGES + "WHERE e.source IN (SELECT id FROM symbols WHERE file = ?) AND e.line > 0"
_ELSEWHERE = _EDGES + "WHERE e.file = ? AND e.line <= 0"
_PENDING = "SELECT source, name, line, receiver FROM pending WHERE source IN (SELECT id FROM symbols WHERE file = ?)"

_NUMBER = -1
"""In place of a file: what follows is no symbol, but the place of a base."""

Blobs = Callable[[str], str | None]
"""The content of a file of a state, by path; None: not in the map then."""


class Shelf:
    """The shelf of one map during one update. `known`: path → id, of the files that the map had before."""

    def __init__(self, connection: sqlite3.Connection, writer: MapWriter, known: Mapping[str, int]) -> None:
        self._execute = connection.execute
        self._writer = writer
        self._known = known
        self._paths = {number: path for path, number in known.items()}
        self._places: dict[int, tuple[str, int]] = {}

    def note(self, path: str, ids: Sequence[int]) -> None:
        """Remember where the symbols of a file are that is about to be replaced or removed."""
        self._places.update({symbol: (path, position) for position, symbol in enumerate(ids)})

    def keep(self, path: str, before: Blobs) -> None:
        """Put the link of a file on the shelf, before anything of it is deleted or moved. `before`: what it is of."""
        number = self._known.get(path)
        row = self._execute("SELECT counts, lookups, modules FROM links WHERE file = ?", (number,)).fetchone()
        if number is None or row is None:
            return
        counts, lookups, modules = row
        files = _Files([path, *orjson.loads(decompress(lookups))])
        asked = len(files.numbers) - 1
        try:
            edges = [self._edge(files, edge) for edge in self._edges(number)]
            pending = [
                [*self._place(files, source), name, line, *self._receiver(files, receiver)]
                for source, name, line, receiver in self._execute(_PENDING, (number,))
            ]
        except _NowhereError:
            return
        digest = _digest(files.numbers, before)
        if digest is not None:
            content = compress(orjson.dumps([list(files.numbers), asked, edges, pending]), 1)
            values = (path, before(path), digest, counts, lookups, modules, content)
            self._execute(
                "INSERT OR REPLACE INTO shelf (path, blob, digest, counts, lookups, modules, content) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                values,
            )

    def find(
        self,
        path: str,
        now: Blobs,
        answer: Callable[[tuple[str, ...]], Sequence[str] | None],
        ids: Callable[[str], Sequence[int]],
    ) -> LinkRow | None:
        """The link of a file in the state `now`, where the map had it; `answer`: the resolver's, `ids`: of symbols."""
        rows = self._execute(
            "SELECT digest, counts, lookups, modules, content FROM shelf WHERE path = ? AND blob = ? "
            "ORDER BY serial DESC LIMIT ?",
            (path, now(path), CANDIDATES),
        ).fetchall()
        for digest, counts, lookups, modules, content in rows:
            files, asked, edges, pending = orjson.loads(decompress(content))
            if _digest(files, now) != digest:
                continue
            if any(_listed(answer(tuple(q))) != told for q, told in orjson.loads(decompress(modules))):
                continue
            symbols = [ids(file) for file in files]
            return LinkRow(
                path,
                [
                    (symbols[f][s], symbols[g][t], kind, line, EVIDENCE[how], _signed(symbols, h, r))
                    for f, s, g, t, kind, line, how, h, r in edges
                ],
                [(symbols[f][s], name, line, _signed(symbols, h, r)) for f, s, name, line, h, r in pending],
                counts,
                lookups,
                modules,
                files[1 : asked + 1],
            )
        return None

    def trim(self, files: int) -> None:
        """Drop the oldest links beyond what is kept for a map of so many files."""
        most = max(files, KEPT_LINKS)
        self._execute("DELETE FROM shelf WHERE serial <= (SELECT max(serial) FROM shelf) - ?", (most,))

    def _edges(self, number: int) -> Iterable[tuple[Any, ...]]:
        yield from self._execute(_OWN, (number,))
        yield from self._execute(_ELSEWHERE, (number,))
        yield from ((*row, None, None) for row in self._writer.severed.get(number, ()))

    def _edge(self, files: _Files, row: tuple[Any, ...]) -> list[Any]:
        source, target, kind, line, evidence, receiver, file, position = row
        if target not in self._places and file in self._paths:
            self._places[target] = self._paths[file], position
        return [
            *self._place(files, source),
            *self._place(files, target),
            kind,
            abs(line),
            evidence,
            *((_NUMBER, receiver) if kind == "inherits" else self._receiver(files, receiver)),
        ]

    def _place(self, files: _Files, symbol: int) -> list[int]:
        noted = self._places.get(symbol)
        if noted is None:
            row = self._execute("SELECT file, position FROM symbols WHERE id = ?", (symbol,)).fetchone()
            if row is None or row[0] not in self._paths:
                raise _NowhereError
            noted = self._places[symbol] = self._paths[row[0]], row[1]
        return [files.number(noted[0]), noted[1]]

    def _receiver(self, files: _Files, receiver: int) -> list[int]:
        """As file and position + 1, less than 0 as it was; 0 for none."""
        if receiver == 0:
            return [0, 0]
        file, position = self._place(files, abs(receiver))
        return [file, position + 1 if receiver > 0 else -position - 1]


class _NowhereError(Exception):
    """A symbol of a link is of no file that the map had: nothing to rely on."""


class _Files:
    """Paths by the number under which they stand in one kept link."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.numbers = {path: number for number, path in enumerate(dict.fromkeys(paths))}

    def number(self, path: str) -> int:
        return self.numbers.setdefault(path, len(self.numbers))


def _digest(paths: Iterable[str], blobs: Blobs) -> bytes | None:
    """Of the contents of some files of a state; None where one of them is not in it."""
    digest = sha1(usedforsecurity=False)
    for path in paths:
        blob = blobs(path)
        if blob is None:
            return None
        digest.update(f"{path}\0{blob}\0".encode("utf-8", "surrogatepass"))
    return digest.digest()


def _listed(answer: Sequence[str] | None) -> list[str] | None:
    return None if answer is None else list(answer)


def _signed(symbols: Sequence[Sequence[int]], file: int, position: int) -> int:
    if position == 0 or file == _NUMBER:
        return position
    return symbols[file][position - 1] if position > 0 else -symbols[file][-position - 1]
