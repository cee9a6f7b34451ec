"""Write one worktree's history: the commits of its window, arranged for questions.

The tables are a function of the commits in them, so that adding some and taking others away leaves what a build from
nothing would give. Only what older paths are called now depends on several commits; where a rename comes or goes,
everything is made anew, which takes less than a second for some thousands of commits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from indexer.ports import CommitFacts, FileChange
from indexer.store.connect import open_own, transaction, translated
from indexer.store.history_schema import HISTORY_NAME, HISTORY_TABLES, HISTORY_VERSION
from indexer.store.text import split_name

NowCalled: TypeAlias = Callable[[str, tuple[int, str]], str]
"""What a path is called now, given the time and id of the commit that touched it."""

_SUBJECT = 200  # characters kept of a message's first line
_WORDS = "INSERT INTO words (rowid, message) VALUES (?, ?)"
_WORDS_DELETE = "INSERT INTO words (words, rowid, message) VALUES ('delete', ?, ?)"
_TABLES = ("words", "renames", "touched", "units", "commits")


class HistoryWriter:
    """Changes to one history; a transaction for each. Any method raises DamagedError or StoreError."""

    def __init__(self, folder: str) -> None:
        self._path = Path(folder, HISTORY_NAME)
        self._connection = open_own(self._path, HISTORY_VERSION, HISTORY_TABLES)
        self._execute = self._connection.execute

    def close(self) -> None:
        self._connection.close()

    def meta(self) -> dict[str, str]:
        with translated(self._path):
            return dict(self._execute("SELECT key, value FROM meta"))

    def stored(self) -> set[str]:
        """Ids of the commits that are arranged."""
        with translated(self._path):
            return {id.hex() for (id,) in self._execute("SELECT id FROM commits")}

    def renames(self) -> list[tuple[tuple[int, str], str, str]]:
        """(time and id of the commit, path before, path after)."""
        sql = 'SELECT c.time, c.id, r.before, r.after FROM renames r JOIN commits c ON c.number = r."commit"'
        with translated(self._path):
            return [((time, id.hex()), before, after) for time, id, before, after in self._execute(sql)]

    def renaming(self, ids: Iterable[str]) -> bool:
        """Whether one of some commits that are arranged renames a file."""
        sql = 'SELECT 1 FROM renames r JOIN commits c ON c.number = r."commit" WHERE c.id = ?'
        with translated(self._path):
            return any(self._execute(sql, (bytes.fromhex(id),)).fetchone() for id in ids)

    def set_meta(self, meta: Mapping[str, str]) -> None:
        with transaction(self._connection, self._path):
            self._put_meta(meta)

    def rebuild(self, commits: Iterable[CommitFacts], now: NowCalled, meta: Mapping[str, str]) -> None:
        """Forget what is there and arrange some commits, oldest first."""
        with transaction(self._connection, self._path):
            for table in _TABLES:
                if table == "words":
                    self._execute("INSERT INTO words (words) VALUES ('delete-all')")
                else:
                    self._execute(f"DELETE FROM {table}")
            self._add(commits, now)
            self._put_meta(meta)

    def change(
        self, added: Iterable[CommitFacts], removed: Iterable[CommitFacts], now: NowCalled, meta: Mapping[str, str]
    ) -> None:
        """Arrange some commits more and others no longer; none of them may rename a file."""
        with transaction(self._connection, self._path):
            for commit in removed:
                self._remove(commit)
            self._execute("DELETE FROM units WHERE number NOT IN (SELECT unit FROM touched)")
            self._add(added, now)
            self._put_meta(meta)

    def _put_meta(self, meta: Mapping[str, str]) -> None:
        self._execute("DELETE FROM meta")
        self._connection.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))

    def _add(self, commits: Iterable[CommitFacts], now: NowCalled) -> None:
        units: dict[tuple[str, str], int] = {
            (path, name): number for number, path, name in self._execute("SELECT number, path, name FROM units")
        }
        known = len(units)
        next_unit = max(units.values(), default=0) + 1
        next_commit = (self._execute("SELECT max(number) FROM commits").fetchone()[0] or 0) + 1
        rows, touched, words, renames = [], [], [], []
        for number, commit in enumerate(commits, next_commit):
            moment = commit.time, commit.id
            found = sorted({unit for change in commit.files for unit in _units(change, now(change.path, moment))})
            for unit in found:
                if unit not in units:
                    units[unit] = next_unit
                    next_unit += 1
                touched.append((units[unit], number))
            named = sum(1 for _, name in found if name)
            subject = commit.message.partition("\n")[0][:_SUBJECT]
            rows.append((number, bytes.fromhex(commit.id), commit.time, subject, len(found) - named, named))
            if commit.files:
                words.append((number, message_words(commit.message)))
            renames += [(number, each.before, each.path) for each in commit.files if each.before]
        many = self._connection.executemany
        many("INSERT INTO commits VALUES (?, ?, ?, ?, ?, ?)", rows)
        many("INSERT INTO units VALUES (?, ?, ?)", [(n, *unit) for unit, n in list(units.items())[known:]])
        many("INSERT INTO touched VALUES (?, ?)", sorted(touched))
        many("INSERT INTO renames VALUES (?, ?, ?)", renames)
        many(_WORDS, words)

    def _remove(self, commit: CommitFacts) -> None:
        row = self._execute("SELECT number FROM commits WHERE id = ?", (bytes.fromhex(commit.id),)).fetchone()
        if row is None:
            return
        self._execute('DELETE FROM touched WHERE "commit" = ?', row)
        self._execute("DELETE FROM commits WHERE number = ?", row)
        if commit.files:
            self._execute(_WORDS_DELETE, (*row, message_words(commit.message)))


def message_words(message: str) -> str:
    """The words under which a commit is found: those of its message, identifiers also by their parts."""
    words: dict[str, None] = {}
    for token in message.split():
        words.update(dict.fromkeys(split_name(token).split()))
    return " ".join(words)


def _units(change: FileChange, path: str) -> Iterator[tuple[str, str]]:
    yield path, ""
    for name in change.names:
        yield path, name
