"""The forms a repository comes in, from finding it to listing it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygit2
import pytest

from indexer.discover import Discovery, head_state, locate
from indexer.errors import RepositoryError

Scan = Callable[[Path], Discovery]
States = Callable[[Path], dict[str, str]]


@pytest.fixture
def committed(checkout: Any) -> Any:
    """A checkout with pkg/a.py committed."""
    checkout.write("pkg/a.py", "a\n")
    checkout.stage("pkg/a.py")
    checkout.commit()
    return checkout


def test_worktree_from_a_folder_in_it(committed: Any) -> None:
    root = os.path.realpath(committed.root)
    found = locate(str(committed.root / "pkg"))
    assert found.root == root
    assert found.map_dir == found.facts_dir == os.path.join(root, ".git", "codemap")
    assert found.is_git


def test_plain_folder(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    found = locate(str(tmp_path))
    assert (found.root, found.map_dir, found.facts_dir) == (root, *(2 * [os.path.join(root, ".codemap")]))
    assert not found.is_git
    assert head_state(found) == (None, None, None)


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="nowhere does not exist; name the folder of a repository"):
        locate(str(tmp_path / "nowhere"))


def test_file_as_folder(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    with pytest.raises(RepositoryError, match=r"a\.py is a file, not a folder"):
        locate(str(tmp_path / "a.py"))


def test_bare_repository(tmp_path: Path, committed: Any) -> None:
    pygit2.init_repository(str(tmp_path / "bare.git"), bare=True)
    with pytest.raises(RepositoryError, match="git directory without a worktree"):
        locate(str(tmp_path / "bare.git"))
    with pytest.raises(RepositoryError, match="git directory without a worktree"):
        locate(str(committed.root / ".git" / "refs"))


def test_repository_made_bare(committed: Any) -> None:
    committed.repository.config["core.bare"] = True
    with pytest.raises(RepositoryError, match="is a bare repository"):
        locate(str(committed.root))


def test_empty_repository(checkout: Any, scan: Scan) -> None:
    found = scan(checkout.root)
    assert (found.files, found.skipped, found.head, found.head_time, found.branch) == ((), (), None, None, "main")


def test_without_commits(checkout: Any, states: States) -> None:
    checkout.write("staged.py", "")
    checkout.write("new.py", "")
    checkout.stage("staged.py")
    assert states(checkout.root) == {"new.py": "untracked", "staged.py": "modified"}


def test_detached_head(committed: Any, states: States) -> None:
    head = committed.repository.head.target
    committed.repository.set_head(head)
    assert head_state(locate(str(committed.root))) == (str(head), 1_700_000_000, None)
    assert states(committed.root) == {"pkg/a.py": "committed"}


def test_head_whose_commit_is_missing(committed: Any, states: States) -> None:
    """As in a damaged repository: what is on disk can still be mapped."""
    (committed.root / ".git" / "refs" / "heads" / "main").write_text("1" * 40 + "\n")
    assert head_state(locate(str(committed.root))) == ("1" * 40, None, "main")
    assert states(committed.root) == {"pkg/a.py": "modified"}


def test_shallow_clone(committed: Any, states: States) -> None:
    committed.write("pkg/b.py", "b\n")
    committed.stage("pkg/b.py")
    first = str(committed.repository.head.target)
    second = committed.commit()
    (committed.root / ".git" / "shallow").write_text(second + "\n")
    (committed.root / ".git" / "objects" / first[:2] / first[2:]).unlink()
    assert states(committed.root) == {"pkg/a.py": "committed", "pkg/b.py": "committed"}
    assert head_state(locate(str(committed.root))).commit == second


def test_linked_worktree_shares_facts(committed: Any, tmp_path: Path, states: States) -> None:
    committed.repository.add_worktree("side", str(tmp_path / "side"))
    git_dir = os.path.realpath(committed.root / ".git")
    found = locate(str(tmp_path / "side" / "pkg"))
    assert found.root == os.path.realpath(tmp_path / "side")
    assert found.map_dir == os.path.join(git_dir, "worktrees", "side", "codemap")
    assert found.facts_dir == os.path.join(git_dir, "codemap")
    assert head_state(found).branch == "side"
    (tmp_path / "side" / "new.py").write_text("")
    assert states(tmp_path / "side") == {"new.py": "untracked", "pkg/a.py": "committed"}
    assert states(committed.root) == {"pkg/a.py": "committed"}


def test_worktree_whose_repository_has_gone(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere/at/all\n")
    with pytest.raises(RepositoryError, match="does not name a git directory"):
        locate(str(tmp_path))


def test_submodule(committed: Any, scan: Scan) -> None:
    committed.write("vendor/lib/x.py", "")
    gitlink = pygit2.IndexEntry("vendor/lib", committed.repository.head.target, pygit2.enums.FileMode.COMMIT)
    committed.repository.index.add(gitlink)
    committed.repository.index.write()
    committed.commit()
    found = scan(committed.root)
    assert [file.path for file in found.files] == ["pkg/a.py"]
    assert found.skipped == (("vendor/lib", "submodule"),)


def test_nested_repository(committed: Any, scan: Scan) -> None:
    pygit2.init_repository(str(committed.root / "inner"))
    committed.write("inner/x.py", "")
    found = scan(committed.root)
    assert [file.path for file in found.files] == ["pkg/a.py"]
    assert found.skipped == (("inner", "nested repository"),)
    assert [file.path for file in scan(committed.root / "inner").files] == ["x.py"]


def test_sparse_checkout_and_partial_clone(committed: Any, states: States) -> None:
    config = committed.repository.config
    config["core.repositoryformatversion"] = 1
    config["extensions.worktreeConfig"] = True
    config["extensions.partialClone"] = "origin"
    assert states(committed.root) == {"pkg/a.py": "committed"}


def test_index_that_cannot_be_read(committed: Any, states: States) -> None:
    """The commit says what is tracked, and every file is hashed."""
    (committed.root / ".git" / "index").write_bytes(b"DIRC????")
    committed.write("b.py", "")
    assert states(committed.root) == {"b.py": "untracked", "pkg/a.py": "committed"}


def test_configuration_that_points_elsewhere(committed: Any, scan: Scan, tmp_path: Path) -> None:
    committed.repository.config["core.worktree"] = str(tmp_path)
    with pytest.raises(RepositoryError, match=r"core\.worktree"):
        scan(committed.root)


def test_hostile_configuration_runs_nothing(committed: Any, states: States, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    for name in ("core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "core.sshCommand", "core.pager"):
        committed.repository.config[name] = f"touch {trap}"
    committed.write(".gitattributes", "*.py filter=evil\n")
    committed.write("pkg/a.py", "changed\n")
    assert states(committed.root) == {"pkg/a.py": "modified"}
    assert not trap.exists()


def test_someone_elses_repository(committed: Any, states: States) -> None:
    """libgit2's check of ownership is off while opening, and as it was afterwards."""
    before = pygit2.settings.owner_validation
    assert states(committed.root) == {"pkg/a.py": "committed"}
    assert pygit2.settings.owner_validation == before


def test_head_that_makes_no_sense(committed: Any, states: States) -> None:
    (committed.root / ".git" / "refs" / "heads" / "main").write_text("nonsense\n")
    assert head_state(locate(str(committed.root))) == (None, None, "main")
    assert states(committed.root) == {"pkg/a.py": "modified"}
