"""What the repository is now, compared with the map."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygit2
import pytest

from codemap import CodeMap, RepositoryError
from codemap.home import find

AUTHOR = pygit2.Signature("Test", "test@example.org", 1_800_000_000, 0)


@pytest.fixture
def folder(tmp_path: Path, repository: Callable[[Path], None]) -> Path:
    made = tmp_path / "shop"
    repository(made)
    return made


def _commit(folder: Path) -> str:
    repository = pygit2.Repository(str(folder))
    tree = repository.index.write_tree()
    return str(repository.create_commit("HEAD", AUTHOR, AUTHOR, "more", tree, [repository.head.target]))


def test_the_map_counts_the_commits_it_is_behind(folder: Path) -> None:
    with CodeMap.open(folder) as code_map:
        state = code_map.staleness()
        assert (state.fresh, state.commits_behind) == (True, 0)
        assert state.map_commit == state.head_commit == str(pygit2.Repository(str(folder)).head.target)
        first = state.map_commit
        _commit(folder)
        head = _commit(folder)
        state = code_map.staleness()
        assert (state.fresh, state.commits_behind) == (False, 2)
        assert (state.map_commit, state.head_commit) == (first, head)
        assert state.reason is not None
        assert "2 behind" in state.reason
        code_map.update()
        assert code_map.staleness().fresh


def test_a_commit_that_is_gone_is_behind_by_an_unknown_number(folder: Path) -> None:
    home = find(folder)
    present = home.present("0123456789" * 4, None)
    assert present.head == str(pygit2.Repository(str(folder)).head.target)
    assert present.head_time == 1_700_000_000
    assert present.commits_behind is None


def test_a_folder_inside_belongs_to_the_repository_around_it(folder: Path) -> None:
    assert find(folder / "shop").root == folder.resolve()
    assert find(folder / "shop").map == find(folder).map


def test_a_nul_in_a_name_is_no_folder() -> None:
    with pytest.raises(RepositoryError):
        find("a\0b")
