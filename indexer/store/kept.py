"""How rows of the map are kept as they were in other states of it: for each table one of the same columns, and the
statements that fill it, bring its rows back, and join two of them. See `indexer.store.states`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import orjson

from indexer.store.text import TextRow


class Table(NamedTuple):
    """A table of the map. A row is known by its keys."""

    name: str
    keys: Sequence[str]
    fixed: Sequence[str]  # in indexes: another value is another row
    loose: Sequence[str]

    @property
    def kept(self) -> str:
        return f"was_{self.name}"

    @property
    def create(self) -> str:
        """`there`: 0 where the state has no such row."""
        # With types: a comparison with a column of another affinity would not use the key.
        keys = [f"{name} {'TEXT' if name == 'path' else 'INTEGER'}" for name in _ids(self.keys)]
        columns = ", ".join(["of_state INTEGER", *keys, "there INTEGER", *self.fixed, *self.loose])
        key = ", ".join(["of_state", *_ids(self.keys)])
        return f"CREATE TABLE IF NOT EXISTS {self.kept} ({columns}, PRIMARY KEY ({key})) WITHOUT ROWID"

    def triggers(self, state: int) -> Sequence[str]:
        """What keeps each row of a state as it is before it is first changed, as long as the connection is open."""
        before = ", ".join(f"OLD.{name}" for name in (*self.fixed, *self.loose))
        columns = ", ".join([str(state), *(f"OLD.{key}" for key in self.keys), "1", *([before] if before else [])])
        absent = ", ".join([str(state), *(f"NEW.{key}" for key in self.keys), "0"])
        made = f"INSERT OR IGNORE INTO {self.kept} (of_state, {', '.join(_ids(self.keys))}, there) VALUES ({absent})"
        changed = f"INSERT OR IGNORE INTO {self.kept} VALUES ({columns})"
        return [
            f"CREATE TEMP TRIGGER {self.trigger(event)} AFTER {event} ON main.{self.name} BEGIN {what}; END"
            for event, what in (("INSERT", made), ("DELETE", changed), ("UPDATE", changed))
        ]

    def trigger(self, event: str) -> str:
        return f"watch_{self.name}_{event}"

    @property
    def bring_back(self) -> Sequence[str]:
        """Give the map the rows of a state (the parameter), each with as little writing as it takes."""
        keys, ids = ", ".join(self.keys), ", ".join(_ids(self.keys))
        found = f"FROM {self.kept} w WHERE w.of_state = ?1"
        same = " AND ".join(f"t.{key} = w.{name}" for key, name in zip(self.keys, _ids(self.keys), strict=True))
        joined = f"FROM {self.kept} w JOIN {self.name} t ON {same} WHERE w.of_state = ?1"
        everything = ", ".join((*self.fixed, *self.loose))
        alike = f"({_of('w', self.fixed)}) IS ({_of('t', self.fixed)})" if self.fixed else "1"
        columns = f", {everything}" if everything else ""
        gone = f"DELETE FROM {self.name} WHERE ({keys}) IN (SELECT {_of('w', _ids(self.keys))} {joined} "
        statements = [
            f"{gone} AND NOT (w.there AND {alike}))",
            f"INSERT INTO {self.name} ({keys}{columns}) SELECT {ids}{columns} {found} AND w.there "
            f"AND NOT EXISTS (SELECT 1 FROM {self.name} t WHERE {same})",
        ]
        if self.loose:
            loose = ", ".join(self.loose)
            this = " AND ".join(
                f"w.{name} = {self.name}.{key}" for key, name in zip(self.keys, _ids(self.keys), strict=True)
            )
            other = f"({_of('w', self.loose)}) IS NOT ({_of('t', self.loose)})"
            statements.append(
                f"UPDATE {self.name} SET ({loose}) = (SELECT {loose} {found} AND {this}) "
                f"WHERE ({keys}) IN (SELECT {_of('w', _ids(self.keys))} {joined} AND w.there AND {other})"
            )
        return statements

    @property
    def merge(self) -> str:
        """Add to a state (the first parameter) the rows of another in which it does not differ from that."""
        columns = ", ".join([*_ids(self.keys), "there", *self.fixed, *self.loose])
        return f"INSERT OR IGNORE INTO {self.kept} SELECT ?1, {columns} FROM {self.kept} WHERE of_state = ?2"


def _ids(keys: Sequence[str]) -> list[str]:
    """Names for keys in a table whose own rows have no `rowid`."""
    return ["id" if key == "rowid" else key for key in keys]


def _of(table: str, columns: Sequence[str]) -> str:
    return ", ".join(f"{table}.{name}" for name in columns)


TABLES = (
    Table(
        "files", ["id"], ["path"],
        ["blob", "language", "size", "lines", "state", "test", "header", "errors", "notes"],
    ),
    Table("skipped", ["path"], [], ["reason"]),
    Table(
        "symbols", ["id"], ["file", "position", "name"],
        ["qualname", "ordinal", "kind", "parent", "start_line", "end_line", "name_line", "start_byte", "end_byte",
         "signature", "doc", "flags"],
    ),
    Table("edges", ["rowid"], ["source", "target", "kind", "file", "evidence", "receiver"], ["line"]),
    Table("pending", ["rowid"], ["source", "name", "file", "receiver"], ["line"]),
    Table("links", ["file"], [], ["counts", "lookups", "modules"]),
    Table("asked", ["target", "file"], [], []),
)  # fmt: skip
"""All tables of the map but meta, and the text index, which has no triggers."""

STATE_TABLES = """
CREATE TABLE IF NOT EXISTS states (
    id INTEGER PRIMARY KEY,         -- greater in those that the map was in later
    nearer INTEGER NOT NULL,        -- the state next to it on the way to the map; 0: the map
    meta TEXT NOT NULL              -- JSON, those of its meta that say what it was resolved with
);
"""

TEXT_TABLE = """
CREATE TABLE IF NOT EXISTS was_text (
    of_state INTEGER NOT NULL,
    id INTEGER NOT NULL,            -- of a symbol
    was TEXT,                       -- JSON, what the index has of it in that state; NULL: nothing
    now TEXT,                       -- and in the state next to it, to be deleted
    PRIMARY KEY (of_state, id)
) WITHOUT ROWID;
"""

KEEP_TEXT = "INSERT INTO was_text VALUES (?, ?, ?, ?) ON CONFLICT (of_state, id) DO UPDATE SET now = excluded.now"
MERGE_TEXT = """
INSERT INTO was_text SELECT ?1, id, was, now FROM was_text WHERE of_state = ?2
ON CONFLICT (of_state, id) DO UPDATE SET now = excluded.now"""


def text_json(row: TextRow) -> str:
    """The columns of a row of the text index."""
    return orjson.dumps(row[1:]).decode()
