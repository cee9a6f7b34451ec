"""Entry points as projects declare them."""

from __future__ import annotations

import pytest

from indexer.resolve.python_entries import entry_points

PYPROJECT = """
[project.scripts]
app = "app.cli:main"
[project.entry-points."app.plugins"]
one = "plug.code:A.b [extra]"
[tool.poetry.plugins."app.plugins"]
two = "plug"
bad = 3
"""
SETUP_CFG = "[options.entry_points]\nconsole_scripts =\n    app = app.cli:main\n    nothing\n"
SETUP_PY = "from setuptools import setup\nsetup(name=n, entry_points={'g': ['a=m:f', 'b = m'], 'h': 'c = n:g'})\n"
MAIN = ("console_scripts", "app", "app.cli", "main", "sub")


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("pyproject.toml", PYPROJECT,
         [("app.plugins", "one", "plug.code", "A.b", "sub"), ("app.plugins", "two", "plug", "", "sub"), MAIN]),
        ("setup.cfg", SETUP_CFG, [MAIN]),
        ("setup.py", SETUP_PY,
         [("g", "a", "m", "f", "sub"), ("g", "b", "m", "", "sub"), ("h", "c", "n", "g", "sub")]),
        ("setup.py", "setup(entry_points={'g': make()})", []),
        ("setup.py", "setup(entry_points={**g, 1: 2", []),
        ("pyproject.toml", "[project.scripts", []),
        ("pyproject.toml", "[project]\nscripts = 1\nentry-points = []\n", []),
        ("setup.cfg", "entry_points", []),
    ],
)  # fmt: skip
def test_what_a_file_declares(name: str, text: str, found: list[tuple[str, ...]]) -> None:
    assert list(entry_points([f"sub/{name}"], {f"sub/{name}": text.encode()}.get)) == found
