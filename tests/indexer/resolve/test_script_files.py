from __future__ import annotations

import pytest

from indexer.resolve.script_files import NO_FILE, OTHER_LANGUAGE, QUERY, ScriptFiles, absent, is_declaration


@pytest.mark.parametrize(
    ("files", "path", "typed", "found"),
    [
        ("a.ts a.tsx a.js", "a", True, "a.ts"),
        ("a.ts a.tsx a.js", "a", False, "a.js"),
        ("a.d.ts a.js", "a", True, "a.js"),
        ("a.d.ts", "a.js", True, "a.d.ts"),
        ("a.d.mts", "a.mjs", True, "a.d.mts"),
        ("a.vue.ts", "a.vue", True, "a.vue.ts"),
        ("A.ts", "a", True, None),
        ("a.py", "a.py", True, None),
    ],
)
def test_find(files: str, path: str, typed: bool, found: str | None) -> None:
    assert ScriptFiles(files.split()).find(path, typed) == found


def test_index() -> None:
    files = ScriptFiles(["index.mjs", "lib/index.d.ts", "lib/index.jsx"])
    assert files.index("", typed=True) == "index.mjs"
    assert files.index("lib", typed=True) == "lib/index.jsx"
    assert files.index("gone", typed=True) is None


def test_reasons() -> None:
    assert absent("a/b.SVG") == OTHER_LANGUAGE
    assert absent("a.vue/b") == NO_FILE
    assert absent("b.service") == NO_FILE
    assert absent("b.js?worker") == QUERY
    assert is_declaration("a.d.cts")
    assert not is_declaration("a.d.tsx")
