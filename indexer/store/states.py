"""States that the map was in before, for when the worktree is in one of them again: a branch that is switched back to.

What an update changes is kept as it was, row by row, so that the map can go back without reading a source, facts or a
link: it then has the very rows that it had. States form a tree with the map at its root. Each is kept as what makes it
of the state next to it that is nearer to the map; going to a neighbour turns the difference round, as in

    Henry G. Baker: Shallow binding makes functional arrays fast. ACM SIGPLAN Notices 26 (8), 1991

Nothing here is part of what two maps have to have in common; a map that is made anew keeps nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, TypeAlias

import orjson

from indexer.store.kept import KEEP_TEXT, MERGE_TEXT, STATE_TABLES, TABLES, TEXT_TABLE, text_json
from indexer.store.text import TEXT_DELETE, TEXT_INSERT, TextRow

KEPT_STATES = 8
"""Of more, the one that is the least from its neighbour is given up: it is the quickest to make again."""

KEPT_ROWS = 100_000
"""Edges that all states together keep at least; else as many as the map has. States left longest ago go first."""

WORTH = 20
"""Files that an update has to change for the state before it to be kept, and that have to differ for a look at what is
kept: fewer are quickly linked."""

_META = ("configs", "read", "fingerprints")
"""Keys of the map's meta that the next update compares with what it finds."""

_MAP = 0
"""In place of a neighbour: the map itself."""

Content: TypeAlias = tuple[str, str]
"""Blob and language of a file."""

_Files: TypeAlias = dict[int, tuple[str, Content] | None]
"""By id, the files that a state has otherwise than the map; None: not at all."""


class Near(NamedTuple):
    """A state that is nearer to what is wanted than the map."""

    route: tuple[int, ...]  # from the map's neighbour to it
    differ: int  # files that will still have to be changed


class States:
    """The states of one map during one update, inside whose transaction all changes are made."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute
        self._many = connection.executemany
        self._watched: int | None = None

    def any(self) -> bool:
        """Whether a state is kept."""
        if self._execute("SELECT 1 FROM sqlite_master WHERE name = 'states'").fetchone() is None:
            return False
        return self._execute("SELECT 1 FROM states").fetchone() is not None

    # going back

    def nearest(self, now: Mapping[int, tuple[str, Content]], wanted: Mapping[str, Content]) -> Near | None:
        """The state to start from, where one is much nearer than the map. `now`: path and content by file id. Not worth
        asking where fewer than `WORTH` files differ."""
        have = dict(now.values())
        differ = {path for path in have.keys() | wanted.keys() if have.get(path) != wanted.get(path)}
        if len(differ) < WORTH or not self.any():
            return None
        found = [Near(route, _left(files, now, wanted, differ)) for route, files in self._routes()]
        best = min(found, key=lambda near: (near.differ, len(near.route)))
        return best if best.differ * 2 <= len(differ) else None

    def _routes(self) -> Iterator[tuple[tuple[int, ...], _Files]]:
        """The way to each state, with its files."""
        own: dict[int, _Files] = {}
        columns = "of_state, id, there, path, blob, language"
        for state, number, there, path, blob, language in self._execute(f"SELECT {columns} FROM was_files"):
            own.setdefault(state, {})[number] = (path, (blob, language)) if there else None
        below: dict[int, list[int]] = {}
        for state, nearer in self._execute("SELECT id, nearer FROM states ORDER BY id"):
            below.setdefault(nearer, []).append(state)
        left: list[tuple[int, tuple[int, ...], _Files]] = [(_MAP, (), {})]
        while left:
            state, route, files = left.pop()
            for further in below.get(state, ()):
                there = (*route, further), {**files, **own.get(further, {})}
                yield there
                left.append((further, *there))

    def enter(self, near: Near) -> int:
        """Make the map what it was in that state; gives the number of files of which something came back."""
        files: set[int] = set()
        for state in near.route:
            for sql in ("SELECT id FROM was_files WHERE of_state = ?", "SELECT file FROM was_links WHERE of_state = ?"):
                files.update(row[0] for row in self._execute(sql, (state,)))
            self._turn(state)
        return len(files)

    def _turn(self, state: int) -> None:
        """Go to a neighbour of the map, and keep what the map was."""
        left = self._watch()
        for table in TABLES:
            for sql in table.bring_back:
                self._execute(sql, (state,))
        rows = self._execute("SELECT id, was, now FROM was_text WHERE of_state = ?", (state,)).fetchall()
        self._many(TEXT_DELETE, [(number, *orjson.loads(now)) for number, _, now in rows if now is not None])
        self._many(TEXT_INSERT, [(number, *orjson.loads(was)) for number, was, _ in rows if was is not None])
        self._many(KEEP_TEXT, [(left, number, now, was) for number, was, now in rows])
        self._unwatch()
        (meta,) = self._execute("SELECT meta FROM states WHERE id = ?", (state,)).fetchone()
        self._many("INSERT OR REPLACE INTO meta VALUES (?, ?)", sorted(orjson.loads(meta).items()))
        self._execute("UPDATE states SET nearer = ? WHERE nearer = ? AND id NOT IN (?, ?)", (left, _MAP, left, state))
        self._execute("UPDATE states SET nearer = ? WHERE nearer = ?", (_MAP, state))
        self._drop(state)

    # what an update changes

    def begin(self, files: int) -> None:
        """An update is about to change so many files: keep what it changes, where that is for some use."""
        if files >= WORTH or self.any():
            self._watch()

    def text_changed(self, gone: Collection[TextRow], new: Collection[TextRow]) -> None:
        """Rows of the text index are replaced: only who does it knows what they held."""
        if self._watched is None:
            return
        was = {row[0]: text_json(row) for row in gone}
        now = {row[0]: text_json(row) for row in new}
        rows = [(self._watched, number, was.get(number), now.get(number)) for number in {**was, **now}]
        self._many(KEEP_TEXT, rows)

    def end(self, files: int, edges: int) -> None:
        """The update is done, which changed so many files and left so many edges."""
        state = self._watched
        if state is None:
            return
        self._unwatch()
        self._execute("UPDATE states SET nearer = ? WHERE nearer = ? AND id <> ?", (state, _MAP, state))
        if files < WORTH:
            self._give_up(state)
        else:
            self._trim(state, max(edges, KEPT_ROWS))

    def clear(self) -> None:
        """Forget all states: something is changed that cannot be turned round."""
        self._unwatch()
        if self.any():
            for name in ("states", "was_text", *(table.kept for table in TABLES)):
                self._execute(f"DELETE FROM {name}")

    def _watch(self) -> int:
        """Note the map as a state, and keep there what any row was before it is first changed."""
        for sql in (STATE_TABLES, TEXT_TABLE, *(table.create for table in TABLES)):
            self._execute(sql)
        meta = {key: value for key, value in self._execute("SELECT key, value FROM meta") if key in _META}
        (state,) = self._execute("SELECT ifnull(max(id), 0) + 1 FROM states").fetchone()
        self._execute("INSERT INTO states VALUES (?, ?, ?)", (state, _MAP, orjson.dumps(meta).decode()))
        for table in TABLES:
            for sql in table.triggers(state):
                self._execute(sql)
        self._watched = state
        return int(state)

    def _unwatch(self) -> None:
        if self._watched is not None:
            for table in TABLES:
                for event in ("INSERT", "DELETE", "UPDATE"):
                    self._execute(f"DROP TRIGGER temp.{table.trigger(event)}")
        self._watched = None

    def _trim(self, newest: int, most: int) -> None:
        while True:
            sizes = dict(self._execute("SELECT id, 0 FROM states"))
            sizes.update(self._execute("SELECT of_state, count(*) FROM was_edges GROUP BY of_state"))
            if sum(sizes.values()) > most:
                self._give_up(min(sizes))
            elif len(sizes) > KEPT_STATES:
                self._give_up(min(sizes.keys() - {newest}, key=lambda state: (sizes[state], state)))
            else:
                return

    def _give_up(self, state: int) -> None:
        """Keep a state no longer: those beyond it are told from the one before it."""
        (nearer,) = self._execute("SELECT nearer FROM states WHERE id = ?", (state,)).fetchone()
        for (beyond,) in self._execute("SELECT id FROM states WHERE nearer = ?", (state,)).fetchall():
            for sql in (*(table.merge for table in TABLES), MERGE_TEXT):
                self._execute(sql, (beyond, state))
            self._execute("UPDATE states SET nearer = ? WHERE id = ?", (nearer, beyond))
        self._drop(state)

    def _drop(self, state: int) -> None:
        for name in ("was_text", *(table.kept for table in TABLES)):
            self._execute(f"DELETE FROM {name} WHERE of_state = ?", (state,))
        self._execute("DELETE FROM states WHERE id = ?", (state,))


def _left(
    files: _Files, now: Mapping[int, tuple[str, Content]], wanted: Mapping[str, Content], differ: set[str]
) -> int:
    """How many files of a state are not as they are wanted; `differ`: those of the map."""
    there: dict[str, Content | None] = {now[number][0]: None for number in files if number in now}
    there.update(file for file in files.values() if file is not None)
    return len(differ - there.keys()) + sum(content != wanted.get(path) for path, content in there.items())
