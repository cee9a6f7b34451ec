"""`verify --repair`: what differs is replaced, at once, whatever it is that differs."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import orjson
import pytest

from indexer.codec import decode
from indexer.compressed import compress
from indexer.discover import Location, locate
from indexer.errors import BusyError
from indexer.pipeline import repair, update, verify
from tests.indexer.pipeline.mapped import clean_map, read_map

SOURCES = {"a.py": "def f(): pass\ndef g(): f()\n", "b.py": "from a import f, g\nf(); g()\n"}


@pytest.fixture
def location(tmp_path: Path) -> Location:
    root = tmp_path / "tree"
    root.mkdir()
    for path, text in SOURCES.items():
        (root / path).write_text(text)
    update(str(root), jobs=1)
    return locate(str(root))


def _change(location: Location, name: str, *statements: str) -> None:
    with closing(sqlite3.connect(Path(location.map_dir, name))) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def _repaired(location: Location) -> tuple[str, ...]:
    found = verify(location.root, repair=True, jobs=1)
    assert read_map(location) == clean_map(Path(location.root))
    assert found.repaired is bool(found.differences)
    return found.differences


def test_a_map_that_is_equal_is_left_alone(location: Location) -> None:
    before = Path(location.map_dir, "map.db").read_bytes()
    assert _repaired(location) == ()
    assert Path(location.map_dir, "map.db").read_bytes() == before


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM edges WHERE kind = 'calls'",
        "UPDATE symbols SET name = 'other' WHERE name = 'g'",
        "DELETE FROM asked",
        "INSERT INTO text (text) VALUES ('delete-all')",
        "UPDATE links SET lookups = x'00'",
        "DELETE FROM files WHERE path = 'a.py'",
    ],
)
def test_rows_that_differ_are_replaced(location: Location, damage: str) -> None:
    _change(location, "map.db", damage)
    assert _repaired(location)
    assert _repaired(location) == ()


def test_what_no_update_can_use_is_made_from_the_sources(location: Location) -> None:
    spoilt = compress(b'\n"a.py"\t[').hex()
    _change(location, "map.db", f"UPDATE links SET lookups = x'{spoilt}'")
    Path(location.root, "a.py").write_text("def f(): pass\n")  # so that the look-ups are read
    (difference,) = _repaired(location)
    assert difference.startswith("the map could not be updated: ")


def test_facts_that_are_wrong_are_replaced_too(location: Location) -> None:
    """Else the next build that reads them would bring the difference back."""
    name = Path(location.facts_dir, "facts.db")
    with closing(sqlite3.connect(name)) as facts, facts:
        rows = facts.execute("SELECT rowid, definitions FROM facts").fetchall()
        wrong = next(row for _, row in rows if any(s.name == "f" for s in decode(row).symbols))
        facts.execute("UPDATE facts SET definitions = ?", (wrong,))
    for path in SOURCES:  # made anew from what the cache has
        Path(location.root, path).rename(Path(location.root, f"_{path}"))
    assert _repaired(location)
    for path in SOURCES:
        Path(location.root, f"_{path}").rename(Path(location.root, path))
    assert _repaired(location) == ()


def test_readers_go_on_and_see_one_map_or_the_other(location: Location) -> None:
    right = read_map(location)["edges"]
    _change(location, "map.db", "DELETE FROM edges")
    with closing(sqlite3.connect(Path(location.map_dir, "map.db"), isolation_level=None)) as reader:
        count: Callable[[], int] = lambda: reader.execute("SELECT count(*) FROM edges").fetchone()[0]  # noqa: E731
        reader.execute("BEGIN")
        assert count() == 0
        assert _repaired(location)
        assert count() == 0
        reader.execute("COMMIT")
        assert count() == len(right) > 0


def test_a_map_that_another_run_wrote_meanwhile_is_not_replaced(
    location: Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    _change(location, "map.db", "DELETE FROM edges")
    put_map = repair.put_map

    def late(*arguments: object, **more: object) -> None:
        _change(location, "map.db", "UPDATE meta SET value = 'now' WHERE key = 'built_at'")
        put_map(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(repair, "put_map", late)
    with pytest.raises(BusyError, match="was written to while it was compared: run again"):
        verify(location.root, repair=True, jobs=1)
    assert read_map(location)["edges"] == []


def test_full_starts_from_the_sources(location: Location) -> None:
    """Neither rows of the map nor facts are believed."""
    row = orjson.dumps(["nonsense"])
    _change(location, "facts.db", f"UPDATE facts SET definitions = x'{row.hex()}', documents = x'00', uses = x'00'")
    _change(
        location, "map.db", "DELETE FROM edges", "UPDATE files SET blob = 'wrong'", "UPDATE links SET lookups = x'00'"
    )
    report = update(location.root, jobs=1, full=True)
    assert (report.extracted, report.relinked) == (2, 2)
    assert read_map(location) == clean_map(Path(location.root))
