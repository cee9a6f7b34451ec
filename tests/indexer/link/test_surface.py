"""What an edit changes for other files."""

from __future__ import annotations

from indexer.languages import by_name
from indexer.link import changed_bindings

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
    return set(changed_bindings(python.extract(before.encode()), python.extract(after.encode())))


def test_moving_code_changes_nothing() -> None:
    assert changes("# a comment\n\n\n" + BEFORE) == set()


def test_an_edit_in_a_body_changes_its_locals_alone() -> None:
    assert changes(BEFORE.replace("a = 1", "a = g()")) == {"C.m.a"}


def test_a_return_type_changes_the_call() -> None:
    assert changes(BEFORE.replace("-> int", "-> str")) == {"C.m()"}


def test_a_base_changes_the_class() -> None:
    assert changes(BEFORE.replace("class C(y)", "class C(z)")) == {"C:"}


def test_a_new_name_appears_and_a_removed_one_disappears() -> None:
    assert changes(BEFORE + "\ndef g(): pass\n") == {".g", "g()"}
    assert ".f" in changes(BEFORE.replace("def f", "def g"))


def test_an_absent_file_changes_everything() -> None:
    facts = by_name("python").extract(BEFORE.encode())
    assert {".C", ".f", "C.m", "f()"} <= set(changed_bindings(None, facts))
    assert changed_bindings(facts, None) == changed_bindings(None, facts)
