"""What decorators make of functions and classes."""

from __future__ import annotations

from tests.indexer.link.trees import one


def test_wraps_reaches_the_wrapper_and_the_function() -> None:
    t = one("""
        import functools
        def deco(f):
            @functools.wraps(f)
            def inner(*args): return f(*args)
            return inner
        @deco
        def run(): pass
        def use(): run()
    """)
    assert t.callers("deco.inner") == {"use"}
    assert t.callers("run") == {"use", "deco.inner"}


def test_a_decorator_that_returns_something_else_replaces_the_function() -> None:
    t = one("""
        def other(): pass
        def swap(f): return other
        @swap
        def run(): pass
        def use(): run()
    """)
    assert t.callers("other") == {"use"}
    assert t.callers("run") == set()


def test_decorators_with_arguments_and_stacked_ones() -> None:
    t = one("""
        def a(): pass
        def outer(hook):
            def deco(f):
                def inner():
                    hook()
                    return f()
                return inner
            return deco
        def same(f): return f
        @same
        @outer(a)
        def run(): pass
        def use(): run()
    """)
    assert t.callers("a") == {"outer.deco.inner"}
    assert t.callers("outer.deco.inner") == {"use"}
    assert t.callers("run") == {"outer.deco.inner"}


def test_class_decorators() -> None:
    t = one("""
        class Other:
            def m(self): pass
        def swap(cls): return Other
        def same(cls): return cls
        @swap
        class A:
            def m(self): pass
        @same
        class B:
            def m(self): pass
        def one(): A().m()
        def two(): B().m()
    """)
    assert t.callers("Other.m") == {"one"}
    assert t.callers("A.m") == set()
    assert t.callers("B.m") == {"two"}


def test_objects_as_decorators() -> None:
    t = one("""
        class Memo:
            def __init__(self, f): self.f = f
            def __call__(self, *a): return self.f(*a)
        @Memo
        def run(): pass
        def use(): run()
    """)
    assert t.callers("Memo.__call__") == {"use"}
    assert t.callers("run") == {"Memo.__call__"}


def test_partial_binds_arguments() -> None:
    t = one("""
        from functools import partial
        def a(): pass
        def b(): pass
        def run(f, g):
            f()
            g()
        def one():
            p = partial(run, a)
            p(b)
        def two():
            p = partial(run, g=a)
            p(b)
    """)
    assert t.callers("run") == {"one", "two"}
    assert t.callers("a") == {"run"}
    assert t.callers("b") == {"run"}


def test_partialmethod_and_lru_cache() -> None:
    t = one("""
        from functools import partialmethod, lru_cache, cache
        class A:
            def set(self, x): pass
            off = partialmethod(set, False)
            def m(self): pass
        @lru_cache(maxsize=None)
        def one() -> A: return A()
        @cache
        def two(): return A()
        def use():
            one().m()
        def use2():
            two().m()
        def use3(): A().off()
    """)
    assert t.callers("one") == {"use"}
    assert t.callers("A.m") == {"use", "use2"}
    assert t.callers("A.set") == {"use3"}


def test_cached_property_as_decorator_and_as_call() -> None:
    t = one("""
        from functools import cached_property
        class B:
            def m(self): pass
        class A:
            @cached_property
            def one(self): return B()
            def make(self): return B()
            two = cached_property(make)
        def use1(a: A): a.one.m()
        def use2(a: A): a.two.m()
    """)
    assert t.callers("B.m") == {"use1", "use2"}
    assert t.callers("A.one") == {"use1"}
    assert t.callers("A.make") == {"use2"}


def test_singledispatch_may_reach_what_is_registered() -> None:
    t = one("""
        from functools import singledispatch
        @singledispatch
        def show(x): pass
        @show.register
        def _(x: int): pass
        @show.register(str)
        def show_str(x): pass
        def unrelated(x): pass
        def use(): show(1)
    """)
    assert t.callers("show") == {"use"}
    assert t.callers("_") == {"use"}
    assert t.callers("show_str") == {"use"}
    assert t.callers("unrelated") == set()


def test_contextmanager_gives_what_is_yielded() -> None:
    t = one("""
        from contextlib import contextmanager, asynccontextmanager, ExitStack
        from typing import Iterator
        class A:
            def m(self): pass
        @contextmanager
        def plain(): yield A()
        @contextmanager
        def typed() -> Iterator[A]: ...
        @asynccontextmanager
        async def later(): yield A()
        def one():
            with plain() as x: x.m()
        def two():
            with typed() as x: x.m()
        async def three():
            async with later() as x: x.m()
        def four():
            with ExitStack() as stack:
                x = stack.enter_context(plain())
                x.m()
    """)
    assert t.callers("A.m") == {"one", "two", "three", "four"}
    assert t.callers("plain") == {"one", "four"}


def test_a_registering_decorator_keeps_the_function() -> None:
    t = one("""
        REGISTRY = {}
        def register(name):
            def deco(f):
                REGISTRY[name] = f
                return f
            return deco
        @register("x")
        def run(): pass
        def direct(): run()
    """)
    assert t.callers("run") == {"direct"}


def test_an_external_decorator_is_transparent_to_calls_of_the_name() -> None:
    t = one("""
        import ext
        class A:
            def m(self): pass
        @ext.task
        def run() -> A: ...
        def direct(): run()
        def result(): run().m()
    """)
    assert t.callers("run") == {"direct", "result"}
    assert t.callers("A.m") == set()


def test_property_made_by_a_call() -> None:
    t = one("""
        class B:
            def m(self): pass
        class A:
            def get_x(self): return B()
            def set_x(self, v): pass
            x = property(get_x, set_x)
            y = property(lambda self: B())
        def read(a: A): a.x.m()
        def write(a: A): a.x = 1
        def read2(a: A): a.y.m()
        def of_class(): A.x
    """)
    assert t.callers("B.m") == {"read", "read2"}
    assert t.callers("A.get_x") == {"read"}
    assert t.callers("A.set_x") == {"write"}


def test_descriptors_of_the_repository() -> None:
    t = one("""
        class B:
            def m(self): pass
        class Field:
            def __get__(self, instance, owner): return B()
            def __set__(self, instance, value): pass
        class Plain:
            def m(self): pass
        class A:
            x = Field()
            y = Plain()
        def read(a: A): a.x.m()
        def write(a: A): a.x = 1
        def plain(a: A): a.y.m()
    """)
    assert t.callers("B.m") == {"read"}
    assert t.callers("Field.__get__") == {"read"}
    assert t.callers("Field.__set__") == {"write"}
    assert t.callers("Plain.m") == {"plain"}


def test_total_ordering_runs_the_one_that_is_there() -> None:
    t = one("""
        from functools import total_ordering
        @total_ordering
        class V:
            def __eq__(self, o): return True
            def __lt__(self, o): return True
        class W:
            def __lt__(self, o): return True
        def use(v: V, w: V): return v >= w
        def silent(v: W, w: W): return v <= w
    """)
    assert t.callers("V.__lt__") == {"use"}
    assert t.callers("W.__lt__") == set()
