"""Members of which code spells a part of the name."""

from __future__ import annotations

import pytest

from tests.indexer.link.test_equality import edited
from tests.indexer.link.trees import Tree, one

HEAD = """
from typing import Protocol, Optional
class Fn(Protocol):
    def __call__(self, node): ...
class Base:
    def other(self): pass
"""


def called(tree: Tree, path: str = "a.py") -> set[tuple[str, str, str]]:
    """(caller, what is known of the name, class) of the calls that a file leaves to dispatch."""
    own = f"{path}:"
    return {
        (tree.name(source).removeprefix(own), name, tree.name(receiver).removeprefix(own))
        for source, name, _, receiver in tree.link(path).pending
        if name.startswith("*")
    }


@pytest.mark.parametrize(
    ("body", "pattern"),
    [
        ('getattr(self, f"visit_{x}")()', "*visit_*"),
        ('getattr(self, f"on_{x}_{x}_done")(x)', "*on_*_done"),
        ('getattr(self, f"{x}_handler")()', "**_handler"),
        ('getattr(self, "do_" + x)(1)', "*do_*"),
        ('getattr(self, "do_" + x + "_it")(1)', "*do_*_it"),
        ('getattr(self, "do_%s" % x)()', "*do_*"),
        ('getattr(self, "do_{}".format(x))()', "*do_*"),
        ('name = "do_" + x\n        f = getattr(self, name, self.other)\n        f()', "*do_*"),
        ('for f in [getattr(self, f"do_{x}")]:\n            f()', "*do_*"),
    ],
)
def test_what_is_called_is_among_those_that_are_named_so(body: str, pattern: str) -> None:
    tree = one(f"{HEAD}    def run(self, x):\n        {body}\n")
    assert called(tree) == {("Base.run", pattern, "Base")}


@pytest.mark.parametrize(
    "body",
    [
        "getattr(self, x)()",
        'getattr(self, f"_{x}")()',
        'getattr(self, f"say {x}")()',
        'getattr(x, f"visit_{x}")()',
        'getattr(self, f"visit_{x}").run()',
        'f = getattr(self, f"visit_{x}")',
        'for f in getattr(self, f"visit_{x}"):\n            f.other()',
        'getattr(self, f"visit_{x}")[0].other()',
        'x = "do_" + x\n        x = x + "a"\n        getattr(self, x)()',
        'print("visit_" + x)()',
    ],
)
def test_what_says_too_little_and_what_is_not_called(body: str) -> None:
    tree = one(f"{HEAD}    def run(self, x):\n        {body}\n")
    assert called(tree) == set()
    assert not any("other" in edge for edge in tree.edges("a.py"))


def test_the_default_is_called_as_well() -> None:
    tree = one(f"{HEAD}    def run(self, x):\n        getattr(self, f'do_{{x}}', self.other)()\n")
    assert "Base.run → Base.other" in tree.edges("a.py")


def test_a_protocol_of_functions_does_not_hide_what_is_returned() -> None:
    source = f"""{HEAD}
    def get(self, x) -> Optional[Fn]:
        return getattr(self, f"visit_{{x}}", None)
    def run(self, x):
        f = self.get(x)
        f(x)
def plain(): pass
def chosen() -> Fn:
    return plain
chosen()(1)
"""
    tree = one(source)
    assert called(tree) == {("Base.run", "*visit_*", "Base")}
    assert "<module> → plain" in tree.edges("a.py")


def test_a_call_elsewhere_asks_for_the_name() -> None:
    sources = {
        "lib.py": "class Base:\n    def get(self, x):\n        n = 'visit_' + x\n        return getattr(self, n)\n",
        "use.py": "from lib import Base\nclass C(Base):\n    def run(self, x):\n        self.get(x)()\n",
    }
    assert called(Tree(sources), "use.py") == {("C.run", "*visit_*", "lib.py:Base")}
    assert edited(sources, "lib.py", "'visit_'", "'leave_'") == {"lib.py", "use.py"}
