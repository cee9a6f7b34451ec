"""Where git reads hooks from, and where none are written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from indexer.discover.location import locate
from indexer.errors import RepositoryError
from indexer.hooks.folder import LINE, Folder, hooks_folder, notes, refusal
from tests.hooked import Repository


def _folder(repository: Repository) -> Folder:
    return hooks_folder(locate(str(repository.root)))


def _refusal(repository: Repository) -> str | None:
    refused = refusal(_folder(repository), locate(str(repository.root)))
    return None if refused is None else str(refused)


@pytest.fixture
def personal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A personal configuration with a folder for hooks of all repositories."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    (tmp_path / "config").write_text(f"[core]\n\thooksPath = {tmp_path}/all hooks\n")
    return tmp_path / "all hooks"


def test_by_default_hooks_are_in_the_git_directory(repository: Repository) -> None:
    assert _folder(repository) == Folder(str(repository.hooks), "default", True)
    assert _refusal(repository) is None
    repository.hooks.rmdir()
    assert _folder(repository) == Folder(str(repository.hooks), "default", False)
    assert _refusal(repository) is None
    assert notes(_folder(repository), locate(str(repository.root))) == ()


def test_worktrees_share_those_of_the_common_directory(repository: Repository, tmp_path: Path) -> None:
    repository.git("worktree", "add", "-q", str(tmp_path / "other"))
    assert _folder(Repository(tmp_path / "other")).path == str(repository.hooks)
    assert _refusal(Repository(tmp_path / "other")) is None


def test_worktrees_of_a_bare_repository_have_theirs_in_it(repository: Repository, tmp_path: Path) -> None:
    repository.git("clone", "-q", "--bare", "--template=", ".", str(tmp_path / "bare.git"))
    subprocess.run(["git", "worktree", "add", "-q", str(tmp_path / "tree")], cwd=tmp_path / "bare.git", check=True)
    assert _folder(Repository(tmp_path / "tree")) == Folder(str(tmp_path / "bare.git/hooks"), "default", False)
    assert _refusal(Repository(tmp_path / "tree")) is None


def test_variables_of_git_do_not_lead_elsewhere(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.hooksPath")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "/for-one-command")
    assert _folder(repository).path == str(repository.hooks)


def test_a_folder_of_the_working_tree_that_git_sees_is_not_written(repository: Repository) -> None:
    repository.git("config", "core.hooksPath", ".husky")
    assert _folder(repository) == Folder(str(repository.root / ".husky"), "local", False)
    said = _refusal(repository)
    assert said is not None
    assert f"codemap writes no file that git sees (.husky/post-commit): add the line `{LINE}`" in said
    (repository.root / ".gitignore").write_text("/.husky/\n")
    assert _refusal(repository) is None
    assert (
        "the tool that makes this folder may write it anew"
        in notes(_folder(repository), locate(str(repository.root)))[0]
    )
    (repository.root / ".husky").mkdir()
    (repository.root / ".husky/post-merge").touch()
    repository.git("add", "-f", ".husky/post-merge")  # ignored, and tracked
    said = _refusal(repository)
    assert said is not None
    assert "(.husky/post-merge)" in said


def test_husky_9_makes_a_folder_that_git_ignores(repository: Repository) -> None:
    repository.git("config", "core.hooksPath", ".husky/_")
    made = repository.root / ".husky/_"
    made.mkdir(parents=True)
    assert _refusal(repository) is not None
    (made / ".gitignore").write_text("*")
    assert _refusal(repository) is None


def test_a_folder_elsewhere_is_not_written_for_a_repository(repository: Repository, tmp_path: Path) -> None:
    for path in (str(tmp_path / "elsewhere"), "../elsewhere", "/"):
        repository.git("config", "core.hooksPath", path)
        assert "is outside of this repository" in (_refusal(repository) or "")


def test_nor_one_that_a_link_leads_to(repository: Repository, tmp_path: Path) -> None:
    repository.hooks.rmdir()
    repository.hooks.symlink_to(tmp_path)
    assert "is outside of this repository" in (_refusal(repository) or "")
    repository.hooks.unlink()
    repository.hooks.symlink_to(repository.root)
    assert "no file that git sees (post-commit)" in (_refusal(repository) or "")


def test_a_personal_folder_is_written_and_that_is_said(repository: Repository, personal: Path) -> None:
    assert _folder(repository) == Folder(str(personal), "global", False)
    assert _refusal(repository) is None
    assert "in all repositories" in notes(_folder(repository), locate(str(repository.root)))[0]
    repository.git("config", "core.hooksPath", ".git/own")
    assert _folder(repository).level == "local"
    assert _refusal(repository) is None


def test_a_personal_folder_that_another_repository_tracks_is_not(repository: Repository, personal: Path) -> None:
    subprocess.run(["git", "init", "-q", str(personal)], check=True)
    assert "codemap writes no file that git sees (post-commit)" in (_refusal(repository) or "")
    (personal / ".gitignore").write_text("post-*\n")
    assert _refusal(repository) is None


def test_the_systems_folder_is_asked_of_git(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "system").write_text(f"[core]\n\thooksPath = {tmp_path}/system-hooks\n")
    monkeypatch.delenv("GIT_CONFIG_NOSYSTEM")
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(tmp_path / "system"))
    assert _folder(repository) == Folder(str(tmp_path / "system-hooks"), "system", False)
    assert _refusal(repository) is None


def test_hooks_that_are_switched_off_stay_so(repository: Repository) -> None:
    repository.git("config", "core.hooksPath", "/dev/null")
    assert "hooks are switched off" in (_refusal(repository) or "")


def test_a_configuration_per_worktree_counts(repository: Repository) -> None:
    repository.git("config", "extensions.worktreeConfig", "true")
    repository.git("config", "--worktree", "core.hooksPath", ".git/mine")
    assert _folder(repository) == Folder(str(repository.root / ".git/mine"), "worktree", False)
    assert _refusal(repository) is None


def test_nothing_the_configuration_names_is_run(repository: Repository, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch '{tmp_path}/run'\n")
    trap.chmod(0o755)
    for name in ("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "alias.rev-parse"):
        repository.git("config", name, f"!{trap}" if name.startswith("alias") else str(trap))
    repository.git("config", "core.hooksPath", ".husky")
    assert _refusal(repository) is not None
    assert not (tmp_path / "run").exists()


def test_outside_of_git_and_without_git(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RepositoryError, match="is not in a git repository"):
        hooks_folder(locate(str(tmp_path)))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RepositoryError, match="git is not in PATH"):
        _folder(repository)
