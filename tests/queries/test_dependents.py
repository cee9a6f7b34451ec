"""What depends on symbols of the shop, worked out by hand from its edges."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.store.reader import SymbolRow
from queries import find
from queries.dependents import HUB, Dependents, dependents_of, possible
from queries.session import Session
from tests.queries.conftest import MapBuilder, shop


def _rows(session: Session, *names: str) -> list[SymbolRow]:
    with session.read() as reader:
        return [row for name in names for row in find.rows(reader, name)]


def _reasons(found: Dependents) -> list[tuple[str, int, str, int]]:
    return [(each.row.qualname, each.distance, each.edge.kind, each.edge.line) for each in found.found]


def test_callers_and_what_depends_on_them(session: Session) -> None:
    found = dependents_of(session, _rows(session, "rotate_token"), 5)
    # sessions.py only imports it; views.py and test_auth.py import login, and have callers of it.
    assert _reasons(found) == [
        ("login", 1, "calls", 9),
        ("<module>", 1, "imports", 2),
        ("index", 2, "calls", 5),
        ("test_login", 2, "calls", 5),
        ("test_login_timeout", 2, "calls", 9),
    ]
    assert (found.hubs, found.complete) == ((), True)


def test_no_further_than_asked(session: Session) -> None:
    assert {each.distance for each in dependents_of(session, _rows(session, "rotate_token"), 1).found} == {1}


def test_overrides_and_subclasses(session: Session) -> None:
    flush = _reasons(dependents_of(session, _rows(session, "SessionStore.flush"), 5))
    assert flush == [("CachedStore.flush", 1, "overrides", 22)]
    store = _reasons(dependents_of(session, _rows(session, "shop/sessions.py:SessionStore"), 1))
    assert store == [("login", 1, "calls", 10), ("CachedStore", 1, "inherits", 21)]


def test_what_overrides_a_caller_is_not_concerned(tmp_path: Path) -> None:
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n" * 20)
    for place, kind in (("leaf", "function"), ("A", "class"), ("A.run", "method"), ("B", "class"), ("B.run", "method")):
        make.symbol(f"a.py:{place}", kind, (1, 1))
    make.symbol("a.py:C", "class", (1, 1))
    make.symbol("a.py:C.run", "method", (1, 1))
    make.edge("a.py:A.run", "a.py:leaf", "calls", 1)
    make.edge("a.py:B.run", "a.py:A.run", "overrides", 1)
    make.edge("a.py:C.run", "a.py:B.run", "overrides", 1)
    with Session.open(str(make.done()), str(tmp_path)) as session:
        assert _reasons(dependents_of(session, _rows(session, "leaf"), 5)) == [("A.run", 1, "calls", 1)]
        assert [name for name, *_ in _reasons(dependents_of(session, _rows(session, "A.run"), 5))] == ["B.run", "C.run"]


def test_what_is_asked_about_is_no_dependent_of_itself(session: Session) -> None:
    found = dependents_of(session, _rows(session, "rotate_token", "shop/auth.py:login"), 1)
    assert [name for name, *_ in _reasons(found)] == ["index", "test_login", "test_login_timeout", "<module>"]


def test_candidates_are_apart(session: Session) -> None:
    rows = _rows(session, "SessionStore.get_expiry")
    assert dependents_of(session, rows, 5).found == ()
    assert [(each.row.qualname, each.edge.line) for each in possible(session, rows, ())] == [("cart", 9)]
    assert possible(session, rows, [_rows(session, "cart")[0].id]) == []


@pytest.mark.parametrize(("callers", "followed"), [(HUB, True), (HUB + 1, False)])
def test_a_hub_on_the_way_is_counted_and_not_followed(tmp_path: Path, callers: int, followed: bool) -> None:
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n" * 10)
    for name in ("leaf", "hub", "unused"):
        make.symbol(f"a.py:{name}", "function", (1, 1))
    make.edge("a.py:hub", "a.py:leaf", "calls", 1)
    make.file("b.py", "\n" * 10)
    for number in range(callers):
        make.symbol(f"b.py:caller{number:03}", "function", (2, 3))
        make.edge(f"b.py:caller{number:03}", "a.py:hub", "calls", 2)
    with Session.open(str(make.done()), str(tmp_path)) as session:
        found = dependents_of(session, _rows(session, "leaf"), 3)
        assert len(found.found) == (1 + callers if followed else 1)
        assert [(row.qualname, number) for row, number in found.hubs] == ([] if followed else [("hub", callers)])
        assert len(dependents_of(session, _rows(session, "hub"), 1).found) == callers


@pytest.mark.parametrize(("first", "step"), [(1, 1), (500, -3)])
def test_ids_do_not_matter(tmp_path: Path, first: int, step: int) -> None:
    answers = []
    for number, (start, pace) in enumerate(((1, 1), (first, step))):
        folder = tmp_path / str(number)
        folder.mkdir()
        make = MapBuilder(folder, first=start, step=pace)
        shop(make)
        with Session.open(str(make.done()), str(folder)) as session:
            answers.append(_reasons(dependents_of(session, _rows(session, "rotate_token"), 5)))
    assert answers[0] == answers[1]
