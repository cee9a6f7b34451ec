"""The commit of HEAD as git's files tell it, compared with what libgit2 says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pygit2
import pytest

from indexer.discover import head_state, locate
from indexer.discover.refs import UnknownHeadError, head_commit

AUTHOR = pygit2.Signature("Test", "test@example.org", 1_700_000_000, 0)


@pytest.fixture
def repository(tmp_path: Path) -> pygit2.Repository:
    made = pygit2.init_repository(tmp_path / "r", initial_head="main")
    _commit(made)
    return made


def _commit(repository: pygit2.Repository) -> str:
    parents = [] if repository.head_is_unborn else [repository.head.target]
    tree = repository.index.write_tree()
    return str(repository.create_commit("HEAD", AUTHOR, AUTHOR, f"commit {len(parents)}", tree, parents))


def _agrees(folder: Path) -> str | None:
    location = locate(str(folder))
    told = head_commit(location)
    assert told == head_state(location).commit
    return told


def test_a_branch(repository: pygit2.Repository) -> None:
    assert _agrees(Path(repository.workdir)) == str(repository.head.target)


def test_a_branch_of_a_longer_name_is_another(repository: pygit2.Repository) -> None:
    first = str(repository.head.target)
    repository.branches.local.create("team/main", repository[repository.head.target].peel(pygit2.Commit))
    _commit(repository)
    repository.checkout("refs/heads/team/main")
    assert _agrees(Path(repository.workdir)) == first


def test_a_packed_branch_and_a_loose_one_over_it(repository: pygit2.Repository) -> None:
    folder = Path(repository.workdir)
    first = str(repository.head.target)
    (folder / ".git/packed-refs").write_text(
        f"# pack-refs with: peeled fully-peeled sorted \n{first} refs/heads/main\n^{'0' * 40}\n"
    )
    (folder / ".git/refs/heads/main").unlink()
    assert _agrees(folder) == first
    second = _commit(repository)
    assert second != first
    assert _agrees(folder) == second


def test_a_detached_head(repository: pygit2.Repository) -> None:
    first = repository.head.target
    _commit(repository)
    repository.set_head(first)
    assert _agrees(Path(repository.workdir)) == str(first)


def test_a_linked_worktree(repository: pygit2.Repository, tmp_path: Path) -> None:
    repository.add_worktree("second", str(tmp_path / "second"))
    linked = pygit2.Repository(str(tmp_path / "second"))
    _commit(linked)
    assert _agrees(tmp_path / "second") == str(linked.head.target)
    assert _agrees(tmp_path / "second") != _agrees(Path(repository.workdir))


def test_nothing_committed_and_no_git(tmp_path: Path) -> None:
    pygit2.init_repository(tmp_path / "empty")
    (tmp_path / "plain").mkdir()
    assert _agrees(tmp_path / "empty") is None
    assert _agrees(tmp_path / "plain") is None


def test_what_is_not_understood_is_left_to_libgit2(repository: pygit2.Repository) -> None:
    folder = Path(repository.workdir)
    head = folder / ".git/HEAD"
    for content in ("ref: ../../elsewhere\n", "ref: refs/../../elsewhere\n", "something else\n"):
        head.write_text(content)
        with pytest.raises(UnknownHeadError):
            head_commit(locate(str(folder)))


def test_tables_of_references_are_left_to_libgit2(tmp_path: Path) -> None:
    made = subprocess.run(
        ["git", "init", "-q", "--ref-format=reftable", str(tmp_path)], capture_output=True, check=False
    )
    if made.returncode:
        (tmp_path / ".git/objects").mkdir(parents=True)
        (tmp_path / ".git/refs").mkdir()
        (tmp_path / ".git/reftable").mkdir()
        (tmp_path / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    with pytest.raises(UnknownHeadError):
        head_commit(locate(str(tmp_path)))
