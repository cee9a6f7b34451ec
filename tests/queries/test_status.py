"""The states of references add up, whatever the links counted."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from indexer.store.schema import APPLICATION_ID, MAP_TABLES, MAP_VERSION
from queries.session import Session
from queries.status import References, status


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Two files: `get` is borne by one function, `put` by six, `pop` by none."""
    place = tmp_path / "map.db"
    with sqlite3.connect(place) as map_db:
        map_db.executescript(MAP_TABLES)
        map_db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        map_db.execute(f"PRAGMA user_version = {MAP_VERSION}")
        for number, path, language in ((1, "a.py", "python"), (2, "b.ts", "typescript")):
            map_db.execute(
                "INSERT INTO files (id, path, blob, language, size, lines, state, test, header, errors, notes) "
                "VALUES (?, ?, '', ?, 100, 10, 'committed', 0, '', ?, ?)",
                (number, path, language, "[[1, 2]]" if number == 1 else "[]", '["decoded as latin-1"]'),
            )
        names = [(1, "<module>", "module", 0), (2, "get", "function", 1)]
        names += [(number, "put", "method", 1) for number in range(3, 9)]
        for number, name, kind, parent in names:
            map_db.execute(
                "INSERT INTO symbols (id, file, position, name, qualname, ordinal, kind, parent, start_line, end_line, "
                "name_line, start_byte, end_byte, signature, doc, flags) "
                "VALUES (?, 1, ?, ?, ?, 0, ?, ?, 1, 1, 1, 0, 1, '', '', 0)",
                (number, number - 1, name, name, kind, parent),
            )
        # In TypeScript nothing is called `get`: a name means something only within a family of languages.
        pending = [(1, "get", 1), (1, "get", 1), (1, "put", 1), (1, "pop", 1), (1, "get", 2)]
        map_db.executemany("INSERT INTO pending VALUES (?, ?, 1, ?, 0)", pending)
        map_db.execute("INSERT INTO edges VALUES (2, 3, 'calls', 1, 1, 0, 0)")
        counts = '{"resolved": 7, "external": 2, "pending": 4, "unresolved: no such name": 3}'
        map_db.execute("INSERT INTO links VALUES (1, ?, '', '')", (counts,))
        map_db.execute("""INSERT INTO links VALUES (2, '{"pending": 1, "resolved": 1}', '', '')""")
        map_db.execute("INSERT INTO skipped VALUES ('c.min.js', 'minified')")
    map_db.close()
    return Session.open(str(place), str(tmp_path))


def test_every_reference_is_in_one_state(session: Session) -> None:
    with session:
        found = status(session).references
    assert found == References(
        resolved=8,
        candidate=2,
        external=2,
        unresolved=6,
        reasons={
            "no such name": 3,
            "receiver unknown, no definition bears the name": 2,
            "receiver unknown, too many definitions bear the name": 1,
        },
    )


def test_the_other_figures(session: Session) -> None:
    with session:
        found = status(session)
    assert (found.files, found.lines, found.source_bytes) == (2, 20, 200)
    assert found.languages == {"python": 1, "typescript": 1}
    assert found.symbols == {"method": 6, "function": 1, "module": 1}
    assert found.edges == {"contains": 7, "calls": 1}
    assert found.broken == ("a.py",)
    assert found.noted == (("a.py", "decoded as latin-1"), ("b.ts", "decoded as latin-1"))
    assert found.skipped == (("c.min.js", "minified"),)
