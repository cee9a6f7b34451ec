"""What is taken for an update with nothing to do, without looking."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from indexer.discover.location import Location, locate
from indexer.pipeline import update
from indexer.pipeline.untouched import untouched


@pytest.fixture
def location(tmp_path: Path) -> Location:
    (tmp_path / "a.py").write_text("def f(): pass\n")
    (tmp_path / "b.py").write_text("from a import f\nf()\n")
    old = time.time() - 60  # what is as young as the look itself is looked at once more
    for name in ("a.py", "b.py", "."):
        os.utime(tmp_path / name, (old, old))
    update(str(tmp_path), jobs=1)
    time.sleep(0.05)
    update(str(tmp_path), jobs=1)
    return locate(str(tmp_path))


def _say(location: Location, sql: str) -> None:
    with closing(sqlite3.connect(Path(location.map_dir, "map.db"), isolation_level=None)) as connection:
        connection.execute(sql)


def test_what_is_said_is_what_a_look_would_say(location: Location) -> None:
    found = untouched(location, None)
    assert found is not None
    Path(location.map_dir, "seen").unlink()
    looked = update(location.root, jobs=1)
    counts = ("files", "symbols", "edges", "skipped", "extracted", "relinked", "removed", "unchanged", "messages")
    assert [getattr(found, name) for name in counts] == [getattr(looked, name) for name in counts]
    assert (found.files, found.symbols, found.unchanged) == (2, 3, True)


def test_without_a_record_or_a_map_it_is_not_known(location: Location) -> None:
    os.replace(Path(location.map_dir, "map.db"), Path(location.map_dir, "kept"))
    assert untouched(location, None) is None
    Path(location.map_dir, "map.db").write_bytes(b"no database, but long enough to be taken for one" * 100)
    assert untouched(location, None) is None
    os.replace(Path(location.map_dir, "kept"), Path(location.map_dir, "map.db"))
    assert untouched(location, None) is not None
    Path(location.map_dir, "seen").unlink()
    assert untouched(location, None) is None


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE meta SET value = 'other' WHERE key = 'installation'",
        "UPDATE meta SET value = '1' WHERE key = 'commit'",
        "INSERT INTO skipped VALUES ('c.py', 'extractor crashed')",
        "INSERT INTO skipped VALUES ('c.py', 'unreadable: permission denied')",
    ],
    ids=["installation", "commit", "crashed", "unreadable"],
)
def test_what_else_an_update_depends_on(location: Location, sql: str) -> None:
    _say(location, sql)
    assert untouched(location, None) is None


def test_a_wish_for_submodules_counts(location: Location) -> None:
    assert untouched(location, False) is not None
    assert untouched(location, True) is None


def test_a_new_file_is_seen(location: Location) -> None:
    Path(location.root, "c.py").write_text("")
    assert untouched(location, None) is None
