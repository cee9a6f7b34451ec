"""Kinds of wrong and missing edges met in Django, SQLAlchemy and pytest; see docs/edges-sampled.md."""

from __future__ import annotations

from textwrap import dedent

from tests.indexer.link.trees import MakeTree, Tree


def one(source: str) -> Tree:
    return Tree({"a.py": dedent(source)})


def test_a_class_body_sees_the_name_around_it_until_it_binds_its_own() -> None:
    t = one("""
        def validators(): pass
        class Field:
            first = validators()
            def validators(self): pass
            second = validators(None)
    """)
    assert t.edges("a.py") == {"<module> → validators", "<module> → Field.validators"}
    t = one("""
        def validators(): pass
        class Field:
            first = validators()
            def validators(self): pass
    """)
    assert t.edges("a.py") == {"<module> → validators"}


def test_naming_a_property_in_the_class_body_does_not_run_it() -> None:
    t = one("""
        class Response:
            @property
            def charset(self): pass
            @charset.setter
            def charset(self, value): pass
            encoding = charset
        def read(r: Response): r.charset
    """)
    assert t.edges("a.py") == {"read → Response.charset"}


def test_what_stands_under_type_checking_is_not_called_where_there_is_another() -> None:
    t = one("""
        from typing import TYPE_CHECKING
        from operator import attrgetter
        class State:
            def expire(self): pass
        if TYPE_CHECKING:
            def state_of(x) -> State: ...
        else:
            state_of = attrgetter("_state")
        if not TYPE_CHECKING:
            def text_of(x): return x
        else:
            def text_of(x) -> str: ...
        if TYPE_CHECKING:
            def alone(x) -> State: ...
        def one(x): state_of(x).expire()
        def two(x): text_of(x)
        def three(x): alone(x)
    """)
    assert t.edges("a.py") == {"one → State.expire", "two → text_of", "three → alone"}
    assert t.define("a.py", "text_of(x)\n", "text_of") == ["a.py:text_of:11", "a.py:text_of:13"]


def test_a_package_takes_its_own_modules(tree: MakeTree) -> None:
    t = tree(
        {
            "p/__init__.py": "from p import a\nfrom . import b\nfrom . import c as d\n"
            "def one(): a.f()\ndef two(): b.f()\ndef three(): d.f()\n",
            "p/a.py": "def f(): pass\n",
            "p/b.py": "def f(): pass\n",
            "p/c.py": "def f(): pass\n",
        }
    )
    assert t.edges("p/__init__.py") == {"one → p/a.py:f", "two → p/b.py:f", "three → p/c.py:f"}


def test_a_decorator_declared_as_callable_leaves_what_it_returns() -> None:
    t = one("""
        from typing import Any, Callable, TypeVar
        F = TypeVar("F", bound=Callable[..., Any])
        def same(*names: str) -> Callable[[F], F]:
            return lambda fn: fn
        def hidden(*names: str) -> Callable[[F], F]: ...
        def anything(*names: str) -> Any:
            def decorate(fn): return fn
            return decorate
        @same("x")
        def one(): return A()
        @hidden("x")
        def two(): pass
        @anything("x")
        def three(): pass
        class A:
            def m(self): pass
        def use():
            one().m()
            two()
            three()
    """)
    assert {e for e in t.edges("a.py") if e.startswith("use")} == {
        "use → one", "use → A.m", "use → two", "use → three",
    }  # fmt: skip
    assert t.callers("anything.decorate") == {"<module>"}


def test_a_library_type_does_not_hide_what_is_assigned() -> None:
    t = one("""
        from typing import Callable, Mapping, MutableMapping
        class Keywords(MutableMapping[str, object]):
            def update(self, other): pass
            def __init__(self, node): pass
        class Node:
            def __init__(self):
                self.keywords: MutableMapping[str, object] = Keywords(self)
        def load(path): pass
        def dump(path): pass
        LOADERS: Mapping[str, Callable[[str], None]] = {"load": load}
        def one(n: Node): n.keywords.update({})
        def two(): LOADERS["load"]("x")
        def three(name):
            for key, loader in LOADERS.items(): loader(key)
    """)
    assert t.callers("Keywords.update") == {"one"}
    assert t.callers("load") == {"two", "three"}
    assert t.callers("dump") == set()


def test_a_class_is_an_object_of_its_metaclass() -> None:
    t = one("""
        class Meta(type):
            def __new__(mcs, *args): return super().__new__(mcs, *args)
            def __init__(cls, *args): pass
            def _create(cls): pass
            def shadowed(cls): pass
        class Node(metaclass=Meta):
            def shadowed(self): pass
            @classmethod
            def build(cls): cls._create()
        class Item(Node): pass
        def none(): Item()
        def one(): Item._create()
        def two(): Node.shadowed(None)
        def three(n: Node): n._create()
    """)
    assert t.callers("Meta._create") == {"Node.build", "one"}
    assert t.callers("Meta.shadowed") == set()
    assert "none" not in t.callers("Meta.__new__") | t.callers("Meta.__init__")
    assert t.callers("Node.shadowed") == {"two"}


def test_the_library_calls_the_argument_it_is_meant_to() -> None:
    t = one("""
        import signal, weakref
        class Signal:
            def remove(self): pass
            def connect(self, receiver):
                weakref.finalize(receiver, self.remove)
        def handler(*a): pass
        def other(*a): pass
        def one(): Signal().connect(handler)
        def two(): signal.signal(other, handler)
        def three(): sorted([handler], key=other)
        def four(): max(handler, other)
    """)
    assert t.callers("handler") == {"two"}
    assert t.callers("other") == {"three"}
    assert t.callers("Signal.remove") == {"Signal.connect"}


def test_a_cached_function_is_the_function() -> None:
    t = one("""
        from functools import lru_cache
        def directory(path): pass
        class Plugins:
            def __init__(self):
                self._get = lru_cache(256)(directory)
                self._other = lru_cache(directory)
            def one(self): self._get("x")
            def two(self): self._other("x")
    """)
    assert t.callers("directory") == {"Plugins.one", "Plugins.two"}


def test_a_class_made_by_type_has_what_its_bases_have() -> None:
    t = one("""
        class Base:
            def __init__(self): pass
            def contribute(self): pass
            @classmethod
            def extended(cls, other):
                return type("Made", (cls,), {"other": other})
        class Manager(Base.extended(dict)):
            pass
        def one(): Manager().contribute()
        def two(): Manager().filter()
        def filter(): pass
    """)
    assert t.callers("Base.contribute") == {"one"}
    assert t.callers("Base.__init__") == {"one", "two"}
    link = t.link("a.py")
    assert [name for _, name, _, _ in link.pending] == ["filter"]


def test_a_decorator_with_or_without_arguments_gives_what_it_gives_at_last() -> None:
    t = one("""
        from functools import wraps
        def unsafe(message):
            def decorator(func):
                @wraps(func)
                def inner(*args): return func(*args)
                return inner
            if callable(message):
                func = message
                return decorator(func)
            return decorator
        def path(*args, where=None):
            def decorator(klass):
                klass.where = where
                return klass
            if not args:
                return decorator
            return decorator(*args)
        @unsafe
        def one(): pass
        @unsafe("no")
        def two(): pass
        @path
        class A:
            def __init__(self): pass
        def use():
            one()
            two()
            A()
    """)
    assert {e for e in t.edges("a.py") if e.startswith("use")} == {
        "use → one", "use → two", "use → unsafe.decorator.inner", "use → A.__init__",
    }  # fmt: skip
    assert t.callers("unsafe.decorator") == {"unsafe", "<module>"}


def test_members_that_a_class_looks_up_itself_are_what_its_getattr_gives() -> None:
    t = one("""
        class Mark:
            def __call__(self): pass
            def combined(self): pass
        class Generator:
            def __getattr__(self, name: str) -> Mark: ...
            def known(self): pass
        class Opaque:
            def __getattr__(self, name): return globals()[name]
        MARKS = Generator()
        def one(): MARKS.skip()
        def two(): MARKS.slow.combined()
        def three(): MARKS.known()
        def four(o: Opaque): o.skip()
        def skip(): pass
    """)
    assert t.edges("a.py") == {
        "<module> → Generator", "one → Mark.__call__", "two → Mark.combined", "three → Generator.known",
        "one → Generator.__getattr__", "two → Generator.__getattr__", "four → Opaque.__getattr__",
    }  # fmt: skip
    assert t.link("a.py").counts["pending"] == 1


def test_reasons_for_members_that_are_not_found_in_changed_classes() -> None:
    t = one("""
        from abc import ABCMeta
        from dataclasses import dataclass
        def register(cls):
            cls.added = 1
            return cls
        class Making(type):
            def __new__(mcs, name, bases, members): return super().__new__(mcs, name, bases, members)
        class Checking(ABCMeta):
            def __instancecheck__(cls, other): return True
        class Made(metaclass=Making): pass
        class Checked(metaclass=Checking): pass
        class Abstract(metaclass=ABCMeta): pass
        @register
        class Decorated: pass
        @dataclass(frozen=True)
        class Data: pass
        def use(a: Made, b: Checked, c: Abstract, d: Decorated, e: Data):
            return a.nope, b.nope, c.nope, d.nope, e.nope
    """)
    counts = t.link("a.py").counts
    assert counts["unresolved: class is changed by its metaclass"] == 1
    assert counts["unresolved: class is changed by its decorator"] == 1
    assert counts["unresolved: no such member"] == 3


def test_branches_of_one_condition_do_not_follow_each_other() -> None:
    t = one("""
        def first(): pass
        def listen(name, fn):
            if name == "before":
                original = fn
                def wrap(): original()
                fn = wrap
            elif name == "after":
                before = fn
                def wrapped(): before()
                fn = wrapped
            fn()
        def one(): listen("x", first)
        def two(name):
            call = first
            if name:
                call = two
            else:
                call()
            call()
        def three(names):
            call = first
            for name in names:
                if name:
                    call = three
                else:
                    call()
    """)
    assert t.callers("listen.wrap") == {"listen"}
    assert t.callers("listen.wrapped") == {"listen"}
    assert t.callers("two") == {"two"}
    assert t.callers("three") == {"three"}
    assert t.callers("first") == {"two", "three", "listen", "listen.wrap", "listen.wrapped"}


def test_a_declared_attribute_is_what_it_is_declared() -> None:
    t = one("""
        from typing import List, cast
        class Element:
            def visit(self): pass
        class Text(Element):
            def visit(self): pass
        class Other:
            def visit(self): pass
        def expect(x) -> Other: ...
        class Clauses:
            last: Element
            def __init__(self, first: Element):
                self.first: Element = first
            def again(self, x):
                self.first = self.last = expect(x)
        def one(c: Clauses): c.first.visit()
        def two(c: Clauses): c.last.visit()
        def three(x): cast("Element", x).visit()
        def four(x):
            made = cast("List[Element]", x)
            made(x)
    """)
    assert t.callers("Element.visit") == {"one", "two", "three"}
    assert t.callers("Other.visit") == set()
