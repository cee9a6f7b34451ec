"""Rows of the map after adding, replacing and removing files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from indexer.compressed import compress
from indexer.ports import SourceFile
from indexer.store.dump import dump
from indexer.store.link_writer import LinkRow
from indexer.store.lookups import encoded
from indexer.store.schema import MAP_TABLES, statements
from indexer.store.text import Described
from indexer.store.writer import MapWriter


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(MAP_TABLES)
    yield connection
    connection.close()


def source(path: str, blob: str = "b1") -> SourceFile:
    return SourceFile(path, blob, "python", 10, "committed")


def symbol(qualname: str, parent: int, ordinal: int = 0, doc: str = "") -> tuple[object, ...]:
    name = qualname.rpartition(".")[2]
    kind = "module" if qualname == "<module>" else "function"
    signature = "" if kind == "module" else f"def {name}()"
    return (name, qualname, ordinal, kind, parent, -1, 0, 9, 1, 2, 1, 4, signature, doc, 0)


def described(*symbols: tuple[object, ...], documents: tuple[str, ...] = ()) -> Described:
    rows = (symbol("<module>", -1), *symbols)
    return Described(rows, documents or tuple("" for _ in rows), "", 2, (), ())


def link(path: str, edges: list[tuple[int, int, str, int, str, int]], asked: dict[str, list[str]]) -> LinkRow:
    return LinkRow(path, edges, (), "{}", encoded(asked), compress(b"[]"), tuple(asked))


def matches(connection: sqlite3.Connection, words: str) -> list[int]:
    return [row[0] for row in connection.execute("SELECT rowid FROM text WHERE text MATCH ? ORDER BY rowid", (words,))]


def test_ids_follow_each_other_and_parents_are_ids(connection: sqlite3.Connection) -> None:
    writer = MapWriter(connection)
    assert list(writer.add_file(source("a.py"), described(symbol("f", 0)))) == [1, 2]
    assert list(writer.add_file(source("b.py"), described(symbol("g", 0), symbol("g.h", 1)))) == [3, 4, 5]
    rows = connection.execute("SELECT id, file, position, qualname, parent FROM symbols ORDER BY id").fetchall()
    assert rows == [
        (1, 1, 0, "<module>", 0),
        (2, 1, 1, "f", 1),
        (3, 2, 0, "<module>", 0),
        (4, 2, 1, "g", 3),
        (5, 2, 2, "g.h", 4),
    ]


def test_ids_of_all_files_are_those_of_each(connection: sqlite3.Connection) -> None:
    writer = MapWriter(connection)
    first = described(symbol("f", 0), symbol("g", 0))
    writer.add_file(source("a.py"), first)
    writer.add_file(source("b.py"), described(symbol("h", 0)))
    assert writer.all_symbol_ids() == {"a.py": range(1, 4), "b.py": range(4, 6)}
    writer.replace_file(source("a.py", "b2"), described(symbol("g", 0), symbol("f", 0)), first)  # one after the other
    assert writer.all_symbol_ids() == {"a.py": (1, 3, 2), "b.py": range(4, 6)}


def test_symbols_that_stay_keep_their_ids_and_ids_are_not_used_twice(connection: sqlite3.Connection) -> None:
    writer = MapWriter(connection)
    first = described(symbol("f", 0), symbol("g", 0))
    writer.add_file(source("a.py"), first)
    second = described(symbol("new", 0), symbol("f", 0), symbol("f", 0, ordinal=1))
    assert list(writer.replace_file(source("a.py", "b2"), second, first)) == [1, 4, 2, 5]
    writer.set_meta({})
    again = MapWriter(connection)
    again.known_files()
    again.remove_file("a.py", second)
    assert list(again.add_file(source("a.py"), described())) == [6]


def test_the_index_holds_exactly_the_words_of_the_present(connection: sqlite3.Connection) -> None:
    writer = MapWriter(connection)
    old = described(symbol("loadUser", 0, doc="Fetch it."), symbol("gone", 0), documents=("top", "query row", "x"))
    writer.add_file(source("store/users.py"), old)
    assert matches(connection, "name : load") == [2]
    assert matches(connection, "name : loaduser") == [2]
    assert matches(connection, "path : store") == [1, 2, 3]
    assert matches(connection, "doc : fetch") == [2]
    assert matches(connection, "body : query") == [2]
    new = described(symbol("loadUser", 0, doc="Read it."), documents=("top", "query"))
    writer.replace_file(source("store/users.py", "b2"), new, old)
    assert matches(connection, "fetch") == matches(connection, "row") == matches(connection, "gone") == []
    assert matches(connection, "doc : read") == [2]
    writer.remove_file("store/users.py", new)
    assert dump(connection)["text"] == []
    assert dump(connection)["sizes"] == []


def test_the_index_can_be_made_anew(connection: sqlite3.Connection) -> None:
    writer = MapWriter(connection)
    facts = described(symbol("f", 0))
    writer.add_file(source("a.py"), facts)
    before = dump(connection)
    writer.rebuild_text([("a.py", facts)])
    assert dump(connection) == before


def test_links_are_found_by_whom_they_asked(connection: sqlite3.Connection) -> None:
    writer = MapWriter(connection)
    writer.add_file(source("a.py"), described(symbol("f", 0)))
    writer.add_file(source("b.py"), described(symbol("g", 0)))
    writer.add_link(link("b.py", [(4, 2, "calls", 7, "import", 0)], {"a.py": [".f"]}))
    writer.end_links()
    assert writer.askers("a.py") == {"b.py": [".f"]}
    assert writer.askers("b.py") == {}
    assert dump(connection)["edges"] == [("b.py g#0", "a.py f#0", "calls", 7, "b.py", "import", "", 0)]
    writer.unlink("b.py")
    assert writer.askers("a.py") == {}
    assert connection.execute("SELECT count(*) FROM edges").fetchone() == (0,)


def test_edges_into_a_replaced_file_stay_and_its_own_are_put_anew(connection: sqlite3.Connection) -> None:
    writer = MapWriter(connection)
    facts = described(symbol("f", 0))
    writer.add_file(source("a.py"), facts)
    writer.add_file(source("b.py"), described(symbol("g", 0)))
    writer.add_link(link("a.py", [(2, 4, "calls", 1, "import", 0)], {"b.py": [".g"]}))
    writer.add_link(link("b.py", [(4, 2, "calls", 1, "import", 0)], {"a.py": [".f"]}))
    writer.end_links()
    writer.replace_file(source("a.py", "b2"), facts, facts)
    writer.put_link(link("a.py", [(2, 1, "calls", 3, "scope", 0)], {}))
    writer.end_links()
    assert [row[:2] for row in dump(connection)["edges"]] == [("a.py f#0", "a.py <module>#0"), ("b.py g#0", "a.py f#0")]
    assert dump(connection)["asked"] == [("a.py", "b.py")]


def test_a_link_in_place_of_another_writes_what_is_different(connection: sqlite3.Connection) -> None:
    writer = MapWriter(connection)
    writer.add_file(source("a.py"), described(symbol("f", 0)))
    writer.add_file(source("b.py"), described(symbol("g", 0)))
    stays, moves, goes = (
        (2, 4, "calls", 1, "import", 0),
        (2, 4, "calls", 2, "import", 0),
        (1, 4, "calls", 3, "import", 0),
    )
    elsewhere = (4, 2, "calls", 5, "argument", 0)
    first = link("a.py", [stays, moves, goes, elsewhere], {"b.py": [".g"]})
    writer.put_link(first._replace(pending=[(2, "m", 4, 0), (2, "n", 4, 0)]))
    rows = dict(connection.execute("SELECT line, rowid FROM edges"))
    second = link("a.py", [stays, (2, 4, "calls", 9, "import", 0), (1, 3, "calls", 3, "import", 0), elsewhere], {})
    writer.end_links()
    writer.put_link(second._replace(pending=[(2, "m", 8, 0)]))
    writer.end_links()
    after = dict(connection.execute("SELECT line, rowid FROM edges"))
    assert (after[1], after[9], after[-5]) == (rows[1], rows[2], rows[-5]), "what stays, or moves, is the same row"
    assert [row[:4] for row in dump(connection)["edges"]] == [
        ("a.py <module>#0", "b.py <module>#0", "calls", 3),
        ("a.py f#0", "b.py g#0", "calls", 1),
        ("a.py f#0", "b.py g#0", "calls", 9),
        ("b.py g#0", "a.py f#0", "calls", 6),
    ]
    assert [row[1:3] for row in dump(connection)["pending"]] == [("m", 8)]
    assert dump(connection)["asked"] == []


def lines(connection: sqlite3.Connection) -> list[tuple[str, str, int]]:
    return [(source, file, line) for source, _, _, line, file, *_ in dump(connection)["edges"]]


def test_edges_that_another_file_made(connection: sqlite3.Connection) -> None:
    """b.py hands its g to f of a.py, whose call of it is on the second line of f, wherever f stands."""
    writer = MapWriter(connection)
    f = symbol("f", 0)
    writer.add_file(source("a.py"), described(f))
    writer.add_file(source("b.py"), described(symbol("g", 0)))
    writer.add_link(link("a.py", [(2, 1, "calls", 1, "scope", 0)], {}))
    writer.add_link(link("b.py", [(2, 4, "calls", 1, "argument", 3)], {"a.py": [".f"]}))
    assert lines(connection) == [("a.py f#0", "a.py", 1), ("a.py f#0", "b.py", 2)]
    assert [row[6] for row in dump(connection)["edges"]] == ["", "b.py <module>#0"]

    moved = (*f[:8], 11, 12, *f[10:])
    writer.replace_file(source("a.py", "a2"), described(moved), described(f))
    writer.put_link(link("a.py", [(2, 1, "calls", 11, "scope", 0)], {}))
    assert lines(connection) == [("a.py f#0", "a.py", 11), ("a.py f#0", "b.py", 12)]
    writer.unlink("b.py")
    assert lines(connection) == [("a.py f#0", "a.py", 11)]

    writer.add_link(link("b.py", [(2, 4, "calls", 0, "argument", 0)], {"a.py": [".f"]}))
    assert ("a.py f#0", "b.py", 11) in lines(connection), "0 is the first line itself"


@pytest.mark.parametrize("gone", ["symbol", "file"])
def test_edges_of_a_symbol_that_is_gone_go_whoever_made_them(connection: sqlite3.Connection, gone: str) -> None:
    writer = MapWriter(connection)
    old = described(symbol("f", 0))
    writer.add_file(source("a.py"), old)
    writer.add_file(source("b.py"), described(symbol("g", 0)))
    writer.add_link(link("b.py", [(2, 4, "calls", 1, "argument", 0)], {"a.py": [".f"]}))
    if gone == "file":
        writer.remove_file("a.py", old)
    else:
        writer.replace_file(source("a.py", "a2"), described(symbol("other", 0)), old)
    assert dump(connection)["edges"] == []


def test_an_edge_to_nothing_shows_in_a_dump(connection: sqlite3.Connection) -> None:
    writer = MapWriter(connection)
    writer.add_file(source("a.py"), described(symbol("f", 0)))
    writer.add_link(link("a.py", [(2, 99, "calls", 1, "import", 0)], {}))
    assert dump(connection)["edges"][0][1] == "no such symbol"


def test_reset_leaves_an_empty_map(connection: sqlite3.Connection) -> None:
    writer = MapWriter(connection)
    empty = dump(connection)
    writer.begin()
    writer.add_file(source("a.py"), described(symbol("f", 0)))
    writer.set_skipped({"x.py": "binary"})
    writer.index_symbols()
    writer.index_links()
    writer.set_meta({})
    writer.reset()
    assert dump(connection) == empty
    assert list(writer.add_file(source("a.py"), described())) == [1]
    writer.commit()


def test_statements_are_split_at_their_ends_only() -> None:
    script = "CREATE TABLE a (x); -- one; two\nCREATE TABLE b (\n  y -- a; b\n);\n"
    assert [statement.strip() for statement in statements(script)] == [
        "CREATE TABLE a (x); -- one; two",
        "CREATE TABLE b (\n  y -- a; b\n);",
    ]
