"""Classes: `super`, constructors, metaclasses, and what making a class runs."""

from __future__ import annotations

from tests.indexer.link.trees import one


def test_super_in_every_form() -> None:
    t = one("""
        class A:
            def m(self): pass
            @classmethod
            def make(cls): pass
            @staticmethod
            def helper(): pass
            def __new__(cls): return object.__new__(cls)
            @property
            def size(self): return 1
        class B(A):
            def m(self): super().m()
            def old(self): super(B, self).m()
            @classmethod
            def make(cls): super().make()
            def nested(self):
                def inner(): super(B, self).m()
                return inner
            def held(self):
                parent = super()
                parent.m()
            def __new__(cls): return super().__new__(cls)
            def stat(self): super().helper()
            @property
            def size(self): return super().size
    """)
    assert t.callers("A.m") == {"B.m", "B.old", "B.nested.inner", "B.held"}
    assert t.callers("A.make") == {"B.make"}
    assert t.callers("A.__new__") == {"B.__new__"}
    assert t.callers("A.helper") == {"B.stat"}
    assert t.callers("A.size") == {"B.size"}


def test_super_of_another_class_starts_behind_it() -> None:
    t = one("""
        class A:
            def m(self): pass
        class B(A):
            def m(self): pass
        class C(B):
            def m(self): super(B, self).m()
    """)
    assert t.edges("a.py") == {"C.m → A.m"}


def test_super_follows_the_order_of_the_object_that_is_made() -> None:
    t = one("""
        class Base:
            def m(self): pass
        class Left(Base):
            def m(self): super().m()
        class Right(Base):
            def m(self): super().m()
        class Both(Left, Right):
            def m(self): super().m()
    """)
    assert {"Both.m → Left.m", "Right.m → Base.m"} <= t.edges("a.py")


def test_new_and_init_both_run() -> None:
    t = one("""
        class A:
            def __new__(cls, *a): return super().__new__(cls)
            def __init__(self): pass
        class B(A): pass
        def use(): B()
    """)
    assert {"use → A.__new__", "use → A.__init__"} <= t.edges("a.py")


def test_what_new_makes_is_an_object_of_the_class() -> None:
    t = one("""
        class A:
            def __new__(cls):
                self = super().__new__(cls)
                self.setup()
                return self
            def setup(self): pass
        class B:
            @classmethod
            def make(cls): return object.__new__(cls)
            def setup(self): pass
        def use(): B.make().setup()
        def other(x): object.__new__(x).setup()
    """)
    assert t.callers("A.setup") == {"A.__new__"}
    assert t.callers("B.setup") == {"use"}


def test_metaclass_methods_are_reached_through_the_class() -> None:
    t = one("""
        class Meta(type):
            def make(cls): return cls()
            def __call__(cls, *a): return super().__call__(*a)
            def __getitem__(cls, k): pass
            def __iter__(cls): return iter(())
            def __len__(cls): return 0
        class A(metaclass=Meta):
            def m(self): pass
            def __len__(self): return 1
        class B(A): pass
        def method(): A.make()
        def inherited(): B.make()
        def called(): A()
        def item(): A["x"]
        def loop():
            for x in A: pass
        def count(): len(A)
        def of_object(a: A): a.make()
    """)
    assert t.callers("Meta.make") == {"method", "inherited"}
    assert t.callers("Meta.__call__") >= {"called"}
    assert t.callers("Meta.__getitem__") == {"item"}
    assert t.callers("Meta.__iter__") == {"loop"}
    assert t.callers("Meta.__len__") == {"count"}
    assert t.callers("A.__len__") == set()


def test_init_subclass_and_set_name_run_when_the_class_is_made() -> None:
    t = one("""
        class Base:
            def __init_subclass__(cls): pass
        class Field:
            def __set_name__(self, owner, name): pass
        class A(Base):
            x = Field()
    """)
    assert {"<module> → Base.__init_subclass__", "<module> → Field.__set_name__"} <= t.edges("a.py")


def test_class_class_and_type_lead_back_to_the_class() -> None:
    t = one("""
        class A:
            @classmethod
            def make(cls): return cls()
            def again(self): return self.__class__()
            def other(self): return type(self)()
            def m(self): pass
        def one(a: A): a.again().m()
        def two(a: A): a.other().m()
        def three(): A.make().m()
        def four(a: A): a.__class__.make()
    """)
    assert t.callers("A.m") == {"one", "two", "three"}
    assert t.callers("A.make") == {"three", "four"}
