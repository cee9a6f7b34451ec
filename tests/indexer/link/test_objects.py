"""Objects: attributes, classes made in unusual ways, `super`, metaclasses, enums, dispatch."""

from __future__ import annotations

from tests.indexer.link.trees import MakeTree, one


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


def test_the_setter_of_a_property_is_no_open_call() -> None:
    t = one("""
        class A:
            def setter(self): pass
            @property
            def size(self): return 1
            @size.setter
            def size(self, value): pass
        def read(a: A): a.size
        def write(a: A): a.size = 2
        def both(a: A): a.size += 2
    """)
    link = t.link("a.py")
    assert link.pending == ()
    assert t.callers("A.size") == {"read", "write", "both"}
    assert len([row for row in link.edges if row[2] == "calls"]) == 4


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


def test_enum_members_are_objects_of_the_enum() -> None:
    t = one("""
        import enum
        from enum import Enum
        class Color(Enum):
            RED = 1
            BLUE = enum.auto()
            def m(self): pass
            @classmethod
            def default(cls): return cls.RED
        def one(): Color.RED.m()
        def two():
            for c in Color: c.m()
        def three(): Color.default().m()
        def four(): Color("x").m()
        def five(): Color["RED"].m()
        def six(): Color.RED.value.m()
        def seven(): Color.RED.name.m()
    """)
    assert t.callers("Color.m") == {"one", "two", "three", "four", "five"}


def test_dataclass_and_namedtuple_fields_have_their_types() -> None:
    t = one("""
        from dataclasses import dataclass, field
        from typing import NamedTuple, TypedDict
        class A:
            def m(self): pass
        @dataclass
        class D:
            a: A
            b: A = field(default_factory=A)
            c: object = field(default_factory=A)
        class N(NamedTuple):
            a: A
            n: int = 0
        class T(TypedDict):
            a: A
            n: int
        def one(d: D): d.a.m()
        def two(): D(A()).b.m()
        def three(n: N): n.a.m()
        def four(n: N):
            a, count = n
            a.m()
        def five(n: N): n[0].m()
        def six(d: D): d.c.m()
        def seven(t: T): t["a"].m()
        def silent(n: N, t: T):
            n[1].m()
            t["n"].m()
    """)
    assert t.callers("A.m") == {"one", "two", "three", "four", "five", "six", "seven"}


def test_attributes_set_from_outside_and_on_classes() -> None:
    t = one("""
        class A:
            def m(self): pass
        class H: pass
        def fill(h: H): h.a = A()
        def use(h: H): h.a.m()
        class K:
            a = A()
            b = None
            def set(self): self.b = A()
        def on_class(): K.a.m()
        def on_object(k: K): k.b.m()
    """)
    assert t.callers("A.m") == {"use", "on_class", "on_object"}


def test_protocols_and_abstract_methods_lead_to_the_declaration() -> None:
    t = one("""
        from abc import ABC, abstractmethod
        from typing import Protocol
        class P(Protocol):
            def m(self) -> None: ...
        class B(ABC):
            @abstractmethod
            def n(self): ...
            def run(self): self.n()
        class C(B):
            def n(self): pass
        def one(p: P): p.m()
        def two(b: B): b.n()
        def three(): C().n()
    """)
    assert t.callers("P.m") == {"one"}
    assert t.callers("B.n") == {"two", "B.run"}
    assert t.callers("C.n") == {"three"}


def test_calling_an_object_runs_its_call() -> None:
    t = one("""
        class F:
            def __call__(self): pass
        class G(F): pass
        f = F()
        def one(): f()
        def two(g: G): g()
        class H:
            def __init__(self): self.f = F()
            def three(self): self.f()
    """)
    assert t.callers("F.__call__") == {"one", "two", "H.three"}


def test_modules_are_held_in_variables(tree: MakeTree) -> None:
    t = tree({"m.py": "def f(): pass\n", "a.py": "import m\nx = m\ny = [m]\ndef one(): x.f()\ndef two(): y[0].f()\n"})
    assert t.callers("m.py:f") == {"one", "two"}


def test_classes_in_variables_and_containers() -> None:
    t = one("""
        class A:
            def m(self): pass
        class B:
            def m(self): pass
        kinds = {"a": A, "b": B}
        def one(): kinds["a"]().m()
        def two(k): kinds[k]().m()
        class H:
            kind = B
            def make(self): return self.kind()
        def three(h: H): h.make().m()
        def four():
            cls = A
            cls().m()
    """)
    assert t.callers("A.m") == {"one", "two", "four"}
    assert t.callers("B.m") == {"two", "three"}


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
