from __future__ import annotations

import networkx

from queries.graph import graph, whole
from queries.navigate import callers, dependents, path_between
from queries.pack import Renderer
from queries.session import Session
from queries.subgraph import subgraph
from queries.tokens import Measure


def test_a_subgraph_is_a_graph(session: Session, renderer: Renderer) -> None:
    answer = subgraph(session, "login", measure=Measure(), renderer=renderer)
    made = graph(answer)
    assert set(made) == {f"{node.path}:{node.qualname}" for node in answer.nodes}
    assert made.number_of_edges() == len(answer.edges)
    assert made.nodes["shop/auth.py:login"]["seed"] is True
    assert made.edges["shop/views.py:index", "shop/auth.py:login", "calls@5"]["resolution"] == "resolved"


def test_relations_routes_and_files_are_graphs(session: Session) -> None:
    assert graph(callers(session, "SessionStore.flush")).in_degree("shop/sessions.py:SessionStore.flush") == 2
    assert list(graph(path_between(session, "index", "rotate_token"))) == [
        "shop/views.py:index", "shop/auth.py:login", "shop/auth.py:rotate_token",
    ]  # fmt: skip
    files = graph(dependents(session, "shop/auth.py"))
    assert files.edges["shop/views.py", "shop/auth.py", "calls"]["count"] == 1


def test_the_whole_map_is_a_graph(session: Session) -> None:
    made = whole(session)
    assert made.number_of_nodes() == 19
    assert made.number_of_edges() == 13 + 3
    assert networkx.has_path(made, "shop/views.py:index", "shop/sessions.py:LIFETIME")
