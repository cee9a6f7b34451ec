"""The ways in which names are bound."""

from __future__ import annotations

import pytest

from tests.indexer.link.trees import one


def test_tuple_chained_and_swapped_assignment() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        def pair():
            x, y = a, b
            y()
        def chained():
            x = y = a
            y()
        def nested():
            (x, (y, z)) = (b, (b, a))
            z()
    """)
    assert t.callers("a") == {"chained", "nested"}
    assert t.callers("b") == {"pair"}


def test_conditional_boolean_and_walrus_values() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        def conditional(c): (a if c else b)()
        def either(x):
            f = None or a
            f()
        def walrus():
            if (f := b): f()
        def deleted():
            f = a
            del f
            f()
    """)
    assert t.callers("a") == {"conditional", "either"}
    assert t.callers("b") == {"conditional", "walrus"}


def test_match_captures() -> None:
    t = one("""
        class A:
            def m(self): pass
        class B:
            def m(self): pass
        def by_class(x):
            match x:
                case A() as it: it.m()
        def captured():
            match B():
                case it: it.m()
        def item():
            pair = [A(), B()]
            match pair:
                case [x, y]: y.m()
    """)
    assert t.callers("A.m") == {"by_class"}
    assert t.callers("B.m") == {"captured", "item"}


def test_exceptions_with_and_loop_targets() -> None:
    t = one("""
        class E(Exception):
            def m(self): pass
        class F(Exception):
            def m(self): pass
        class C:
            def __enter__(self): return E()
            def __exit__(self, *a): pass
        def caught():
            try: pass
            except (E, F) as e: e.m()
        def caught_one():
            try: pass
            except F as e: e.m()
        def entered():
            with C() as c: c.m()
    """)
    assert t.callers("E.m") == {"caught", "entered"}
    assert t.callers("F.m") == {"caught", "caught_one"}


BRANCHES = """
class A:
    def fn(self): pass
class B:
    def fn(self): pass
class C:
    def fn(self): pass
def f(x):
    y = A()
    if x == 1:
        {first}
    {other}
        {second}
    y.fn()
"""


@pytest.mark.parametrize(
    ("first", "other", "second", "reached"),
    [
        ("y = B()", "else:", "y = C()", "BC"),
        ("y = C()\n        y = B()", "else:", "y = C()", "BC"),
        ("y = B()", "else:", "return", "B"),
        ("y = B()\n        raise x", "else:", "pass", "A"),
        ("y = B()\n        return", "elif x:", "y = C()", "AC"),
        ("y = B()", "elif x:", "y = C()", "ABC"),
        ("y = B()", "elif x:\n        pass\n    else:", "y = C()", "ABC"),
        ("if x: y = B()", "else:", "y = C()", "ABC"),
        ("y = B()", "else:\n        # a word\n        if x:\n            return\n    while x:", "y = C()", "ABC"),
    ],
)
def test_one_of_the_branches_of_an_if_runs(first: str, other: str, second: str, reached: str) -> None:
    tree = one(BRANCHES.format(first=first, other=other, second=second))
    assert {edge for edge in tree.edges("a.py") if ".fn" in edge} == {f"f → {name}.fn" for name in reached}


def test_branches_within_others_may_not_run() -> None:
    body = "if x == 2:\n            y = B()\n        else:\n            y = C()"
    tree = one(BRANCHES.format(first=body, other="if x:", second="pass"))
    assert {edge for edge in tree.edges("a.py") if ".fn" in edge} == {"f → A.fn", "f → B.fn", "f → C.fn"}


def test_code_of_a_function_made_in_a_branch_that_leaves() -> None:
    inner = "y = B()\n        def g():\n            y.fn()\n        return g"
    tree = one(BRANCHES.format(first=inner, other="else:", second="y = C()"))
    assert tree.callers("B.fn") == {"f.g"}
