"""What an edit changes for other files."""

from __future__ import annotations

from indexer.languages import by_name
from indexer.link import Comparison, LinesMoved, changed_bindings

BEFORE = """\
from x import y

class C(y):
    def m(self) -> int:
        a = 1
        return a

def f():
    return C()
"""


def changes(after: str, before: str = BEFORE) -> set[str]:
    python = by_name("python")
    return set(changed_bindings(python.extract(before.encode()), python.extract(after.encode()), python))


def test_moving_code_changes_nothing() -> None:
    assert changes("# a comment\n\n\n" + BEFORE) == set()


def test_an_edit_in_a_body_changes_its_locals_and_what_it_does_with_parameters() -> None:
    assert changes(BEFORE.replace("a = 1", "a = g()")) == {"C.m.a"}
    assert changes(BEFORE.replace("a = 1", "a = g(self)")) == {"C.m.a", "C.m{}", "C.m{:}", "C.m()"}


def test_a_return_type_changes_the_call() -> None:
    assert changes(BEFORE.replace("-> int", "-> str")) == {"C.m()", "C.m{}"}


def test_a_base_changes_the_class() -> None:
    assert changes(BEFORE.replace("class C(y)", "class C(z)")) == {"C:"}


def test_a_new_name_appears_and_a_removed_one_disappears() -> None:
    assert changes(BEFORE + "\ndef g(): pass\n") == {".g", "g()", "g(*,)", "g{}", "g{:}"}
    assert ".f" in changes(BEFORE.replace("def f", "def g"))


def test_an_absent_file_changes_everything() -> None:
    python = by_name("python")
    facts = python.extract(BEFORE.encode())
    assert {".C", ".f", "C.m", "f()"} <= set(changed_bindings(None, facts, python))
    assert changed_bindings(facts, None, python) == changed_bindings(None, facts, python)


def test_only_what_was_asked_is_compared() -> None:
    python = by_name("python")
    old, new = (python.extract(text.encode()) for text in (BEFORE, BEFORE.replace("C()", "D()")))
    assert changed_bindings(old, new, python, {"f()", ".f"}) == {"f()"}


def test_a_local_name_that_hides_another_changes_what_is_returned() -> None:
    before = "x = 1\ndef f():\n    y = 2\n    return x\n"
    assert "f()" in changes(before.replace("y = 2", "x = 2"), before)
    assert "f()" not in changes(before.replace("y = 2", "z = 2"), before)


def test_the_binding_that_reaches_a_place_counts_and_not_where_it_stands() -> None:
    before = "def f():\n    x = a\n    y = x\n    x = b\n    return y\n"
    assert changes("\n\n" + before, before) == set()
    assert {"f.y"} <= changes(before.replace("    y = x\n    x = b\n", "    x = b\n    y = x\n"), before)


def test_what_is_put_into_containers() -> None:
    before = "d = {}\nd['a'] = f\nl = []\nl.append(f)\nl.sort(f)\n"
    assert changes(before.replace("d['a'] = f", "d['a'] = g"), before) == {"[]"}
    assert changes(before.replace("append(f)", "append(g)"), before) == {"[]"}
    assert changes(before.replace("sort(f)", "sort(g)"), before) == set()


def test_what_is_set_from_outside_of_a_class() -> None:
    before = "class C: pass\nC.x = f\n"
    assert "=x" in changes(before.replace("= f", "= g"), before)


def test_calls_of_a_body_with_their_lines_from_its_first() -> None:
    before = "def f(g):\n    g()\n    h(g)\n"
    assert changes("\n" + before, before) == set()
    assert changes(before.replace("    g()", "\n    g()"), before) == {"f{:}"}
    assert changes(before.replace("    g()", "    x = log()\n    g()"), before) == {"f{:}", "f.x"}
    assert changes(before.replace("    g()", "    g()\n    print(g)"), before) == {"f{}", "f{:}"}
    assert changes(before.replace("h(g)", "h(g, 1)"), before) == {"f{}"}


def test_a_parameter_that_nothing_is_done_with_changes_what_fills_it_alone() -> None:
    before = "def f(g, x):\n    g(x)\n    return x\n"
    assert changes(before.replace("x):", "x, y=1):"), before) == {"f.y", "f(*,)"}
    assert changes(before.replace("x):", "x, *y):"), before) == {"f.y", "f(*,)"}
    assert changes(before.replace("g, x", "x, g"), before) >= {"f()", "f{}", "f(*,)"}
    assert changes(before.replace("x):", "x, y=1):").replace("g(x)", "g(x, y)"), before) == {"f.y", "f(*,)", "f{}"}


def filled(before: str, after: str, *keys: str) -> set[str]:
    python = by_name("python")
    return set(changed_bindings(python.extract(before.encode()), python.extract(after.encode()), python, keys))


def test_the_parameters_that_a_call_fills() -> None:
    before = "def f(a, b): pass\n"
    keys = ("f(1,)", "f(2,)", "f(3,)", "f(1,b,)", "f(1,c,)", "f(*,)")
    assert filled(before, "def f(a, b, c=1): pass\n", *keys) == {"f(3,)", "f(1,c,)", "f(*,)"}
    assert filled(before, "def f(a, b, *c): pass\n", *keys) == {"f(3,)", "f(*,)"}
    assert filled(before, "def f(a, b, **d): pass\n", *keys) == {"f(1,c,)", "f(*,)"}
    assert filled(before, "def f(b, a): pass\n", *keys) == set(keys)
    assert filled(before, "def f(a, c, b=1): pass\n", *keys) == set(keys) - {"f(1,)"}
    assert filled(before, "x = D[a]\ndef f(a, b): pass\n", *keys) == set(keys)


def test_decorators_change_the_name_and_the_call() -> None:
    before = "def f(): pass\n"
    assert changes("@d\n" + before, before) == {".f", "f()", "f{}"}
    assert "C()" in changes("@d\nclass C: pass\n", "@e\nclass C: pass\n")


def test_the_order_of_declared_names_is_seen() -> None:
    before = "class T(N):\n    a: int\n    b: str\n"
    assert "T[]" in changes("class T(N):\n    b: str\n    a: int\n", before)
    assert "T[]" not in changes("class T(N):\n    a: bytes\n    b: str\n", before)


def test_a_registered_function_is_seen_beside_the_one_that_dispatches() -> None:
    before = "@singledispatch\ndef show(x): pass\n"
    assert "[]" in changes(before + "@show.register\ndef show_int(x: int): pass\n", before)
    assert "[]" not in changes(before + "@other\ndef show_int(x: int): pass\n", before)


def moved(before: str, after: str, name: str) -> list[LinesMoved] | None:
    python = by_name("python")
    return Comparison(python.extract(before.encode()), python.extract(after.encode()), python).moved(name)


def test_lines_that_move_one_by_one_are_told() -> None:
    before = "def e(): pass\ndef f(g):\n    g()\n    h(g)\n"
    assert moved(before, before.replace("    h", "    x = 1\n    h"), "f{:}") == [LinesMoved(2, {1: 1, 2: 3})]
    assert moved(before, before.replace("def e(): pass\n", "\n"), "f{:}") == [LinesMoved(1, {1: 1, 2: 2})]


def test_lines_that_part_or_meet_are_not() -> None:
    together, apart = "def f(g):\n    g(); h(g)\n", "def f(g):\n    g()\n    h(g)\n"
    assert moved(together, apart, "f{:}") is None
    assert moved(apart, together, "f{:}") is None
    assert moved(apart, apart.replace("h(g)", "k(g)"), "f{:}") is None
