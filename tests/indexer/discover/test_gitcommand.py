"""Repositories that libgit2 cannot open, made with git itself."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.blobs import blob_id
from indexer.discover import Discovery, head_state, locate
from indexer.discover.gitcommand import GitCommand
from indexer.discover.index import GITLINK
from indexer.discover.libgit import LibGit
from indexer.discover.opening import open_git
from indexer.discover.repository import UnsupportedRepositoryError
from indexer.errors import RepositoryError

Scan = Callable[[Path], Discovery]
States = Callable[[Path], dict[str, str]]

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")


def git(folder: Path, *arguments: str) -> str:
    person = {f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    date = {"GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000"}
    environment = {**os.environ, **person, **date, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def sha256(tmp_path: Path) -> Path:
    """A repository of SHA-256 with one commit of a.py and pkg/b.py."""
    root = tmp_path / "sha256"
    (root / "pkg").mkdir(parents=True)
    try:
        git(root, "init", "-q", "--object-format=sha256", "-b", "main")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no git, or none that knows SHA-256")
    (root / "a.py").write_bytes(b"a\n")
    (root / "pkg" / "b.py").write_bytes(b"b\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def test_sha256_is_read_through_git(sha256: Path, scan: Scan) -> None:
    found = scan(sha256)
    head = git(sha256, "rev-parse", "HEAD")
    assert len(head) == 64
    assert (found.head, found.head_time, found.branch) == (head, 1_700_000_000, "main")
    # facts go by the SHA-1 of the bytes, whatever the repository has: `printf 'a\n' | git hash-object --stdin`
    assert [(file.path, file.blob) for file in found.files] == [
        ("a.py", "78981922613b2afb6025042ff6bd878ac1994e85"),
        ("pkg/b.py", "61780798228d17af2d34fce4cfbdf35556832472"),
    ]
    assert blob_id(b"a\n") == "78981922613b2afb6025042ff6bd878ac1994e85"


def test_states_in_sha256(sha256: Path, states: States) -> None:
    assert states(sha256) == {"a.py": "committed", "pkg/b.py": "committed"}
    (sha256 / "a.py").write_bytes(b"other\n")
    (sha256 / "c.py").write_bytes(b"c\n")
    assert states(sha256) == {"a.py": "modified", "c.py": "untracked", "pkg/b.py": "committed"}
    git(sha256, "add", "-A")
    assert states(sha256) == {"a.py": "modified", "c.py": "modified", "pkg/b.py": "committed"}
    git(sha256, "commit", "-qm", "second")
    assert set(states(sha256).values()) == {"committed"}


def test_index_that_only_git_reads(sha256: Path, states: States) -> None:
    git(sha256, "update-index", "--split-index")
    assert states(sha256) == {"a.py": "committed", "pkg/b.py": "committed"}


def test_commits_ahead_and_behind(sha256: Path) -> None:
    first = git(sha256, "rev-parse", "HEAD")
    for message in ("second", "third"):
        git(sha256, "commit", "-q", "--allow-empty", "-m", message)
    opened = open_git(locate(str(sha256)))
    assert isinstance(opened, GitCommand)
    assert opened.ahead_behind(git(sha256, "rev-parse", "HEAD"), first) == (2, 0)
    assert opened.ahead_behind(first, "0" * 64) is None


def test_before_the_first_commit(tmp_path: Path, scan: Scan) -> None:
    try:
        git(tmp_path, "init", "-q", "--object-format=sha256", "-b", "main")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no git, or none that knows SHA-256")
    (tmp_path / "a.py").write_bytes(b"a\n")
    found = scan(tmp_path)
    assert (found.head, found.branch, [file.state for file in found.files]) == (None, "main", ["untracked"])


@needs_git
def test_both_tell_the_same(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "a.py").write_bytes(b"a\n")
    (tmp_path / "b.py").write_bytes(b"bb\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    git(tmp_path, "commit", "-qm", "first")
    git(tmp_path, "config", "core.ignorecase", "yes")
    (tmp_path / "a.py").write_bytes(b"changed\n")
    git(tmp_path, "add", "a.py")
    location = locate(str(tmp_path))
    one, other = LibGit(location), GitCommand(location, RepositoryError("unused"))
    assert one.head() == other.head() == (git(tmp_path, "rev-parse", "HEAD"), 1_700_000_000, "main")
    assert one.tree() == other.tree() == git(tmp_path, "rev-parse", "HEAD^{tree}")
    assert list(one.committed()) == list(other.committed())
    assert [entry.path for entry in one.committed() if entry.mode == GITLINK] == ["sub"]
    assert one.staged() == other.staged() == {"a.py"}
    assert one.enabled("core.ignorecase") is other.enabled("core.ignorecase") is True
    assert one.setting("core.none") is other.setting("core.none") is None
    blob = git(tmp_path, "rev-parse", "HEAD:b.py")
    assert one.size(blob) == other.size(blob) == 3
    assert one.size("1" * 40) is other.size("1" * 40) is None


def test_nothing_of_the_repository_is_run(sha256: Path, tmp_path: Path, scan: Scan) -> None:
    mark = tmp_path / "mark"
    script = tmp_path / "run-me"
    script.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    hooks = sha256 / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    shutil.copy(script, hooks / "post-index-change")
    for setting in (
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.x.textconv",
        "diff.x.command",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "credential.helper",
        "gpg.program",
    ):
        git(sha256, "config", setting, str(script))
    git(sha256, "config", "log.showSignature", "true")
    git(sha256, "config", "remote.origin.url", f"ext::{script}")
    git(sha256, "config", "remote.origin.promisor", "true")
    git(sha256, "config", "protocol.ext.allow", "always")
    git(sha256, "config", "core.repositoryformatversion", "1")
    git(sha256, "config", "extensions.partialClone", "origin")
    (sha256 / ".git" / "info").mkdir(exist_ok=True)
    (sha256 / ".git" / "info" / "attributes").write_text("*.py filter=x diff=x\n")
    blob = Path(git(sha256, "rev-parse", "HEAD:a.py"))
    (sha256 / ".git" / "objects" / blob.name[:2] / blob.name[2:]).unlink()  # would be fetched
    (sha256 / "pkg" / "b.py").write_bytes(b"other\n")
    mark.unlink(missing_ok=True)  # git itself may have run something above
    assert {file.path: file.state for file in scan(sha256).files} == {"a.py": "committed", "pkg/b.py": "modified"}
    opened = open_git(locate(str(sha256)))
    assert opened.size(git(sha256, "rev-parse", "HEAD:pkg/b.py")) == 2
    assert opened.size(blob.name) is None
    assert opened.staged() == set()
    assert not mark.exists()


def test_the_environment_of_a_hook_does_not_mislead(
    sha256: Path, tmp_path: Path, scan: Scan, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    assert [file.path for file in scan(sha256).files] == ["a.py", "pkg/b.py"]


def test_git_in_a_relative_folder_is_not_run(sha256: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", "bin"]))
    with pytest.raises(RepositoryError, match=r"unknown object format 'sha256'; git itself .* install git"):
        head_state(locate(str(sha256)))


@needs_git
@pytest.mark.parametrize(("name", "value"), [("fromTheFuture", "true"), ("refStorage", "fromTheFuture")])
def test_neither_can_open_it(tmp_path: Path, name: str, value: str) -> None:
    """Of tables of references some gits know more than one kind, and older ones none: neither knows this one."""
    git(tmp_path, "init", "-q")
    git(tmp_path, "config", "core.repositoryformatversion", "1")
    git(tmp_path, "config", f"extensions.{name}", value)
    said = name.lower()
    with pytest.raises(RepositoryError, match=rf"(?is){said}; nor by .*git.*{said}") as raised:
        head_state(locate(str(tmp_path)))
    assert isinstance(raised.value.__cause__, UnsupportedRepositoryError)
    assert "\n" not in str(raised.value)
