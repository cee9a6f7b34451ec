"""Operators whose left operand lacks the method: the right one's runs. Checked by running the same text."""

from __future__ import annotations

import pytest

from tests.indexer.link.test_equality import edited
from tests.indexer.link.trees import one

CLASSES = """
class Bare: pass
class Adds:
    def __add__(self, other): return self
    def __or__(self, other): return self
class Right:
    def __radd__(self, other): return Result()
    def __rsub__(self, other): return Result()
    def __rmod__(self, other): return Result()
    def __ror__(self, other): return Result()
class Result:
    def run(self): CALLED.add("Result.run")
class Same(Right): pass
CALLED = set()
for owner in (Adds, Right):
    for name in [name for name in vars(owner) if name[:3] in ("__a", "__o", "__r")]:
        def traced(*given, name=f"{owner.__name__}.{name}", function=vars(owner)[name]):
            CALLED.add(name)
            return function(*given)
        setattr(owner, name, traced)
"""


@pytest.mark.parametrize(
    "use",
    [
        "(Bare() + Right()).run()",
        "a, b = Bare(), Right()\n(a - b).run()",
        "a, b = Adds(), Right()\na + b",
        "a, b = 3, Right()\n(a + b).run()",
        "b = Right()\nx = 2 - b\nx.run()",
        "a, b = 'x', Right()\na + b",
        "a, b = 'x%s', Right()\na % b",
        "a, b = [1], Right()\n(a + b).run()",
        "a, b = {'a': 1}, Right()\na | b",
        "a, b = Right(), Right()\ntry:\n    a + b\nexcept TypeError: pass",
        "a, b = Bare(), Same()\n(a | b).run()",
        "a, b = Adds(), Right()\na | b",
    ],
)
def test_what_runs(use: str) -> None:
    space: dict[str, set[str]] = {}
    exec(CLASSES + use, space)
    edges = one(CLASSES.partition("CALLED = set()")[0] + use).edges("a.py")
    seen = {e.partition(" → ")[2] for e in edges} - {"Bare", "Adds", "Right", "Result", "Same"}
    assert seen == space["CALLED"]


def test_nothing_is_said_where_the_left_operand_is_not_known() -> None:
    t = one(CLASSES + "def f(a, b: Right):\n    return a + b\n")
    assert "f → Right.__radd__" not in t.edges("a.py")


def test_a_method_that_appears_counts() -> None:
    use = "from lib import Bare, Right\na, b = Bare(), Right()\n(a + b).run()\n"
    sources = {"lib.py": CLASSES.partition("CALLED = set()")[0], "use.py": use}
    assert edited(sources, "lib.py", "class Bare: pass", "class Bare:\n    def __add__(self, o): pass") == set(sources)
    assert edited(sources, "lib.py", "def __radd__", "def __rmul__") == set(sources)
