"""Where a folder's map lives, and what its repository is now."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from indexer.discover.seen import read
from indexer.errors import RepositoryError
from indexer.store.connect import MAP_NAME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from indexer.discover.location import Location
    from queries.session import Session
    from queries.staleness import Present


class Home(NamedTuple):
    """The folder of the sources and the file of its map."""

    location: Location

    @property
    def root(self) -> Path:
        return Path(self.location.root)

    @property
    def map(self) -> str:
        return os.path.join(self.location.map_dir, MAP_NAME)

    def open(self) -> Session:
        """A session on the map that knows what the repository is now. Raises NotFoundError, StoreError."""
        from queries.session import Session

        session: Session | None = None

        def current() -> Present:
            assert session is not None
            with session.read() as reader:
                meta = reader.meta()
            return self.present(meta.get("commit") or None, meta.get("head_time") or None)

        session = Session.open(self.map, self.location.root, current=current)
        return session

    def present(self, map_commit: str | None, map_time: str | None) -> Present:
        """The repository as it is now, and how far behind the map is, which knows its own commit and that one's time.

        The usual case, a map of the present commit, needs no git library; loading one costs as much as the answer.
        """
        from indexer.discover.refs import UnknownHeadError, head_commit
        from queries.staleness import Present

        try:
            if head_commit(self.location) == map_commit:
                apart = 0 if map_commit else None
                return Present(map_commit, int(map_time) if map_time else None, apart, apart)
        except UnknownHeadError:
            pass
        from indexer.discover import head_state

        head = head_state(self.location)
        behind, ahead = self._apart(head.commit, map_commit) if head.commit and map_commit else (None, None)
        return Present(head=head.commit, head_time=head.time, commits_behind=behind, commits_ahead=ahead)

    def _apart(self, head: str, map_commit: str) -> tuple[int, int] | tuple[None, None]:
        """Commits that `head` has and `map_commit` has not, and the other way round; None where the history does not
        tell (shallow, gone)."""
        if head == map_commit:
            return 0, 0
        from indexer.discover.opening import open_git

        return open_git(self.location).ahead_behind(head, map_commit) or (None, None)

    def unchanged(self, meta: Mapping[str, str]) -> bool:
        """Whether the sources, and this program, are surely as the last update found them. Looks at stamps alone: no
        file is read.

        meta   what the map says of itself
        """
        from indexer.program import installation, of_another_version

        commit = meta.get("commit") or None
        if meta.get("installation") != installation() and (of_another_version(meta) or os.access(self.map, os.W_OK)):
            return False  # an update looks closer, and notes it where it can write
        seen = read(self.location.map_dir)
        if seen is None or self.present(commit, None).head != commit:
            return False
        return next(iter(seen.changed(self.location.root)), None) is None

    def current(self) -> bool:
        """Whether there is a map that can be read, and `unchanged` says so of what it is of."""
        from indexer.errors import NotFoundError, StoreError
        from indexer.store.reader import Reader

        try:
            reader = Reader.open(self.map)
        except (NotFoundError, StoreError):
            return False
        try:
            meta = reader.meta()
        except StoreError:
            return False
        finally:
            reader.close()
        return self.unchanged(meta)


def find(path: str | Path) -> Home:
    """The repository around `path`, or the folder itself outside of one. Raises RepositoryError."""
    from indexer.discover import locate

    if "\0" in str(path):
        raise RepositoryError("a folder's name cannot hold a NUL character")
    return Home(locate(str(path)))
