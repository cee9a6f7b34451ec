"""Functions handed to the standard library, and what it hands back."""

from __future__ import annotations

import pytest

from tests.indexer.link.trees import MakeTree, one

HANDED = {
    "map": "list(map(hand, [1]))",
    "filter": "list(filter(hand, [1]))",
    "sorted": "sorted([1], key=hand)",
    "min": "min([1], key=hand)",
    "max": "max([1], key=hand)",
    "sort": "[2, 1].sort(key=hand)",
    "sort of a name": "xs = [2, 1]; xs.sort(key=hand)",
    "iter": "iter(hand, None)",
    "thread": "threading.Thread(target=hand).start()",
    "timer": "threading.Timer(1, hand)",
    "thread by place": "threading.Thread(None, hand)",
    "process": "multiprocessing.Process(target=hand)",
    "executor": "concurrent.futures.ThreadPoolExecutor().submit(hand, 1)",
    "executor as": "with concurrent.futures.ThreadPoolExecutor() as pool: pool.map(hand, [1])",
    "executor submit as": "with concurrent.futures.ProcessPoolExecutor() as pool: pool.submit(hand)",
    "pool": "multiprocessing.Pool(2).map(hand, [1])",
    "atexit": "atexit.register(hand)",
    "signal": "signal.signal(signal.SIGINT, hand)",
    "sub": "re.sub('a', hand, 'b')",
    "compiled sub": "re.compile('a').sub(hand, 'b')",
    "finalize": "weakref.finalize(object(), hand)",
    "reduce": "functools.reduce(hand, [1])",
    "cmp_to_key": "functools.cmp_to_key(hand)",
    "call_soon": "asyncio.get_event_loop().call_soon(hand)",
    "to_thread": "asyncio.to_thread(hand, 1)",
    "done callback": "asyncio.Future().add_done_callback(hand)",
    "groupby": "itertools.groupby([1], key=hand)",
    "exit stack": "contextlib.ExitStack().callback(hand)",
    "settrace": "sys.settrace(hand)",
}
IMPORTS = (
    "import asyncio, atexit, collections, concurrent.futures, contextlib, functools, itertools, multiprocessing\n"
    "import re, signal, sys, threading, weakref\n"
)


@pytest.mark.parametrize("call", HANDED.values(), ids=HANDED.keys())
def test_the_library_calls_what_it_is_handed(tree: MakeTree, call: str) -> None:
    t = tree({"a.py": f"{IMPORTS}def hand(*a): pass\ndef use():\n    {call}\n"})
    evidence = {row[4] for row in t.link("a.py").edges if row[2] == "calls"}
    assert t.edges("a.py") == {"use → hand"}
    assert evidence == {"argument"}


NOT_CALLED = ("print(hand)", "isinstance(hand, int)", "[].append(hand)", "{}.get(hand)", "id(hand)", "str(hand)",
              "hash(hand)", "ext.run(hand)", "unknown(hand)")  # fmt: skip


@pytest.mark.parametrize("call", NOT_CALLED)
def test_what_is_not_known_to_call_its_arguments_makes_no_edge(tree: MakeTree, call: str) -> None:
    t = tree({"a.py": f"import ext\ndef hand(*a): pass\ndef use(unknown):\n    {call}\n"})
    assert t.edges("a.py") == set()


def test_coroutines_handed_to_asyncio_are_called_where_they_are_written() -> None:
    t = one("""
        import asyncio
        class A:
            def m(self): pass
        async def work(): return A()
        def run(): asyncio.run(work()).m()
        async def task(): (await asyncio.create_task(work())).m()
        async def gathered():
            for x in await asyncio.gather(work(), work()): x.m()
        async def waited(): (await asyncio.wait_for(work(), 1)).m()
    """)
    assert t.callers("work") == {"run", "task", "gathered", "waited"}
    assert t.callers("A.m") == {"run", "task", "gathered", "waited"}


def test_results_that_the_library_hands_on() -> None:
    t = one("""
        import copy, functools, itertools, operator, random
        class A:
            b: "A"
            def m(self): pass
        def one(xs: list[A]): sorted(xs)[0].m()
        def two(xs: list[A]): next(iter(xs)).m()
        def three(a: A): copy.copy(a).m()
        def four(xs: list[A]): max(xs, key=id).m()
        def five(xs: list[A]):
            for x in reversed(xs): x.m()
        def six(xs: list[A]):
            for x in filter(None, xs): x.m()
        def seven(xs: list[A]):
            for x, y in zip(range(3), xs): y.m()
        def eight(xs: list[A]):
            for x in itertools.chain(xs, xs): x.m()
        def nine(a: A): getattr(a, "b").m()
        def ten(xs: list[A]): random.choice(xs).m()
        def eleven(a: A): getattr(a, "m")()
        def twelve(a: A): type(a).m(a)
        def thirteen(a: A, b: A): min(a, b).m()
        def make() -> A: ...
        def fourteen():
            for x in map(lambda n: make(), range(3)): x.m()
        def silent(xs: list[A]): len(xs).m()
    """)
    numbers = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    assert t.callers("A.m") == set(numbers.split())


def test_standard_library_types_stay_outside() -> None:
    t = one("""
        import os
        class Text:
            def read(self): pass
            def get(self): pass
            def split(self): pass
        def one():
            with open("x") as f: f.read()
        def two(): os.environ.get("x").split()
        def three(): "a b".split()[0].split()
        def four(x: dict[str, int]): x.get("a")
    """)
    assert t.edges("a.py") == set()
    assert t.link("a.py").pending == ()


def test_import_module_and_import_with_literals(tree: MakeTree) -> None:
    t = tree(
        {
            "p/__init__.py": "",
            "p/m.py": "def f(): pass\n",
            "a.py": "import importlib\nfrom importlib import import_module\n"
            "def one(): importlib.import_module('p.m').f()\n"
            "def two(): import_module('p.m').f()\n"
            "def three():\n    m = __import__('p.m', fromlist=['f'])\n    m.f()\n"
            "def four():\n    m = __import__('p.m')\n    m.m.f()\n"
            "def silent(name): importlib.import_module(name).f()\n",
        }
    )
    assert t.callers("p/m.py:f") == {"one", "two", "three", "four"}


def test_a_lazy_module_is_a_reason(tree: MakeTree) -> None:
    t = tree(
        {
            "lazy.py": "def __getattr__(name): ...\n",
            "a.py": "import lazy\nfrom lazy import thing\ndef use(): lazy.other()\n",
        }
    )
    assert t.link("a.py").counts["unresolved: module defines __getattr__"] >= 1
    assert t.edges("a.py") == set()
