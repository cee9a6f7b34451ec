"""Plugins by entry points: what `load` gives is what the repository's configuration names."""

from __future__ import annotations

import pytest

from tests.indexer.link.trees import Tree

PLUGINS = "def one(): pass\nclass Two:\n    @classmethod\n    def make(cls): pass\n    def run(self): pass\n"
PYPROJECT = """
[project.entry-points."app.plugins"]
one = "plug.code:one"
two = "plug.code:Two.make [extra]"
gone = "elsewhere:three"
[project.entry-points.other]
cls = "plug.code:Two"
"""
SETUP_CFG = """
[options.entry_points]
app.plugins =
    one = plug.code:one
    two = plug.code:Two.make
other = cls = plug.code:Two
"""


def called(use: str, config: str = "pyproject.toml", text: str = PYPROJECT) -> set[str]:
    sources = {"plug/__init__.py": "", "plug/code.py": PLUGINS, config: text}
    return Tree({**sources, "use.py": use}).edges("use.py") - {"<module> → <module>"}


EITHER = {"<module> → plug/code.py:one", "<module> → plug/code.py:Two.make"}
IMPORT = "from importlib.metadata import entry_points\n"


@pytest.mark.parametrize(("config", "text"), [("pyproject.toml", PYPROJECT), ("setup.cfg", SETUP_CFG)])
def test_where_entry_points_are_declared(config: str, text: str) -> None:
    assert called(f"{IMPORT}for e in entry_points(group='app.plugins'):\n    e.load()()\n", config, text) == EITHER


@pytest.mark.parametrize(
    ("use", "edges"),
    [
        ("from importlib import metadata\nfor e in metadata.entry_points()['app.plugins']:\n    e.load()()", EITHER),
        (f"{IMPORT}entry_points()['app.plugins'][0].load()()", EITHER),
        (f"{IMPORT}for e in entry_points().get('app.plugins', ()):\n    f = e.load()\n    f()", EITHER),
        (f"{IMPORT}for e in entry_points().select(group='app.plugins'):\n    e.load()()", EITHER),
        (f"{IMPORT}entry_points(group='app.plugins')['one'].load()()", {"<module> → plug/code.py:one"}),
        (f"{IMPORT}[e] = entry_points(group='app.plugins', name='one')\ne.load()()", {"<module> → plug/code.py:one"}),
        (f"{IMPORT}T = {{e.name: e.load() for e in entry_points(group='app.plugins')}}\nT['x']()", EITHER),
        ("import pkg_resources\nfor e in pkg_resources.iter_entry_points('app.plugins'):\n    e.load()()", EITHER),
        (f"{IMPORT}for e in entry_points(group='none'):\n    e.load()()", set()),
        (f"{IMPORT}for e in entry_points(group='other'):\n    e.load()().run()",
         {"<module> → plug/code.py:Two", "<module> → plug/code.py:Two.run"}),
        ("import json\njson.load(open('x'))()", set()),
    ],
)  # fmt: skip
def test_what_is_loaded(use: str, edges: set[str]) -> None:
    assert called(use) == edges


def test_the_question_is_recorded_with_its_answer() -> None:
    sources = {"plug/__init__.py": "", "plug/code.py": PLUGINS, "pyproject.toml": PYPROJECT}
    sources["use.py"] = f"{IMPORT}for e in entry_points(group='other'):\n    e.load()()\n"
    asked = dict(Tree(sources).link("use.py").modules)
    question = ("member", "python", "entry points", "other", "entry points")
    assert asked[question] == ("entry points", "cls\tplug/code.py\tTwo")
    del sources["pyproject.toml"]
    assert dict(Tree(sources).link("use.py").modules)[question] is None


@pytest.mark.parametrize("text", ["[project.entry-points]\nother = 3\n", "[project", "project.scripts = {a = 1}\n"])
def test_bad_configuration_declares_nothing(text: str) -> None:
    assert called(f"{IMPORT}for e in entry_points(group='other'):\n    e.load()()\n", text=text) == set()
