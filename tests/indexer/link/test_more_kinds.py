"""Kinds of calls met in small programs whose edges `sys.setprofile` observed."""

from __future__ import annotations

from textwrap import dedent

from tests.indexer.link.trees import MakeTree, Tree


def one(source: str) -> Tree:
    return Tree({"a.py": dedent(source)})


def receivers(t: Tree, path: str = "a.py") -> set[tuple[str, str]]:
    """(callee, class whose subclasses may stand in) of the calls of a file."""
    rows = t.link(path).edges
    return {(t.name(row[1]), t.name(row[5])) for row in rows if row[2] == "calls" and row[5] > 0}


def test_cls_may_be_a_subclass_and_so_may_what_it_makes() -> None:
    t = one("""
        class Base:
            @classmethod
            def make(cls): pass
            def build(self): pass
            @classmethod
            def create(cls):
                cls.make()
                cls().build()
            def again(self):
                type(self)().build()
                self.__class__.make()
        def exact():
            Base.make()
            Base().build()
    """)
    assert receivers(t) == {("a.py:Base.make", "a.py:Base"), ("a.py:Base.build", "a.py:Base")}
    rows = [row for row in t.link("a.py").edges if row[2] == "calls" and t.name(row[0]) == "a.py:exact"]
    assert {row[5] for row in rows} == {0}
    assert t.callers("Base.build") == {"Base.create", "Base.again", "exact"}


def test_a_decorator_makes_a_descriptor() -> None:
    t = one("""
        class lazy:
            def __init__(self, f): self.f = f
            def __get__(self, owner, kind=None): return self.f(owner)
            def __set_name__(self, owner, name): pass
        class Part:
            def go(self): pass
        class Whole:
            @lazy
            def part(self): return Part()
            @staticmethod
            def plain(): pass
        def use(): Whole().part.go()
        def other(): Whole().plain()
        def unread(): Whole.part
    """)
    assert t.callers("lazy.__get__") == {"use"}
    assert t.callers("lazy.__set_name__") == {"<module>"}
    assert t.callers("Part.go") == {"use"}
    assert "lazy.__get__ → Whole.part" in t.edges("a.py")
    assert t.callers("Whole.plain") == {"other"}


def test_a_static_method_made_by_a_call_is_not_bound() -> None:
    t = one("""
        def run(f): f()
        def g(): pass
        class A:
            run = staticmethod(run)
        def use(): A().run(g)
    """)
    assert {"use → run", "run → g"} <= t.edges("a.py")


def test_a_dataclass_runs_its_post_init() -> None:
    t = one("""
        from dataclasses import dataclass
        @dataclass(frozen=True)
        class A:
            x: int
            def __post_init__(self): pass
        @dataclass
        class B(A): pass
        class C:
            def __post_init__(self): pass
        @dataclass
        class D:
            def __init__(self): pass
            def __post_init__(self): pass
        def a(): A(1)
        def b(): B(1)
        def c(): C()
        def d(): D()
    """)
    assert t.edges("a.py") >= {"a → A.__post_init__", "b → A.__post_init__", "a → A", "b → B", "d → D.__init__"}
    assert t.callers("C.__post_init__") == set()
    assert t.callers("D.__post_init__") == set()


def test_text_made_of_objects() -> None:
    t = one("""
        class A:
            def __str__(self): pass
            def __repr__(self): pass
            def __format__(self, how): pass
        class B:
            def __str__(self): pass
        a, b = A(), B()
        def f1(): f"{a}"
        def f2(): f"{a!r}"
        def f3(): f"{a!s:>5}"
        def f4(): f"{b:{a!r}}"
        def f5(): f"{a=}"
        def p1(): "%s" % a
        def p2(): "%d %r %s" % (1, a, b)
        def p3(): "%(x)s" % a
        def p4(): "%d" % a
        def m1(): "{} {x}".format(a, x=b)
    """)
    assert t.edges("a.py") - {"<module> → A", "<module> → B"} == {
        "f1 → A.__format__", "f2 → A.__repr__", "f3 → A.__str__", "f4 → B.__str__", "f4 → A.__repr__",
        "f5 → A.__repr__", "p1 → A.__str__", "p2 → A.__repr__", "p2 → B.__str__", "m1 → A.__format__",
        "m1 → B.__str__",
    }  # fmt: skip


def test_builtins_that_compare_and_add_the_items_of_what_they_are_given() -> None:
    t = one("""
        class A:
            def __lt__(self, other): pass
            def __add__(self, other): pass
        items = [A()]
        def one(): sorted(items)
        def two(): sum(items)
        def three(): sorted(items, key=len)
        def four(): min(items, 3)
    """)
    assert t.edges("a.py") - {"<module> → A"} == {"one → A.__lt__", "two → A.__add__"}


def test_what_executors_run_comes_back() -> None:
    t = one("""
        from concurrent.futures import ThreadPoolExecutor
        class Job:
            def run(self): pass
        def work(x): return Job()
        def one():
            with ThreadPoolExecutor() as pool:
                pool.submit(work, 1).result().run()
        def two():
            pool = ThreadPoolExecutor()
            for job in pool.map(work, [1]): job.run()
    """)
    assert t.callers("Job.run") == {"one", "two"}
    assert t.callers("work") == {"one", "two"}


def test_attributes_of_classes_hold_functions_and_classes(tree: MakeTree) -> None:
    t = tree(
        {
            "base.py": "class View:\n form = None\n def run(self):\n  self.form()\n",
            "a.py": "from base import View\nfrom forms import Form, check\n"
            "class A(View):\n form = Form\n check = staticmethod(check)\n name = 'x'\n",
            "forms.py": "class Form: pass\ndef check(): pass\n",
        }
    )
    held = {edge for edge in t.edges("a.py", "references") if edge.startswith("A.")}
    assert held == {"A.form → forms.py:Form", "A.check → forms.py:check"}
    rows = [row for row in t.link("base.py").edges if row[2] == "references" and row[5] > 0]
    assert [(t.name(row[0]), t.name(row[1]), t.name(row[5])) for row in rows] == [
        ("base.py:View.run", "base.py:View.form", "base.py:View")
    ]


def test_super_of_what_a_class_lacks_is_left_to_its_subclasses() -> None:
    t = one("""
        class Mixin:
            def __init__(self): super().__init__()
            def setup(self): super().setup()
        class Base:
            def setup(self): pass
        class Open(Unknown):
            def setup(self): super().setup()
        class Closed(Base):
            def setup(self): super().setup()
    """)
    left = {(t.name(row[0]), row[1], t.name(-row[3])) for row in t.link("a.py").pending if row[1].startswith("super.")}
    assert left == {
        ("a.py:Mixin.__init__", "super.__init__", "a.py:Mixin"),
        ("a.py:Mixin.setup", "super.setup", "a.py:Mixin"),
    }


def test_the_place_of_a_base_is_kept_where_there_are_several() -> None:
    t = one("class A: pass\nclass B: pass\nclass C(B, A): pass\nclass D(A): pass\n".replace("\n", "\n        "))
    rows = {(t.name(row[0]), t.name(row[1]), row[5]) for row in t.link("a.py").edges if row[2] == "inherits"}
    assert rows == {("a.py:C", "a.py:B", 1), ("a.py:C", "a.py:A", 2), ("a.py:D", "a.py:A", 0)}


def test_reading_what_a_class_lacks_runs_its_getattr() -> None:
    t = one("""
        class Lazy:
            def __init__(self): self.there = 1
            def __getattr__(self, name): pass
            def known(self): pass
        class Below(Lazy): pass
        class Plain: pass
        def read(x: Below): x.gone
        def called(x: Lazy): x.gone()
        def others(x: Lazy, y: Plain):
            x.there, x.known(), y.gone
            x.gone = 1
    """)
    assert t.callers("Lazy.__getattr__") == {"read", "called"}
