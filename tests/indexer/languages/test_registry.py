from __future__ import annotations

import subprocess
import sys

import pytest

from indexer.languages import LANGUAGES, by_name, language_of


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.py", "python"),
        ("pkg/a.pyi", "python"),
        ("a.js", "javascript"),
        ("a.jsx", "javascript"),
        ("a.mjs", "javascript"),
        ("a.cjs", "javascript"),
        ("a.ts", "typescript"),
        ("a.d.ts", "typescript"),
        ("a.mts", "typescript"),
        ("a.tsx", "tsx"),
        ("README.md", None),
        ("py", None),
        (".py", None),
        ("pkg.py/Makefile", None),
        ("漢字/\n.x.py", "python"),
    ],
)
def test_language_of(path: str, language: str | None) -> None:
    assert language_of(path) == language


def test_names_and_extensions_are_each_of_one_language() -> None:
    names = [language.name for language in LANGUAGES]
    extensions = [extension for language in LANGUAGES for extension in language.extensions]
    assert len(set(names)) == len(names)
    assert len(set(extensions)) == len(extensions)
    assert [by_name(name) for name in names] == list(LANGUAGES)
    with pytest.raises(KeyError):
        by_name("cobol")


def test_registry_loads_no_parser() -> None:
    code = "import sys, indexer.languages; print([m for m in sys.modules if m.startswith('tree_sitter')])"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "[]"
