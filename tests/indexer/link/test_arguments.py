"""Arguments to parameters, results to callers, and functions handed over."""

from __future__ import annotations

from tests.indexer.link.trees import MakeTree, one


def test_functions_reach_the_parameters_that_are_called() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        def c(): pass
        def positional(f): f()
        def keyword(*, f): f()
        def default(f=c): f()
        def several(*fs):
            for f in fs: f()
        def named(**fs): fs["x"]()
        positional(a)
        keyword(f=b)
        default()
        several(a, b)
        named(x=c, y=a)
    """)
    assert t.callers("a") == {"positional", "several"}
    assert t.callers("b") == {"keyword", "several"}
    assert t.callers("c") == {"default", "named"}


def test_spread_arguments() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        def second(x, f): f()
        def by_name(g): g()
        second(*[b, a])
        by_name(**{"g": b})
    """)
    assert t.callers("a") == {"second"}
    assert t.callers("b") == {"by_name"}


def test_a_call_gives_what_it_returns_for_these_arguments() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        def same(x): return x
        def wrap(f):
            def inner(): return f
            return inner
        def one(): same(a)()
        def two(): wrap(b)()()
    """)
    assert t.callers("a") == {"one"}
    assert t.callers("b") == {"two"}


def test_an_edge_through_an_argument_belongs_to_the_file_with_the_call(tree: MakeTree) -> None:
    t = tree(
        {
            "lib.py": "def run(job): job()\n",
            "a.py": "from lib import run\nclass Job:\n    def go(self): pass\nrun(Job().go)\n",
        }
    )
    assert "lib.py:run → Job.go" in t.edges("a.py")
    assert t.edges("lib.py") == set()


def test_objects_reach_the_parameters_whose_methods_are_called() -> None:
    t = one("""
        class Job:
            def go(self): pass
        def run(job): job.go()
        run(Job())
    """)
    assert t.callers("Job.go") == {"run"}


def test_bound_methods_and_lambdas_are_handed_over() -> None:
    t = one("""
        class A:
            def m(self): pass
        def a(): pass
        def run(f): f()
        run(A().m)
        run(lambda: a())
    """)
    assert t.callers("A.m") == {"run"}
    assert t.callers("<lambda1>") == {"run"}
    assert t.callers("a") == {"<lambda1>"}


def test_generators_and_yield_from() -> None:
    t = one("""
        class A:
            def m(self): pass
        def gen(): yield A()
        def more(): yield from gen()
        def one():
            for x in gen(): x.m()
        def two():
            for x in more(): x.m()
        def taken(): next(gen()).m()
        def silent(): gen().m()
    """)
    assert t.callers("A.m") == {"one", "two", "taken"}


def test_awaited_and_asynchronous_iteration() -> None:
    t = one("""
        class A:
            def m(self): pass
        async def make(): return A()
        async def gen(): yield A()
        async def one(): (await make()).m()
        async def two():
            async for x in gen(): x.m()
        async def silent(): make().m()
    """)
    assert t.callers("A.m") == {"one", "two"}


def test_attributes_keep_what_the_constructor_was_given() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        class Button:
            def __init__(self, on_click): self.on_click = on_click
            def press(self): self.on_click()
        def two():
            x = Button(on_click=b)
            x.press()
        class Direct:
            def __init__(self, hook): self.hook = hook
        def one(): Direct(a).hook()
        def other(d: Direct): d.hook.missing()
    """)
    assert t.callers("a") == {"one"}
    assert t.callers("b") == {"Button.press"}


def test_recursion_ends() -> None:
    t = one("""
        def a(): pass
        def again(f, n): again(f, n - 1) if n else f()
        again(a, 3)
        def twice(f): return twice(twice)
        twice(twice)()
    """)
    assert t.callers("a") == {"again"}


def test_what_no_call_passes_is_not_guessed() -> None:
    t = one("""
        def a(): pass
        def run(f, g=None): f()
        run(1)
        run(g=a, f=print)
    """)
    assert t.callers("a") == set()
