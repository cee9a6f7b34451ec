"""What an edit changes for other files."""

from __future__ import annotations

from indexer.languages import by_name
from indexer.link import changed_bindings

BEFORE = (
    "from x import y\n\nclass C(y):\n    def m(self) -> int:\n        a = 1\n        return a\n\ndef f():\n    return C()\n"
)


def changes(after: str, before: str = BEFORE) -> set[str]:
    python = by_name("python")
    return set(changed_bindings(python.extract(before.encode()), python.extract(after.encode())))


def test_moving_code_changes_nothing():
    assert changes("# a comment\n\n\n" + BEFORE) == set()


def test_an_edit_in_a_body_changes_its_locals_alone():
    assert changes(BEFORE.replace("a = 1", "a = g()")) == {"C.m.a"}


def test_a_return_type_changes_the_call():
    assert changes(BEFORE.replace("-> int", "-> str")) == {"C.m()"}


def test_a_base_changes_the_class():
    assert changes(BEFORE.replace("class C(y)", "class C(z)")) == {"C:"}


def test_a_new_name_appears_and_a_removed_one_disappears():
    assert changes(BEFORE + "\ndef g(): pass\n") == {".g", "g()", ".*"} - {".*"}
    assert ".f" in changes(BEFORE.replace("def f", "def g"))


def test_an_absent_file_changes_everything():
    facts = by_name("python").extract(BEFORE.encode())
    assert {".C", ".f", "C.m", "f()"} <= set(changed_bindings(None, facts))
    assert changed_bindings(facts, None) == changed_bindings(None, facts)
