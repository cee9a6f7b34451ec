"""Which added file a deleted one has become."""

from __future__ import annotations

from indexer.history import similar
from indexer.history.similar import renamed

BODY = b"\n".join(b"line number %d of the file" % n for n in range(10))
OTHER = b"\n".join(b"something else entirely %d" % n for n in range(10))
CONTENT = {"1": BODY, "2": BODY + b"\nand one more", "3": OTHER, "4": b"x"}


def read(blob: str) -> bytes | None:
    return CONTENT.get(blob)


def test_equal_content() -> None:
    assert renamed({"a.py": "1"}, {"b.py": "1", "c.py": "3"}, lambda blob: None) == {"b.py": "a.py"}


def test_of_several_with_one_content_the_name_tells() -> None:
    old = {"x/__init__.py": "4", "x/m.py": "4"}
    assert renamed(old, {"y/m.py": "4", "y/__init__.py": "4"}, read) == {
        "y/m.py": "x/m.py",
        "y/__init__.py": "x/__init__.py",
    }
    assert renamed({"a.py": "4", "b.py": "4"}, {"c.py": "4", "d.py": "4"}, read) == {}


def test_most_lines_in_common() -> None:
    assert renamed({"a.py": "1", "z.py": "3"}, {"b.py": "2"}, read) == {"b.py": "a.py"}
    assert renamed({"a.py": "1"}, {"b.js": "2"}, read) == {}
    assert renamed({"a.py": "1"}, {"b.py": "3"}, read) == {}
    assert renamed({"a.py": "4"}, {"b.py": "3"}, read) == {}


def test_where_too_many_would_be_compared_only_equal_content_counts() -> None:
    many = {f"n{n}.py": "2" for n in range(similar.PAIRS_LIMIT + 1)}
    assert renamed({"a.py": "1"}, many, read) == {}
