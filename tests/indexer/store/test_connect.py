"""Opening maps and caches: new, old, foreign and damaged."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from indexer.errors import StoreError
from indexer.store.connect import (
    DamagedError,
    explained,
    new_map,
    open_facts,
    open_map,
    publish,
    put_away,
)
from indexer.store.schema import MAP_VERSION
from indexer.store.writer import MapWriter


def make_map(folder: Path) -> Path:
    connection = new_map(str(folder))
    writer = MapWriter(connection)
    writer.begin()
    writer.set_skipped({f"file{number}.py": "binary" for number in range(500)})
    writer.index_symbols()
    writer.index_links()
    writer.set_meta({})
    writer.commit()
    publish(connection, str(folder))
    return folder / "map.db"


def opened(folder: Path) -> sqlite3.Connection:
    connection = open_map(str(folder))
    assert connection is not None
    return connection


def test_no_map_is_none_and_makes_no_file(tmp_path: Path) -> None:
    assert open_map(str(tmp_path)) is None
    assert list(tmp_path.iterdir()) == []


def test_a_new_map_bears_its_name_once_it_is_complete(tmp_path: Path) -> None:
    connection = new_map(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["map.db.new"]
    publish(connection, str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["map.db"]
    with closing(opened(tmp_path)) as again:
        assert again.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_what_an_interrupted_build_left_is_not_used(tmp_path: Path) -> None:
    new_map(str(tmp_path)).close()
    (tmp_path / "map.db-wal").write_bytes(b"left over")
    path = make_map(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == [path.name]


@pytest.mark.parametrize(
    ("bytes_", "why"),
    [
        (b"garbage" * 1000, "is damaged"),
        (b"", "was not made by codemap"),
        (b"SQLite format 3\0" + b"\xff" * 5000, "is"),
    ],
)
def test_garbage_is_damaged(tmp_path: Path, bytes_: bytes, why: str) -> None:
    (tmp_path / "map.db").write_bytes(bytes_)
    with pytest.raises(DamagedError, match=why):
        open_map(str(tmp_path))


def test_a_truncated_map_is_damaged(tmp_path: Path) -> None:
    path = make_map(tmp_path)
    path.write_bytes(path.read_bytes()[:-4096])
    with pytest.raises(DamagedError, match=r"map\.db is"):
        open_map(str(tmp_path))


def test_another_version_and_another_program_are_told_apart(tmp_path: Path) -> None:
    path = make_map(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 0")
    with pytest.raises(DamagedError, match=f"has version 0, not {MAP_VERSION}"):
        open_map(str(tmp_path))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 7")
    with pytest.raises(DamagedError, match="was not made by codemap"):
        open_map(str(tmp_path))


def test_a_map_of_an_earlier_version_is_worth_nothing(tmp_path: Path) -> None:
    path = make_map(tmp_path)
    for version, kept in ((MAP_VERSION - 1, []), (MAP_VERSION + 1, ["map.db.damaged-1"])):
        make_map(tmp_path)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        with pytest.raises(DamagedError) as raised:
            open_map(str(tmp_path))
        put_away(raised.value)
        assert sorted(each.name for each in tmp_path.iterdir()) == kept


def test_setting_aside_keeps_every_copy_with_its_log(tmp_path: Path) -> None:
    path = tmp_path / "map.db"
    for number in (1, 2):
        path.write_text(f"copy {number}")
        (tmp_path / "map.db-wal").write_text(f"log {number}")
        assert put_away(DamagedError(path, "is damaged")) == f"set aside as map.db.damaged-{number}"
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {
        "map.db.damaged-1": "copy 1",
        "map.db.damaged-1-wal": "log 1",
        "map.db.damaged-2": "copy 2",
        "map.db.damaged-2-wal": "log 2",
    }


def test_a_damaged_facts_cache_is_damaged(tmp_path: Path) -> None:
    open_facts(str(tmp_path)).close()
    open_facts(str(tmp_path)).close()
    (tmp_path / "facts.db").write_bytes(b"\0" * 9000)
    with pytest.raises(DamagedError, match=r"facts\.db is damaged"):
        open_facts(str(tmp_path))


def test_a_folder_in_place_of_the_map_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "map.db").mkdir()
    with pytest.raises(StoreError, match=r"^cannot write .*map\.db"):
        open_map(str(tmp_path))


def test_a_full_disk_is_one_clear_line(tmp_path: Path) -> None:
    make_map(tmp_path)
    with closing(opened(tmp_path)) as connection:
        connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(sqlite3.OperationalError) as caught:
            MapWriter(connection).set_skipped({f"{number:0100}": "binary" for number in range(10_000)})
        error = explained(caught.value, tmp_path / "map.db")
    assert isinstance(error, StoreError)
    assert str(error) == f"no space left to write {tmp_path / 'map.db'}: free some and run again"


def test_damage_found_late_is_laid_to_the_file_that_has_it(tmp_path: Path) -> None:
    sound, broken = make_map(tmp_path), tmp_path / "facts.db"
    broken.write_bytes(b"garbage" * 1000)
    with closing(sqlite3.connect(broken)) as connection, pytest.raises(sqlite3.DatabaseError) as caught:
        connection.execute("SELECT * FROM facts")
    error = explained(caught.value, sound, broken)
    assert isinstance(error, DamagedError)
    assert error.path == broken
