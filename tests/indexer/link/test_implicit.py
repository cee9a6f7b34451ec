"""Methods that syntax runs: operators, subscription, iteration, `with`, properties, built-in functions."""

from __future__ import annotations

from tests.indexer.link.trees import Tree, one


def _marks(t: Tree) -> dict[str, str]:
    """Evidence of each call of a.py."""
    return {
        f"{t.name(source)} → {t.name(target)}".replace("a.py:", ""): evidence
        for source, target, kind, _, evidence, _ in t.link("a.py").edges
        if kind == "calls"
    }


def test_operators_and_items_have_their_own_mark() -> None:
    t = one("""
        class V:
            def __add__(self, o): return self
            def __getitem__(self, k): return self
            def __setitem__(self, k, v): pass
            def __delitem__(self, k): pass
            def __contains__(self, k): return True
            def __eq__(self, o): return True
            def __neg__(self): return self
            def __len__(self): return 0
            @property
            def size(self): return 1
        def add(v: V): v + 1
        def get(v: V): v[0]
        def put(v: V): v[0] = 1
        def drop(v: V): del v[0]
        def has(v: V): 1 in v
        def same(v: V): v == 1
        def minus(v: V): -v
        def count(v: V): len(v)
        def truth(v: V):
            if v: pass
        def size(v: V): v.size
    """)
    assert _marks(t) == {
        "add → V.__add__": "operator",
        "get → V.__getitem__": "item",
        "put → V.__setitem__": "item",
        "drop → V.__delitem__": "item",
        "has → V.__contains__": "operator",
        "same → V.__eq__": "operator",
        "minus → V.__neg__": "operator",
        "count → V.__len__": "builtin",
        "truth → V.__len__": "operator",
        "size → V.size": "property",
    }


def test_the_result_of_an_operator_is_followed() -> None:
    t = one("""
        class R:
            def m(self): pass
        class V:
            def __add__(self, o): return R()
            def __getitem__(self, k): return R()
            def __neg__(self): return R()
            def __call__(self): return R()
        def add(v: V): (v + 1).m()
        def item(v: V): v[0].m()
        def minus(v: V): (-v).m()
        def called(v: V): v().m()
    """)
    assert t.callers("R.m") == {"add", "item", "minus", "called"}


def test_the_right_operand_serves_only_where_the_left_cannot() -> None:
    t = one("""
        class L:
            def __add__(self, o): return self
        class N: pass
        class R:
            def __radd__(self, o): return self
        def left(a: L, b: R): a + b
        def right(b: R): 1 + b
        def neither(a: N, b: R): a + b
        def unknown(a, b: R): a + b
    """)
    assert t.callers("L.__add__") == {"left"}
    assert t.callers("R.__radd__") == {"neither", "right"}


def test_augmented_operators_fall_back() -> None:
    t = one("""
        class I:
            def __iadd__(self, o): return self
            def __add__(self, o): return self
        class P:
            def __add__(self, o): return self
        def in_place(x: I): x += 1
        def plain(x: P): x += 1
    """)
    assert t.callers("I.__iadd__") == {"in_place"}
    assert t.callers("I.__add__") == set()
    assert t.callers("P.__add__") == {"plain"}


def test_iteration_runs_iter_and_next_or_getitem() -> None:
    t = one("""
        class R:
            def m(self): pass
        class It:
            def __next__(self): return R()
        class Seq:
            def __iter__(self): return It()
        class Old:
            def __getitem__(self, k): return R()
        def new(xs: Seq):
            for x in xs: x.m()
        def old(xs: Old):
            for x in xs: x.m()
        def unpacked(xs: Seq):
            a, b = xs
            a.m()
        def comprehended(xs: Seq): return [x.m() for x in xs]
        def listed(xs: Old): list(xs)
    """)
    assert t.callers("R.m") == {"new", "old", "unpacked", "comprehended"}
    assert t.callers("Seq.__iter__") == {"new", "unpacked", "comprehended"}
    assert t.callers("It.__next__") == {"new", "unpacked", "comprehended"}
    assert t.callers("Old.__getitem__") == {"old", "listed"}


def test_context_managers_run_both_ends() -> None:
    t = one("""
        class R:
            def m(self): pass
        class C:
            def __enter__(self): return R()
            def __exit__(self, *a): pass
        class A:
            async def __aenter__(self): return R()
            async def __aexit__(self, *a): pass
        def plain(c: C):
            with c as r: r.m()
        async def later(a: A):
            async with a as r: r.m()
    """)
    assert t.callers("C.__enter__") == t.callers("C.__exit__") == {"plain"}
    assert t.callers("A.__aenter__") == t.callers("A.__aexit__") == {"later"}
    assert t.callers("R.m") == {"plain", "later"}


def test_awaiting_an_object_runs_its_await() -> None:
    t = one("""
        class F:
            def __await__(self): yield
        async def use(f: F): await f
    """)
    assert t.callers("F.__await__") == {"use"}


def test_subscripts_and_operators_of_a_class_are_not_those_of_its_objects() -> None:
    t = one("""
        class X:
            def __getitem__(self, k): pass
            def __or__(self, o): pass
            def __iter__(self): pass
            def __len__(self): pass
            def __call__(self): pass
        class G:
            def __class_getitem__(cls, k): pass
        class S(X): pass
        Alias = X[int]
        Either = X | None
        def use():
            for x in X: pass
            len(X)
            G[int]
            S()
    """)
    assert t.edges("a.py") == {"use → G.__class_getitem__", "use → S"}


def test_unknown_operands_are_silent() -> None:
    t = one("""
        class V:
            def __add__(self, o): pass
            def __iter__(self): pass
        def use(x):
            x + 1
            for y in x: pass
            len(x)
            with x: pass
    """)
    assert t.edges("a.py") == set()


def test_inherited_special_methods_and_overrides_lead_to_the_one_that_runs() -> None:
    t = one("""
        class Base:
            def __len__(self): return 0
            def __iter__(self): return iter(())
        class Sub(Base):
            def __len__(self): return 1
        def use():
            s = Sub()
            len(s)
            for x in s: pass
    """)
    assert t.edges("a.py") == {"use → Sub", "use → Sub.__len__", "use → Base.__iter__"}


def test_strings_hash_and_formatting() -> None:
    t = one("""
        class V:
            def __str__(self): return ""
            def __repr__(self): return ""
            def __hash__(self): return 0
            def __format__(self, spec): return ""
        class W:
            def __repr__(self): return ""
        def one(v: V): str(v)
        def two(v: V): repr(v)
        def three(v: V): hash(v)
        def four(w: W): str(w)
    """)
    assert t.callers("V.__str__") == {"one"}
    assert t.callers("V.__repr__") == {"two"}
    assert t.callers("V.__hash__") == {"three"}
    assert t.callers("W.__repr__") == {"four"}
