"""What brought each symbol in, worked out by hand from the shop's words and edges."""

from __future__ import annotations

from queries.session import Session
from queries.subgraph import subgraph
from queries.tokens import Measure
from queries.wish import Wish
from tests.queries.conftest import PlainRenderer


def _why(session: Session, query: str, *expand: str) -> dict[str, tuple[str, ...]]:
    wish = Wish(expand, explain=True)
    answer = subgraph(session, query, budget=100_000, wish=wish, measure=Measure(), renderer=PlainRenderer())
    return {f"{node.path.rpartition('/')[2]}:{node.qualname}": node.why for node in answer.nodes}


def test_words_and_the_fields_that_hold_them(session: Session) -> None:
    why = _why(session, "session timeout")
    assert set(why["sessions.py:SessionStore.set_expiry"]) >= {"session:doc", "timeout:body"}
    assert "session:name" in why["sessions.py:SessionStore"]


def test_a_chain_of_edges_to_a_match(session: Session) -> None:
    why = _why(session, "rotate")
    assert why["auth.py:rotate_token"] == ("rotate:name",)
    assert why["auth.py:login"] == ("rotate:body",)
    assert why["views.py:index"] == ("calls>login:5",)
    assert why["sessions.py:SessionStore.set_expiry"] == ("calls<login:11",)
    assert why["sessions.py:SessionStore"] == ("calls<login:10",)
    assert why["sessions.py:SessionStore.flush"] == ("inside<SessionStore calls<login:10",)


def test_what_the_text_names_and_where_it_points(session: Session) -> None:
    why = _why(session, 'File "shop/auth.py", line 9, in login\nsee `get_expiry` in shop/views.py')
    assert why["auth.py:login"][0] == "frame:9"
    assert why["sessions.py:SessionStore.get_expiry"][0] == "named"
    assert "file" in why["views.py:cart"]


def test_what_was_expanded(session: Session) -> None:
    why = _why(session, "get_expiry", "rotate_token")
    assert why["auth.py:rotate_token"] == ("expand",)
    assert why["sessions.py:SessionStore.get_expiry"][0] == "named"


def test_nothing_is_said_unasked(session: Session) -> None:
    answer = subgraph(session, "rotate", budget=1000, measure=Measure(), renderer=PlainRenderer())
    assert {node.why for node in answer.nodes} == {()}
