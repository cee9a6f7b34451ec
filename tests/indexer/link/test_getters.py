"""What `operator.attrgetter`, `itemgetter` and `methodcaller` give and run."""

from __future__ import annotations

import pytest

from tests.indexer.link.test_equality import edited
from tests.indexer.link.trees import one

CLASSES = """
from operator import attrgetter, itemgetter, methodcaller
class Foo:
    def __init__(self):
        self.bar = Bar()
    def make(self, kind):
        return kind()
    @property
    def size(self): pass
    def __getitem__(self, key):
        return Bar()
class Bar:
    def run(self): pass
"""


@pytest.mark.parametrize(
    ("use", "called"),
    [
        ("attrgetter('bar')(Foo()).run()", {"Bar.run"}),
        ("attrgetter('bar.run')(Foo())()", {"Bar.run"}),
        ("get = attrgetter('size', 'bar')\na, b = get(Foo())\nb.run()", {"Foo.size", "Bar.run"}),
        ("itemgetter(1)([Foo(), Bar()]).run()", {"Bar.run"}),
        ("itemgetter('a', 'b')({'a': Foo(), 'b': Bar()})[1].run()", {"Bar.run"}),
        ("itemgetter(0)(Foo()).run()", {"Foo.__getitem__", "Bar.run"}),
        ("methodcaller('run')(Bar())", {"Bar.run"}),
        ("call = methodcaller('make', Bar)\ncall(Foo()).run()", {"Foo.make", "Bar.run"}),
        ("sorted([Foo()], key=attrgetter('size'))", {"Foo.size"}),
        ("fs = [Foo()]\nfs.sort(key=attrgetter('size'))", {"Foo.size"}),
        ("fs = [Foo()]\nfs.sort(key=lambda f: f.make(Bar))", {"Foo.make"}),
        ("max([Foo()], key=itemgetter(0)).make(Bar)", {"Foo.__getitem__", "Foo.make"}),
        ("for b in map(attrgetter('bar'), [Foo()]):\n    b.run()", {"Bar.run"}),
        ("list(map(methodcaller('run'), [Bar()]))", {"Bar.run"}),
        ("def f(name):\n    attrgetter(name)(Foo()).run()", set()),
        ("from functools import reduce\nmethodcaller('gone')(Bar())", set()),
    ],
)
def test_what_it_is_called_with(use: str, called: set[str]) -> None:
    edges = one(CLASSES + use).edges("a.py")
    wanted = {"Foo.make", "Foo.size", "Foo.__getitem__", "Bar.run"}
    assert {e.partition(" → ")[2] for e in edges} & wanted == called


def test_what_is_read_of_another_file_is_asked_of_it() -> None:
    use = "from lib import Foo, attrgetter\nattrgetter('bar')(Foo()).run()\nsorted([Foo()], key=attrgetter('size'))\n"
    sources = {"lib.py": CLASSES, "use.py": use}
    assert edited(sources, "lib.py", "self.bar = Bar()", "self.bar = Foo()") == {"lib.py", "use.py"}
    assert edited(sources, "lib.py", "    @property\n", "") == {"lib.py", "use.py"}
