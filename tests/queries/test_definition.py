"""Definitions of many places: one answer each, whatever is wrong with some; each from one state of the map."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from indexer.errors import BusyError, StoreError
from indexer.ports import Definition
from queries.definition import TOGETHER, Definitions, Place
from queries.session import Session
from tests.queries.conftest import AUTH, SESSIONS, VIEWS

LOGIN = Definition("shop/auth.py", "login", "function", AUTH.index("login("), 1, "import")


class Finder:
    """A linker with one answer, which notes what it was asked."""

    def __init__(self, answer: Sequence[Definition] = (LOGIN,), fault: Exception | None = None) -> None:
        self.asked: list[tuple[str, int]] = []
        self.answer = tuple(answer)
        self.fault = fault

    def definition(self, path: str, position: int) -> tuple[Definition, ...]:
        self.asked.append((path, position))
        if self.fault is not None and position == 0:
            raise self.fault
        return self.answer


class Factory:
    """Counts the linkers it makes."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self.made = 0

    def __call__(self) -> Finder:
        self.made += 1
        return self.finder


def test_each_place_has_its_answer_in_order(session: Session) -> None:
    factory = Factory(Finder())
    asked = [("shop/views.py", 5, 4), ("no.py", 1, 0), ("shop/views.py", 99, 0), ("shop/auth.py", 6, 4)]
    places = [Place(*each) for each in asked]
    found = list(Definitions(session, factory).many(places))
    assert [(each.path, each.line, each.column) for each in found] == places
    assert [[node.qualname for node in each.nodes] for each in found] == [["login"], [], [], ["login"]]
    assert [str(each.error) for each in found] == [
        "None", "no.py is not in the map", "shop/views.py has 10 lines: there is no line 99", "None",
    ]  # fmt: skip
    assert (found[0].nodes[0].name_line, found[0].nodes[0].column) == (6, 4)
    # "from shop.auth import login" is 27 bytes, "def index(request):" 19, each with a line feed, and two are empty
    assert factory.finder.asked == [("shop/views.py", 28 + 2 + 20 + 4), ("shop/auth.py", AUTH.index("login("))]
    assert factory.made == 1


def test_without_a_mapped_file_there_is_no_linker(session: Session) -> None:
    factory = Factory(Finder())
    assert [each.nodes for each in Definitions(session, factory).many([Place("no.py", 1, 0)])] == [()]
    assert list(Definitions(session, factory).many([])) == []
    assert factory.made == 0


def test_a_long_list_is_read_part_by_part(session: Session) -> None:
    taken = []

    def places() -> Iterator[Place]:
        for number in range(2 * TOGETHER):
            taken.append(number)
            yield Place("shop/auth.py", 1, 0)

    found = Definitions(session, Factory(Finder())).many(places())
    next(found)
    assert len(taken) == TOGETHER
    assert len(list(found)) == 2 * TOGETHER - 1


def test_a_changed_map_gets_a_new_linker(session: Session, root: Path) -> None:
    factory = Factory(Finder())
    definitions = Definitions(session, factory)
    for _ in range(2):
        definitions.one(Place("shop/auth.py", 1, 0))
    assert factory.made == 1
    with sqlite3.connect(root / "map.db") as connection:
        connection.execute("UPDATE meta SET value = '2023-11-14T22:13:21Z' WHERE key = 'built_at'")
    connection.close()
    definitions.one(Place("shop/auth.py", 1, 0))
    assert factory.made == 2
    definitions.forget()
    definitions.one(Place("shop/auth.py", 1, 0))
    assert factory.made == 3


def test_a_map_that_changes_while_the_linker_reads_it_is_read_again(session: Session, root: Path) -> None:
    made = []

    def factory() -> Finder:
        made.append(1)
        connection = sqlite3.connect(root / "map.db")
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('noise', ?)", (len(made),))
        if len(made) != 3:
            connection.commit()
        connection.close()
        return Finder()

    assert len(Definitions(session, factory).one(Place("shop/auth.py", 1, 0))) == 1
    assert len(made) == 3
    made += [1] * 10
    with pytest.raises(BusyError, match="ask again"):
        Definitions(session, factory).one(Place("shop/auth.py", 1, 0))


def test_every_answer_says_how_fresh_it_is(session: Session, root: Path) -> None:
    definitions = Definitions(session, Factory(Finder()))
    (before,) = definitions.many([Place("shop/views.py", 5, 4)])
    assert before.staleness.fresh
    (root / "shop/auth.py").write_text(AUTH + "\n# more\n", encoding="utf-8")
    asked, answered, other = definitions.many(
        [Place("shop/auth.py", 1, 0), Place("shop/views.py", 5, 4), Place("no.py", 1, 0)]
    )
    assert asked.staleness.differing == answered.staleness.differing == ("shop/auth.py",)
    assert answered.staleness.reason == "shop/auth.py changed on disk since the map was made"
    assert other.staleness.fresh  # it speaks of no file of the map


def test_a_file_that_is_gone_is_its_own_answer(session: Session, root: Path) -> None:
    (root / "shop/views.py").unlink()
    gone, there = Definitions(session, Factory(Finder())).many(
        [Place("shop/views.py", 1, 0), Place("shop/auth.py", 1, 0)]
    )
    assert str(gone.error) == "shop/views.py cannot be read any more: run `codemap update`"
    assert gone.staleness.differing == ("shop/views.py",)
    assert there.error is None


@pytest.mark.parametrize(
    ("fault", "said"),
    [(RecursionError(), "the source nests too deeply"), (KeyError("x.py"), "internal error: KeyError: 'x.py'")],
)
def test_a_fault_at_one_place_ends_nothing(session: Session, fault: Exception, said: str) -> None:
    bad, good = Definitions(session, Factory(Finder(fault=fault))).many(
        [Place("shop/auth.py", 1, 0), Place("shop/auth.py", 1, 1)]
    )
    assert (str(bad.error), bad.nodes) == (said, ())
    assert getattr(bad.error, "exit_code", 0) == 1
    assert good.error is None


def test_a_map_that_cannot_be_read_ends_all(session: Session) -> None:
    finder = Finder(fault=StoreError("damaged"))
    with pytest.raises(StoreError):
        list(Definitions(session, Factory(finder)).many([Place("shop/auth.py", 1, 0)]))


@pytest.mark.parametrize(("line", "column", "offset"), [(1, 0, 0), (1, 27, 27), (3, 0, 29), (10, 0, len(VIEWS))])
def test_offsets(session: Session, line: int, column: int, offset: int) -> None:
    finder = Finder(())
    assert Definitions(session, lambda: finder).one(Place("shop/views.py", line, column)) == ()
    assert finder.asked == [("shop/views.py", offset)]


def test_a_variable_is_answered_with_the_assignment_that_is_meant(session: Session) -> None:
    at_symbol = SESSIONS.index("LIFETIME")
    later = SESSIONS.index("def set_expiry") + 4  # line 13, column 8
    found = [Definition("shop/sessions.py", "LIFETIME", "variable", at, 1, "scope") for at in (at_symbol, later)]
    found.append(Definition("shop/sessions.py", "SessionStore", "class", later, 2, "scope"))
    nodes = Definitions(session, lambda: Finder(found)).one(Place("shop/auth.py", 1, 0))
    assert [(n.qualname, n.start_line, n.end_line, n.name_line, n.column) for n in nodes] == [
        ("LIFETIME", 4, 4, 4, 0),
        ("LIFETIME", 13, 13, 13, 8),
        ("SessionStore", 7, 18, 7, 8),
    ]
