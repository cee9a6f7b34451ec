"""From what is typed to what the map knows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codemap.cli import places
from indexer.errors import UsageError


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shop"
    (folder / "src" / "inner").mkdir(parents=True)
    for name in ("a.py", "src/a.py", "src/inner/b.py"):
        (folder / name).write_text("x = 1\n")
    monkeypatch.chdir(folder)
    return folder


def test_a_path_is_read_from_the_current_folder_first(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert places.relative(root, "a.py") == "a.py"
    monkeypatch.chdir(root / "src")
    assert places.relative(root, "a.py") == "src/a.py"
    assert places.relative(root, "../a.py") == "a.py"
    assert places.relative(root, "./inner/../a.py") == "src/a.py"


def test_a_path_from_the_root_works_anywhere(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root / "src")
    assert places.relative(root, "src/inner/b.py") == "src/inner/b.py"
    (tmp_path / "a.py").write_text("another file of that name, outside\n")
    monkeypatch.chdir(tmp_path)
    assert places.relative(root, "a.py") == "a.py"


def test_absolute_paths_and_files_that_are_gone(root: Path) -> None:
    assert places.relative(root, str(root / "src" / "a.py")) == "src/a.py"
    assert places.relative(root, "src/gone.py") == "src/gone.py"


@pytest.mark.skipif(os.name == "nt", reason="making links needs a privilege there")
def test_a_root_that_is_reached_through_a_link(root: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(root)
    assert places.relative(root, str(link / "src" / "a.py")) == "src/a.py"
    assert places.relative(link, str(root / "src" / "a.py")) == "src/a.py"


@pytest.mark.parametrize("outside", ["../other.py", "/etc/passwd", "src/../../other.py"])
def test_outside_of_the_root(root: Path, outside: str) -> None:
    with pytest.raises(UsageError, match="outside of"):
        places.relative(root, outside)


def test_names_keep_what_is_no_path(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root / "src")
    assert places.name(root, "Session.flush") == "Session.flush"
    assert places.name(root, "a.py:f") == "src/a.py:f"
    assert places.name(root, "inner/b.py") == "src/inner/b.py"
    assert places.name(root, "auth.py:login") == "auth.py:login"


def test_a_place(root: Path) -> None:
    assert places.place(root, "src/a.py:12:4") == ("src/a.py", 12, 4)
    assert places.place(root, "odd:name.py:1:0") == ("odd:name.py", 1, 0)


@pytest.mark.parametrize(
    "text", ["", "a.py", "a.py:1", "a.py:x:1", "a.py:1:-1", ":1:1", "a.py:0:0", "a.py:1:²", "a.py:99999999999:0"]
)
def test_not_a_place(root: Path, text: str) -> None:
    with pytest.raises(UsageError):
        places.place(root, text)
