"""Relations, files, routes, definitions as text."""

from __future__ import annotations

from dataclasses import replace

from codemap.render import lists
from queries.answers import Edge, Node, Staleness
from queries.relations import FileEdge, FileRelations, Relations, Route
from queries.tokens import Measure


def _body(text: str) -> list[str]:
    """All but the two last lines, which every answer has."""
    rows = text.splitlines()
    assert rows[-2].startswith("tokens: ")
    assert rows[-1] == "map: cccccccccc, fresh"
    return rows[:-2]


def test_callers_by_file(nodes: dict[str, Node], edges: tuple[Edge, ...], fresh: Staleness, measure: Measure) -> None:
    answer = Relations((nodes["rotate"],), edges[1:3], (edges[0],))
    assert _body(lists.relations("callers", answer, fresh, measure)) == [
        "callers of shop/auth.py:rotate_token:21-22: 2 places in 1 file",
        "shop/auth.py",
        "  login:11+12",
        "candidates, receiver unknown: 1 place in 1 file",
        "shop/auth.py",
        "  login:10",
    ]


def test_callees_and_kinds_other_than_calls(
    nodes: dict[str, Node], edges: tuple[Edge, ...], fresh: Staleness, measure: Measure
) -> None:
    answer = Relations((nodes["module"],), (edges[3],), ())
    assert _body(lists.relations("callees", answer, fresh, measure)) == [
        "callees of shop/cart.py: 1 place in 1 file",
        "shop/auth.py",
        "  login:2 imports",
    ]


def test_what_is_not_named_in_the_source_is_marked(
    nodes: dict[str, Node], edges: tuple[Edge, ...], fresh: Staleness, measure: Measure
) -> None:
    reached, many = replace(edges[1], evidence="dispatch"), replace(edges[2], overrides=40)
    answer = Relations((nodes["login"],), (edges[2], reached, replace(many, line=13)), ())
    assert _body(lists.relations("callees", answer, fresh, measure))[1:] == [
        "shop/auth.py",
        "  rotate_token:11",
        "  rotate_token:12 (dispatch)",
        "  rotate_token:13 (+40 overrides)",
    ]
    route = Route((nodes["login"], nodes["rotate"]), (reached,), "forward")
    assert _body(lists.route(route, fresh, measure))[2] == "  ↓ calls(dispatch):12"


def test_nobody_calls(nodes: dict[str, Node], fresh: Staleness, measure: Measure) -> None:
    answer = Relations((nodes["rotate"],), (), ())
    assert _body(lists.relations("callers", answer, fresh, measure)) == [
        "callers of shop/auth.py:rotate_token:21-22: none"
    ]


def test_the_cost_counts_the_whole_text(nodes: dict[str, Node], fresh: Staleness, measure: Measure) -> None:
    text = lists.symbols([nodes["login"]], fresh, measure)
    assert f"tokens: {measure.count(text)} (heuristic" in text
    assert _body(text) == [
        "shop/auth.py:login:6-13 function",
        "  def login(request, user)",
        "  Remember the user.",
    ]


def test_files(fresh: Staleness, measure: Measure) -> None:
    answer = FileRelations("x.py", (FileEdge("x.py", "y.py", (("calls", 2), ("imports", 1)), (3, 9)),))
    assert _body(lists.files("dependencies", answer, fresh, measure)) == [
        "dependencies of x.py: 1 file",
        "  y.py:3+9 (calls 2, imports 1)",
    ]
    assert _body(lists.files("dependents", answer, fresh, measure))[1] == "  x.py:3+9 (calls 2, imports 1)"


def test_a_route_shows_which_way_its_edges_run(
    nodes: dict[str, Node], edges: tuple[Edge, ...], fresh: Staleness, measure: Measure
) -> None:
    answer = Route((nodes["login"], nodes["module"]), (edges[3],), "reverse")
    assert _body(lists.route(answer, fresh, measure)) == [
        "path of 1 edge (the edges run backwards)",
        "shop/auth.py:login:6-13",
        "  ↑ imports:2",
        "shop/cart.py",
    ]


def test_definitions_are_places_as_editors_print_them(nodes: dict[str, Node]) -> None:
    known = replace(nodes["login"], column=4)
    assert lists.definitions([known, nodes["module"]]) == (
        "shop/auth.py:6:4 login function\n  def login(request, user)\nshop/cart.py:1 <module> module\n"
    )
