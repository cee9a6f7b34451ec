from __future__ import annotations

import os
from pathlib import Path

import pytest

from indexer.errors import NotFoundError, StoreError
from queries.navigate import find_symbols
from queries.session import Session
from queries.staleness import Present, staleness
from tests.queries.conftest import BUILT, COMMIT, MapBuilder


def test_a_map_of_the_head_whose_files_are_as_they_were_is_fresh(session: Session) -> None:
    found = staleness(session, ["shop/auth.py", "shop/views.py"])
    assert (found.fresh, found.reason, found.differing) == (True, None, ())
    assert (found.map_commit, found.head_commit, found.commits_behind) == (COMMIT, COMMIT, 0)
    assert (found.built_at, found.age_seconds, found.dirty_files) == ("2023-11-14T22:13:20Z", 0, 0)


def test_changed_and_removed_files_are_named(session: Session, root: Path) -> None:
    path = root / "shop" / "auth.py"
    text = path.read_bytes()
    path.write_bytes(text.replace(b"rotate", b"rotatE"))  # of the same length
    (root / "shop" / "views.py").unlink()
    (root / "shop" / "sessions.py").write_text("other")
    os.utime(root / "web" / "login.js")
    found = staleness(session, ["web/login.js", "shop/views.py", "shop/auth.py"])
    assert found.differing == ("shop/auth.py", "shop/views.py")
    assert not found.fresh
    assert found.reason == "shop/auth.py and 1 more changed on disk since the map was made"
    path.write_bytes(text)
    assert staleness(session, ["shop/auth.py"]).fresh


def test_an_older_map_says_how_old(session: Session) -> None:
    found = staleness(session, [], Present("beef" + "0" * 36, BUILT + 90, 3))
    assert (found.fresh, found.age_seconds, found.commits_behind) == (False, 90, 3)
    assert found.reason == "the map is of commit c0ffee000000, 3 behind; head is beef00000000"


def test_an_older_head_is_not_fresh_and_has_no_age(session: Session) -> None:
    found = staleness(session, [], Present("beef" + "0" * 36, BUILT - 90, None))
    assert (found.fresh, found.age_seconds, found.commits_behind) == (False, 0, None)


def test_unknown_is_none(session: Session) -> None:
    found = staleness(session, [], Present())
    assert (found.head_commit, found.commits_behind, found.fresh) == (None, None, True)


def test_dirty_files_are_counted(tmp_path: Path) -> None:
    make = MapBuilder(tmp_path)
    make.file("a.py", "")
    make.connection.execute("UPDATE files SET state = 'untracked'")
    make.done()
    with Session.open(str(tmp_path / "map.db"), str(tmp_path)) as session:
        assert staleness(session, []).dirty_files == 1


def test_a_replaced_map_is_opened_anew(session: Session, root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert find_symbols(session, "newcomer") == ()
    other = MapBuilder(tmp_path_factory.mktemp("other"))
    other.file("new.py", "def newcomer(): ...\n")
    other.symbol("new.py:newcomer", "function", (1, 1))
    os.replace(other.done(), root / "map.db")
    assert [node.path for node in find_symbols(session, "newcomer")] == ["new.py"]
    (root / "map.db").unlink()
    with pytest.raises(NotFoundError, match="codemap index"):
        find_symbols(session, "newcomer")


def test_what_is_no_map_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "map.db"
    with pytest.raises(NotFoundError, match="codemap index"):
        Session.open(str(path), str(tmp_path))
    path.write_bytes(b"no database at all, but long enough to look like one" * 40)
    with pytest.raises(StoreError, match="codemap index"):
        Session.open(str(path), str(tmp_path))
    path.write_bytes(b"")
    with pytest.raises(StoreError, match="codemap index"):
        Session.open(str(path), str(tmp_path))
