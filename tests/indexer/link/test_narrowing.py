"""Tests of types, and reasons for what stays open."""

from __future__ import annotations

from tests.indexer.link.trees import one

CLASSES = """
class A:
    def m(self): pass
class B(A):
    def m(self): pass
class C:
    def m(self): pass
"""


def test_isinstance_says_what_it_is_under_the_test() -> None:
    t = one(
        CLASSES
        + """
def use(x):
    if isinstance(x, A):
        x.m()
def either(x):
    if isinstance(x, (A, C)):
        x.m()
def after(x):
    assert isinstance(x, C)
    x.m()
def guard(x):
    if not isinstance(x, C):
        return
    x.m()
def outside(x):
    if isinstance(x, C): pass
    x.m()
def other(x, y):
    if isinstance(x, C):
        y.m()
"""
    )
    assert t.callers("A.m") == {"use", "either"}
    assert t.callers("C.m") == {"either", "after", "guard"}


def test_a_test_chooses_among_what_is_known() -> None:
    t = one(
        CLASSES
        + """
def use(x: A | C):
    if isinstance(x, C):
        x.m()
def sub(x: A):
    if isinstance(x, B):
        x.m()
class H:
    def __init__(self, x): self.x = x
    def go(self):
        if isinstance(self.x, A):
            self.x.m()
    def self_test(self):
        if isinstance(self, Sub):
            self.special()
class Sub(H):
    def special(self): pass
"""
    )
    assert t.callers("C.m") == {"use"}
    assert t.callers("B.m") == {"sub"}
    assert t.callers("A.m") == {"H.go"}
    assert t.callers("Sub.special") == {"H.self_test"}


def test_conditional_expressions_and_conjunctions_narrow() -> None:
    t = one(
        CLASSES
        + """
def conjunction(x): return isinstance(x, A) and x.m()
def conditional(x): return x.m() if isinstance(x, C) else x.m()
"""
    )
    assert t.callers("A.m") == {"conjunction"}
    assert t.callers("C.m") == {"conditional"}


def test_an_assignment_ends_what_a_test_said() -> None:
    t = one(
        CLASSES
        + """
def use(x):
    if isinstance(x, A):
        x = C()
        x.m()
"""
    )
    assert t.callers("A.m") == set()
    assert t.callers("C.m") == {"use"}


def test_reasons_for_what_is_not_resolved() -> None:
    t = one("""
        import sys
        class Lazy:
            def __getattr__(self, name): pass
        def lazy(x: Lazy): return x.something
        def module(): return sys.modules[__name__].f
        def names(): return globals()["f"]
        def by_name(x, name): return getattr(x, name)
        def missing(): return nope
    """)
    counts = t.link("a.py").counts
    assert counts["unresolved: class defines __getattr__"] == 1
    assert counts["unresolved: name is not bound in the repository"] == 1
    assert t.edges("a.py") == {"lazy → Lazy.__getattr__"}


def test_modules_reached_through_the_interpreter_are_dynamic() -> None:
    t = one("""
        import sys
        def f(): pass
        def one(): sys.modules[__name__].f()
        def two(): globals()["f"].attr
        def three(name): sys.modules[name].attr
    """)
    counts = t.link("a.py").counts
    assert counts["unresolved: dynamic"] == 2
    assert t.callers("f") == set()


def test_a_test_holds_in_what_its_name_is_bound_to_anew() -> None:
    t = one("""
        class A:
            def __getitem__(self, key): pass
            def run(self): pass
        def f(x: A | tuple):
            if isinstance(x, tuple):
                x = A(x[0])
                x.run()
    """)
    assert t.callers("A.__getitem__") == set()
    assert t.callers("A.run") == {"f"}
