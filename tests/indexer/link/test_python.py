"""Python resolution, each rule with the edges worked out by hand."""

from __future__ import annotations

from tests.indexer.link.trees import MakeTree


def test_scopes_skip_the_class_around_a_method(tree: MakeTree) -> None:
    t = tree({"a.py": "def f(): pass\nclass C:\n    def f(self): pass\n    def g(self):\n        f()\n    h = f\n"})
    assert t.edges("a.py") == {"C.g → f"}
    assert t.edges("a.py", "references") == {"<module> → C.f"}


def test_absolute_relative_and_aliased_imports(tree: MakeTree) -> None:
    t = tree(
        {
            "p/__init__.py": "",
            "p/a.py": "def f(): pass\ndef g(): pass\n",
            "p/b.py": "from . import a\nfrom .a import f as k\nimport p.a\nimport p.a as z\n"
            "def one(): k()\ndef two(): a.g()\ndef three(): p.a.f()\ndef four(): z.g()\n",
        }
    )
    assert t.edges("p/b.py") == {"one → p/a.py:f", "two → p/a.py:g", "three → p/a.py:f", "four → p/a.py:g"}
    assert t.edges("p/b.py", "imports") == {
        "<module> → p/a.py:<module>",
        "<module> → p/a.py:f",
        "<module> → p/__init__.py:<module>",
    }


def test_reexports_and_star_imports_lead_to_the_definition(tree: MakeTree) -> None:
    t = tree(
        {
            "p/__init__.py": "from .a import *\nfrom .b import hidden as shown\n",
            "p/a.py": "__all__ = ['f']\ndef f(): pass\ndef g(): pass\n",
            "p/b.py": "def hidden(): pass\n",
            "u.py": "from p import f, shown, g\nf()\nshown()\ng()\n",
        }
    )
    assert t.edges("u.py") == {"<module> → p/a.py:f", "<module> → p/b.py:hidden"}
    assert t.link("u.py").counts["unresolved: not defined in the module"] == 2


def test_star_import_without_all_hides_underscores(tree: MakeTree) -> None:
    t = tree({"m.py": "def f(): pass\ndef _g(): pass\n", "u.py": "from m import *\nf()\n_g()\n"})
    assert t.edges("u.py") == {"<module> → m.py:f"}


def test_import_cycles_end(tree: MakeTree) -> None:
    t = tree(
        {"a.py": "from b import *\nfrom b import y as x\nx()\n", "b.py": "from a import *\nfrom a import x as y\n"}
    )
    assert t.edges("a.py") == set()


def test_external_names_stay_external_whatever_the_repository_defines(tree: MakeTree) -> None:
    t = tree({"a.py": "from requests import get\nimport os\nget()\nos.path.join()\n", "b.py": "def get(): pass\n"})
    link = t.link("a.py")
    assert not any(kind == "calls" for _, _, kind, *_ in link.edges)
    assert link.pending == ()
    assert link.counts == {"external": 6}


def test_unknown_receivers_are_pending_never_resolved(tree: MakeTree) -> None:
    t = tree({"a.py": "class Box:\n    def append(self, x): pass\ndef f(things):\n    things.append(1)\n"})
    link = t.link("a.py")
    assert t.edges("a.py") == set()
    assert [(t.name(source), name, line) for source, name, line, _ in link.pending] == [("a.py:f", "append", 4)]


def test_self_inheritance_and_super_follow_c3(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "class A:\n    def m(self): pass\n    def only(self): pass\n"
            "class B(A):\n    def m(self): super().m()\n"
            "class C(A):\n    def m(self): super().m()\n"
            "class D(B, C):\n    def m(self):\n        super().m()\n        self.only()\n"
        }
    )
    assert t.edges("a.py") == {"B.m → A.m", "C.m → A.m", "D.m → B.m", "D.m → A.only"}
    assert t.edges("a.py", "inherits") == {"B → A", "C → A", "D → B", "D → C"}
    assert t.edges("a.py", "overrides") == {"B.m → A.m", "C.m → A.m", "D.m → B.m"}


def test_members_come_from_the_class_that_c3_puts_first(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "class A:\n    def m(self): pass\nclass B(A): pass\nclass C(A):\n    def m(self): pass\n"
            "class D(B, C): pass\ndef f(d: D): d.m()\n"
        }
    )
    assert t.edges("a.py") == {"f → C.m"}, "D, B, C, A; depth first it would be A.m"


def test_constructor_is_the_init_that_runs_or_the_class(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "class A:\n    def __init__(self): pass\nclass B(A): pass\nclass C: pass\n"
            "def f():\n    A()\n    B()\n    C()\n"
        }
    )
    assert t.edges("a.py") == {"f → A.__init__", "f → C"}


def test_class_static_methods_and_properties(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "class A:\n    @classmethod\n    def make(cls): cls.helper()\n"
            "    @staticmethod\n    def helper(): pass\n"
            "    @property\n    def other(self) -> 'B': pass\nclass B:\n    def run(self): pass\n"
            "def f(a: A):\n    A.make()\n    a.helper()\n    a.other.run()\n"
        }
    )
    assert t.edges("a.py") == {"A.make → A.helper", "f → A.make", "f → A.helper", "f → A.other", "f → B.run"}
    assert "f → A.other" not in t.edges("a.py", "references")  # reading a property is a call


def test_attributes_assigned_in_methods_are_typed(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "from b import Engine\nclass Car:\n    def __init__(self, spare: Engine):\n"
            "        self.engine = Engine()\n        self.spare = spare\n"
            "    def go(self):\n        self.engine.start()\n        self.spare.stop()\n",
            "b.py": "class Engine:\n    def start(self): pass\n    def stop(self): pass\n",
        }
    )
    assert t.edges("a.py") == {
        "Car.__init__ → b.py:Engine",
        "Car.go → b.py:Engine.start",
        "Car.go → b.py:Engine.stop",
    }


def test_plain_types_of_locals_parameters_and_returns(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "from typing import Optional\nclass A:\n    def m(self): return self\n"
            "def make() -> A: ...\ndef made(): return A()\n"
            "def f(p: Optional[A], q: 'A | None' = None):\n"
            "    p.m()\n    q.m()\n    x = make()\n    x.m()\n    made().m().m()\n"
        }
    )
    assert t.edges("a.py") == {"f → A.m", "f → make", "f → made", "made → A"}


def test_the_last_unconditional_assignment_wins(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "class A:\n    def m(self): pass\nclass B:\n    def m(self): pass\n"
            "def f():\n    x = A()\n    x = B()\n    x.m()\n"
            "def g(c):\n    x = A()\n    if c:\n        x = B()\n    x.m()\n"
            "def h():\n    x = A()\n    x.m()\n    x = B()\n"
            "def k():\n    x = A()\n    for _ in range(2):\n        x.m()\n        x = B()\n"
        }
    )
    calls = {edge for edge in t.edges("a.py") if edge.endswith(".m")}
    assert calls == {"f → B.m", "g → A.m", "g → B.m", "h → A.m", "k → A.m", "k → B.m"}


def test_conditional_imports_keep_both(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "try:\n    from fast import f\nexcept ImportError:\n    from slow import f\nf()\n",
            "fast.py": "def f(): pass\n",
            "slow.py": "def f(): pass\n",
        }
    )
    assert t.edges("a.py") == {"<module> → fast.py:f", "<module> → slow.py:f"}


def test_class_body_code_is_run_by_the_scope_around(tree: MakeTree) -> None:
    t = tree({"a.py": "def f(): pass\nclass C:\n    x = f()\ndef g():\n    class D:\n        y = f()\n"})
    assert t.edges("a.py") == {"<module> → f", "g → f"}


def test_decorators_call_and_lambdas_and_nested_functions_are_callers(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "def deco(f): return f\ndef h(): pass\n@deco\ndef g():\n"
            "    def inner(): h()\n    k = lambda: h()\n    inner()\n"
        }
    )
    assert t.edges("a.py") == {"<module> → deco", "g.inner → h", "g.<lambda1> → h", "g → g.inner"}


def test_global_and_nonlocal(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "class A:\n    def m(self): pass\nx = None\ndef set_it():\n    global x\n    x = A()\n"
            "def use():\n    x.m()\n"
            "def outer():\n    y = None\n    def inner():\n        nonlocal y\n        y = A()\n    y.m()\n"
        }
    )
    assert {"use → A.m", "outer → A.m"} <= t.edges("a.py")


def test_every_reference_has_exactly_one_state(tree: MakeTree) -> None:
    t = tree({"a.py": "import os\ndef f(x):\n    y = x.z\n    return y.go(os, nope)\nf(1)\n"})
    # os (import) external; x, y resolved; x.z unresolved; y.go pending; os external; nope unresolved; f resolved
    assert t.link("a.py").counts == {
        "external": 2,
        "pending": 1,
        "resolved": 3,
        "unresolved: name is not bound in the repository": 1,
        "unresolved: parameter without a type": 1,
    }


def test_lookups_name_what_was_asked_of_other_files(tree: MakeTree) -> None:
    t = tree({"a.py": "from b import C\nC().m()\n", "b.py": "class C:\n    def m(self): pass\n"})
    assert set(t.link("a.py").lookups) == {"b.py"}
    assert {".C", "C.m", "C:"} <= set(t.link("a.py").lookups["b.py"])


def test_definition_of_chain_parts_imports_and_locals(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "from b import C\ndef f(arg):\n    c = C()\n    c.m(arg)\n",
            "b.py": "class C:\n    def m(self, a): pass\n",
        }
    )
    assert t.define("a.py", "c.m(arg)", "m") == ["b.py:C.m:2"]
    assert t.define("a.py", "c.m(arg)", "c") == ["a.py:f.c:3"]
    assert t.define("a.py", "c.m(arg)", "arg") == ["a.py:f.arg:2"]
    assert t.define("a.py", "import C", "C") == ["b.py:C:1"]
    assert t.define("a.py", "def f", "f", 1) == ["a.py:f:2"]


def test_definition_of_an_external_name_is_its_import(tree: MakeTree) -> None:
    t = tree({"a.py": "from requests import get\nimport os\nget()\nos.sep\n"})
    assert t.define("a.py", "get()", "get") == ["a.py:get:1"]
    assert t.define("a.py", "os.sep", "os") == ["a.py:os:2"]
    assert t.define("a.py", "os.sep", "sep") == []


def test_a_thousand_reassignments_are_followed_or_given_up_never_a_crash(tree: MakeTree) -> None:
    steps = "    s = s.step()\n" * 1000
    t = tree({"a.py": f"class S:\n    def step(self): return self\ndef f():\n    s = S()\n{steps}    s.step()\n"})
    assert t.edges("a.py") == {"f → S.step", "f → S"}


def test_a_module_without_star_imports_is_asked_for_them(tree: MakeTree) -> None:
    t = tree({"p/__init__.py": "", "p/m.py": "", "u.py": "from p import m\nm\n"})
    assert "*" in t.link("u.py").lookups["p/__init__.py"]


def test_a_base_outside_the_repository_that_comes_first_may_have_the_member(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "import threading\nfrom typing import Generic, TypeVar\nT = TypeVar('T')\n"
            "class W:\n    def start(self): pass\n"
            "class V(threading.Thread, W):\n    def go(self): self.start()\n"
            "class G(Generic[T], W):\n    def go(self): self.start()\n"
            "class K(W, threading.Thread):\n    def go(self): self.start()\n"
        }
    )
    assert t.edges("a.py") == {"G.go → W.start", "K.go → W.start"}
    assert [name for _, name, *_ in t.link("a.py").pending] == ["start"]


def test_a_return_type_holds_only_behind_decorators_that_keep_it(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "import ext\nclass B:\n    def m(self): pass\n"
            "def keep(f):\n    return f\ndef swap(f):\n    return B\n"
            "@ext.task\ndef one() -> B: ...\n@keep\ndef two() -> B: ...\n@swap\ndef three() -> B: ...\n"
            "def f1(): one().m()\ndef f2(): two().m()\ndef f3(): three().m()\n"
        }
    )
    assert {edge for edge in t.edges("a.py") if edge.endswith("B.m")} == {"f2 → B.m", "f3 → B.m"}


def test_a_coroutine_is_not_its_result(tree: MakeTree) -> None:
    t = tree(
        {
            "a.py": "class B:\n    def m(self): pass\nasync def co() -> B: ...\n"
            "async def good(): (await co()).m()\nasync def bad(): co().m()\n"
        }
    )
    assert t.edges("a.py") == {"good → co", "good → B.m", "bad → co"}


def test_a_later_star_from_outside_may_bring_the_name_instead(tree: MakeTree) -> None:
    sources = {"lib.py": "def run(): pass\n", "a.py": "from lib import *\nfrom ext import *\nrun()\n"}
    assert tree(sources).edges("a.py") == set()
    sources["a.py"] = "from ext import *\nfrom lib import *\nrun()\n"
    assert tree(sources).edges("a.py") == {"<module> → lib.py:run"}
