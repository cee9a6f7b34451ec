"""What subclasses have in place of an attribute that is called, and what `super()` finds in them."""

from __future__ import annotations

from pathlib import Path

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
