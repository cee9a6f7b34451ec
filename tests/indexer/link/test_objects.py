"""Objects: attributes, enums, records, protocols, objects that are called, classes as values."""

from __future__ import annotations

from tests.indexer.link.trees import MakeTree, one


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
