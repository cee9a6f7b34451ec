"""What a link asked, read back for one file at a time."""

from __future__ import annotations

import pytest

from indexer.compressed import DamagedBytesError
from indexer.store.lookups import asked_of, encoded, lines


def test_one_files_bindings_are_read_without_the_others() -> None:
    asked = {"a.py": [".f", "C.m()"], "b.py": [".g"], "dir/a.py": [], 'q"\n\t.js': ['.["\n"]', "é.x"], "z.py": [".f[]"]}
    stored = lines(encoded(asked))
    assert {path: asked_of(stored, path) for path in asked} == asked
    assert asked_of(stored, "py") == asked_of(stored, "c.py") == []
    assert asked_of(lines(encoded({})), "a.py") == asked_of(b"", "a.py") == []


def test_what_looks_like_a_line_within_a_name_is_none() -> None:
    names = ['\n"b.py"\t[".x"]', '"b.py"\t']
    assert asked_of(lines(encoded({"a.py": names})), "b.py") == []
    assert asked_of(lines(encoded({"a.py": names, "b.py": [".y"]})), "b.py") == [".y"]


def test_damaged_bytes_are_said_to_be_damaged() -> None:
    with pytest.raises(DamagedBytesError):
        lines(encoded({"a.py": [".f"]})[:-2])
