"""What git does with the hooks, from the command to the map: the map follows, and git is never held up or failed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from indexer.hooks import record
from indexer.hooks.install import install
from indexer.hooks.runner import TURN, WAITING, WANTED
from indexer.locks import writer_lock
from indexer.pipeline import verify
from tests import hooked
from tests.hooked import Repository, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="started as on POSIX")


@pytest.fixture
def mapped(tmp_path: Path) -> Repository:
    """One commit, its map, and the hooks."""
    repository = hooked.make(tmp_path / "repository")
    repository.index()
    install(str(repository.hooks), sys.executable)
    return repository


def _trouble(repository: Repository) -> str:
    found = record.trouble(str(repository.map_dir))
    return "" if found is None else found.text


def test_the_map_follows_through_all_that_git_does(mapped: Repository) -> None:
    mapped.commit("b.py", "from a import a\na()\n")
    assert mapped.follows()
    mapped.git("commit", "-q", "--amend", "-m", "other words")
    assert mapped.follows()
    mapped.git("checkout", "-q", "-b", "side", "HEAD~1")
    mapped.commit("c.py", "import b\n")
    (mapped.root / "a.py").write_text("def other(): ...\n")
    mapped.git("stash")
    mapped.git("checkout", "-q", "main")
    mapped.git("merge", "-q", "--no-edit", "side")
    mapped.git("stash", "pop")
    (mapped.root / "new.py").write_text("new = 1\n")
    mapped.commit("d.py", "import new\n")
    assert mapped.follows()
    assert mapped.git("status", "--porcelain").stdout == " M a.py\n?? new.py\n"
    assert until(lambda: not (mapped.map_dir / WANTED).exists(), 10)
    assert verify(str(mapped.root), jobs=1).equal
    assert _trouble(mapped) == ""


def test_bursts_are_few_updates(mapped: Repository) -> None:
    for number in range(12):
        mapped.commit(f"b{number}.py", f"import a as a{number}\n")
    assert mapped.follows()
    assert mapped.updated(1)
    reorder = "sed -i.bak -e '1{h;d;}' -e '2{G;}'"
    mapped.git("rebase", "-q", "-i", "HEAD~12", GIT_SEQUENCE_EDITOR=reorder)
    assert mapped.git("log", "--format=%s", "-2", "--skip=10").stdout == "b0.py\nb1.py\n"
    assert mapped.follows()
    assert mapped.updated(2)
    assert until(lambda: not (mapped.map_dir / WANTED).exists(), 20)
    assert len(mapped.updates()) <= 8  # of 24 commits that were made
    assert not (mapped.map_dir / WAITING).exists()


def test_two_worktrees_commit_at_once(mapped: Repository, tmp_path: Path) -> None:
    mapped.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "other"))
    other = Repository(tmp_path / "other")
    other.map_dir = mapped.root / ".git/worktrees/other/codemap"
    other.index()
    for number in range(3):
        for worktree in (mapped, other):
            (worktree.root / f"f{number}.py").write_text(f"import a\n{worktree.root.name} = {number}\n")
            worktree.git("add", ".")
        commit = ["git", "commit", "-qm", "both"]
        for process in [subprocess.Popen(commit, cwd=worktree.root) for worktree in (mapped, other)]:
            assert process.wait() == 0
    assert mapped.follows()
    assert other.follows()
    for worktree in (mapped, other):
        assert verify(str(worktree.root), jobs=1).equal
        assert _trouble(worktree) == ""


def test_nobody_waits_for_what_is_started(mapped: Repository, tmp_path: Path) -> None:
    """As a client with windows would run it: pipes that are read to their end, and no PATH."""
    sleeper = tmp_path / "python"
    sleeper.write_text(
        f'#!/bin/sh\necho $$ >"{tmp_path}/pid"\nexec {sys.executable} -c "import time; time.sleep(60)"\n'
    )
    sleeper.chmod(0o755)
    install(str(mapped.hooks), str(sleeper))
    (mapped.root / "b.py").write_text("")
    mapped.git("add", "b.py")
    git = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True).stdout.strip() + "/git"
    done = subprocess.run(
        [git, "commit", "-qm", "b"], cwd=mapped.root, env={**os.environ, "PATH": ""}, capture_output=True, timeout=30
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert until((tmp_path / "pid").exists, 10)
    pid = int((tmp_path / "pid").read_text())
    os.kill(pid, 0)  # it is there still
    os.kill(pid, 9)


def test_the_real_one_needs_no_path_either(mapped: Repository) -> None:
    git = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True).stdout.strip() + "/git"
    (mapped.root / "b.py").write_text("")
    for arguments in (["add", "b.py"], ["commit", "-qm", "b"]):
        subprocess.run([git, *arguments], cwd=mapped.root, env={**os.environ, "PATH": ""}, check=True)
    assert mapped.follows()


def test_an_interpreter_that_is_gone_is_told_and_fails_nothing(mapped: Repository) -> None:
    install(str(mapped.hooks), "/gone/python3")
    done = mapped.commit("b.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert until(lambda: _trouble(mapped) != "", 10)
    assert _trouble(mapped) == "/gone/python3 is gone: run 'codemap hooks install' again"


def test_an_interpreter_without_codemap_is_told_and_fails_nothing(mapped: Repository, tmp_path: Path) -> None:
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    bare.chmod(0o755)
    install(str(mapped.hooks), str(bare))
    assert mapped.commit("b.py").stderr == ""
    assert until(lambda: "No module named" in _trouble(mapped), 20)


def test_a_folder_that_cannot_be_written_fails_nothing(mapped: Repository) -> None:
    """For root, too, a folder stands where a file would be written."""
    (mapped.map_dir / record.START_ERRORS).mkdir()
    done = mapped.commit("b.py")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_full_disk_is_told_and_fails_nothing(mapped: Repository) -> None:
    import resource

    size = (mapped.map_dir / "facts.db").stat().st_size

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    for number in range(20):
        text = "".join(f"def f{number}_{each}(x={each}): return f{number}_{each - 1}(x)\n" for each in range(50))
        (mapped.root / f"b{number}.py").write_text(text)
    mapped.git("add", ".")
    done = subprocess.run(
        ["git", "commit", "-qm", "b"], cwd=mapped.root, preexec_fn=limit, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert until(lambda: _trouble(mapped) != "", 20)
    assert "full" in _trouble(mapped) or "disk" in _trouble(mapped)
    mapped.commit("c.py")
    assert mapped.follows()
    assert until(lambda: _trouble(mapped) == "", 10)
    assert verify(str(mapped.root), jobs=1).equal


def test_what_a_killed_process_leaves_holds_nobody_up(mapped: Repository) -> None:
    for name in (WANTED, WAITING, TURN, "lock"):
        (mapped.map_dir / name).write_text("999999")
        os.utime(mapped.map_dir / name, (4_000_000_000, 4_000_000_000))  # and the clock was set back since
    mapped.commit("b.py")
    assert mapped.follows()
    mapped.git("rebase", "-q", "--force-rebase", "HEAD~1")
    assert mapped.follows()


def test_a_repository_that_was_moved_is_followed(mapped: Repository, tmp_path: Path) -> None:
    moved = Repository(mapped.root.rename(tmp_path / "another place"))
    moved.commit("b.py")
    assert moved.follows()


def test_files_that_only_an_option_joins_to_a_repository_get_no_map(mapped: Repository, tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "b.py").write_text("")
    before = mapped.map_commit()
    where = {"GIT_DIR": str(mapped.root / ".git"), "GIT_WORK_TREE": str(files)}
    for arguments in (("add", "b.py"), ("commit", "-qm", "b")):
        subprocess.run(["git", *arguments], cwd=files, env={**os.environ, **where}, check=True)
    assert until(lambda: (mapped.map_dir / TURN).exists(), 20)
    with writer_lock(str(mapped.map_dir / TURN), 20, lambda message: None):
        pass  # what was started has ended
    assert sorted(path.name for path in files.iterdir()) == ["b.py"]
    assert mapped.map_commit() == before


def test_code_of_the_repository_is_not_run(mapped: Repository) -> None:
    for package in ("codemap", "indexer"):
        (mapped.root / package).mkdir()
        (mapped.root / package / "__init__.py").write_text("open('run', 'w')\n")
    (mapped.root / "json.py").write_text("open('run', 'w')\n")
    mapped.git("add", ".")
    mapped.git("commit", "-qm", "trap", PYTHONPATH=str(mapped.root))
    assert mapped.follows()
    assert not (mapped.root / "run").exists()


def test_without_a_map_nothing_is_started(tmp_path: Path) -> None:
    repository = hooked.make(tmp_path / "repository")
    install(str(repository.hooks), sys.executable)
    repository.commit("b.py")
    assert not repository.map_dir.exists()
