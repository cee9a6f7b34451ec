"""Imports and `__all__` of Python, worked out by hand."""

from __future__ import annotations

import pytest

from indexer.languages.python import Python
from indexer.model import FileFacts


def facts(source: str) -> FileFacts:
    return Python().extract(source.encode())


def rows(source: str) -> list[tuple[str, int, str, str, bool, str]]:
    return [row[:6] for row in facts(source).imports]


def exports(source: str) -> list[tuple[str, object]] | None:
    found = facts(source).exports
    return None if found is None else [(row.name, row.expression) for row in found]


def test_modules() -> None:
    assert rows("import a.b, c, d.e as f\n") == [
        ("a.b", 0, "", "a", True, "import"),
        ("c", 0, "", "c", True, "import"),
        ("d.e", 0, "", "f", False, "import"),
    ]


def test_names() -> None:
    assert rows("from . import x\nfrom .a.b import (c as d,  # why\n e,)\nfrom ... import *\nfrom f import g\n") == [
        ("", 1, "x", "x", False, "from"),
        ("a.b", 1, "c", "d", False, "from"),
        ("a.b", 1, "e", "e", False, "from"),
        ("", 3, "*", "", False, "star"),
        ("f", 0, "g", "g", False, "from"),
    ]
    assert rows("from __future__ import annotations\n") == [
        ("__future__", 0, "annotations", "annotations", False, "from")
    ]


def test_places() -> None:
    found = facts("def f():\n    from a import (\n        b,\n        c as d)\n")
    assert [(row.scope, row.position, row.line) for row in found.imports] == [(1, 37, 3), (1, 48, 4)]


def test_imports_for_types_only() -> None:
    found = facts(
        "if TYPE_CHECKING:\n    import a\nelse:\n    import b\n"
        "if typing.TYPE_CHECKING:\n    if x:\n        import c\nimport d\n"
    )
    assert [row.type_only for row in found.imports] == [True, False, True, False]


def test_dynamic_imports() -> None:
    found = facts(
        "import importlib\nx = importlib.import_module('.a.b', 'c')\n__import__('d.e')\nimportlib.import_module(f)\n"
    )
    assert [row[:6] for row in found.imports[1:]] == [
        ("a.b", 1, "", "", False, "dynamic"),
        ("d.e", 0, "", "", True, "dynamic"),
    ]
    (binding,) = [row for row in found.bindings if row.name == "x"]
    assert isinstance(binding.expression, int)
    assert found.expressions[binding.expression] == ("import", 1)


def test_another_function_of_that_name_imports_nothing() -> None:
    assert rows("import_module('a')\n") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = 1", None),
        ("__all__ = ['a', \"b\"]", [("a", "a"), ("b", "b")]),
        ("__all__ = ()", []),
        ("__all__ = ['a'] + m.n.__all__ + ['b']", [("a", "a"), ("*", "m.n"), ("b", "b")]),
        ("__all__ = [*m.__all__, 'a']", [("*", "m"), ("a", "a")]),
        ("__all__ = ['a']\n__all__ += ['b']\n__all__.extend(['c'])\n__all__.append('d')", [(n, n) for n in "abcd"]),
        ("__all__ = ['a', 'b']\n__all__.remove('a')", [("b", "b")]),
        ("__all__: list[str] = ['a']", [("a", "a")]),
        ("__all__ = sorted(['a'])", [("a", "a")]),
        ("__all__ = compute()", None),
        ("def f():\n    __all__ = ['a']", None),
    ],
)
def test_exports(source: str, expected: list[tuple[str, object]] | None) -> None:
    found = exports(source + "\n")
    assert (None if found is None else sorted(found)) == (None if expected is None else sorted(expected))


def test_names_in_imports_are_no_references() -> None:
    assert facts("import a.b as c\nfrom d import e as f\n").references == ()
