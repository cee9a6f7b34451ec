"""The lines of shell: put in, found again, taken out."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from indexer.hooks import script
from indexer.hooks.runner import WAITING
from tests.hooked import until

PYTHON = "/opt/it's here/bin/python3"


def test_lines_come_after_the_first_and_go_without_a_trace() -> None:
    content = b"#!/bin/bash -e\necho one\nexit 3"
    lines = script.start_lines("post-commit", PYTHON, made_folder=False)
    with_lines = script.with_start(content, lines)
    assert with_lines == b"#!/bin/bash -e\n" + lines + b"echo one\nexit 3"
    assert script.without_start(with_lines) == content


def test_a_hook_taken_apart_names_its_interpreter() -> None:
    lines = script.start_lines("post-merge", PYTHON, made_folder=True)
    parts = script.take_apart(script.SHEBANG + lines + script.chain_lines("post-merge") + b"echo more\n")
    assert parts == script.Parts(b"#!/bin/sh\necho more\n", starts=True, chains=True, python=PYTHON, made_folder=True)
    assert script.take_apart(b"#!/bin/sh\necho\n") == script.Parts(b"#!/bin/sh\necho\n", False, False, None, False)


def test_new_lines_take_the_place_of_all_old_ones() -> None:
    old = script.start_lines("post-commit", "/old", made_folder=False)
    new = script.start_lines("post-commit", "/new", made_folder=False)
    assert script.with_start(b"#!/bin/sh\na\n" + old + b"b\n" + old, new) == b"#!/bin/sh\na\n" + new + b"b\n"


@pytest.mark.parametrize(
    "content",
    [
        "#!/bin/sh\n:\n",
        "#! /usr/bin/bash -eu\n:\n",
        "#!/usr/bin/env bash\n:\n",
        "#!/opt/homebrew/bin/zsh\n:",
        '#!/bin/sh\n# husky\n. "$(dirname "$0")/husky.sh"\n',
        '#!/usr/bin/env sh\n. "$(dirname "$0")/h"',
        '#!/usr/bin/env bash\nexec "$INSTALL_PYTHON" -mpre_commit "${ARGS[@]}"\n',
        '#!/bin/sh\necho "$0"\nexec true\n',
    ],
)
def test_shell_scripts_take_lines(content: str) -> None:
    assert script.takes_lines(content.encode())


@pytest.mark.parametrize(
    "content",
    [
        "",
        "#!/bin/sh\n",  # with our lines it would be a file of ours
        "#!/bin/sh",
        "echo no first line\n",
        "#!/usr/bin/env python3\n",
        "#!/usr/bin/perl\n",
        "#!/usr/bin/fish\n:\n",
        "#!/bin/sh\r\necho windows\r\n",
        "\x7fELF\n",
        '#!/bin/sh\nexec node "$0" "$@"\n',
        "#!/bin/sh\n''':'\nexec python3 \"$0\"\n'''\n",
        '#!/bin/sh\n":" //; exec node "$0"\n',
        '#!/bin/sh\nexec tclsh "${0}"\n',
    ],
)
def test_what_is_no_shell_script_alone_takes_none(content: str) -> None:
    assert not script.takes_lines(content.encode())


@pytest.fixture
def started(tmp_path: Path) -> Path:
    """A file that comes to be when the interpreter of a map's folder is started, which it also fails at."""
    python = tmp_path / "a 'python'"
    python.write_text('#!/bin/sh\necho broken >&2\necho "$@" >"$PWD/started"\n')
    python.chmod(0o755)
    map_dir = tmp_path / ".git/codemap"
    map_dir.mkdir(parents=True)
    (map_dir / "map.db").touch()
    (map_dir / "hooks.err").write_text("what was there before")
    return tmp_path / "started"


def _hook(folder: Path, name: str, before: str = "", after: str = "") -> Path:
    hook = folder / "hook"
    lines = script.start_lines(name, str(folder / "a 'python'"), made_folder=False).decode()
    hook.write_text(f"#!/bin/sh\n{before}{lines}{after}")
    hook.chmod(0o755)
    return hook


@pytest.mark.parametrize("shell", ["sh", "bash", "dash", "zsh", "busybox"])
@pytest.mark.parametrize("options", ["", "set -euC\n"])
def test_every_shell_starts_the_interpreter_and_goes_on(
    tmp_path: Path, started: Path, shell: str, options: str
) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell} here")
    hook = _hook(tmp_path, "post-commit", options, 'read word\necho "$word $? $#"\nexit 3\n')
    command = [program, *(["sh"] if shell == "busybox" else []), str(hook), "one"]
    done = subprocess.run(command, cwd=tmp_path, env={}, input="given\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, "given 0 1\n", "")
    assert until(lambda: started.exists() and started.read_text() != "", 10)
    assert started.read_text() == "-E -P -m codemap.follow post-commit .git\n"
    assert (tmp_path / ".git/codemap/hooks.err").read_text() == "broken\n"


@pytest.mark.parametrize("backend", ["rebase-merge", "rebase-apply"])
@pytest.mark.parametrize(
    ("hook", "waiting", "starts"),
    [
        ("post-commit", None, True),
        ("post-commit", 2_000, False),  # somebody waits for the end of this rebase
        ("post-commit", 500, True),  # somebody waited for another, and was killed
        ("post-rewrite", 2_000, True),  # the end of it
        ("post-checkout", 2_000, True),
    ],
)
def test_a_commit_of_a_rebase_starts_nothing_while_somebody_waits(
    tmp_path: Path, started: Path, backend: str, hook: str, waiting: int | None, starts: bool
) -> None:
    onto = tmp_path / ".git" / backend / "onto"
    onto.parent.mkdir()
    onto.touch()
    os.utime(onto, (1_000, 1_000))
    if waiting is not None:
        mark = tmp_path / ".git/codemap" / WAITING
        mark.touch()
        os.utime(mark, (waiting, waiting))
    assert subprocess.run([_hook(tmp_path, hook)], cwd=tmp_path, check=True).returncode == 0
    assert until(lambda: started.exists() or not starts, 10)
    if not starts:
        assert not until(started.exists, 0.05)
    assert ((tmp_path / ".git/codemap/hooks.err").read_text() == "what was there before") != starts


@pytest.mark.parametrize("where", ["a file", "a variable"])
def test_a_linked_worktree_is_found(tmp_path: Path, started: Path, where: str) -> None:
    """By its file `.git`, or by what git says; either may hold blanks."""
    real = (tmp_path / ".git").rename(tmp_path / "the real one ")
    environment = {}
    if where == "a file":
        (tmp_path / ".git").write_text(f"gitdir: {real}\n")
    else:
        environment["GIT_DIR"] = str(real)
    subprocess.run([_hook(tmp_path, "post-merge")], cwd=tmp_path, env=environment, check=True)
    assert until(lambda: started.exists() and started.read_text() != "", 10)
    assert started.read_text() == f"-E -P -m codemap.follow post-merge {real}\n"
