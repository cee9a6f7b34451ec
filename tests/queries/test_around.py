"""Neighbours of one symbol: raised when asked for, counted where they are left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from indexer.errors import AmbiguousError, NotFoundError
from queries import around, pack
from queries.answers import Subgraph
from queries.session import Session
from queries.subgraph import subgraph
from queries.tokens import Measure
from queries.wish import Wish
from tests.queries.conftest import MapBuilder, PlainRenderer


def _ask(session: Session, query: str, budget: int, *names: str) -> Subgraph:
    return subgraph(session, query, budget=budget, wish=Wish(names), measure=Measure(), renderer=PlainRenderer())


def test_neighbours_come_right_behind_what_is_expanded(session: Session) -> None:
    answer = _ask(session, "get_expiry", 100_000, "rotate_token")
    names = [node.qualname for node in answer.nodes]
    # It is no match of the words, and calls nothing; login calls it, auth.py holds it, sessions.py imports it.
    assert names[:3] == ["SessionStore.get_expiry", "rotate_token", "login"]
    plain = [node.qualname for node in _ask(session, "get_expiry", 100_000).nodes]
    assert plain.index("login") > 2
    assert set(plain) <= set(names)


def test_a_class_is_expanded_by_its_members_and_subclasses(session: Session) -> None:
    names = [node.qualname for node in _ask(session, "cart", 100_000, "shop/sessions.py:SessionStore").nodes]
    members = {"SessionStore.flush", "SessionStore.set_expiry", "SessionStore.get_expiry"}
    assert names[:2] == ["cart", "SessionStore"]
    assert members | {"CachedStore", "login"} <= set(names[2:9])


def test_a_name_that_does_not_fit_one_symbol(session: Session) -> None:
    with pytest.raises(NotFoundError, match="nothing_like_it"):
        _ask(session, "login", 1000, "nothing_like_it")
    with pytest.raises(AmbiguousError):
        _ask(session, "timeout", 1000, "login")


def test_who_is_left_out_is_counted_by_what_it_is(session: Session) -> None:
    with session.read() as reader:
        (login,) = [row for row in reader.named(["login"]) if row.path == "shop/auth.py"]
        counts = {kind: len(ids) for kind, ids in around.left_out(session, [login.id])[login.id].items()}
    # index and two tests call it, views.py and test_auth.py import it; it calls three.
    assert counts == {"callees": 3, "callers": 3, "importers": 2}


def test_an_answer_counts_those_that_it_does_not_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "AROUND_LAG", 3)
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n" * 90)
    make.symbol("a.py:kettle", "function", (1, 1))
    for number in range(60):
        make.symbol(f"a.py:caller{number:02}", "function", (2, 2))
        make.edge(f"a.py:caller{number:02}", "a.py:kettle", "calls", 2)
    with Session.open(str(make.done()), str(tmp_path)) as session:
        answer = _ask(session, "kettle", 250)
        assert answer.nodes[0].qualname == "kettle"
        shown = sum(node.qualname.startswith("caller") for node in answer.nodes)
        (left,) = answer.omitted.around
        assert (left.symbol.qualname, left.neighbours) == ("kettle", {"callers": 60 - shown})
        assert 0 < shown < 60
        everything = _ask(session, "kettle", 100_000)
        assert everything.omitted == replace(everything.omitted, around=(), after=None)
