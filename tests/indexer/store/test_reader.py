from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.errors import NotFoundError, StoreError
from indexer.store.dispatch import EdgeRow
from indexer.store.neighbours import NAME_LIMIT, Neighbours
from indexer.store.postings import Postings
from indexer.store.reader import Reader
from indexer.store.schema import APPLICATION_ID, LINK_INDEXES, MAP_TABLES, MAP_VERSION, SYMBOL_INDEXES

FILES = [(1, "b.py", "python", "modified"), (2, "a.py", "python", "committed"), (3, "c.ts", "typescript", "committed")]
SYMBOLS = [  # id, file, position, name, kind, parent, line
    (1, 1, 0, "<module>", "module", 0, 1),
    (2, 1, 1, "Store", "class", 1, 2),
    (3, 1, 2, "get", "method", 2, 3),
    (4, 2, 0, "<module>", "module", 0, 1),
    (5, 2, 1, "main", "function", 4, 5),
    (6, 3, 0, "<module>", "module", 0, 1),
    (7, 3, 1, "get", "function", 6, 2),
]
EDGES = [(5, 2, "calls", 7), (5, 2, "references", 6), (4, 2, "imports", 1)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "map.db"
    with sqlite3.connect(place) as made:
        made.executescript(MAP_TABLES + SYMBOL_INDEXES + LINK_INDEXES)
        made.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        made.execute(f"PRAGMA user_version = {MAP_VERSION}")
        made.execute("INSERT INTO meta VALUES ('commit', 'abc')")
        for number, name, language, state in FILES:
            made.execute(
                "INSERT INTO files VALUES (?, ?, 'blob', ?, 10, 9, ?, 0, '', '[]', '[]')",
                (number, name, language, state),
            )
        for number, file, position, name, kind, parent, line in SYMBOLS:
            made.execute(
                "INSERT INTO symbols VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, 0, 0, '', '', 0)",
                (number, file, position, name, name, kind, parent, line, line + 1, line),
            )
        for source, target, kind, line in EDGES:
            made.execute("INSERT INTO edges VALUES (?, ?, ?, ?, 2, 1, 0)", (source, target, kind, line))
        made.execute("INSERT INTO pending VALUES (5, 'get', 8, 2, 0)")
        made.execute(
            "INSERT INTO text (rowid, name, path, doc, often, body) VALUES (3, 'get', 'b', 'gets one', '', 'one two')"
        )
        made.execute(
            "INSERT INTO text (rowid, name, path, doc, often, body) VALUES (5, 'main', 'a', '', '', 'one gets getter')"
        )
    made.close()
    return place


@pytest.fixture
def reader(path: Path) -> Iterator[Reader]:
    opened = Reader.open(str(path))
    yield opened
    opened.close()


def test_files_and_symbols_come_in_order(reader: Reader) -> None:
    assert reader.paths() == ["a.py", "b.py", "c.ts"]
    assert [row.id for row in reader.all_symbols()] == [4, 5, 1, 2, 3, 6, 7]
    assert [row.id for row in reader.named(["get", "main"])] == [5, 3, 7]
    assert [row.id for row in reader.symbols_in("b.py")] == [1, 2, 3]
    assert reader.first_in_order([7, 3, 5, 1], 2) == [5, 1]
    assert sum(reader.file_states().values()) - reader.file_states()["committed"] == 1
    assert reader.symbol_count() == 7
    assert reader.meta() == {"commit": "abc"}


def test_what_is_not_there_is_none(reader: Reader) -> None:
    assert reader.file("no.py") is None
    assert reader.symbols([99]) == {}
    assert reader.named(["No"]) == []


def test_children_are_direct(reader: Reader) -> None:
    rows = reader.symbols([1, 2])
    assert [row.id for row in reader.children([rows[1]])] == [2]
    assert [row.id for row in reader.children(rows.values())] == [2, 3]


def test_neighbours(reader: Reader) -> None:
    neighbours = Neighbours(reader)
    assert sorted(neighbours.into([2])) == sorted(EdgeRow(*edge, "import") for edge in EDGES)
    assert sorted(edge.kind for edge in neighbours.out_of([5])) == ["calls", "references"]
    assert [edge.kind for edge in neighbours.among([4, 2])] == ["imports"]
    assert neighbours.degrees([2, 3], column="target", limit=2) == {2: 2, 3: 0}
    assert [edge.line for edge in neighbours.all_edges()] == [1, 6, 7]
    assert [edge.kind for edge in neighbours.all_edges(["calls"])] == ["calls"]


def test_candidates_stay_within_a_family_of_languages(reader: Reader) -> None:
    neighbours = Neighbours(reader)
    assert neighbours.candidates_out([5]) == [EdgeRow(5, 3, "calls", 8, "name")]
    assert neighbours.candidates_into({3: "get", 7: "get"}) == [EdgeRow(5, 3, "calls", 8, "name")]


def test_a_name_of_many_symbols_of_any_kind_has_no_candidates(path: Path) -> None:
    with sqlite3.connect(path) as made:
        for number in range(100, 100 + NAME_LIMIT - 1):
            made.execute(
                "INSERT INTO symbols VALUES (?, 1, ?, 'get', 'get', 0, 'variable', 1, 1, 1, 1, 0, 0, '', '', 0)",
                (number, number),
            )
    made.close()
    reader = Reader.open(str(path))
    # With `NAME_LIMIT - 1` variables and two functions one more bears it than may.
    assert Neighbours(reader).candidates_out([5]) == []
    reader.close()


def test_postings(reader: Reader) -> None:
    postings = Postings(reader)
    assert postings.frequencies(["one", "gets", "absent"]) == {
        "one": {"doc": 1, "body": 2},
        "gets": {"doc": 1, "body": 1},
    }
    assert postings.holding(["one"], "body") == [3, 5]
    assert postings.holding(["gets"], "doc") == [3]
    assert postings.holding(["gets", "absent", "one"], "doc") == [3]
    assert postings.starting_with("get", 9) == ["get", "gets", "getter"]
    assert postings.sizes([3, 5]) == {3: 2, 5: 3}


def test_a_question_sees_one_state(path: Path, reader: Reader) -> None:
    with sqlite3.connect(path) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
    writer.close()
    reader.begin()
    assert sum(reader.file_states().values()) - reader.file_states()["committed"] == 1
    with sqlite3.connect(path) as writer:
        writer.execute("UPDATE files SET state = 'committed'")
    writer.close()
    assert sum(reader.file_states().values()) - reader.file_states()["committed"] == 1
    reader.end()
    assert reader.file_states().keys() == {"committed"}


def test_a_map_cannot_be_written_through_a_reader(reader: Reader) -> None:
    with pytest.raises(StoreError, match="readonly"):
        reader.rows("DELETE FROM files")


@pytest.mark.parametrize("pragma", ["application_id = 7", f"user_version = {MAP_VERSION + 1}"])
def test_a_foreign_or_other_map_is_refused(path: Path, pragma: str) -> None:
    with sqlite3.connect(path) as made:
        made.execute(f"PRAGMA {pragma}")
    made.close()
    with pytest.raises(StoreError, match="codemap index"):
        Reader.open(str(path))


def test_a_missing_or_damaged_map_says_what_to_do(path: Path) -> None:
    with pytest.raises(NotFoundError, match="codemap index"):
        Reader.open(str(path) + ".no")
    path.write_bytes(path.read_bytes()[:100] + b"\xff" * 5000)
    with pytest.raises(StoreError, match="codemap index"):
        Reader.open(str(path))
