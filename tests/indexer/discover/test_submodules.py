"""Submodules as part of what is discovered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygit2
import pytest

from indexer.discover import Discovery, discover, locate
from tests.indexer.discover.conftest import Checkout, is_configuration, language_of

Scan = Callable[[Path], Discovery]


def scan(root: Path) -> Discovery:
    return discover(locate(str(root)), is_configuration, language_of, submodules=True)


def link(checkout: Any, path: str) -> None:
    """Record a submodule at a path."""
    mode = pygit2.enums.FileMode.COMMIT
    checkout.repository.index.add(pygit2.IndexEntry(path, checkout.repository.head.target, mode))
    checkout.repository.index.write()
    checkout.commit()


def inner(root: Path) -> Checkout:
    """A repository that ignores its own `out`, with one file committed and one not."""
    made = Checkout(root)
    made.write("lib.py", "def lib(): ...\n")
    made.write("pyproject.toml", "[project]\n")
    made.write(".gitignore", "out\n")
    made.stage("lib.py", "pyproject.toml", ".gitignore")
    made.commit()
    made.write("new.py", "")
    made.write("out/made.py", "")
    return made


@pytest.fixture
def outer(checkout: Any) -> Any:
    checkout.write("a.py", "")
    checkout.stage("a.py")
    checkout.commit()
    return checkout


def test_part_of_it_when_asked_for(outer: Any) -> None:
    inner(outer.root / "vendor" / "lib")
    link(outer, "vendor/lib")
    found = scan(outer.root)
    assert [(file.path, file.state) for file in found.files] == [
        ("a.py", "committed"),
        ("vendor/lib/lib.py", "committed"),
        ("vendor/lib/new.py", "untracked"),
    ]
    assert [path for path, _ in found.configs] == ["vendor/lib/pyproject.toml"]
    assert found.skipped == ()
    assert found.head == str(outer.repository.head.target)


def test_inside_of_another(outer: Any) -> None:
    middle = inner(outer.root / "middle")
    inner(outer.root / "middle" / "deep")
    link(middle, "deep")
    link(outer, "middle")
    assert [file.path for file in scan(outer.root).files] == [
        "a.py",
        "middle/deep/lib.py",
        "middle/deep/new.py",
        "middle/lib.py",
        "middle/new.py",
    ]


def test_git_directory_elsewhere(outer: Any, tmp_path: Path) -> None:
    inner(tmp_path / "lib")
    (tmp_path / "lib" / ".git").rename(outer.root / ".git" / "modules-lib")
    (tmp_path / "lib").rename(outer.root / "lib")
    (outer.root / "lib" / ".git").write_text("gitdir: ../.git/modules-lib\n")
    pygit2.Repository(str(outer.root / ".git" / "modules-lib")).config["core.worktree"] = "../../lib"
    link(outer, "lib")
    assert [file.path for file in scan(outer.root).files] == ["a.py", "lib/lib.py", "lib/new.py"]


def test_not_checked_out(outer: Any) -> None:
    (outer.root / "lib").mkdir()
    link(outer, "lib")
    link(outer, "gone/for/good")
    assert scan(outer.root).skipped == (
        ("gone/for/good", "submodule, not checked out"),
        ("lib", "submodule, not checked out"),
    )


def test_what_cannot_be_opened_is_left_out_with_the_reason(outer: Any) -> None:
    (outer.root / "lib").mkdir()
    (outer.root / "lib" / ".git").write_text("gitdir: nowhere\n")
    link(outer, "lib")
    found = scan(outer.root)
    assert [file.path for file in found.files] == ["a.py"]
    ((path, reason),) = found.skipped
    assert path == "lib"
    assert reason.startswith("submodule: ")
    assert "does not name a git directory" in reason


def test_a_link_in_its_place_is_not_followed(outer: Any, tmp_path: Path) -> None:
    inner(tmp_path / "outside")
    (outer.root / "lib").symlink_to(tmp_path / "outside")
    link(outer, "lib")
    found = scan(outer.root)
    assert [file.path for file in found.files] == ["a.py"]
    assert found.skipped == (("lib", "submodule: lib is not a folder beneath the root"),)
