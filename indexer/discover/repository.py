"""Opening a repository with libgit2, which runs no hook, filter or monitor whatever the configuration says."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from indexer.discover.location import Location
from indexer.errors import RepositoryError

if TYPE_CHECKING:
    import pygit2


class UnsupportedRepositoryError(RepositoryError):
    """libgit2 does not open it; git itself may."""


def open_repository(location: Location) -> pygit2.Repository:
    """The repository of a location in git, by libgit2.

    The check of ownership is off while opening: it guards against configuration that runs programs, and nothing is run
    here; with it, containers and shared checkouts could not be mapped. Raises RepositoryError.
    """
    import pygit2
    from pygit2.enums import RepositoryOpenFlag

    settings = pygit2.settings
    if "partialclone" not in settings.extensions:
        # Objects a partial clone lacks are never asked for from afar; what is on disk counts.
        settings.set_extensions(["partialclone"])
    validation = settings.owner_validation
    settings.owner_validation = False
    try:
        repository = pygit2.Repository(location.root, RepositoryOpenFlag.NO_SEARCH)
    except (pygit2.GitError, KeyError, ValueError) as error:
        why = str(error).removeprefix(f"{location.root}: ")
        raise UnsupportedRepositoryError(f"{location.root} cannot be opened by libgit2: {why}") from error
    finally:
        settings.owner_validation = validation
    if repository.workdir is None or os.path.realpath(repository.workdir) != location.root:
        raise RepositoryError(f"{location.root} is not the worktree of its repository; see core.bare and core.worktree")
    return repository
