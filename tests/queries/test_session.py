"""One open map: what a question sees while others write."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from indexer.errors import NotFoundError
from queries.session import Session


def _forget_commit(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("UPDATE meta SET value = 'other' WHERE key = 'commit'")


def test_a_question_and_those_inside_it_see_one_state(root: Path, session: Session) -> None:
    with session.read() as reader:
        before = reader.meta()["commit"]
        _forget_commit(root / "map.db")
        with session.read() as inner:
            assert inner.meta()["commit"] == before
        assert reader.meta()["commit"] == before
    with session.read() as reader:
        assert reader.meta()["commit"] == "other"


def test_symbols_are_counted_anew_when_the_map_has_changed(root: Path, session: Session) -> None:
    before = session.symbol_count()
    with closing(sqlite3.connect(root / "map.db", isolation_level=None)) as writer:
        writer.execute("DELETE FROM symbols WHERE id = (SELECT max(id) FROM symbols)")
    assert session.symbol_count() == before - 1


def test_what_follows_from_bases_is_kept_while_they_are_the_same(root: Path, session: Session) -> None:
    def write(statement: str) -> None:
        with closing(sqlite3.connect(root / "map.db", isolation_level=None)) as writer:
            writer.execute(statement)

    def below(symbol: int) -> frozenset[int]:
        with session.read():
            return session.neighbours.classes.descendants(symbol)

    columns = "file, source, target, kind, line, evidence, receiver"
    inherits = f"INSERT INTO edges ({columns}) VALUES (1, %d, %d, 'inherits', 1, 0, 0)"
    write(inherits % (902, 901))
    first = below(901)
    assert first == {902}
    _forget_commit(root / "map.db")
    with session.read():
        assert not session.neighbours.classes._reachable  # another state, of which nothing has been asked
    write("UPDATE meta SET value = 'again' WHERE key = 'commit'")
    assert below(901) == {902}
    assert below(901) is first
    write(inherits % (903, 902))
    assert below(901) == {902, 903}


def test_a_map_that_another_file_replaced_is_opened_anew(root: Path, session: Session) -> None:
    with session.read() as reader:
        assert reader.meta()["commit"] != "other"
    shutil.copy(root / "map.db", root / "new.db")
    _forget_commit(root / "new.db")
    os.replace(root / "new.db", root / "map.db")
    with session.read() as reader:
        assert reader.meta()["commit"] == "other"


def test_a_map_that_is_gone_says_what_to_do(root: Path, session: Session) -> None:
    (root / "map.db").unlink()
    with pytest.raises(NotFoundError, match="codemap index"), session.read():
        pass
