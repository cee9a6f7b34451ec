"""Where a repository or folder begins, and where its map and facts are kept.

Read from the file system alone: a query that finds its map fresh has no other need of a git library.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from indexer.errors import RepositoryError

_BARE = re.compile(r"^[ \t]*\[core\][^\[]*?^[ \t]*bare[ \t]*=[ \t]*(?:true|yes|on|1)[ \t]*$", re.M | re.I | re.S)


@dataclass(frozen=True, slots=True)
class Location:
    """A worktree, or a folder outside git."""

    root: str  # absolute real path
    map_dir: str  # holds this worktree's map; may not exist yet
    facts_dir: str  # holds the facts shared by the worktrees of a repository; may not exist yet
    git_dir: str | None  # None outside git
    common_dir: str | None  # the repository's own git directory; differs from `git_dir` in a linked worktree

    @property
    def is_git(self) -> bool:
        return self.git_dir is not None


def locate(folder: str) -> Location:
    """The worktree `folder` lies in, or `folder` itself where there is none.

    Raises RepositoryError when there is no such folder, or the repository has no worktree.
    """
    start = os.path.realpath(folder)
    if not os.path.isdir(start):
        what = "is a file, not a folder" if os.path.exists(start) else "does not exist"
        raise RepositoryError(f"{folder} {what}; name the folder of a repository")
    for candidate in _upwards(start):
        dot_git = os.path.join(candidate, ".git")
        if os.path.isfile(dot_git):
            return _linked(candidate, dot_git)
        if _is_git_dir(dot_git):
            return _worktree(candidate, os.path.realpath(dot_git))
        if _is_git_dir(candidate):
            raise RepositoryError(f"{candidate} is a git directory without a worktree; name the folder of a checkout")
    own = os.path.join(start, ".codemap")
    return Location(start, own, own, None, None)


def submodule(root: str, path: str) -> Location | None:
    """The worktree of a submodule at a path of a repository; None where it is not checked out there.

    Raises RepositoryError for one whose git directory is not found, and for a path that leads elsewhere by a link.
    """
    folder = os.path.join(root, path)
    if os.path.realpath(folder) != folder or not folder.startswith(os.path.join(root, "")):
        raise RepositoryError(f"{path} is not a folder beneath the root")
    dot_git = os.path.join(folder, ".git")
    if os.path.isfile(dot_git):
        return _linked(folder, dot_git)
    return _worktree(folder, os.path.realpath(dot_git)) if _is_git_dir(dot_git) else None


def _upwards(folder: str) -> list[str]:
    folders = [folder]
    while (parent := os.path.dirname(folders[-1])) != folders[-1]:
        folders.append(parent)
    return folders


def _is_git_dir(folder: str) -> bool:
    """Whether git would take it for a repository; a linked worktree's has `commondir` in place of `objects`."""
    if not os.path.lexists(os.path.join(folder, "HEAD")):
        return False
    return os.path.isfile(os.path.join(folder, "commondir")) or (
        os.path.isdir(os.path.join(folder, "objects")) and os.path.isdir(os.path.join(folder, "refs"))
    )


def _linked(root: str, dot_git: str) -> Location:
    """A linked worktree or a submodule: `.git` is a file that names the git directory."""
    content = _read(dot_git)
    target = content.removeprefix("gitdir:").strip()
    git_dir = os.path.realpath(os.path.join(root, target))
    if not content.startswith("gitdir:") or not _is_git_dir(git_dir):
        raise RepositoryError(f"{dot_git} does not name a git directory; `git worktree repair` may mend it")
    return _worktree(root, git_dir)


def _worktree(root: str, git_dir: str) -> Location:
    common_file = os.path.join(git_dir, "commondir")
    common_dir = git_dir
    if os.path.isfile(common_file):
        common_dir = os.path.realpath(os.path.join(git_dir, _read(common_file).strip()))
    elif _BARE.search(_read(os.path.join(git_dir, "config"))):
        raise RepositoryError(f"{git_dir} is a bare repository; name the folder of a checkout")
    return Location(root, os.path.join(git_dir, "codemap"), os.path.join(common_dir, "codemap"), git_dir, common_dir)


def _read(path: str) -> str:
    """The text of a small file of git's, "" where there is none."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return ""
    except OSError as error:
        raise RepositoryError(f"{path} cannot be read: {error.strerror}") from error
