"""What reading an item runs where there is none, `defaultdict` and `__missing__`; the functions of properties."""

from __future__ import annotations

import pytest

from tests.indexer.link.test_equality import edited
from tests.indexer.link.trees import Tree, one

CLASSES = """
from collections import defaultdict
class Foo:
    def run(self): pass
class Bar:
    def __init__(self): pass
class Missing(dict):
    def __missing__(self, key):
        return Foo()
class Own(dict):
    def __getitem__(self, key): pass
    def __missing__(self, key): pass
def make():
    return Foo()
class Holder:
    def __init__(self):
        self.made = defaultdict(make)
        self.typed: dict[str, dict] = defaultdict(lambda: defaultdict(Bar))
    def read(self, key):
        self.made[key].run()
    def fill(self, key):
        self.made[key] = 1
        self.made.get(key)
    def nested(self, key):
        return self.typed[key][key]
def missing():
    Missing()["a"].run()
def own():
    Own()["a"]
def plain():
    [1, make][0]
    dict(make=make)[0]
"""


def test_the_factory_runs_where_an_item_is_read() -> None:
    tree = one(CLASSES)
    assert tree.callers("make") == {"Holder.read"}
    assert tree.callers("Foo.run") == {"Holder.read", "missing"}
    assert tree.callers("Holder.__init__.<lambda1>") == {"Holder.nested"}
    assert tree.callers("Bar.__init__") == {"Holder.nested"}


def test_dictionaries_with_a_method_for_missing_keys() -> None:
    tree = one(CLASSES)
    assert tree.callers("Missing.__missing__") == {"missing"}
    assert (tree.callers("Own.__getitem__"), tree.callers("Own.__missing__")) == ({"own"}, set())


def test_a_factory_in_another_file_is_asked_for() -> None:
    sources = {"lib.py": CLASSES, "use.py": "from lib import Holder\ndef f():\n    Holder().made[1]\n"}
    assert Tree(sources).edges("use.py") >= {"f → lib.py:make"}
    assert edited(sources, "lib.py", "self.made = defaultdict(make)", "self.made = {}") == {"lib.py", "use.py"}


PROPERTIES = """
class P:
    @property
    def a(self): pass
    @a.setter
    def a(self, value): pass
    def get(self): pass
    def put(self, value): pass
    b = property(get, put)
"""


@pytest.mark.parametrize(
    ("use", "called"),
    [
        ("P.a.fget(x)", {"P.a"}),
        ("P.b.fget(x)", {"P.get"}),
        ("P.b.fset(x, 1)", {"P.put"}),
        ("P.b.fdel(x)", set()),
    ],
)
def test_the_functions_of_a_property(use: str, called: set[str]) -> None:
    tree = one(f"{PROPERTIES}def f(x):\n    {use}\n")
    assert {edge.partition(" → ")[2] for edge in tree.edges("a.py")} == called


ACCESSORS = """
class P:
    @property
    def a(self): reading()
    @a.setter
    def a(self, value): setting()
    @a.deleter
    def a(self): deleting()
class Field:
    def __get__(self, obj, owner): pass
    def __set__(self, obj, value): pass
    def __delete__(self, obj): pass
class Q:
    b = Field()
"""


@pytest.mark.parametrize(
    ("use", "called"),
    [
        ("P().a", "reading()"),
        ("P().a = 1", "setting()"),
        ("del P().a", "deleting()"),
        ("Q().b", "Field.__get__"),
        ("Q().b = 1", "Field.__set__"),
        ("del Q().b", "Field.__delete__"),
    ],
)
def test_reading_setting_and_deleting_are_told_apart(use: str, called: str) -> None:
    tree = one(f"{ACCESSORS}{use}\n")
    lines = tree.sources["a.py"].splitlines()
    found = [row for row in tree.link("a.py").edges if row[2] == "calls" and row[4] == "property"]
    symbols = [tree.extracted["a.py"].symbols[row[1] - 1] for row in found]
    assert [called in f"{symbol.qualname} {lines[symbol.end_line - 1]}" for symbol in symbols] == [True]


DESCRIPTORS = """
import typing as t
class cached(property):
    def __init__(self, fget: t.Callable, name=None):
        super().__init__(fget, doc=name)
    def __get__(self, obj, owner=None):
        return self.fget(obj)
class Header:
    def __init__(self, name, load: t.Callable[[str], int] | None = None):
        self.load = load
    def __get__(self, obj, owner):
        return self.load(obj)
def parse(text): pass
class R:
    age = Header("Age", parse)
    none = Header("None")
    @cached
    def value(self): pass
"""


def test_descriptors_call_what_they_are_made_with_whoever_reads_them() -> None:
    tree = one(DESCRIPTORS)
    assert tree.callers("R.value") == {"cached.__get__"}
    assert tree.callers("parse") == {"Header.__get__"}


def test_a_descriptor_of_another_file_is_asked_what_it_calls() -> None:
    made = DESCRIPTORS[: DESCRIPTORS.index("class R")]
    sources = {"lib.py": made, "use.py": 'from lib import Header, parse\nclass R:\n    age = Header("Age", parse)\n'}
    assert "lib.py:Header.__get__ → lib.py:parse" in Tree(sources).edges("use.py")
    assert edited(sources, "lib.py", "return self.load(obj)", "return None") == {"lib.py", "use.py"}
