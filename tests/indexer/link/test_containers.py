"""Values that pass through lists, tuples, sets and dicts."""

from __future__ import annotations

from tests.indexer.link.trees import MakeTree, one


def test_constant_indexes_of_lists_and_tuples_choose_the_item() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        def c(): pass
        xs = [a, b, c]
        def first(): xs[0]()
        def last(): xs[-1]()
        def some(n): xs[n]()
        def beyond(): xs[3]()
        def pair():
            p = (a, b)
            p[1]()
    """)
    assert t.callers("a") == {"first", "some"}
    assert t.callers("b") == {"some", "pair"}
    assert t.callers("c") == {"last", "some"}


def test_slices_and_starred_unpacking_keep_places() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        def c(): pass
        xs = [a, b, c]
        def tail():
            for f in xs[1:]: f()
        def head():
            for f in xs[:1]: f()
        def unpacked():
            first, *rest = xs
            first()
        def others():
            first, *rest = xs
            for f in rest: f()
        def ends():
            first, *_, last = xs
            last()
    """)
    assert t.callers("a") == {"head", "unpacked"}
    assert t.callers("b") == {"tail", "others"}
    assert t.callers("c") == {"tail", "others", "ends"}


def test_what_is_put_in_later_is_in_it() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        def c(): pass
        def appended():
            xs = []
            xs.append(a)
            for f in xs: f()
        def extended():
            xs = [b]
            xs += [c]
            for f in xs: f()
        def inserted():
            xs = []
            xs.insert(0, b)
            xs[0]()
        def stored():
            d = {}
            d["k"] = c
            d["k"]()
            d["other"]()
    """)
    assert t.callers("a") == {"appended"}
    assert t.callers("b") == {"extended", "inserted"}
    assert t.callers("c") == {"extended", "stored"}


def test_a_registry_of_another_file_gives_all_or_the_one_of_a_constant_key(tree: MakeTree) -> None:
    t = tree(
        {
            "reg.py": "def a(): pass\ndef b(): pass\nHANDLERS = {'a': a, 'b': b}\n",
            "a.py": "from reg import HANDLERS\nimport reg\n"
            "def any_of(name): HANDLERS[name]()\ndef the_one(): HANDLERS['a']()\ndef none(): HANDLERS['c']()\n"
            "def by_module(): reg.HANDLERS['b']()\n",
        }
    )
    assert t.callers("reg.py:a") == {"any_of", "the_one"}
    assert t.callers("reg.py:b") == {"any_of", "by_module"}


def test_get_pop_and_setdefault_give_the_item_or_the_default() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        def c(): pass
        D = {"a": a, "b": b}
        def got(): D.get("a")()
        def defaulted(): D.get("zzz", c)()
        def popped(): {"a": a}.pop("b", c)()
        def set_default():
            d = {}
            d.setdefault("k", b)()
    """)
    assert t.callers("a") == {"got"}
    assert t.callers("b") == {"set_default"}
    assert t.callers("c") == {"defaulted", "popped"}


def test_mappings_put_together() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        A = {"x": a}
        B = {"y": b}
        def spread():
            d = {**A, **B}
            d["x"]()
        def joined():
            d = A | B
            d["y"]()
        def updated():
            d = {}
            d.update(A)
            d["x"]()
        def updated_by_name():
            d = dict()
            d.update(k=b)
            d["k"]()
        def augmented():
            d = {}
            d |= B
            d["y"]()
    """)
    assert t.callers("a") == {"spread", "updated"}
    assert t.callers("b") == {"joined", "updated_by_name", "augmented"}


def test_displays_put_together() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        def joined():
            xs = [a] + [b]
            xs[1]()
        def spread():
            xs = [*[a], *(b,)]
            for f in xs: f()
        def repeated():
            xs = [a] * 3
            xs[0]()
    """)
    assert t.callers("a") == {"spread", "repeated"}
    assert t.callers("b") == {"joined", "spread"}


def test_nested_displays() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        T = {"one": {"run": a}, "two": {"run": b}}
        L = [(1, a), (2, b)]
        def one(): T["one"]["run"]()
        def rows():
            for n, f in L: f()
        def second(): L[1][1]()
    """)
    assert t.callers("a") == {"one", "rows"}
    assert t.callers("b") == {"rows", "second"}


def test_comprehensions_zip_enumerate_and_items() -> None:
    t = one("""
        def a(): pass
        def b(): pass
        D = {"a": a}
        def items():
            for k, f in D.items(): f()
        def values():
            for f in D.values(): f()
        def keys():
            for f in D: f()
        def numbered():
            for n, f in enumerate([b]): f()
        def zipped():
            for x, y in zip([a], [b]): y()
        def comprehended():
            for f in [g for g in (a, b)]: f()
        def mapped():
            d = {k: g for k, g in D.items()}
            d["a"]()
        def inside():
            return [f() for f in [b]]
    """)
    assert t.callers("a") == {"items", "values", "comprehended", "mapped"}
    assert t.callers("b") == {"numbered", "zipped", "comprehended", "inside"}


def test_containers_made_by_calls() -> None:
    t = one("""
        from collections import defaultdict, deque
        class A:
            def m(self): pass
        def a(): pass
        def factory():
            d = defaultdict(A)
            d["x"].m()
        def queue():
            q = deque([a])
            q.popleft()()
        def listed():
            xs = list((a,))
            xs[0]()
        def from_keys():
            d = dict.fromkeys(["x"], a)
            d["x"]()
        def named():
            d = dict(k=a)
            d["k"]()
            d["z"]()
    """)
    assert t.callers("A.m") == {"factory"}
    assert t.callers("a") == {"queue", "listed", "named", "from_keys"}


def test_a_container_that_escapes_is_not_guessed_at() -> None:
    t = one("""
        class Box:
            def append(self, x): pass
            def m(self): pass
        def f(xs):
            xs.append(1)
            xs[0].m()
            for x in xs: x.m()
    """)
    assert t.edges("a.py") == set()
