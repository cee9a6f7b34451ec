"""The folder that git reads a worktree's hooks from, and whether codemap may write there.

Git itself is asked, since only it knows where its system-wide configuration is. It is asked for names alone, by
commands that run nothing a repository's configuration could name.
"""

from __future__ import annotations

import os
import subprocess
from typing import NamedTuple

from indexer.discover.gitcommand import git_program
from indexer.discover.location import Location, locate
from indexer.errors import CodemapError, RepositoryError
from indexer.hooks.script import HOOKS, KEPT

_KEPT_VARIABLES = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH")
_PERSONAL = ("global", "system")  # levels of configuration that no repository can write
DEFAULT = "default"
WRITTEN = (*HOOKS, *(name + KEPT for name in HOOKS))
LINE = 'command -v codemap >/dev/null && codemap hooks run "${0##*/}" || :'
"""What a person may write into a hook of their own."""


class Folder(NamedTuple):
    """Where the hooks of a worktree are."""

    path: str  # absolute; may not exist
    level: str  # of git's configuration that names it: local worktree global system, or "default" where none does
    exists: bool

    @property
    def shared(self) -> bool:
        """Whether hooks in it run in all repositories of the person or machine."""
        return self.level in _PERSONAL


def hooks_folder(location: Location) -> Folder:
    """Ask git. Raises RepositoryError outside git, where git is missing or refuses the repository."""
    if location.git_dir is None:
        raise RepositoryError(f"{location.root} is not in a git repository, so it has no hooks")
    path = _git(location.root, "rev-parse", "--git-path", "hooks").stdout.removesuffix("\n")
    if not path:
        raise RepositoryError(f"git does not say where the hooks of {location.root} are; look at core.hooksPath")
    path = os.path.abspath(os.path.join(location.root, path))
    return Folder(path, _level(location.root), os.path.isdir(path))


class Refusal(NamedTuple):
    """Why hooks are not written to a folder."""

    why: str
    instead: str  # what a person who wants them can do

    def __str__(self) -> str:
        return f"{self.why}: {self.instead}"


def refusal(folder: Folder, location: Location) -> Refusal | None:
    """Why hooks must not be written there; None where they may be.

    What git tracks, or would show as new, is never written; nor is a folder outside that the repository points to.
    """
    if os.path.lexists(folder.path) and not folder.exists:
        return Refusal(f"{_named(folder)} is no folder, so hooks are switched off", "set core.hooksPath to one")
    real = os.path.realpath(folder.path)
    if location.common_dir is not None and _within(real, location.common_dir):
        return None
    around = _worktree(real)
    if not folder.shared and (around is None or around.root != location.root):
        return Refusal(
            f"{_named(folder)} is outside of this repository",
            "set core.hooksPath in your own configuration (git config --global) if the hooks there are yours",
        )
    if around is None or around.git_dir is None or _within(real, around.git_dir):
        return None
    seen = _seen_by_git(around, [os.path.relpath(os.path.join(real, name), around.root) for name in WRITTEN])
    if seen is None:
        return None
    return Refusal(
        f"{_named(folder)} is part of the working tree, and codemap writes no file that git sees ({seen})",
        f"add the line `{LINE}` to the hooks {', '.join(HOOKS)} that your project keeps",
    )


def notes(folder: Folder, location: Location) -> tuple[str, ...]:
    """What a person should know of hooks there."""
    refused = refusal(folder, location)
    if refused is not None:
        return (str(refused),)
    if folder.shared:
        return (
            "these hooks are run in all repositories that this configuration is for; "
            "where there is no map they do nothing",
        )
    real = os.path.realpath(folder.path)
    if _within(real, location.root) and not (location.common_dir and _within(real, location.common_dir)):
        return (
            "the tool that makes this folder may write it anew: install again after that, "
            f"or add the line `{LINE}` to the hooks that your project keeps",
        )
    return ()


def _named(folder: Folder) -> str:
    return folder.path if folder.level == DEFAULT else f"{folder.path} (core.hooksPath, {folder.level})"


def _worktree(path: str) -> Location | None:
    """The repository, or folder outside of one, around `path`, which may not exist yet."""
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    try:
        return locate(path)
    except CodemapError:
        return None


def _seen_by_git(around: Location, paths: list[str]) -> str | None:
    """The first of `paths`, relative to the root, that is tracked or would be shown as untracked."""
    asked = "".join(path + "\0" for path in paths)
    ignored = _git(around.root, "check-ignore", "-z", "--stdin", check=False, told=asked).stdout.split("\0")
    return next((path for path in paths if path not in ignored), None)


def _level(root: str) -> str:
    """The level of configuration that decides on core.hooksPath. Git before 2.26 does not tell: the least trusted."""
    value = _git(root, "config", "--get", "core.hooksPath", check=False)
    if value.returncode != 0:
        return DEFAULT
    told = _git(root, "config", "--show-scope", "--get", "core.hooksPath", check=False)
    return told.stdout.partition("\t")[0] if told.returncode == 0 and "\t" in told.stdout else "local"


def _git(root: str, *arguments: str, check: bool = True, told: str = "") -> subprocess.CompletedProcess[str]:
    """What git answers; `told` is its standard input."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k in _KEPT_VARIABLES}
    program = git_program()
    if program is None:
        raise RepositoryError("git is not in PATH, and only git knows where its hooks are: install it")
    try:
        done = subprocess.run(
            [program, "--no-pager", "-c", "core.fsmonitor=false", *arguments],
            cwd=root,
            env={**environment, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"},
            input=told,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            check=False,
        )
    except OSError as error:
        raise RepositoryError(f"git does not start: {error.strerror}") from error
    if check and done.returncode != 0:
        raise RepositoryError(f"git refuses {root}: {done.stderr.strip().partition(chr(10))[0]}")
    return done


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
