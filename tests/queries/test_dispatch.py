"""What subclasses have in place of the method that is called, alike in every answer."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from indexer.model import Flag
from indexer.store.classes import MAX_DISPATCH
from indexer.store.neighbours import Neighbours
from queries import navigate
from queries.answers import Edge
from queries.graph import whole
from queries.session import Session
from queries.status import status
from queries.subgraph import subgraph
from queries.tokens import Measure
from tests.queries.conftest import MapBuilder, PlainRenderer


@contextmanager
def opened(make: MapBuilder) -> Iterator[Session]:
    with Session.open(str(make.done()), str(make.root)) as session:
        agrees(session)
        yield session


def agrees(session: Session) -> None:
    """The same edges whether asked for at once, by source, by target, or by both ends."""
    neighbours: Neighbours = session.neighbours
    with session.read() as reader:
        everything = list(neighbours.all_edges())
        ids = [row.id for row in reader.all_symbols()]
    assert len({edge[:4] for edge in everything}) == len(everything)
    for part in (
        [edge for symbol in ids for edge in neighbours.out_of([symbol])],
        [edge for symbol in ids for edge in neighbours.into([symbol])],
        neighbours.out_of(ids),
        neighbours.into(ids),
        neighbours.among(ids),
    ):
        assert sorted(part) == sorted(everything)


def out(session: Session, name: str) -> list[tuple[str, str]]:
    return [(edge.target.qualname, edge.evidence) for edge in navigate.callees(session, name).edges]


def into(session: Session, name: str) -> list[tuple[str, str]]:
    return [(edge.source.qualname, edge.evidence) for edge in navigate.callers(session, name).edges]


def shapes(tmp_path: Path) -> MapBuilder:
    """Shape.area is overridden by Square and, below it, by Cube; Plain inherits it. Round stands apart."""
    make = MapBuilder(tmp_path)
    make.file("shapes.py", "\n" * 40)
    for number, name in enumerate(("Shape", "Square", "Cube", "Plain", "Round")):
        make.symbol(f"shapes.py:{name}", "class", (1 + 5 * number, 5 + 5 * number))
        if name != "Plain":
            make.symbol(f"shapes.py:{name}.area", "method", (2 + 5 * number, 3 + 5 * number))
    for below, above in (("Square", "Shape"), ("Cube", "Square"), ("Plain", "Shape")):
        make.edge(f"shapes.py:{below}", f"shapes.py:{above}", "inherits", 1, "inheritance")
    make.file("use.py", "\n" * 40)
    for number, name in enumerate(("any_shape", "a_square", "exact", "a_plain")):
        make.symbol(f"use.py:{name}", "function", (1 + 5 * number, 5 + 5 * number))
    make.edge("use.py:any_shape", "shapes.py:Shape.area", "calls", 2, "type", receiver="shapes.py:Shape")
    make.edge("use.py:a_square", "shapes.py:Square.area", "calls", 7, "type", receiver="shapes.py:Square")
    make.edge("use.py:exact", "shapes.py:Shape.area", "calls", 12, "type")
    make.edge("use.py:a_plain", "shapes.py:Shape.area", "calls", 17, "type", receiver="shapes.py:Plain")
    return make


def test_a_call_reaches_what_subclasses_of_the_receiver_define(tmp_path: Path) -> None:
    with opened(shapes(tmp_path)) as session:
        assert out(session, "any_shape") == [
            ("Shape.area", "type"),
            ("Square.area", "dispatch"),
            ("Cube.area", "dispatch"),
        ]
        assert out(session, "a_square") == [("Square.area", "type"), ("Cube.area", "dispatch")]
        assert out(session, "exact") == [("Shape.area", "type")]
        assert out(session, "a_plain") == [("Shape.area", "type")], "nothing inherits from Plain"


def test_a_method_is_called_where_its_bases_are(tmp_path: Path) -> None:
    with opened(shapes(tmp_path)) as session:
        assert into(session, "Cube.area") == [("any_shape", "dispatch"), ("a_square", "dispatch")]
        assert into(session, "Square.area") == [("any_shape", "dispatch"), ("a_square", "type")]
        assert into(session, "Round.area") == []
        assert {edge.resolution for edge in navigate.callers(session, "Cube.area").edges} == {"resolved"}


def test_what_stands_in_for_a_hub_is_left_out_where_a_limit_is_given(tmp_path: Path) -> None:
    make = shapes(tmp_path)
    with opened(make) as session:
        cube = make.ids["shapes.py:Cube.area"]
        found = {limit: len(session.neighbours.into([cube], limit=limit)) for limit in (1, 2, 3, None)}
    assert found == {1: 1, 2: 1, 3: 2, None: 2}, "three calls of Shape.area, one of Square.area"


def test_the_whole_map_a_path_and_a_graph_have_them_too(tmp_path: Path) -> None:
    with opened(shapes(tmp_path)) as session:
        calls = [
            (e.source.qualname, e.line, e.target.qualname, e.evidence) for e in navigate.all_edges(session, ["calls"])
        ]
        assert calls == [
            ("any_shape", 2, "Shape.area", "type"),
            ("any_shape", 2, "Square.area", "dispatch"),
            ("any_shape", 2, "Cube.area", "dispatch"),
            ("a_square", 7, "Square.area", "type"),
            ("a_square", 7, "Cube.area", "dispatch"),
            ("exact", 12, "Shape.area", "type"),
            ("a_plain", 17, "Shape.area", "type"),
        ]
        route = navigate.path_between(session, "any_shape", "Cube.area")
        assert [(edge.kind, edge.evidence) for edge in route.edges] == [("calls", "dispatch")]
        made = whole(session)
        assert made.edges["use.py:any_shape", "shapes.py:Cube.area", "calls@2"]["evidence"] == "dispatch"
        assert [edge.kind for edge in navigate.all_edges(session, ["inherits"])] == ["inherits"] * 3


def test_a_subgraph_follows_and_marks_them(tmp_path: Path) -> None:
    make = shapes(tmp_path)
    with opened(make) as session:
        answer = subgraph(session, "any_shape", measure=Measure(), renderer=PlainRenderer(), budget=4000)
    assert "Cube.area" in {node.qualname for node in answer.nodes}
    shown = {(e.source.qualname, e.target.qualname, e.evidence) for e in answer.edges if e.kind == "calls"}
    assert {("any_shape", "Shape.area", "type"), ("any_shape", "Cube.area", "dispatch")} <= shown


def test_both_ends_are_enough_without_the_declared_method(tmp_path: Path) -> None:
    make = shapes(tmp_path)
    with opened(make) as session:
        found = session.neighbours.among([make.ids["use.py:any_shape"], make.ids["shapes.py:Cube.area"]])
    assert [(edge.line, edge.evidence) for edge in found] == [(2, "dispatch")]


def test_what_is_stored_is_not_derived(tmp_path: Path) -> None:
    make = shapes(tmp_path)
    make.edge("use.py:any_shape", "shapes.py:Cube.area", "calls", 2, "argument")
    with opened(make) as session:
        assert out(session, "any_shape")[2] == ("Cube.area", "argument")


def test_a_stored_edge_is_not_said_twice(tmp_path: Path) -> None:
    make = shapes(tmp_path)
    make.edge("use.py:any_shape", "shapes.py:Cube.area", "calls", 2, "argument")
    make.edge("use.py:any_shape", "shapes.py:Cube.area", "calls", 2, "type")
    with Session.open(str(make.done()), str(tmp_path)) as session:
        assert out(session, "any_shape")[2] == ("Cube.area", "type"), "of two ways, the one that says more"
        assert into(session, "Cube.area")[0] == ("any_shape", "type")
        found = [edge for edge in navigate.all_edges(session, ["calls"]) if edge.target.qualname == "Cube.area"]
        assert [(edge.line, edge.evidence) for edge in found] == [(2, "type"), (7, "dispatch")]


@pytest.mark.parametrize("name", ["__init__", "__new__"])
def test_constructors_are_not_dispatched(tmp_path: Path, name: str) -> None:
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n" * 20)
    for number, owner in enumerate(("A", "B")):
        make.symbol(f"a.py:{owner}", "class", (1 + 5 * number, 4 + 5 * number))
        make.symbol(f"a.py:{owner}.{name}", "method", (2 + 5 * number, 3 + 5 * number))
    make.edge("a.py:B", "a.py:A", "inherits", 6)
    make.edge("a.py:<module>", f"a.py:A.{name}", "calls", 20, "constructor", receiver="a.py:A")
    with opened(make) as session:
        assert out(session, "a.py:<module>") == [(f"A.{name}", "constructor")]
        assert into(session, f"B.{name}") == []


@pytest.mark.parametrize("number", [MAX_DISPATCH, MAX_DISPATCH + 1])
def test_too_many_overrides_are_a_number(tmp_path: Path, number: int) -> None:
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n" * 400)
    for index in range(number + 1):
        make.symbol(f"a.py:C{index}", "class", (1 + 5 * index, 5 + 5 * index))
        make.symbol(f"a.py:C{index}.run", "method", (2 + 5 * index, 3 + 5 * index))
        if index:
            make.edge(f"a.py:C{index}", "a.py:C0", "inherits", 1 + 5 * index)
    make.edge("a.py:<module>", "a.py:C0.run", "calls", 400, "type", receiver="a.py:C0")
    make.pending("a.py:<module>", "stop", 399, receiver="a.py:C0")
    with opened(make) as session:
        found = navigate.callees(session, "a.py:<module>").edges
        few = number == MAX_DISPATCH
        assert [edge.overrides for edge in found if edge.target.qualname == "C0.run"] == [0 if few else number]
        assert sum(edge.evidence == "dispatch" for edge in found) == (number if few else 0)
        assert into(session, "C7.run") == ([("<module>", "dispatch")] if few else [])
        (stored,) = [edge for edge in navigate.all_edges(session, ["calls"]) if edge.evidence == "type"]
        assert stored.overrides == (0 if few else number)


def test_setters_and_signatures_alone_run_nothing(tmp_path: Path) -> None:
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n" * 30)
    make.symbol("a.py:A", "class", (1, 3))
    make.symbol("a.py:A.size", "method", (2, 3), flags=Flag.PROPERTY)
    make.symbol("a.py:B", "class", (5, 20))
    getter = make.symbol("a.py:B.size", "method", (6, 7), flags=Flag.PROPERTY)
    make.symbol("a.py:B.size", "method", (8, 9), flags=Flag.SETTER)
    make.symbol("a.py:B.size", "method", (10, 11), flags=Flag.OVERLOAD)
    make.edge("a.py:B", "a.py:A", "inherits", 5)
    make.edge("a.py:<module>", "a.py:A.size", "calls", 22, "property", receiver="a.py:A")
    with opened(make) as session:
        found = [edge for edge in navigate.all_edges(session, ["calls"]) if edge.evidence == "dispatch"]
        assert [(edge.target.id, edge.target.start_line) for edge in found] == [(getter, 6)]


def mixins(tmp_path: Path) -> MapBuilder:
    """Mixin calls self.save, which it lacks. Model has it above Form, and Draft, below Form, has its own."""
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n" * 60)
    for number, (name, method) in enumerate(
        [("Mixin", "go"), ("Root", "save"), ("Model", "save"), ("Form", "other"), ("Draft", "save"), ("Else", "save")]
    ):
        make.symbol(f"a.py:{name}", "class", (1 + 5 * number, 5 + 5 * number))
        make.symbol(f"a.py:{name}.{method}", "method", (2 + 5 * number, 3 + 5 * number))
    for below, above in (("Model", "Root"), ("Form", "Mixin"), ("Form", "Model"), ("Draft", "Form")):
        make.edge(f"a.py:{below}", f"a.py:{above}", "inherits", 1, "inheritance")
    make.pending("a.py:Mixin.go", "save", 3, receiver="a.py:Mixin")
    return make


def test_a_member_that_the_class_lacks_is_found_in_its_subclasses(tmp_path: Path) -> None:
    with opened(mixins(tmp_path)) as session:
        assert out(session, "Mixin.go") == [("Model.save", "dispatch"), ("Draft.save", "dispatch")]
        assert navigate.callees(session, "Mixin.go").candidates == ()
        assert into(session, "Model.save") == into(session, "Draft.save") == [("Mixin.go", "dispatch")]
        assert into(session, "Root.save") == [], "Model's comes first"
        for name in ("Root.save", "Else.save"):
            assert navigate.callers(session, name).candidates == ()
        assert [edge.resolution for edge in navigate.all_edges(session, ["calls"])] == ["resolved", "resolved"]


def test_without_any_there_are_candidates(tmp_path: Path) -> None:
    make = mixins(tmp_path)
    make.pending("a.py:Mixin.go", "other", 3, receiver="a.py:Else")
    with opened(make) as session:
        found = navigate.callees(session, "Mixin.go").candidates
        assert [(edge.target.qualname, edge.evidence) for edge in found] == [("Form.other", "name")]
        assert len(navigate.callers(session, "Form.other").candidates) == 1


def test_status_counts_a_reference_that_dispatch_resolves(tmp_path: Path) -> None:
    make = mixins(tmp_path)
    make.pending("a.py:Mixin.go", "other", 3)
    make.connection.execute("""INSERT INTO links VALUES (1, '{"pending": 3, "resolved": 5}', '', '')""")
    with opened(make) as session:
        found = status(session)
    assert (found.references.resolved, found.references.candidate, found.references.unresolved) == (6, 1, 1)
    assert found.edges == {"contains": 12, "inherits": 4}, "what is stored"


def test_classes_that_inherit_in_a_circle_end(tmp_path: Path) -> None:
    make = shapes(tmp_path)
    make.edge("shapes.py:Shape", "shapes.py:Cube", "inherits", 1)
    with opened(make) as session:
        assert ("Cube.area", "dispatch") in out(session, "any_shape")
        assert ("Square.area", "type") in out(session, "a_square")


def test_an_edge_that_another_file_made_moves_with_its_source(tmp_path: Path) -> None:
    make = shapes(tmp_path)
    make.edge("shapes.py:Cube.area", "use.py:exact", "calls", -1, "argument", made_by="use.py")
    with opened(make) as session:
        expected = [("Cube.area", "exact", 13)]  # Cube.area begins at line 12

        def shown(edges: tuple[Edge, ...]) -> list[tuple[str, str, int]]:
            return [(edge.source.qualname, edge.target.qualname, edge.line) for edge in edges]

        assert shown(navigate.callees(session, "Cube.area").edges) == expected
        assert shown(navigate.callers(session, "exact").edges) == expected
        assert shown(tuple(e for e in navigate.all_edges(session) if e.evidence == "argument")) == expected
        assert navigate.dependencies(session, "shapes.py").edges == (), "to be handed a function needs no file"
        assert [edge.source for edge in navigate.dependents(session, "shapes.py").edges] == ["use.py"]


def test_what_is_known_of_classes_is_dropped_with_the_state_of_the_map(tmp_path: Path) -> None:
    make = shapes(tmp_path)
    path = make.done()
    with Session.open(str(path), str(tmp_path)) as session:
        assert into(session, "Round.area") == []
        with closing(sqlite3.connect(path)) as other:
            row = (make.ids["shapes.py:Round"], make.ids["shapes.py:Shape"])
            other.execute("INSERT INTO edges VALUES (?, ?, 'inherits', 21, 1, 2, 0)", row)
            other.commit()
        assert into(session, "Round.area") == [("any_shape", "dispatch")]
