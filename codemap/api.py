"""The Python API: a map as an object with the power of the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from codemap.budgeted import BudgetedAnswers
from codemap.home import find
from indexer.errors import NotFoundError, StoreError
from indexer.store.connect import FACTS_NAME

if TYPE_CHECKING:
    from codemap.config import OnStale
    from indexer.pipeline.history import Followed
    from indexer.pipeline.report import Progress, Report
    from indexer.pipeline.verification import Verification
    from queries.session import Session
    from queries.tokens import Measure

WAIT_SECONDS = 60.0  # for another run that writes the same map


class CodeMap(BudgetedAnswers):
    """The map of one repository or folder.

    A map may be used from several threads: questions take turns. It sees what another process wrote to it, each
    question one state of it. Symbols are named `name`, `Class.name` or `path:name`, files by their path from the root.

    Every question raises NotFoundError or AmbiguousError for a name that does not denote one symbol, StoreError for a
    map that cannot be read, and StaleMapError where stale maps are refused.
    """

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        *,
        build: bool = True,
        measure: Measure | None = None,
        progress: Progress | None = None,
        notice: Callable[[str], None] | None = None,
        on_stale: OnStale | None = None,
        max_age: int | None = None,
    ) -> CodeMap:
        """Open the map of the repository around `path`, or of the folder `path` outside of one.

        build      make the map where there is none or it cannot be read; otherwise that is StoreError
        measure    how tokens are counted; default: a named heuristic
        progress   told how far a build or a refresh is
        notice     called with one line before a map is built, and where one is stale and answers nevertheless
        on_stale   before a question, `refresh` the map if anything has changed; `warn` that it is stale; `refuse` with
                   StaleMapError, and bring it up to date in the background. None: as the configuration says, else warn
        max_age    seconds that the map may be behind the newest commit before `warn` or `refuse` mind; None: as the
                   configuration says, else an hour

        Raises RepositoryError for a folder that cannot be mapped.
        """
        home = find(path)
        try:
            session = home.open()
        except (NotFoundError, StoreError) as error:
            if not build:
                if isinstance(error, NotFoundError):
                    raise StoreError(f"there is no map of {home.root} yet: run `codemap index`") from error
                raise
            if notice is not None:
                why = "there is no map yet" if isinstance(error, NotFoundError) else str(error).partition(": run ")[0]
                notice(f"{why}: building one of {home.root}")
            cls.index(home.root, progress=progress)
            session = home.open()
        made = cls(home, session, measure, notice)
        made.on_stale, made.max_age, made.progress = on_stale, max_age, progress
        return made

    @staticmethod
    def index(
        path: str | Path,
        *,
        jobs: int | None = None,
        full: bool = False,
        submodules: bool | None = None,
        progress: Progress | None = None,
        wait: float = WAIT_SECONDS,
    ) -> Report:
        """Build or bring up to date the map of `path` without opening it; `update` does so for an open one.

        jobs    worker processes; None: as many as there are processors
        full    forget cached facts and links, build from nothing
        submodules  whether those that are checked out are part of the map; None: as the configuration says, else as the
                    last time, at first not
        wait    seconds to wait for another run before BusyError

        Raises ConfigError for a mistake in the configuration.
        """
        from codemap.refresh import make

        return make(path, jobs=jobs, full=full, submodules=submodules, progress=progress, wait=wait)

    @staticmethod
    def index_history(
        path: str | Path, *, seconds: float | None = None, anew: bool = False, progress: Progress | None = None
    ) -> Followed:
        """Index the commits of the repository around `path`, newest first, after its map has been built.

        seconds   how long that may take; None: until it is done. What is left is done the next time
        anew      trust nothing that is kept

        As many commits count as the configuration says. Raises ConfigError for a mistake in it.
        """
        from codemap.refresh import make_history

        return make_history(path, seconds=seconds, anew=anew, progress=progress)

    @property
    def root(self) -> Path:
        """Folder of the sources; paths in answers are relative to it."""
        return self._home.root

    @property
    def session(self) -> Session:
        """What the functions of `queries` take as their first argument."""
        return self._session

    @property
    def map_path(self) -> Path:
        """File of the map."""
        return Path(self._home.map)

    @property
    def facts_path(self) -> Path:
        """File of the cache of facts, which the worktrees of a repository share."""
        return Path(self._home.location.facts_dir, FACTS_NAME)

    def __enter__(self) -> CodeMap:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # keeping it true

    def update(
        self,
        *,
        jobs: int | None = None,
        full: bool = False,
        submodules: bool | None = None,
        progress: Progress | None = None,
        wait: float = WAIT_SECONDS,
    ) -> Report:
        """Bring the map up to date with the working tree; see `index` for the arguments."""
        return self.index(self.root, jobs=jobs, full=full, submodules=submodules, progress=progress, wait=wait)

    def verify(
        self, *, repair: bool = False, jobs: int | None = None, progress: Progress | None = None
    ) -> Verification:
        """Bring the map up to date, build another from nothing and compare the two, row for row.

        repair   where they differ, the clean map takes the place of this one, at once and for every reader
        """
        from indexer.pipeline import verify

        return verify(str(self.root), repair=repair, jobs=jobs, progress=progress)
