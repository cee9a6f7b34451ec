"""What subclasses have in place of an attribute that is called, and what `super()` finds in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from queries import navigate
from tests.queries.conftest import MapBuilder
from tests.queries.test_dispatch import into, opened, out


def views(tmp_path: Path) -> MapBuilder:
    """View.form is a function there, in List a class whose base has the constructor, in Detail a method, in Plain the
    inherited one."""
    make = MapBuilder(tmp_path)
    make.file("views.py", "\n" * 60)
    line = 1
    for name in ("Form", "Long", "View", "List", "Detail", "Plain"):
        make.symbol(f"views.py:{name}", "class", (line, line + 4))
        line += 5
    make.symbol("views.py:Form.__init__", "method", (2, 3))
    make.symbol("views.py:basic", "function", (40, 41))
    make.symbol("views.py:View.form", "attribute", (12, 12))
    make.symbol("views.py:List.form", "attribute", (17, 17))
    make.symbol("views.py:Detail.form", "method", (22, 23))
    make.symbol("views.py:View.run", "method", (13, 14))
    make.symbol("views.py:exact", "function", (50, 51))
    make.edge("views.py:Long", "views.py:Form", "inherits", 6, "inheritance")
    for below in ("List", "Detail", "Plain"):
        make.edge(f"views.py:{below}", "views.py:View", "inherits", 1, "inheritance")
    make.edge("views.py:View.form", "views.py:basic", "references", 12)
    make.edge("views.py:List.form", "views.py:Long", "references", 17)
    make.edge("views.py:View.run", "views.py:View.form", "references", 14, receiver="views.py:View")
    make.edge("views.py:View.run", "views.py:basic", "calls", 14)
    make.edge("views.py:exact", "views.py:View.form", "references", 50)
    return make


def test_an_attribute_that_is_called_is_what_subclasses_have_there(tmp_path: Path) -> None:
    with opened(views(tmp_path)) as session:
        assert [edge for edge in out(session, "View.run") if edge[1] == "dispatch"] == [
            ("Form.__init__", "dispatch"),
            ("Detail.form", "dispatch"),
        ]
        assert out(session, "exact") == []
        assert into(session, "Form.__init__") == [("View.run", "dispatch")]
        assert into(session, "Detail.form") == [("View.run", "dispatch")]


def mixins(tmp_path: Path) -> MapBuilder:
    """First(Mixin, Base), Last(Base, Mixin), and Mixin alone calls `super().setup()`."""
    make = MapBuilder(tmp_path)
    make.file("mixins.py", "\n" * 60)
    for number, name in enumerate(("Mixin", "Zero", "Base", "First", "Last")):
        make.symbol(f"mixins.py:{name}", "class", (1 + 5 * number, 5 + 5 * number))
        if name != "First":
            make.symbol(f"mixins.py:{name}.setup", "method", (2 + 5 * number, 3 + 5 * number))
            make.symbol(f"mixins.py:{name}.__init__", "method", (4 + 5 * number, 4 + 5 * number))
    # ids do not say the order
    make.edge("mixins.py:First", "mixins.py:Base", "inherits", 16, "inheritance", place=2)
    make.edge("mixins.py:First", "mixins.py:Mixin", "inherits", 16, "inheritance", place=1)
    make.edge("mixins.py:Last", "mixins.py:Mixin", "inherits", 21, "inheritance", place=3)
    make.edge("mixins.py:Last", "mixins.py:Zero", "inherits", 21, "inheritance", place=1)
    make.pending("mixins.py:Mixin.setup", "super.setup", 3, receiver="mixins.py:Mixin")
    make.pending("mixins.py:Mixin.__init__", "super.__init__", 4, receiver="mixins.py:Mixin")
    return make


def test_super_in_a_mixin_finds_what_follows_it_in_its_subclasses(tmp_path: Path) -> None:
    with opened(mixins(tmp_path)) as session:
        assert out(session, "Mixin.setup") == [("Base.setup", "dispatch")], "Zero comes before Mixin in Last"
        assert out(session, "Mixin.__init__") == [("Base.__init__", "dispatch")]
        assert into(session, "Base.setup") == [("Mixin.setup", "dispatch")]
        assert into(session, "Zero.setup") == []


def visitors(tmp_path: Path, methods: int = 2) -> MapBuilder:
    """Plain has what its base Above has, Below stands below Visitor, Other beside it."""
    make = MapBuilder(tmp_path)
    make.file("v.py", "\n" * 999)
    for number, name in enumerate(("Above", "Visitor", "Below", "Other")):
        make.symbol(f"v.py:{name}", "class", (1 + 200 * number, 200 + 200 * number))
        make.symbol(f"v.py:{name}.visit_a", "method", (2 + 200 * number, 2 + 200 * number))
    for number in range(methods):
        make.symbol(f"v.py:Below.visit_b{number}", "method", (410 + number, 410 + number))
    make.symbol("v.py:Above.visit_c", "method", (3, 3))
    make.symbol("v.py:Above.visit_", "method", (4, 4))
    make.symbol("v.py:Visitor.revisit_a", "method", (204, 204))
    make.symbol("v.py:Visitor.visit", "method", (205, 205))
    make.edge("v.py:Visitor", "v.py:Above", "inherits", 201, "inheritance")
    make.edge("v.py:Below", "v.py:Visitor", "inherits", 401, "inheritance")
    make.pending("v.py:Visitor.visit", "*visit_*", 205, receiver="v.py:Visitor")
    return make


def test_a_call_by_a_part_of_the_name_reaches_those_of_the_class_and_below(tmp_path: Path) -> None:
    reached = ["Above.visit_c", "Visitor.visit_a", "Below.visit_a", "Below.visit_b0", "Below.visit_b1"]
    with opened(visitors(tmp_path)) as session:
        assert out(session, "Visitor.visit") == [(name, "dispatch") for name in reached]
        for name in ("Above.visit_a", "Other.visit_a", "Above.visit_", "Visitor.revisit_a"):
            assert into(session, name) == []
        for name in reached:
            assert into(session, name) == [("Visitor.visit", "dispatch")]
        found = [edge for edge in navigate.all_edges(session, ["calls"]) if edge.evidence == "dispatch"]
        assert len(found) == len(reached)


@pytest.mark.parametrize(("methods", "few"), [(117, True), (118, False)])
def test_the_bound_of_calls_by_a_part_of_the_name(tmp_path: Path, methods: int, few: bool) -> None:
    with opened(visitors(tmp_path, methods)) as session:
        assert into(session, "Below.visit_b0") == ([("Visitor.visit", "dispatch")] if few else [])
