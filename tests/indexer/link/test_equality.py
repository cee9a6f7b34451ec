"""After any edit, linking again those files that saw a change gives what linking all files gives."""

from __future__ import annotations

import random
from textwrap import dedent

import pytest

from indexer.languages import by_name
from indexer.link import changed_bindings
from indexer.ports import Link
from tests.benchmarks.mutations import mutated
from tests.indexer.link.trees import Tree

CORE = """\
import functools
HANDLERS = {}
def register(name):
    def keep(f):
        HANDLERS[name] = f
        return f
    return keep
def traced(f):
    @functools.wraps(f)
    def wrapper(*args, **kw):
        return f(*args, **kw)
    return wrapper
def apply(f, *args):
    return f(*args)
def each(items, f):
    for item in items:
        f(item)
class Base:
    def __init__(self, back=None):
        self.back = back
    def run(self):
        return self.back()
    def __enter__(self):
        return self
    def __exit__(self, *error):
        self.close()
    def close(self):
        pass
    def __add__(self, other):
        return self
class Box(Base):
    def __init__(self, item):
        super().__init__(item)
        self.item = item
    def get(self):
        return self.item
    def __iter__(self):
        return iter([self.item])
"""
MADE = """\
from core import register, traced, Base, Box, apply
@register('one')
def one():
    return Base(two)
@traced
def two():
    return Box(one)
def three(x):
    if isinstance(x, Box):
        return x.get()
    return x
class Derived(Base):
    items = []
    def run(self):
        return apply(self.go)
    def go(self):
        return three(self)
    @property
    def head(self):
        return self.items[0]
    @classmethod
    def create(cls, *args):
        return cls(*args)
    def add(self, f):
        self.items.append(f)
        return self
TABLE = {'a': one, 'b': two}
LIST = [one, two]
LIST.append(three)
def pick():
    return TABLE['a']
"""
USED = """\
from made import TABLE, LIST, pick, Derived, one, two, three
from core import Base, Box, each, apply, HANDLERS
import core
def main():
    pick()()
    TABLE['b']()
    for f in LIST:
        f(1)
    with Derived(main) as d:
        d.run()
    Box(main).get()()
    each(LIST, call)
    HANDLERS['one']()
    (d + d.create(one)).add(main).head()
    return d
def call(f):
    return f(1)
def setter():
    x = Derived(call)
    x.extra = one
    return x
core.Base.patched = two
def outer(f):
    def inner():
        return f()
    return inner
def generate():
    yield main
"""
LAST = """\
from used import main, setter, call, outer, generate
from made import *
from core import *
class Sub(Derived):
    def go(self):
        return apply(lambda: self.close())
    def close(self):
        return two().get()
s = setter()
s.extra()
s.patched()
apply(call, main)
each([Sub(call), Sub(main)], lambda v: v.run())
three(s).go()
for item in Box(Sub(call)):
    item.run()
fs = {**TABLE, 'c': main}
fs['c']()
outer(one)().run()
for made in generate():
    made().run()
"""
SOURCES = {"core.py": CORE, "last.py": LAST, "made.py": MADE, "used.py": USED}


def named(tree: Tree, link: Link) -> tuple[object, ...]:
    """A link with its symbols by name, to be compared with one of another version of the tree."""
    names = {0: ""}

    def name(number: int) -> str:
        if number not in names:
            path = max((p for p, first in tree.offsets.items() if first <= number), key=tree.offsets.__getitem__)
            symbol = tree.extracted[path].symbols[number - tree.offsets[path]]
            names[number] = f"{path} {symbol.qualname}#{symbol.ordinal}"
        return names[number]

    edges = sorted((name(source), name(target), *rest, name(about)) for source, target, *rest, about in link.edges)
    pending = sorted(
        (name(source), member, line, about < 0, name(abs(about))) for source, member, line, about in link.pending
    )
    return edges, pending, link.counts, link.lookups, link.modules


def relinked(old: Tree, new: Tree, links: dict[str, Link], path: str) -> set[str]:
    """The files that an edit of `path` has linked again."""
    asked = {asker: link.lookups[path] for asker, link in links.items() if path in link.lookups}
    names = frozenset().union(*asked.values())
    changed = changed_bindings(old.extracted[path], new.extracted[path], by_name("python"), names)
    return {path} | {asker for asker, keys in asked.items() if not changed.isdisjoint(keys)}


def check(before: dict[str, str], after: dict[str, str]) -> set[str]:
    """Compare, and give the files that are linked again. One file differs."""
    (path,) = (path for path in before if before[path] != after[path])
    old, new, alone = Tree(before), Tree(after), Tree(after)
    links = {p: old.link(p) for p in before}
    again = relinked(old, new, links, path)
    for p in sorted(before, reverse=True):
        got = named(alone, alone.link(p)) if p in again else named(old, links[p])
        assert got == named(new, new.link(p)), (p, after[path])
    return again


@pytest.mark.parametrize("seed", range(60))
def test_any_edit(seed: int) -> None:
    chance = random.Random(seed)
    before = SOURCES
    for _ in range(4):
        path = chance.choice(sorted(before))
        after = {**before, path: mutated(before[path], chance)}
        if after != before:
            check(before, after)
            before = after


def edited(sources: dict[str, str], path: str, old: str, new: str) -> set[str]:
    sources = {name: dedent(text) for name, text in sources.items()}
    assert old in sources[path]
    return check(sources, {**sources, path: sources[path].replace(old, new)})


TWO = {
    "lib.py": "class A:\n    def m(self): pass\nclass B:\n    def m(self): pass\nx = A()\n",
    "use.py": "from lib import f\nf().m()\n",
}


def test_a_name_bound_in_between_hides_the_one_that_was_found() -> None:
    sources = {**TWO, "lib.py": TWO["lib.py"] + "def f():\n    y = B()\n    return x\n"}
    assert edited(sources, "lib.py", "    y = B()", "    x = B()") == {"lib.py", "use.py"}


def test_the_order_of_what_is_bound_counts() -> None:
    sources = {**TWO, "lib.py": TWO["lib.py"] + "def f():\n    y = A()\n    z = y\n    y = B()\n    return z\n"}
    assert edited(sources, "lib.py", "z = y\n    y = B()", "y = B()\n    z = y") == {"lib.py", "use.py"}


def test_a_test_of_a_type_counts() -> None:
    text = "def f():\n    if isinstance(q, A):\n        y = q\n    else:\n        y = None\n    return y\n"
    sources = {**TWO, "lib.py": TWO["lib.py"] + text}
    assert edited(sources, "lib.py", "(q, A)", "(q, B)") == {"lib.py", "use.py"}


def test_what_an_item_is_replaced_with_counts() -> None:
    text = "D = {'a': A()}\nD['a'] = B()\nf = lambda: D['a']\n"
    sources = {**TWO, "lib.py": TWO["lib.py"] + text}
    assert edited(sources, "lib.py", "= B()", "= A()") == {"lib.py", "use.py"}


def test_a_body_that_is_moved_or_grows_elsewhere_is_the_same() -> None:
    text = "def f(g):\n    h()\n    return g()\ndef h():\n    pass\n"
    sources = {"lib.py": text, "use.py": "from lib import f\nf(lambda: 1)\n"}
    assert edited(sources, "lib.py", "def f", "\n\ndef f") == {"lib.py"}
    assert edited(sources, "lib.py", "    pass", "    z = 1\n    pass") == {"lib.py"}
    assert edited(sources, "lib.py", "    h()\n", "    h()\n\n") == {"lib.py", "use.py"}
    assert edited(sources, "lib.py", "return g()", "return h()") == {"lib.py", "use.py"}


def test_an_attribute_set_from_outside_counts() -> None:
    sources = {"lib.py": "class A:\n    pass\n", "use.py": "from lib import A\nA().late()\n"}
    assert edited(sources, "lib.py", "pass\n", "pass\nA.late = lambda: 1\n") == {"lib.py", "use.py"}


def test_exports_that_go_round_in_a_circle_come_out_the_same_wherever_they_are_entered() -> None:
    sources = {
        "a.js": "import { B } from './b';\nB();\n",
        "b.ts": "export { B, h as g } from './lib';\n",
        "lib.ts": "module.exports = { f, f: f };\nexport { B } from './b';\n",
    }
    found = set()
    for first in sources:
        tree = Tree(sources)
        tree.linker.link(first)
        found.add(str(tree.linker.link("b.ts").counts))
    assert len(found) == 1
