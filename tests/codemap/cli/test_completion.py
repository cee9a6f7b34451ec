"""The scripts that shells read, and what they ask of the command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_names_the_command_and_is_understood(run: Run, shell: str) -> None:
    done = run("completion", shell)
    assert done.returncode == 0
    assert f"_CODEMAP_COMPLETE={shell}_complete" in done.stdout
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=done.stdout, text=True, check=True)


def test_an_unknown_shell_is_refused(run: Run) -> None:
    assert run("completion", "tcsh").returncode == 2


def test_commands_are_completed() -> None:
    environment = {**os.environ, "_CODEMAP_COMPLETE": "bash_complete", "COMP_WORDS": "codemap subg", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "codemap"], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "plain,subgraph\n"
