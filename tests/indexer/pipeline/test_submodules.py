"""Whether submodules are part of a map is chosen once, and kept until chosen otherwise."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pygit2
import pytest

from indexer.discover import locate
from indexer.pipeline.update import update
from indexer.pipeline.verification import verify


@pytest.fixture
def outer(tmp_path: Path) -> Path:
    """A repository with one file, and one with one file as its submodule."""
    for folder, content in (
        (tmp_path / "outer", "import lib\nlib.f()\n"),
        (tmp_path / "outer" / "lib", "def f(): ...\n"),
    ):
        repository = pygit2.init_repository(str(folder), initial_head="main")
        name = "a.py" if folder.name == "outer" else "__init__.py"
        (folder / name).write_text(content)
        repository.index.add(name)
        _commit(repository)
    repository = pygit2.Repository(str(tmp_path / "outer"))
    repository.index.add(pygit2.IndexEntry("lib", repository.revparse_single("HEAD").id, pygit2.enums.FileMode.COMMIT))
    _commit(repository)
    return tmp_path / "outer"


def _commit(repository: pygit2.Repository) -> None:
    tree = repository.index.write_tree()
    repository.index.write()
    author = pygit2.Signature("Test", "test@example.org", 1_700_000_000, 0)
    parents = [] if repository.head_is_unborn else [repository.head.target]
    repository.create_commit("HEAD", author, author, "change", tree, parents)


def mapped(folder: Path) -> tuple[list[str], int]:
    """Paths in the map, and the number of its calls."""
    with closing(sqlite3.connect(Path(locate(str(folder)).map_dir, "map.db"))) as connection:
        paths = [path for (path,) in connection.execute("SELECT path FROM files ORDER BY path")]
        return paths, connection.execute("SELECT count(*) FROM edges WHERE kind = 'calls'").fetchone()[0]


def test_chosen_once(outer: Path) -> None:
    update(str(outer), jobs=1)
    assert mapped(outer) == (["a.py"], 0)
    update(str(outer), jobs=1, submodules=True)
    assert mapped(outer) == (["a.py", "lib/__init__.py"], 1)
    (outer / "lib" / "more.py").write_text("def g(): ...\n")
    report = update(str(outer), jobs=1)
    assert (report.files, report.extracted) == (3, 1)
    assert verify(str(outer), jobs=1).equal
    update(str(outer), jobs=1, full=True)
    assert mapped(outer)[0] == ["a.py", "lib/__init__.py", "lib/more.py"]
    update(str(outer), jobs=1, submodules=False)
    assert mapped(outer) == (["a.py"], 0)
    assert verify(str(outer), jobs=1).equal


def test_chosen_where_nothing_else_changes(outer: Path) -> None:
    (outer / "lib" / "__init__.py").unlink()
    update(str(outer), jobs=1)
    update(str(outer), jobs=1, submodules=True)
    (outer / "lib" / "late.py").write_text("")
    update(str(outer), jobs=1)
    assert mapped(outer)[0] == ["a.py", "lib/late.py"]
