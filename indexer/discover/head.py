"""Which commit a worktree stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from indexer.discover.location import Location
from indexer.discover.repository import open_repository

if TYPE_CHECKING:
    import pygit2


class Head(NamedTuple):
    """All None outside git and where nothing is committed yet, but for the branch."""

    commit: str | None  # hex
    time: int | None  # of the commit, seconds since 1970 UTC; None where its object is missing
    branch: str | None  # short name; None when detached


NO_HEAD = Head(None, None, None)


def head_state(location: Location) -> Head:
    """The commit, its time and the branch. Raises RepositoryError when the repository cannot be opened."""
    return head_of(open_repository(location)) if location.is_git else NO_HEAD


def head_of(repository: pygit2.Repository) -> Head:
    """What `head_state` gives, of an open repository."""
    import pygit2

    branch = _branch(repository)
    try:
        target = repository.head.target
    except (pygit2.GitError, KeyError, ValueError):
        return Head(None, None, branch)
    try:
        return Head(str(target), repository[target].peel(pygit2.Commit).commit_time, branch)
    except (pygit2.GitError, KeyError, ValueError):
        return Head(str(target), None, branch)


def _branch(repository: pygit2.Repository) -> str | None:
    import pygit2

    try:
        name = repository.lookup_reference("HEAD").raw_target
    except (pygit2.GitError, KeyError, ValueError):
        return None
    if isinstance(name, bytes):
        return name.decode("utf-8", "replace").removeprefix("refs/heads/")
    return None
