"""Functions that return what they are given, lambdas by the type of what they are passed to, and typed holders."""

from __future__ import annotations

import pytest

from indexer.languages import by_name
from indexer.link.comparison import changed_bindings
from tests.indexer.link.trees import Tree, one

SAME = """
class A:
    bar = 1
    def m(self): ...
class B:
    def m(self): ...
def same(x): return x
def second(x, y=None, *, z=None): return y
def member(x): return x.inner
def either(x, y):
    if x:
        return y
    return x
def other(x):
    x = x or A()
    return x
class Box:
    def __init__(self): self.inner = A()
"""


@pytest.mark.parametrize(
    ("call", "called"),
    [
        ("same(A).m", {"A.m"}),
        ("same(A()).m", {"A.m"}),
        ("same(x=A()).m", {"A.m"}),
        ("same(1).m", set()),
        ("same(*[1], x=A()).m", {"A.m"}),
        ("second(1, y=A()).m", {"A.m"}),
        ("second(B(), A()).m", {"A.m"}),
        ("second(A()).m", set()),
        ("member(Box()).m", {"A.m"}),
        ("either(A(), B()).m", {"A.m", "B.m"}),
    ],
)
def test_a_call_gives_what_it_is_given(call: str, called: set[str]) -> None:
    tree = Tree({"lib.py": SAME, "a.py": f"from lib import *\ndef f():\n    {call}()\n"})
    wanted = {f"lib.py:{name}" for name in called}
    assert {edge.partition(" → ")[2] for edge in tree.edges("a.py") if edge.endswith(".m")} == wanted


def test_a_class_that_is_handed_back() -> None:
    tree = Tree({"lib.py": SAME, "a.py": "from lib import *\nsame(A).bar\n"})
    assert tree.define("a.py", "same(A).bar", "bar") == ["lib.py:A.bar:3"]


LAMBDAS = """
from typing import Callable, Optional
import typing as t
class A:
    def m(self): ...
class B:
    def m(self): ...
Setup = t.Callable[["A"], None]
def direct(f: Callable[[A], None], g: Optional[Callable[[B, A], None]] = None): ...
class Holder:
    def __init__(self, f: Setup): ...
    def record(self, f: Setup): ...
def plain(f): ...
"""


@pytest.mark.parametrize(
    ("call", "called"),
    [
        ("direct(lambda s: s.m())", "A.m"),
        ("direct(1, lambda r, s: s.m())", "A.m"),
        ("direct(1, g=lambda r, s: r.m())", "B.m"),
        ("Holder(1).record(lambda s: s.m())", "A.m"),
        ("Holder(lambda s: s.m())", "A.m"),
        ("plain(lambda s: s.m())", ""),
        ("sorted([A()], key=lambda s: s.m())", "A.m"),
        ("x = lambda s: s.m()", ""),
    ],
)
def test_what_a_lambda_is_called_with(call: str, called: str) -> None:
    tree = Tree({"lib.py": LAMBDAS, "a.py": f"from lib import *\n{call}\n"})
    assert [place.split(":")[1] for place in tree.define("a.py", ".m()", "m")] == ([called] if called else [])


@pytest.mark.parametrize(
    "line",
    [
        "v: ContextVar[A] = ContextVar('v')\nv.get(None).m()",
        "v = ContextVar[A]('v')\nv.get().m()",
        "v: 'Queue[A]' = Queue()\nv.get_nowait().m()",
        "def g(v: Future[A]): v.result().m()",
        "async def g(v: Task[A]): (await v).m()",
        "def g(v: ref[A]): v().m()",
        "a = A()\nv = ref(a)\nv().m()",
        "a = A()\nv = WeakMethod(a.same)\nv()().m()",
        "def g(v: click.Context): v.ensure_object(A).m()",
    ],
)
def test_what_holders_of_the_library_give(line: str) -> None:
    tree = one(
        "from asyncio import Queue, Task\nfrom concurrent.futures import Future\nfrom contextvars import ContextVar\n"
        "from weakref import ref, WeakMethod\nimport click\n"
        f"class A:\n    def m(self): ...\n    def same(self): return self\n{line}\n"
    )
    assert tree.define("a.py", ".m()", "m") == ["a.py:A.m:7"]


def test_what_others_see_of_a_lambda_changes_with_the_call_that_it_is_passed_to() -> None:
    python = by_name("python")
    before, after, moved = (
        python.extract(source)
        for source in (b"x = lambda s: s\nf(1, x)\n", b"f(lambda s: s)\nx = 1\n", b"\n\nf(lambda s: s)\nx = 1\n")
    )
    assert changed_bindings(before, after, python, ["<lambda1>@@"]) == {"<lambda1>@@"}
    assert changed_bindings(after, moved, python, ["<lambda1>@@"]) == frozenset()
