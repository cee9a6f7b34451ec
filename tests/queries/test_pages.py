"""Cursors, and answers that go on where others ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.errors import BudgetTooSmallError, UsageError
from queries.answers import Subgraph
from queries.pages import Pages
from queries.session import Session
from queries.staleness import Present
from queries.subgraph import subgraph
from queries.tokens import Measure
from queries.wish import Wish
from tests.queries.conftest import BUILT, COMMIT, MapBuilder, PlainRenderer, shop


def _ask(session: Session, query: str, budget: int, **wish: object) -> Subgraph:
    return subgraph(session, query, budget=budget, wish=Wish(**wish), measure=Measure(), renderer=PlainRenderer())  # type: ignore[arg-type]


def _names(answer: Subgraph) -> list[str]:
    return [f"{node.path}:{node.qualname}" for node in answer.nodes]


def _pages(session: Session, query: str, budget: int) -> list[list[str]]:
    pages, after = [], None
    while True:
        answer = _ask(session, query, budget, after=after)
        pages.append(_names(answer))
        assert answer.omitted.symbols == 0 or answer.omitted.after is not None
        after = answer.omitted.after
        if after is None:
            return pages


@pytest.mark.parametrize("budget", [110, 150, 220, 400])
def test_the_pages_together_are_what_one_answer_shows(session: Session, budget: int) -> None:
    whole = _ask(session, "login timeout", 100_000)
    assert whole.omitted.after is None
    pages = _pages(session, "login timeout", budget)
    assert len(pages) > 1 or budget == 400
    together = [name for page in pages for name in page]
    assert len(together) == len(set(together))
    assert set(together) == set(_names(whole))


def test_pages_may_have_budgets_of_their_own(session: Session) -> None:
    first = _ask(session, "login timeout", 150)
    rest = _ask(session, "login timeout", 100_000, after=first.omitted.after)
    assert rest.omitted.after is None
    assert set(_names(first)).isdisjoint(_names(rest))
    assert rest.omitted.symbols == 0


def test_of_another_question_or_another_map(session: Session, tmp_path: Path) -> None:
    after = _ask(session, "login timeout", 150).omitted.after
    assert after is not None
    for query, wish in (("login", {}), ("login timeout", {"expand": ("shop/auth.py:login",)})):
        with pytest.raises(UsageError, match="another question or an older map"):
            _ask(session, query, 150, after=after, **wish)
    other = tmp_path / "other"
    other.mkdir()
    make = MapBuilder(other)
    shop(make)
    make.meta(commit="d" * 40)
    with Session.open(str(make.done()), str(other)) as changed, pytest.raises(UsageError, match="older map"):
        _ask(changed, "login timeout", 150, after=after)


@pytest.mark.parametrize("cursor", ["", "123", "abcdefghi", "1234567890", "12345 789", "-12345678", "١٢٣٤٥٦٧٨٩"])
def test_what_is_no_cursor(session: Session, cursor: str) -> None:
    with pytest.raises(UsageError, match="is no cursor"):
        _ask(session, "login timeout", 150, after=cursor)


@pytest.mark.parametrize("position", [0, 1, 10, 400, 999])
def test_a_position_comes_back(position: int) -> None:
    pages = Pages(["x", 2, []], None, ())
    assert pages.position(pages.cursor(position)) == position


def test_ids_do_not_matter(tmp_path: Path) -> None:
    cursors = set()
    for number, (first, step) in enumerate(((1, 1), (900, -7))):
        folder = tmp_path / str(number)
        folder.mkdir()
        make = MapBuilder(folder, first=first, step=step)
        shop(make)
        with Session.open(str(make.done()), str(folder), current=lambda: Present(COMMIT, BUILT, 0)) as session:
            cursors.add(_ask(session, "login timeout", 150).omitted.after)
    assert len(cursors) == 1


def test_a_page_that_fits_nothing_says_so(session: Session) -> None:
    after = _ask(session, "login timeout", 150).omitted.after
    with pytest.raises(BudgetTooSmallError):
        _ask(session, "login timeout", 5, after=after)
