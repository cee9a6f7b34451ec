"""The repositories a server was started for: their names, their maps, and whether those are there yet."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemap.config import Config, load
from codemap.service import metering
from codemap.service.maps import home_of
from indexer.errors import NotFoundError, StoreError, UsageError

if TYPE_CHECKING:
    from codemap.api import CodeMap
    from codemap.home import Home
    from codemap.service.questions import Answered, Question


@dataclass
class Repository:
    """One of them.

    failed   why its first map could not be made
    """

    name: str
    home: Home
    failed: str | None = None
    _watching: CodeMap | None = None

    @property
    def root(self) -> str:
        return str(self.home.root)

    @property
    def ready(self) -> bool:
        """Whether there is a map that can be read."""
        try:
            self._opened()
        except (StoreError, NotFoundError):
            return False
        return True

    def state(self) -> str | None:
        """The state of the map now; another one where anything was written. Raises StoreError."""
        with self._opened().session.read() as reader:
            return reader.state()

    def current(self) -> bool:
        """Whether the map surely knows all that is on disk now; a matter of milliseconds."""
        return self.ready and self._opened().current()

    @property
    def config(self) -> Config:
        """What the repository's configuration says now. Raises ConfigError."""
        return load(self.home.root)

    def note(self, question: Question, answered: Answered) -> None:
        """Note in the person's ledger what an answer cost."""
        metering.note(self._opened(), question, answered)

    def close(self) -> None:
        if self._watching is not None:
            self._watching.close()

    def _opened(self) -> CodeMap:
        from codemap.api import CodeMap

        if self._watching is None:
            self._watching = CodeMap.open(self.root, build=False)
        return self._watching


class Repositories:
    """All of them, by name: the folder's name, or its path where two folders have the same."""

    def __init__(self, folders: Sequence[str | os.PathLike[str]]) -> None:
        """Raises RepositoryError for a folder that cannot be mapped."""
        homes = {str(home.root): home for home in map(home_of, folders)}
        names = [os.path.basename(root) for root in homes]
        self.all = tuple(
            Repository(name if names.count(name) == 1 else root, home)
            for name, (root, home) in zip(names, homes.items(), strict=True)
        )

    def find(self, named: str | None) -> Repository:
        """The repository of that name or path; the only one where nothing is named.

        Raises UsageError where one has to be named, NotFoundError for what is not served.
        """
        names = tuple(each.name for each in self.all)
        if named is None:
            if len(self.all) > 1:
                raise UsageError(f"several repositories are served: name one as repo: {', '.join(names)}")
            return self.all[0]
        for each in self.all:
            if named in (each.name, each.root):
                return each
        inside = [each for each in self.all if os.path.isabs(named) and named.startswith(each.root + os.sep)]
        if inside:
            return max(inside, key=lambda each: len(each.root))
        raise NotFoundError(f"{named[:200]} is not served here", names)
