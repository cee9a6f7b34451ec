"""Which files are test code, told from the path alone."""

from __future__ import annotations

import re

_FOLDERS = frozenset({"tests", "__tests__", "__mocks__"})
_ROOTS = frozenset({"test", "testing", "spec", "specs", "e2e"})
"""Test code at the root of a repository only: further down these are often libraries for testing."""

_NAMES = re.compile(
    r"""(?x) ^(?:
      test_.*\.pyi? | .*_tests?\.pyi? | tests?\.pyi? | conftest\.py
    | .*\.(?:test|spec|e2e|cy)\.[cm]?[jt]sx?
    )$"""
)


def is_test(path: str) -> bool:
    """Whether `path` (relative, "/" between parts) is test code by the usual conventions of its tools."""
    *folders, name = path.split("/")
    if _NAMES.match(name) is not None or not _FOLDERS.isdisjoint(folders):
        return True
    return bool(folders) and folders[0] in _ROOTS
