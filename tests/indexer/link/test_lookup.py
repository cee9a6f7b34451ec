"""Which reference stands at a position, and what is shown where a definition lies outside or is not known."""

from __future__ import annotations

from typing import Any

import pytest

from indexer.languages import by_name
from indexer.link.index import FileIndex
from indexer.link.lookup import _References
from indexer.model import Reference, Role
from tests.indexer.link.trees import Tree, one

READ = int(Role.READ)
# 0: a.bé (five bytes) at 10 and 30; 1: the member `name` of an expression at 20; 2: a call without a name at 20;
# 3: a at 10, which row 0 covers as well; 4: é at 40
REFERENCES: list[Reference] = [
    (0, "a.bé", READ, (10, 30)),
    (0, 0, READ, (20,)),
    (0, 1, READ, (20,)),
    (0, "a", READ, (10,)),
    (0, "é", READ, (40,)),
    (0, None, READ, (12,)),
]
PYTHON = by_name("python")
FACTS = PYTHON.extract(b"")._replace(expressions=(("member", "x", "name"), ("call", "x", ())))
INDEX = FileIndex("a.py", FACTS, PYTHON)


def _linear(position: int) -> tuple[int, int] | None:
    widths: list[int] = [5, 4, 0, 1, 2, 0]
    for number, row in enumerate(REFERENCES):
        for start in row[3]:
            if start <= position < start + widths[number]:
                return number, start
    return None


@pytest.mark.parametrize("position", range(45))
def test_the_first_reference_that_covers_a_position(position: int) -> None:
    found: Any = _References(INDEX, REFERENCES).at(position)
    assert (found and (REFERENCES.index(found[0]), found[1])) == _linear(position)


def test_a_file_without_references() -> None:
    assert _References(INDEX, ()).at(0) is None


def test_a_variable_is_defined_by_the_assignments_that_reach_the_question() -> None:
    tree = one(
        """
        from sys import platform
        clock = 1
        first = clock
        if platform == "win32":
            clock = 2
        else:
            clock = 3
        second = clock
        def f():
            return clock
        """
    )
    assert tree.define("a.py", "first = clock", "clock") == ["a.py:clock:3"]
    assert tree.define("a.py", "second = clock", "clock") == ["a.py:clock:6", "a.py:clock:8"], "one branch runs"
    assert tree.define("a.py", "return clock", "clock") == ["a.py:clock:3", "a.py:clock:6", "a.py:clock:8"]


def test_what_syntax_runs_hides_no_name_behind_it() -> None:
    tree = one(
        """
        def ff(x): pass
        def g(names):
            return [n for n in names if ff(n)]
        """
    )
    assert tree.define("a.py", "in names if", "names") == ["a.py:g.names:3"]
    assert tree.define("a.py", "if ff(n)", "ff") == ["a.py:ff:2"]


def test_an_attribute_is_defined_by_its_declared_assignment_or_by_all() -> None:
    tree = one(
        """
        class A:
            def __init__(self):
                self.x = None
                self.y: int = 3
            def m(self):
                self.x = 4
                self.y = 5
        A().x
        A().y
        """
    )
    assert tree.define("a.py", "A().x", "x") == ["a.py:A.x:4", "a.py:A.x:7"]
    assert tree.define("a.py", "A().y", "y") == ["a.py:A.y:5"]


OUTSIDE = """
import a.x.y
import os
import b.c as d
from e import f
from e.g import h
def get(value):
    return value.x
def same():
    return a
get(a).y
same().x
with a as entered:
    entered.x
a.x.y.z
os.path
d.more
e = f
e.i
get(foo=1, value=a).y
"""


@pytest.mark.parametrize(
    ("text", "name", "lines"),
    [
        ("a.x.y.z", "a", [2]),
        ("a.x.y.z", "x", [2]),
        ("a.x.y.z", "y", [2]),
        ("a.x.y.z", "z", []),
        ("get(a).y", "y", [2]),
        ("get(foo=1, value=a).y", "y", [2]),
        ("same().x", "x", [2]),
        ("entered.x", "x", [2]),
        ("os.path", "path", []),
        ("d.more", "more", []),
        ("e.i", "i", []),
    ],
)
def test_what_leads_outside_is_shown_by_the_import_that_spells_it(text: str, name: str, lines: list[int]) -> None:
    found = one(OUTSIDE).define("a.py", text, name)
    assert [int(place.rpartition(":")[2]) for place in found] == lines


def test_the_import_of_the_file_that_a_value_comes_from() -> None:
    tree = Tree({"a.py": "import m\nm.e.c\n", "m.py": "import x.y.c\ne = x.y\n"})
    assert tree.define("a.py", "m.e.c", "c") == ["m.py:x.y.c:1"]
    assert tree.define("a.py", "m.e.c", "e") == ["m.py:e:2"]


def test_the_place_in_the_import_and_imports_of_whole_modules_first() -> None:
    source = (
        "import os\nfrom os.path import join, isabs\nos.path\ndef f():\n    import os.path\n    from os import sep\n"
    )
    tree = one(source)
    (found,) = tree.linker.definition("a.py", source.index("os.path\ndef") + 3)
    assert (found.qualname, found.kind, found.position) == ("f.os.path", "import", source.rindex("path"))
    source = source.replace("    import os.path\n", "    os.sep\n")
    tree = one(source)
    (found,) = tree.linker.definition("a.py", source.index("os.path\ndef") + 3)
    assert (found.qualname, found.position) == ("os.path", source.index("path"))
    (found,) = tree.linker.definition("a.py", source.index("os.sep") + 3)
    assert (found.qualname, found.position) == ("f.os.sep", source.rindex("sep"))


WRITES = """
a = 1
a.b = 2
a.c.d = 5
a.b, a.c, a.c.d
def f(r, s):
    r.user = 1
    r.user
def g():
    r, s = open("r"), open("s")
    r.mode = 1
    r.mode = 2
    s.mode = 3
    r.mode.name
    a.b
    r.mode = 4
def h():
    r = open("r")
    r.mode
def k():
    r = open("r")
    r.mode
    r.mode = 1
"""


@pytest.mark.parametrize(
    ("text", "name", "nth", "lines"),
    [
        ("a.b, a.c", "b", 0, [3]),
        ("a.b, a.c", "c", 0, []),
        (", a.c.d", "c", 0, []),
        (", a.c.d", "d", 0, [4]),
        ("    r.user\n", "user", 0, []),  # may be of the repository
        ("r.mode.name", "mode", 0, [11, 12]),
        ("r.mode.name", "name", 0, []),
        ("    a.b", "b", 0, [3]),
        ("r.mode = 2", "mode", 0, [12]),
        ("def k():", "mode", 0, []),  # what comes later
        ("def h():", "mode", 0, []),
    ],
)
def test_assignments_to_what_is_not_followed(text: str, name: str, nth: int, lines: list[int]) -> None:
    found = one(WRITES).define("a.py", text, name, nth)
    assert [int(place.rpartition(":")[2]) for place in found] == lines


def test_an_attribute_set_from_outside_of_its_class() -> None:
    tree = one(
        """
        class A: pass
        a = A()
        a.b = A()
        a.b
        """
    )
    assert tree.define("a.py", "\na.b\n", "b") == ["a.py:a.b:4"]


def test_modules_in_import_statements() -> None:
    tree = Tree(
        {
            "a.py": "from p.q import r\nimport p.q as s\nimport p.q\nfrom .p import q\nfrom os.path import join\n",
            "p/__init__.py": "",
            "p/q.py": "r = 1\n",
        }
    )
    assert tree.define("a.py", "from p.q", "p") == ["p/__init__.py:<module>:1"]
    assert tree.define("a.py", "from p.q", "q") == ["p/q.py:<module>:1"]
    assert tree.define("a.py", "from p.q import r", " r") == []
    assert tree.define("a.py", "import r", "r", 1) == ["p/q.py:r:1"]
    assert tree.define("a.py", "import p.q as", "q") == ["p/q.py:<module>:1"]
    assert tree.define("a.py", "import p.q\n", "p", 1) == ["p/__init__.py:<module>:1"]
    assert tree.define("a.py", "import p.q\n", "q") == ["p/q.py:<module>:1"]
    assert tree.define("a.py", "from os.path", "path") == []
