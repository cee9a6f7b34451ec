"""Kinds of calls that tests of packages made and that were not found: wrappers, declared parameters, set properties."""

from __future__ import annotations

from tests.indexer.link.trees import MakeTree, one


def test_a_wrapper_calls_what_is_decorated_whoever_calls_it() -> None:
    t = one("""
        from functools import update_wrapper
        def setup(f):
            def wrapper(self): return f(self)
            return update_wrapper(wrapper, f)
        class App:
            @setup
            def run(self): pass
            @setup
            def stop(self): pass
    """)
    assert t.edges("a.py") == {
        "<module> → setup",
        "setup.wrapper → App.run",
        "setup.wrapper → App.stop",
    }


def test_types_of_a_decorator_do_not_hide_its_wrapper() -> None:
    t = one("""
        import typing as t
        from functools import wraps
        F = t.TypeVar("F", bound=t.Callable[..., t.Any])
        def checked(f: F) -> F:
            def wrapper(self): return f(self)
            return t.cast(F, wraps(f)(wrapper))
        def named(name: str) -> t.Callable[[F], F]:
            def decorate(f: F) -> F:
                def inner(self): return f(self)
                return t.cast(F, inner)
            return decorate
        class App:
            @checked
            def run(self): pass
            @named("x")
            def stop(self): pass
        def use(): App().run()
    """)
    assert t.callers("App.run") == {"checked.wrapper", "use"}
    assert t.callers("App.stop") == {"named.decorate.inner"}


def test_an_object_made_by_a_decorator_calls_what_is_decorated() -> None:
    t = one("""
        class cached:
            def __init__(self, get): self.get = get
            def __get__(self, owner, kind=None): return self.get(owner)
        class counted:
            def __init__(self, f): self.f = f
            def __call__(self): return self.f()
        class Whole:
            @cached
            def part(self): pass
        @counted
        def go(): pass
    """)
    assert t.callers("Whole.part") == {"cached.__get__"}
    assert t.callers("go") == {"counted.__call__"}


def test_a_parameter_declared_as_callable_holds_what_is_passed_to_it() -> None:
    t = one("""
        from collections.abc import Callable
        from typing import Any
        class Other:
            def __call__(self): pass
        def plain(f: Callable[[], None]): f()
        def loose(f: Any = None): f()
        def text(f: str): f()
        def first(): pass
        def second(): pass
        def third(): pass
        def use(other: Other):
            plain(first)
            loose(second)
            text(third)
            plain(other)
    """)
    assert t.callers("first") == {"plain"}
    assert t.callers("second") == {"loose"}
    assert t.callers("third") == set()
    assert t.callers("Other.__call__") == set()  # it may have been tested before


def test_what_is_put_into_a_container_declared_to_hold_functions() -> None:
    t = one("""
        import typing as t
        from functools import update_wrapper
        Deferred = t.Callable[[int], None]
        class Blueprint:
            def __init__(self):
                self.deferred: list[Deferred] = []
                self.texts: list[str] = []
            def record(self, f: Deferred): self.deferred.append(f)
            def once(self, f: Deferred):
                def wrapper(state): f(state)
                self.record(update_wrapper(wrapper, f))
            def add(self): self.once(lambda state: None)
            def register(self):
                for f in self.deferred:
                    f(1)
    """)
    assert t.callers("Blueprint.once.wrapper") == {"Blueprint.register"}
    assert t.callers("Blueprint.add.<lambda1>") == {"Blueprint.once.wrapper"}


def test_setting_an_inherited_property_makes_no_attribute(tree: MakeTree) -> None:
    t = tree({
        "b.py": (
            "class Base:\n    @property\n    def debug(self): pass\n    @debug.setter\n    def debug(self, v): pass\n"
            "    def plain(self): pass\n"
        ),
        "a.py": (
            "from b import Base\n"
            "class App(Base):\n"
            "    def run(self):\n        self.debug = 1\n        self.plain = print\n        self.plain()\n"
            "    def read(self): return self.debug\n"
        ),
    })  # fmt: skip
    assert t.edges("a.py") == {"App.run → b.py:Base.debug", "App.read → b.py:Base.debug"}


def test_a_class_declared_with_arguments() -> None:
    t = one("""
        import typing as t
        T = t.TypeVar("T")
        class Multi(t.Generic[T]):
            def __init__(self, x=None): pass
        class Other:
            def __init__(self): pass
        class Request:
            storage: type[Multi[str]] = Multi
            def args(self): return self.storage(1)
        def parse(cls: type[Multi[str]] | None = None): return cls()
        def either(cls: type[Multi[str] | Other]): return cls()
    """)
    assert t.callers("Multi.__init__") == {"Request.args", "parse", "either"}
    assert t.callers("Other.__init__") == {"either"}


def test_what_is_tested_elsewhere_in_the_file_is_still_given_back() -> None:
    t = one("""
        def add(cls, fields=None):
            if fields is None:
                fields = cls.fields
            return cls
        def other(cls):
            if isinstance(cls, type):
                return 1
        class Factory:
            def __init__(self): pass
        def make(): return Factory()
        Factory = add(add(Factory, 1))
    """)
    assert t.callers("Factory.__init__") == {"make"}


def test_a_cast_to_a_type_that_says_little_is_what_is_cast() -> None:
    t = one("""
        from typing import Any, Callable, cast
        class Foo:
            def go(self): pass
        def one(): cast(Any, Foo()).go()
        def two(): cast("Callable[[], Foo]", Foo)().go()
        def three(x): cast(Foo, x).go()
    """)
    assert t.callers("Foo.go") == {"one", "two", "three"}


def test_augmented_assignment_runs_the_method_of_the_right_operand() -> None:
    t = one("""
        class Right:
            def __radd__(self, left): return self
            def __rmul__(self, left): return self
        class Left:
            def __iadd__(self, other): return self
        class Plain:
            def __add__(self, other): return self
        def number():
            x = 1
            x += Right()
        def product():
            y = "a"
            y *= Right()
        def own():
            z = Left()
            z += Right()
        def plain():
            p = Plain()
            p += Right()
        def unknown(u): u += Right()
    """)
    assert t.callers("Right.__radd__") == {"number"}
    assert t.callers("Right.__rmul__") == {"product"}
    assert t.callers("Left.__iadd__") == {"own"}
    assert t.callers("Plain.__add__") == {"plain"}


def test_what_closing_is_given_is_entered_and_closed() -> None:
    t = one("""
        from contextlib import closing
        class Feed:
            def close(self): pass
            def read(self): pass
        class Entered:
            def __enter__(self): return Feed()
            def __exit__(self, *a): pass
            def read(self): pass
        def use():
            with closing(Feed()) as feed: feed.read()
        def enter():
            with Entered() as feed: feed.read()
    """)
    assert t.callers("Feed.close") == {"use"}
    assert t.callers("Feed.read") == {"use", "enter"}
    assert t.callers("Entered.read") == set()


def test_functions_made_methods_and_divmod() -> None:
    t = one("""
        import types
        class Foo:
            def __divmod__(self, other): return 1, 2
        def free(self, x): x()
        def go(): pass
        def use():
            m = types.MethodType(free, Foo())
            m(go)
            divmod(Foo(), 2)
    """)
    assert t.callers("free") == {"use"}
    assert t.callers("go") == {"free"}
    assert t.callers("Foo.__divmod__") == {"use"}


def test_registering_with_a_generic_function_by_two_calls(tree: MakeTree) -> None:
    t = tree({
        "a.py": (
            "from functools import singledispatch\n"
            "@singledispatch\ndef show(x): pass\n"
            "def on_int(x): pass\n"
            "show.register(int)(on_int)\n"
            "def use(): show(1)\n"
        ),
    })  # fmt: skip
    assert t.edges("a.py", "overrides") == {"on_int → show"}
