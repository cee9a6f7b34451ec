"""When and with what things change: a repository whose commits are known, counts worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap.home import find
from indexer.errors import NotFoundError
from indexer.pipeline import follow, update
from queries.history import NO_HISTORY, coverage, history
from queries.session import Session
from queries.together import all_together, companions
from tests.indexer.repositories import START, Past

A = "LIMIT = 1\n\ndef f():\n    return {0}\n\nclass C:\n    def m(self):\n        return {1}\n"
B = "def g():\n    return {0}\n\ndef h():\n    return {1}\n"


def make(folder: Path) -> Past:
    past = Past(folder)
    past.commit("Begin", {"a.py": A.format(0, 0), "b.py": B.format(0, 0)})
    for number in range(1, 4):
        past.commit(f"f and g {number}", {"a.py": A.format(number, 0), "b.py": B.format(number, 0)})
    past.commit("m alone", {"a.py": A.format(3, 1)})
    return past


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    root = make(tmp_path_factory.mktemp("past") / "repository").root
    update(str(root), jobs=1)
    follow(str(root))
    with find(root).open() as opened:
        yield opened


def test_a_function(session: Session) -> None:
    found = history(session, "f", limit=2)
    assert [node.qualname for node in found.symbols] == ["f"]
    assert (found.changes, found.first, found.last) == (4, START + 60, START + 240)
    assert [(change.subject, change.files) for change in found.commits] == [("f and g 3", 2), ("f and g 2", 2)]
    assert [(each.node.qualname, each.support, each.confidence) for each in found.companions] == [("g", 4, 1.0)]


def test_what_is_inside_belongs_to_a_class(session: Session) -> None:
    assert [change.subject for change in history(session, "C").commits] == ["m alone", "Begin"]


def test_a_file_changes_with_files(session: Session) -> None:
    found = history(session, "a.py")
    assert found.changes == 5
    assert [(each.node.path, each.support, each.confidence) for each in found.companions] == [("b.py", 4, 0.8)]


def test_a_variable_is_known_by_what_it_is_in(session: Session) -> None:
    found = history(session, "LIMIT")
    assert found.changes == 5
    assert found.coverage.notes == ("changes of a variable are those of what it is in",)


def test_a_name_that_is_not_there(session: Session) -> None:
    with pytest.raises(NotFoundError):
        history(session, "nothing")


def test_edges_need_three_commits_and_a_quarter(session: Session) -> None:
    edges = [(e.source.qualname, e.target.qualname, e.support, e.confidence) for e in all_together(session)]
    assert edges == [
        ("<module>", "<module>", 4, 0.8),
        ("f", "g", 4, 1.0),
        ("<module>", "<module>", 4, 1.0),
        ("g", "f", 4, 1.0),
    ]
    edge = next(all_together(session))
    assert (edge.kind, edge.resolution, edge.evidence) == ("changes_with", "resolved", "history")


def test_companions_of_some_symbols(session: Session) -> None:
    f, g = (history(session, name).symbols[0] for name in "fg")
    assert companions(session, [(f.id, ("a.py", "f")), (0, ("a.py", "no such"))]) == [(f.id, g.id, 1.0)]
    assert companions(session, []) == []


def test_without_a_history(tmp_path: Path) -> None:
    root = make(tmp_path / "repository").root
    update(str(root), jobs=1)
    with find(root).open() as opened:
        assert coverage(opened) == NO_HISTORY
        found = history(opened, "f")
        assert (found.changes, found.commits, found.companions, found.first) == (0, (), (), None)
        assert list(all_together(opened)) == []
        follow(str(root))  # seen by a session that is open
        assert history(opened, "f").changes == 4


def test_a_history_of_another_version_is_none(tmp_path: Path) -> None:
    root = make(tmp_path / "repository").root
    update(str(root), jobs=1)
    place = Path(find(root).location.map_dir, "history.db")
    place.write_bytes(b"not a database at all" * 100)
    with find(root).open() as opened:
        assert history(opened, "f").changes == 0


def test_a_commit_of_very_much_says_nothing_of_what_belongs_together(tmp_path: Path) -> None:
    past = Past(tmp_path / "repository")
    for number in range(4):
        past.commit(f"all {number}", {f"m{n}.py": B.format(number, 0) for n in range(21)})
    update(str(past.root), jobs=1)
    follow(str(past.root))
    with find(past.root).open() as opened:
        found = history(opened, "m1.py:g")
        assert (found.changes, found.companions) == (4, ())
        assert list(all_together(opened)) == []
