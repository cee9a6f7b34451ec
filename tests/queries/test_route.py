from __future__ import annotations

import pytest

from indexer.errors import NotFoundError
from queries.navigate import path_between
from queries.session import Session


def chain(session: Session, a: str, b: str) -> tuple[list[str], list[tuple[str, int]], str]:
    route = path_between(session, a, b)
    return (
        [node.qualname for node in route.nodes],
        [(edge.kind, edge.line) for edge in route.edges],
        route.direction,
    )


def test_a_chain_follows_the_edges(session: Session) -> None:
    assert chain(session, "index", "LIFETIME") == (
        ["index", "login", "SessionStore.set_expiry", "LIFETIME"],
        [("calls", 5), ("calls", 11), ("references", 15)],
        "forward",
    )


def test_a_chain_the_other_way_says_so(session: Session) -> None:
    assert chain(session, "LIFETIME", "shop/auth.py:login") == (
        ["LIFETIME", "SessionStore.set_expiry", "login"],
        [("references", 15), ("calls", 11)],
        "reverse",
    )


def test_a_chain_either_way_says_so(session: Session) -> None:
    nodes, edges, direction = chain(session, "index", "test_login")
    assert (nodes, direction) == (["index", "login", "test_login"], "undirected")
    assert edges == [("calls", 5), ("calls", 5)]


def test_a_symbol_reaches_itself_at_once(session: Session) -> None:
    assert chain(session, "cart", "cart") == (["cart"], [], "forward")


def test_candidates_connect_nothing(session: Session) -> None:
    with pytest.raises(NotFoundError, match="nothing connects"):
        path_between(session, "cart", "get_expiry")
