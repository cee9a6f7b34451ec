"""Python that does not parse, is deeply nested, or was written for Python 2."""

from __future__ import annotations

import time

import pytest

from indexer.languages.python import Python
from indexer.languages.python.walk import MAX_DEPTH
from indexer.model import FileFacts, Role


def facts(source: str) -> FileFacts:
    return Python().extract(source.encode())


def test_what_stands_around_an_error_is_extracted() -> None:
    found = facts("def a():\n    b()\n\nx = = 3\n\ndef c():\n    d.e()\n")
    assert found.error_lines == ((4, 4),)
    assert [row.qualname for row in found.symbols if row.kind == "function"] == ["a", "c"]
    assert {row[1] for row in found.references if row[2] == 1} == {"b", "d.e"}


def test_bare_names_in_an_error_are_no_references() -> None:
    found = facts("def broken(\n\nclass A:\n    pass\n")
    assert found.error_lines
    assert "broken" not in {row[1] for row in found.references}


def test_a_missing_body_or_name() -> None:
    for source in ("x = (", "self.", "def (): pass", "class : pass", "import", "from a import", "x.", "@", "f("):
        found = facts(source)
        assert found.error_lines, source
        assert all(row.name for row in found.symbols)
        assert all(row.name for row in found.bindings)
        assert all(row[1] != "" for row in found.references)


def test_a_head_without_a_body() -> None:
    assert [row.qualname for row in facts("class C:\n    def f(self):").symbols] == ["<module>", "C", "C.f"]
    assert facts("class C:\n    def f(self): self.").attributes == ()


def test_no_errors_in_good_source() -> None:
    assert facts("match = 1\nprint(match)\ntype = 2\n").error_lines == ()


def test_python_2() -> None:
    found = facts(
        "print x, f(y)\nprint >>out, z\nexec 'a' in b\ntry: pass\nexcept E, e: pass\ndef f((a, b), c): pass\n"
    )
    assert {row[1] for row in found.references} >= {"x", "f", "y", "out", "z", "b", "E"}
    assert [row.name for row in found.bindings] == ["f", "a", "b", "c"]


DEEP = 10_000
CASES = {
    "brackets": "x = " + "[" * DEEP + "]" * DEEP,
    "open brackets": "[" * DEEP,
    "calls": "f(" * DEEP + ")" * DEEP,
    "used calls": "x = " + "f(" * DEEP + ")" * DEEP,
    "links": "x = a" + ".b()" * DEEP,
    "items": "x = a" + "[0]" * DEEP,
    "lambdas": "x = " + "lambda: " * DEEP + "a",
    "conditions": "x = " + "a if b else " * DEEP + "c",
    "comprehensions": "x = " + "[a for a in " * DEEP + "b" + "]" * DEEP,
    "annotations": "x: " + "A[" * DEEP + "B" + "]" * DEEP,
    "quoted annotations": "x: '" + "A[" * DEEP + "B" + "]" * DEEP + "'",
    "targets": "(" * DEEP + "x" + ",)" * DEEP + " = y",
    "patterns": "match x:\n case " + "[" * DEEP + "a" + "]" * DEEP + ": pass",
    "decorators": "@" + "f(" * DEEP + ")" * DEEP + "\ndef g(): pass",
    "blocks": "".join(" " * n + "if a:\n" for n in range(500)) + " " * 500 + "pass",
    "functions": "".join(" " * n + "def f():\n" for n in range(500)) + " " * 500 + "pass",
}


@pytest.mark.parametrize("case", CASES)
def test_deep_nesting_is_bounded_and_reported(case: str) -> None:
    source = CASES[case] + "\nlast = 1\n"
    started = time.process_time()
    found = facts(source)
    assert time.process_time() - started < 1
    assert found.error_lines
    if case not in ("open brackets", "blocks", "functions"):
        assert found.bindings[-1].name == "last"


@pytest.mark.parametrize("source", ["x = a" + " + b" * DEEP, "x = a" + " and b" * DEEP, "x = a" + ".b" * DEEP])
def test_what_is_long_but_not_deep_is_read_to_its_end(source: str) -> None:
    found = facts(source + "\n")
    assert found.error_lines == ()
    assert sum(len(row[3]) for row in found.references if row[2] != Role.IMPLICIT) in (1, DEEP + 1)


def test_the_limit_leaves_room_for_a_caller() -> None:
    """Whether deep source is read does not depend on how deep the caller's own stack is."""

    def beneath(frames: int) -> FileFacts:
        return beneath(frames - 1) if frames else facts("x = " + "[" * MAX_DEPTH * 2 + "]" * MAX_DEPTH * 2 + "\n")

    assert beneath(200) == facts("x = " + "[" * MAX_DEPTH * 2 + "]" * MAX_DEPTH * 2 + "\n")
