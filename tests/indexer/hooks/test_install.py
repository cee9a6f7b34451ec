"""Hooks go in beside what is there, and out without a trace."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from indexer.errors import StoreError
from indexer.hooks import script
from indexer.hooks.install import install, interpreter, uninstall
from tests.hooked import Repository

PYTHON = sys.executable

EXISTING = {
    "a shell script": ('#!/bin/bash\nset -eu\necho shell "$@"\nexit 3', 0o750),
    "another language": (f"#!{PYTHON}\nimport sys\nprint('other', *sys.argv[1:])\nsys.exit(3)\n", 0o755),
    "without a first line": ("echo plain\nexit 3\n", 0o755),
    "a shell's first line alone": ("#!/bin/sh\n", 0o755),
    "for another program, too": (f"#!/bin/sh\n''':'\nexec {PYTHON} \"$0\" \"$@\"\n'''\nraise SystemExit(3)\n", 0o755),
    "not executable": ("#!/bin/sh\necho off\nexit 3\n", 0o644),
    "line ends of Windows": ("#!/bin/sh\r\nexit 3\r\n", 0o755),
}


def _did(folder: Path, name: str = "post-commit") -> str:
    return dict(install(str(folder), PYTHON, (name,)))[name]


@pytest.mark.parametrize("what", EXISTING)
def test_uninstall_restores_every_byte(repository: Repository, what: str) -> None:
    text, mode = EXISTING[what]
    repository.hook("post-commit", text, mode)
    before = repository.snapshot()
    install(str(repository.hooks), PYTHON)
    installed = repository.snapshot()
    assert script.take_apart((repository.hooks / "post-commit").read_bytes()).starts
    assert {name for _, name in install(str(repository.hooks), PYTHON)} == {"installed already"}
    assert repository.snapshot() == installed
    uninstall(str(repository.hooks))
    assert repository.snapshot() == before
    uninstall(str(repository.hooks))
    assert repository.snapshot() == before


@pytest.mark.parametrize("what", EXISTING)
def test_what_was_there_ends_as_before(repository: Repository, what: str) -> None:
    text, mode = EXISTING[what]
    repository.hook("post-checkout", text, mode)

    def checkout() -> tuple[int, str, str]:
        done = repository.git("checkout", "-q", "HEAD", check=False)
        return done.returncode, done.stdout, done.stderr.replace("post-checkout.before-codemap", "post-checkout")

    before = checkout()
    install(str(repository.hooks), PYTHON)
    after = checkout()
    if what in ("line ends of Windows", "not executable"):  # git or the system speaks of these in words of their own
        assert after[0] in (before[0], 0 if mode == 0o644 else 1)
    else:
        assert after == before


def test_a_link_is_moved_as_a_link(repository: Repository) -> None:
    script_file = repository.root / "tools/hook.sh"
    script_file.parent.mkdir()
    script_file.write_text("#!/bin/sh\necho linked >&2\nexit 1\n")
    script_file.chmod(0o755)
    (repository.hooks / "post-checkout").symlink_to("../../tools/hook.sh")
    before = repository.snapshot()
    install(str(repository.hooks), PYTHON)
    assert script_file.read_text() == "#!/bin/sh\necho linked >&2\nexit 1\n"
    done = repository.git("checkout", "-q", "HEAD", check=False)
    assert (done.returncode, done.stderr) == (1, "linked\n")
    uninstall(str(repository.hooks))
    assert repository.snapshot() == before


def test_lines_that_others_add_stay_and_run(repository: Repository) -> None:
    repository.hook("post-checkout", f"#!{PYTHON}\nraise SystemExit(4)\n")
    install(str(repository.hooks), PYTHON)
    ours = repository.hooks / "post-checkout"
    with ours.open("a") as file:
        file.write("echo later >&2\n")
    with (repository.hooks / "post-merge").open("a") as file:
        file.write("echo merged\n")
    done = repository.git("checkout", "-q", "HEAD", check=False)
    assert (done.returncode != 0, done.stderr) == (True, "later\n")  # git tells no more of the 4 than that
    assert subprocess.run([ours], cwd=repository.root, capture_output=True, check=False).returncode == 4
    did = dict(uninstall(str(repository.hooks)))
    assert "others have added lines" in did["post-checkout"]
    assert (repository.hooks / "post-merge").read_text() == "#!/bin/sh\necho merged\n"
    assert subprocess.run([ours], cwd=repository.root, capture_output=True, check=False).returncode == 4
    assert not script.take_apart(ours.read_bytes()).starts
    assert _did(repository.hooks, "post-checkout") == "brought up to date"


def test_both_hooks_are_given_what_git_says_of_rewritten_commits(repository: Repository) -> None:
    for text in (
        "#!/bin/sh\ncat >rewritten\n",
        f"#!{PYTHON}\nimport sys\nopen('rewritten','w').write(sys.stdin.read())\n",
    ):
        repository.hook("post-rewrite", text)
        install(str(repository.hooks), PYTHON)
        old = repository.head()
        repository.git("commit", "-q", "--amend", "-m", text[:20])
        assert (repository.root / "rewritten").read_text() == f"{old} {repository.head()}\n"
        uninstall(str(repository.hooks))


def test_another_interpreter_takes_the_place_of_the_old(repository: Repository) -> None:
    install(str(repository.hooks), "/gone/python")
    assert _did(repository.hooks) == "brought up to date"
    assert script.take_apart((repository.hooks / "post-commit").read_bytes()).python == PYTHON


def test_a_folder_made_for_hooks_goes_with_them(repository: Repository) -> None:
    repository.hooks.rmdir()
    install(str(repository.hooks), PYTHON)
    install(str(repository.hooks), "/another/python")
    uninstall(str(repository.hooks))
    assert not repository.hooks.exists()
    repository.hooks.mkdir()
    install(str(repository.hooks), PYTHON)
    uninstall(str(repository.hooks))
    assert repository.hooks.is_dir()


def test_a_hook_left_from_another_time_is_not_overwritten(repository: Repository) -> None:
    repository.hook("post-commit.before-codemap", "old")
    repository.hook("post-commit", f"#!{PYTHON}\n")
    before = repository.snapshot()
    with pytest.raises(StoreError, match=r"post-commit\.before-codemap is left from another time"):
        install(str(repository.hooks), PYTHON)
    assert repository.snapshot() == before


def test_a_hook_whose_place_is_empty_comes_back(repository: Repository) -> None:
    text = f"#!{PYTHON}\n"
    repository.hook("post-commit", text)
    install(str(repository.hooks), PYTHON)
    (repository.hooks / "post-commit").unlink()
    assert "runs the hook that was there" in _did(repository.hooks)
    (repository.hooks / "post-commit").unlink()
    uninstall(str(repository.hooks))
    assert (repository.hooks / "post-commit").read_text() == text


def test_a_hook_that_pre_commit_has_moved_is_found(repository: Repository) -> None:
    install(str(repository.hooks), "/gone/python")
    os.rename(repository.hooks / "post-commit", repository.hooks / "post-commit.legacy")
    repository.hook("post-commit", "#!/usr/bin/env bash\n# pre-commit\n")
    assert _did(repository.hooks) == "brought up to date in post-commit.legacy, which it runs"
    assert script.take_apart((repository.hooks / "post-commit.legacy").read_bytes()).python == PYTHON
    assert (
        dict(uninstall(str(repository.hooks)))["post-commit"] == "not installed; taken out of post-commit.legacy, too"
    )
    assert sorted(repository.snapshot()) == ["post-commit"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_said(repository: Repository) -> None:
    repository.hooks.chmod(0o555)
    try:
        with pytest.raises(StoreError, match="cannot write"):
            install(str(repository.hooks), PYTHON)
    finally:
        repository.hooks.chmod(0o755)


def test_the_interpreter_is_the_one_that_runs_and_finds_codemap() -> None:
    assert interpreter() == os.path.abspath(sys.executable)
