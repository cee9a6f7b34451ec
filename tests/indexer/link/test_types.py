"""What annotations declare."""

from __future__ import annotations

from tests.indexer.link.trees import MakeTree, one

A = """
import collections.abc
from typing import (AsyncIterator, Awaitable, Callable, ContextManager, Dict, Generator, Generic, Iterable, Iterator)
from typing import (NewType, Optional, Self, TypeAlias, TypeVar, Union, cast, overload)
class A:
    def m(self): pass
class B:
    def m(self): pass
"""


def test_optional_unions_strings_and_self() -> None:
    t = one(
        A
        + """
class C:
    def me(self) -> Self: return self
    def quoted(self) -> "C": ...
    def m(self): pass
class D(C): pass
def one(x: Optional[A]): x.m()
def two(x: "Union[A, B]"): x.m()
def three(x: "A | None"): x.m()
def four(c: C): c.me().m()
def five(c: C): c.quoted().m()
def six(d: D): d.me().m()
"""
    )
    assert t.callers("A.m") == {"one", "two", "three"}
    assert t.callers("B.m") == {"two"}
    assert t.callers("C.m") == {"four", "five", "six"}


def test_self_of_a_subclass_is_the_subclass() -> None:
    t = one(
        A
        + """
class C:
    def me(self) -> Self: return self
    def m(self): pass
class D(C):
    def m(self): pass
    def only(self): pass
def use(d: D): d.me().only()
def made(): D().me().m()
"""
    )
    assert t.callers("D.only") == {"use"}
    assert t.callers("D.m") == {"made"}


def test_items_of_declared_containers() -> None:
    t = one(
        A
        + """
def one(xs: list[A]): xs[0].m()
def two(xs: dict[str, A]):
    for x in xs.values(): x.m()
def three(xs: Dict[str, A]): xs["k"].m()
def four(xs: tuple[B, A]): xs[1].m()
def five(xs: tuple[A, ...]): xs[7].m()
def six(xs: Iterable[A]):
    for x in xs: x.m()
def seven(xs: Iterator[A]): next(xs).m()
def eight(xs: list[list[A]]): xs[0][0].m()
def nine(xs: dict[str, list[A]]):
    for k, v in xs.items():
        for x in v: x.m()
def ten(xs: collections.abc.Sequence["A"]): xs[-1].m()
def eleven(*xs: A): xs[0].m()
def twelve(**xs: A): xs["k"].m()
def thirteen(xs: Optional[list[A]]): xs.pop().m()
def fourteen(xs: set[A]): xs.pop().m()
def fifteen(xs: dict[A, B]):
    for k in xs: k.m()
def silent(xs: list[A]): xs.m()
"""
    )
    numbers = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    assert t.callers("A.m") == set(numbers.split())
    assert t.callers("B.m") == set()


def test_results_of_callables_and_generators() -> None:
    t = one(
        A
        + """
import contextlib
def one(f: Callable[[], A]): f().m()
def two(f: Callable[..., Iterable[A]]):
    for x in f(): x.m()
def gen() -> Generator[A, None, None]: yield
def three():
    for x in gen(): x.m()
async def agen() -> AsyncIterator[A]: yield
async def four():
    async for x in agen(): x.m()
def waits() -> Awaitable[A]: ...
async def five(): (await waits()).m()
def silent(): waits().m()
async def co() -> A: ...
async def six(x: Awaitable[A]): (await x).m()
def seven(x: ContextManager[A]):
    with x as a: a.m()
def eight(t: type[A]): t().m()
"""
    )
    assert t.callers("A.m") == {"one", "two", "three", "four", "five", "six", "seven", "eight"}


def test_type_variables_take_what_is_passed() -> None:
    t = one(
        A
        + """
T = TypeVar("T")
Bound = TypeVar("Bound", bound=B)
def first(xs: list[T]) -> T: ...
def same(x: T) -> T: ...
def make(cls: type[T]) -> T: ...
def pairs(xs: Iterable[T]) -> list[tuple[int, T]]: ...
def optional(x: Optional[T]) -> T: ...
def new[U](xs: list[U]) -> U: ...
def one(xs: list[A]): first(xs).m()
def two(): same(A()).m()
def three(): make(A).m()
def four(xs: list[A]):
    for n, x in pairs(xs): x.m()
def five(x: Optional[A]): optional(x).m()
def six(xs: list[A]): new(xs).m()
def bound(x: Bound): x.m()
def silent(xs): first(xs).m()
"""
    )
    assert t.callers("A.m") == {"one", "two", "three", "four", "five", "six"}
    assert t.callers("B.m") == {"bound"}


def test_generic_classes_give_their_argument() -> None:
    t = one(
        A
        + """
T = TypeVar("T")
class Box(Generic[T]):
    item: T
    def get(self) -> T: ...
    def all(self) -> list[T]: ...
class New[U]:
    def get(self) -> U: ...
class Boxes(Box[A]): pass
def one(b: Box[A]): b.get().m()
def two(b: Box[A]): b.item.m()
def three(b: Box[A]):
    for x in b.all(): x.m()
def four(b: New[A]): b.get().m()
def five(b: Boxes): b.get().m()
def other(b: Box[B]): b.get().m()
def silent(b: Box): b.get().m()
"""
    )
    assert t.callers("A.m") == {"one", "two", "three", "four", "five"}
    assert t.callers("B.m") == {"other"}


def test_overloads_give_the_implementation_or_their_union() -> None:
    t = one(
        A
        + """
@overload
def get(x: int) -> A: ...
@overload
def get(x: str) -> B: ...
def get(x): ...
def one(): get(1).m()
@overload
def pick(x: int) -> A: ...
@overload
def pick(x: str, y: int) -> B: ...
def pick(x, y=0): ...
def two(): pick("", 1).m()
"""
    )
    assert t.callers("A.m") == {"one"}
    assert t.callers("B.m") == {"two"}
    assert t.callers("get") == {"one"}


def test_variables_and_attributes_keep_their_declared_type() -> None:
    t = one(
        A
        + """
x: A = make()
class H:
    a: A
    def __init__(self): self.b: B = make()
def one(): x.m()
def two(h: H): h.a.m()
def three(h: H): h.b.m()
def four():
    y: A
    y = make()
    y.m()
def five(z): cast(A, z).m()
def six(z): cast("B", z).m()
"""
    )
    assert t.callers("A.m") == {"one", "two", "four", "five"}
    assert t.callers("B.m") == {"three", "six"}


def test_aliases_and_new_types() -> None:
    t = one(
        A
        + """
Items = list[A]
Either = Union[A, B]
Other: TypeAlias = A
type Third = list[A]
Name = NewType("Name", A)
def one(x: Items): x[0].m()
def two(x: Either): x.m()
def three(x: Other): x.m()
def four(x: Third): x[0].m()
def five(x: Name): x.m()
def six(x): Name(x).m()
"""
    )
    assert t.callers("A.m") == {"one", "two", "three", "four", "five", "six"}
    assert t.callers("B.m") == {"two"}


def test_imports_for_type_checking_count(tree: MakeTree) -> None:
    t = tree(
        {
            "b.py": "class A:\n    def m(self): pass\n",
            "a.py": "from __future__ import annotations\nfrom typing import TYPE_CHECKING\n"
            "if TYPE_CHECKING:\n    from b import A\ndef use(x: A): x.m()\ndef quoted(x: 'A'): x.m()\n",
        }
    )
    assert t.callers("b.py:A.m") == {"use", "quoted"}


def test_a_stub_beside_the_source_gives_types_and_the_source_definitions(tree: MakeTree) -> None:
    t = tree(
        {
            "lib.py": "class A:\n    def m(self): pass\ndef make(): return globals()['A']()\n",
            "lib.pyi": "class A:\n    def m(self) -> None: ...\ndef make() -> A: ...\n",
            "a.py": "from lib import make\ndef use(): make().m()\n",
        }
    )
    assert t.edges("a.py") == {"use → lib.py:make", "use → lib.py:A.m"}


def test_a_stub_is_asked_only_where_the_source_says_nothing(tree: MakeTree) -> None:
    t = tree(
        {
            "lib.py": "class A:\n    def m(self): pass\nclass B:\n    def m(self): pass\n"
            "def said() -> B: ...\ndef made(): return B()\n",
            "lib.pyi": "class A:\n    def m(self) -> None: ...\ndef said() -> A: ...\ndef made() -> A: ...\n",
            "a.py": "from lib import said, made\ndef one(): said().m()\ndef two(): made().m()\n",
        }
    )
    assert t.callers("lib.py:B.m") == {"one", "two"}
    assert t.callers("lib.py:A.m") == set()


def test_where_there_are_no_stubs_nothing_is_asked_for_each_file(tree: MakeTree) -> None:
    t = tree({"lib.py": "def f(x): return x\n", "a.py": "from lib import f\ndef use(x): f(x).m()\n"})
    asked = [question for question, _ in t.link("a.py").modules if "stub" in question]
    assert asked == [("member", "python", "stub", "", "stub")]


def test_functions_handed_to_methods_of_generic_objects_are_called() -> None:
    t = one(
        A
        + """
T = TypeVar("T")
class Box(Generic[T]):
    def each(self, f):
        f()
    def get(self) -> T: ...
def hand(): pass
def use(b: Box[A]):
    b.each(hand)
    b.get().m()
"""
    )
    assert t.callers("hand") == {"Box.each"}
    assert t.callers("A.m") == {"use"}


def test_a_type_variable_of_the_receiver_is_its_class() -> None:
    t = one("""
        import typing
        T = typing.TypeVar("T", bound="Base")
        class Base:
            def __enter__(self: T) -> T: ...
            def __exit__(self, *a): pass
            @classmethod
            def make(cls: type[T]) -> T: ...
            def run(self): pass
        class Below(Base):
            def go(self): pass
        def entered():
            with Below() as x: x.go()
        def made():
            Below.make().go()
        def by_bound(x: T):
            x.run()
    """)
    assert t.callers("Below.go") == {"entered", "made"}
    assert t.callers("Base.run") == {"by_bound"}


def test_a_bound_in_quotes() -> None:
    t = one("""
        from typing import TypeVar
        T = TypeVar("T", bound="Late")
        def f(x: T) -> T:
            x.run()
        class Late:
            def run(self): pass
    """)
    assert t.callers("Late.run") == {"f"}
