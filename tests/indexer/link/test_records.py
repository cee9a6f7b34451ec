"""Named tuples that a call makes: their fields, by name, place and `_replace`."""

from __future__ import annotations

import pytest

from tests.indexer.link.test_equality import edited
from tests.indexer.link.trees import Tree, one

CLASSES = """
class Foo:
    def run(self): pass
class Bar:
    def run(self): pass
"""
TYPED = "from typing import NamedTuple\nP = NamedTuple('P', [('x', Foo), ('y', 'Bar')])\n"
NAMED = "import collections\nP = collections.namedtuple('P', {})\n"


@pytest.mark.parametrize(
    ("use", "called"),
    [
        ("P(Foo(), Bar()).x.run()", {"Foo.run"}),
        ("P(y=Bar(), x=Foo()).y.run()", {"Bar.run"}),
        ("def f(p: P):\n    p.y.run()", {"Bar.run"}),
        ("def f(ps: list[P]):\n    for x, y in ps:\n        y.run()", {"Bar.run"}),
        ("def f(p):\n    if isinstance(p, P):\n        p[0].run()", {"Foo.run"}),
        ("class Q(P):\n    def f(self):\n        self.x.run()", {"Foo.run"}),
        ("class Q(P): pass\nx, y = Q(1, 2)\ny.run()", {"Bar.run"}),
        ("class Q(P):\n    def x(self): pass\n    def f(self):\n        self.x()", {"Q.x"}),
    ],
)
def test_fields_are_what_they_are_declared_to_be(use: str, called: set[str]) -> None:
    edges = one(CLASSES + TYPED + use).edges("a.py")
    assert {e.partition(" → ")[2] for e in edges} & {"Foo.run", "Bar.run", "Q.x"} == called


@pytest.mark.parametrize("names", ["'x y'", "'x, y'", "['x', 'y']", "('x', 'y')"])
@pytest.mark.parametrize(
    ("use", "called"),
    [
        ("P(Foo(), Bar()).x.run()", {"Foo.run"}),
        ("P(Foo(), y=Bar()).y.run()", {"Bar.run"}),
        ("x, y = P(Foo(), Bar())\ny.run()", {"Bar.run"}),
        ("P(Foo(), Bar())[-1].run()", {"Bar.run"}),
        ("P(*[Foo(), Bar()]).y.run()", {"Bar.run"}),
        ("P(Foo(), Bar())._replace(x=Bar()).x.run()", {"Bar.run"}),
        ("P(Foo(), Bar())._replace(x=Bar()).y.run()", {"Bar.run"}),
        ("P._make([Foo(), Bar()]).x.run()", {"Foo.run"}),
        ("for v in P(Foo(), Bar()):\n    v.run()", {"Foo.run", "Bar.run"}),
        ("def f():\n    return P(Bar(), Foo())\nf().x.run()", {"Bar.run"}),
        ("P(Foo(), Bar()).z.run()", set()),
    ],
)
def test_fields_without_types_are_what_they_are_given(names: str, use: str, called: set[str]) -> None:
    edges = one(CLASSES + NAMED.format(names) + use).edges("a.py")
    assert {e.partition(" → ")[2] for e in edges} & {"Foo.run", "Bar.run"} == called


def test_a_class_below_one_finds_its_methods() -> None:
    tree = one("import collections\nclass P(collections.namedtuple('P', 'x')):\n    def m(self): self.n()\n"
               "    def n(self): return self._asdict()\nP(1).m()\n")  # fmt: skip
    assert tree.edges("a.py") >= {"<module> → P.m", "P.m → P.n"}
    assert tree.link("a.py").counts.get("pending", 0) == 0


MADE = {"lib.py": CLASSES + TYPED, "use.py": "from lib import P\ndef f(p: P):\n    x, _ = p\n    x.run()\n"}


def test_fields_of_another_file() -> None:
    assert Tree(MADE).edges("use.py") == {"f → lib.py:Foo.run"}


def test_a_field_that_changes_links_those_again_that_read_it() -> None:
    assert edited(MADE, "lib.py", "('x', Foo)", "('x', Bar)") == {"lib.py", "use.py"}
    assert edited(MADE, "lib.py", "('x', Foo)", "('z', Foo)") == {"lib.py", "use.py"}
    below = {**MADE, "use.py": "from lib import P\nclass Q(P):\n    def f(self):\n        self.x.run()\n"}
    assert edited(below, "lib.py", "('x', Foo)", "('x', Bar)") == {"lib.py", "use.py"}
    assert edited(below, "lib.py", "('x', Foo)", "('z', Foo)") == {"lib.py", "use.py"}


@pytest.mark.parametrize("given", ["*rows['a'].b", "*unknown()", "*'ab'", "*Foo()", "*(1 if a else None)"])
def test_what_is_spread_and_not_known_gives_nothing(given: str) -> None:
    text = CLASSES + NAMED.format("'x y'") + f"def f(rows, a):\n    p = P({given})\n    p.x.run()\n    Foo().run()\n"
    assert one(text).edges("a.py") >= {"f → Foo.run"}


def test_make_of_what_is_not_known() -> None:
    text = CLASSES + NAMED.format("'x y'") + "def f(row):\n    P._make(row.parts).x.run()\n    Bar().run()\n"
    assert one(text).edges("a.py") >= {"f → Bar.run"}
