"""The ways in which names are bound."""

from __future__ import annotations

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
