"""Folders worth watching, and names that can matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemap import CodeMap
from codemap.watch.places import RECURSIVE, folders, matters
from indexer.discover import Location, locate


@pytest.fixture
def location(folder: Path) -> Location:
    (folder / ".gitignore").write_text("ignored/\n")
    (folder / "ignored/deep").mkdir(parents=True)
    (folder / "node_modules/x").mkdir(parents=True)
    CodeMap.index(folder)
    return locate(str(folder))


@pytest.mark.skipif(RECURSIVE, reason="trees are watched there")
def test_what_discover_enters_is_watched_and_where_git_notes_what_it_does(location: Location) -> None:
    root = Path(location.root)
    found = {str(Path(path).relative_to(root)) for path in folders(location)}
    assert {".", "shop", ".git", ".git/info", ".git/refs/heads"} <= found
    assert not {path for path in found if path.startswith(("ignored", "node_modules", ".git/objects", ".git/codemap"))}


def test_without_a_record_the_root_is_watched(location: Location) -> None:
    (Path(location.map_dir) / "seen").unlink()
    assert location.root in folders(location)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("shop/auth.py", True),
        ("notes.txt", True),
        (".git/HEAD", True),
        (".git/index", True),
        (".git/logs/HEAD", True),
        (".git/refs/heads/main", True),
        (".git/packed-refs", True),
        (".git/info/exclude", True),
        (".git/index.lock", False),
        (".git/refs/heads/main.lock", False),
        (".git/COMMIT_EDITMSG", False),
        (".git/objects/ab/cdef", False),
        (".git/codemap/map.db-wal", False),
        (".git/codemap", False),
    ],
)
def test_of_git_little_matters(location: Location, path: str, expected: bool) -> None:
    assert matters(location, f"{location.root}/{path}") is expected


def test_a_linked_worktree_is_told_of_its_own_branch(tmp_path: Path) -> None:
    common, own = tmp_path / "repo/.git", tmp_path / "repo/.git/worktrees/w"
    for place in (common / "refs/heads/topic", own / "logs", common / "info"):
        place.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/topic/one\n")
    (tmp_path / "w").mkdir()
    location = Location(str(tmp_path / "w"), str(own / "codemap"), str(common / "codemap"), str(own), str(common))
    assert str(common / "refs/heads/topic") in folders(location)
    (own / "HEAD").write_text("ref: refs/../../elsewhere\n")
    assert folders(location) == sorted(map(str, (tmp_path / "w", own, own / "logs", common, common / "info")))
