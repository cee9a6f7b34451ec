"""The JSON forms follow their schemas, and carry what they cost."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from jsonschema import ValidationError

from codemap.render import json as form
from queries.answers import Edge, Node, Passage, Staleness, Subgraph
from queries.relations import FileEdge, FileRelations, Relations, Route
from queries.tokens import Measure

Validate = Callable[[str, object], None]


def test_a_subgraph(answer: Subgraph, validate: Validate) -> None:
    shown = json.loads(form.subgraph(answer))
    validate("subgraph", shown)
    assert shown["seeds"] == [0]
    assert shown["files"] == [
        {"path": "shop/auth.py", "language": "python", "header": "Who is asking:\nlogin."},
        {"path": "shop/sessions.py", "language": "python", "state": "modified"},
        {"path": "shop/cart.py", "language": "python", "state": "untracked"},
    ]
    assert shown["nodes"][0] == {
        "file": 0,
        "qualname": "login",
        "kind": "function",
        "lines": [6, 13],
        "signature": "def login(request, user)",
        "doc": "Remember the user.",
    }
    assert shown["nodes"][4] == {"file": 2, "qualname": "<module>", "kind": "module", "lines": [1, 40], "hop": 2}
    assert shown["edges"][0] == {"source": 0, "target": 3, "kind": "calls", "resolution": "candidate", "line": 10}
    assert shown["edges"][1] == {"source": 0, "target": 1, "kind": "calls", "line": 12}, "the usual is not said"
    assert shown["omitted"] == {"symbols": 3, "files": 1, "edges": {"calls": 4, "imports": 1}}
    assert shown["tokens"]["model"] is None


def test_a_body_is_shown_when_there_is_one(answer: Subgraph, nodes: dict[str, Node], validate: Validate) -> None:
    body = replace(nodes["login"], body="def login():\n\tpass")
    shown = json.loads(form.subgraph(replace(answer, nodes=(body,), edges=(), seeds=())))
    validate("subgraph", shown)
    assert shown["nodes"][0]["body"] == "def login():\n\tpass"


def test_parts_of_a_body_say_where_they_are(answer: Subgraph, nodes: dict[str, Node], validate: Validate) -> None:
    part = replace(nodes["login"], passages=(Passage(6, "def login():"), Passage(9, "\tpass\n\tpass")))
    shown = json.loads(form.subgraph(replace(answer, nodes=(part,), edges=(), seeds=())))
    validate("subgraph", shown)
    assert shown["nodes"][0]["passages"] == [{"line": 6, "text": "def login():"}, {"line": 9, "text": "\tpass\n\tpass"}]
    assert "body" not in shown["nodes"][0]


def test_test_code_is_marked(answer: Subgraph, nodes: dict[str, Node], validate: Validate) -> None:
    tested = replace(nodes["login"], test=True)
    shown = json.loads(form.subgraph(replace(answer, nodes=(tested,), edges=(), seeds=())))
    validate("subgraph", shown)
    assert shown["nodes"][0]["test"] is True


@pytest.mark.parametrize(("field", "value"), [("test", False), ("hop", 0), ("lines", [3]), ("lines", [3, 4, 5])])
def test_what_is_as_usual_is_not_said(answer: Subgraph, validate: Validate, field: str, value: object) -> None:
    shown = json.loads(form.subgraph(answer))
    shown["nodes"][0][field] = value
    with pytest.raises(ValidationError):
        validate("subgraph", shown)


def test_the_schema_is_closed(answer: Subgraph, validate: Validate) -> None:
    shown = json.loads(form.subgraph(answer))
    shown["nodes"][0]["undocumented"] = 1
    with pytest.raises(ValidationError):
        validate("subgraph", shown)


def test_callers_show_the_calling_side(
    nodes: dict[str, Node], edges: tuple[Edge, ...], stale: Staleness, measure: Measure, validate: Validate
) -> None:
    relations = Relations((nodes["rotate"],), edges[1:3], (edges[0],))
    text = form.relations("callers", relations, stale, measure)
    shown = json.loads(text)
    validate("relations", shown)
    assert [(e["symbol"]["qualname"], e["line"], e["resolution"]) for e in shown["edges"]] == [
        ("login", 12, "resolved"),
        ("login", 11, "resolved"),
        ("login", 10, "candidate"),
    ]
    assert shown["staleness"]["reason"] == "head moved"
    assert shown["tokens"]["estimate"] == measure.count(text)
    assert shown["tokens"]["budget"] is None


def test_callees_show_the_called_side(
    nodes: dict[str, Node], edges: tuple[Edge, ...], fresh: Staleness, measure: Measure, validate: Validate
) -> None:
    shown = json.loads(form.relations("callees", Relations((nodes["login"],), edges[1:2], ()), fresh, measure))
    validate("relations", shown)
    assert shown["edges"][0]["symbol"]["qualname"] == "rotate_token"


@pytest.mark.parametrize(("relation", "other"), [("dependencies", "b.py"), ("dependents", "a.py")])
def test_files(relation: str, other: str, fresh: Staleness, measure: Measure, validate: Validate) -> None:
    relations = FileRelations("x.py", (FileEdge("a.py", "b.py", (("calls", 2), ("imports", 1)), (3, 9)),))
    shown = json.loads(form.files(relation, relations, fresh, measure))
    validate("files", shown)
    assert shown["files"] == [{"path": other, "kinds": {"calls": 2, "imports": 1}, "lines": [3, 9]}]


def test_a_route(
    nodes: dict[str, Node], edges: tuple[Edge, ...], fresh: Staleness, measure: Measure, validate: Validate
) -> None:
    route = Route((nodes["module"], nodes["login"], nodes["rotate"]), (edges[3], edges[1]), "forward")
    shown = json.loads(form.route(route, fresh, measure))
    validate("path", shown)
    assert [(e["source"], e["target"], e["kind"]) for e in shown["edges"]] == [(0, 1, "imports"), (1, 2, "calls")]
    assert [e["evidence"] for e in shown["edges"]] == ["import", "scope"]


def test_symbols_and_definitions(
    nodes: dict[str, Node], fresh: Staleness, measure: Measure, validate: Validate
) -> None:
    shown = json.loads(form.symbols([nodes["login"]], fresh, measure))
    validate("symbol", shown)
    place = json.loads(form.definitions([replace(nodes["login"], column=4, name_line=7)]))
    validate("definition", place)
    assert (place[0]["start_line"], place[0]["line"], place[0]["column"]) == (6, 7, 4)
    assert json.loads(form.definitions([])) == []


def test_text_that_is_not_unicode_is_written_visibly() -> None:
    assert json.loads(form.dumps({"path": "a\udcff.py", "more": ["\udcff"]})) == {
        "path": "a\\udcff.py",
        "more": ["\\udcff"],
    }


def test_edges_say_how_they_are_known(
    answer: Subgraph, edges: tuple[Edge, ...], fresh: Staleness, measure: Measure, validate: Validate
) -> None:
    marked = (replace(edges[1], evidence="dispatch"), replace(edges[2], evidence="type", overrides=40))
    shown = json.loads(form.subgraph(replace(answer, edges=marked)))
    validate("subgraph", shown)
    assert shown["edges"] == [
        {"source": 0, "target": 1, "kind": "calls", "line": 12, "evidence": "dispatch"},
        {"source": 0, "target": 1, "kind": "calls", "line": 11, "overrides": 40},
    ]
    relations = Relations((answer.nodes[0],), marked, ())
    shown = json.loads(form.relations("callees", relations, fresh, measure))
    validate("relations", shown)
    assert [(edge["evidence"], edge.get("overrides")) for edge in shown["edges"]] == [("dispatch", None), ("type", 40)]
    route = Route(answer.nodes[:2], marked[1:], "forward")
    shown = json.loads(form.route(route, fresh, measure))
    validate("path", shown)
    assert (shown["edges"][0]["evidence"], shown["edges"][0]["overrides"]) == ("type", 40)
