from __future__ import annotations

import time

import pytest

from indexer.discover.ignore import parse


def decides(content: str, path: str, *, folder: bool = False, ignore_case: bool = False) -> bool | None:
    """What the ignore file says of a path: True ignored, False brought back, None nothing."""
    for pattern in parse(content.encode(), ignore_case):
        if pattern.matches(path.encode().split(b"/"), folder):
            return not pattern.negated
    return None


# From the documentation of gitignore and from `git check-ignore`.
@pytest.mark.parametrize(
    ("content", "path", "expected"),
    [
        ("a.py", "a.py", True),
        ("a.py", "x/a.py", True),
        ("/a.py", "x/a.py", None),
        ("x/a.py", "x/a.py", True),
        ("x/a.py", "y/x/a.py", None),
        ("*.py", "x/y.py", True),
        ("x/*", "x/y/z", None),
        ("?.py", "ab.py", None),
        ("?.py", "é.py", None),  # a question mark is one byte
        ("[a-c].py", "b.py", True),
        ("[!a-c].py", "b.py", None),
        ("[^a].py", "b.py", True),
        ("[b-a].py", "b.py", True),
        ("[]a].py", "].py", True),
        ("[[:digit:]].py", "7.py", True),
        ("[a", "[a", None),
        ("**/b", "b", True),
        ("**/b", "a/c/b", True),
        ("a/**", "a/b/c", True),
        ("a/**", "a", None),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**/b/**/c", "a/b/x/b/y/c", True),
        ("# a", "# a", None),
        ("\\#a", "#a", True),
        ("\\!a", "!a", True),
        ("\\a", "a", True),
        ("a\\", "a\\", None),
        ("a  ", "a", True),
        ("a\\ ", "a ", True),
        ("a\r\n", "a", True),
        ("\ufeffa", "a", True),
        ("a\n!a", "a", False),
        ("!a\na", "a", True),
        ("/", "a", None),
        ("A", "a", None),
    ],
)
def test_patterns(content: str, path: str, expected: bool | None) -> None:
    assert decides(content, path) is expected


def test_pattern_for_folders() -> None:
    assert decides("a/", "a") is None
    assert decides("a/", "a", folder=True) is True


def test_case_may_be_ignored() -> None:
    assert decides("A.PY", "a.py", ignore_case=True) is True


def test_hostile_pattern_takes_no_time() -> None:
    started = time.perf_counter()
    assert decides("*a" * 60 + "b", "a" * 250) is None
    assert decides("**/a/" * 40 + "b", "a/" * 120 + "c") is None
    assert time.perf_counter() - started < 1
