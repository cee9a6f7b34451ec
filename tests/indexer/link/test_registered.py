"""Functions registered with a generic one: `functools.singledispatch` and `singledispatchmethod`."""

from __future__ import annotations

import pytest

from tests.indexer.link.test_equality import edited
from tests.indexer.link.trees import Tree

GENERIC = """
import functools
@functools.singledispatch
def show(x): pass
def plain(x): pass
class Shape:
    @functools.singledispatchmethod
    def fit(self, x): pass
    @fit.register
    def _(self, x: int): pass
def use(s):
    show(s)
"""


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("@show.register\ndef f(x: int): pass", {"f → lib.py:show"}),
        ("@show.register(int)\n@show.register(str)\ndef f(x): pass", {"f → lib.py:show"}),
        ("def f(x): pass\nshow.register(int, f)", {"f → lib.py:show"}),
        ("import lib\nlib.show.register(int, lib.plain)", {"lib.py:plain → lib.py:show"}),
        ("show.register(int, lambda x: x)", {"<lambda1> → lib.py:show"}),
        ("class S(Shape):\n    @Shape.fit.register\n    def f(self, x: int): pass", {"S.f → lib.py:Shape.fit"}),
        ("@plain.register\ndef f(x: int): pass\nplain.register(int, f)", set()),
        ("show.register(int)", set()),
        ("show.register(cls=int, func=show)", set()),
        ("atexit.register(int, plain)", set()),
    ],
)
def test_each_overrides_the_generic_one(text: str, edges: set[str]) -> None:
    tree = Tree({"lib.py": GENERIC, "a.py": f"from lib import show, plain, Shape\n{text}\n"})
    assert tree.edges("a.py", "overrides") == edges


def test_methods_of_the_same_file() -> None:
    assert Tree({"lib.py": GENERIC}).edges("lib.py", "overrides") == {"Shape._ → Shape.fit"}


def test_a_function_that_becomes_generic_links_those_again_that_register() -> None:
    sources = {"lib.py": GENERIC, "a.py": "from lib import show\n@show.register\ndef f(x: int): pass\n"}
    assert edited(sources, "lib.py", "@functools.singledispatch\n", "") == {"a.py", "lib.py"}
    assert edited(sources, "lib.py", "show(s)", "plain(s)") == {"lib.py"}
