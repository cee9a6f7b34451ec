"""Who answers what is asked of git: libgit2, or, for what it cannot open, git itself."""

from __future__ import annotations

from indexer.discover.git import NO_HEAD, Git, Head
from indexer.discover.location import Location
from indexer.discover.repository import UnsupportedRepositoryError


def open_git(location: Location) -> Git:
    """The repository of a location in git. Raises RepositoryError where neither can open it."""
    from indexer.discover.libgit import LibGit  # takes a while to load, and few updates need it

    try:
        return LibGit(location)
    except UnsupportedRepositoryError as error:
        from indexer.discover.gitcommand import GitCommand

        return GitCommand(location, error)


def head_state(location: Location) -> Head:
    """The commit, its time and the branch. Raises RepositoryError when the repository cannot be opened."""
    return open_git(location).head() if location.is_git else NO_HEAD
