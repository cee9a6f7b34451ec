"""A scratch clone that benchmarks may do anything to."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_TIME = 1_700_000_000


def _environment() -> dict[str, str]:
    """No configuration of the person or machine, and commits that come out the same on every run."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    people = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in _PERSON.items()}
    return {**kept, **people, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C"}


_PERSON: Mapping[str, str] = {"NAME": "benchmark", "EMAIL": "benchmark@example.org", "DATE": f"{_TIME} +0000"}


class Worktree:
    """git commands in one worktree. Hooks are off."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def cloned(cls, source: Path, root: Path) -> Worktree:
        """A clone of a repository on this machine. Raises `subprocess.CalledProcessError` where there is none."""
        command = ["git", "clone", "-q", "--no-checkout", str(source), str(root)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, env=_environment())
        return cls(root)

    @classmethod
    def empty(cls, root: Path) -> Worktree:
        subprocess.run(["git", "init", "-q", str(root)], check=True, env=_environment())
        return cls(root)

    def run(self, *arguments: str) -> str:
        """A command that has to succeed; gives its output without the last line feed."""
        return self._done(arguments, check=True).stdout.removesuffix("\n")

    def tries(self, *arguments: str) -> bool:
        """A command that may fail; says whether it did not."""
        return self._done(arguments, check=False).returncode == 0

    def _done(self, arguments: tuple[str, ...], *, check: bool) -> subprocess.CompletedProcess[str]:
        settings = ("-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "-c", "advice.detachedHead=false")
        return subprocess.run(
            ["git", "-C", str(self.root), *settings, *arguments],
            check=check,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            env=_environment(),
        )

    def commit(self, message: str) -> str:
        """Commit everything there is; gives the id."""
        self.run("add", "-A")
        self.run("commit", "-q", "--allow-empty", "-m", message)
        return self.run("rev-parse", "HEAD")

    def go(self, commit: str) -> None:
        """Make the worktree that of a commit, whatever was there."""
        for state in ("CHERRY_PICK_HEAD", "REVERT_HEAD"):
            (self.root / ".git" / state).unlink(missing_ok=True)
        self.run("reset", "-q", "--hard")
        self.run("clean", "-q", "-f", "-d", "-x")
        self.run("checkout", "-q", "--detach", commit)
