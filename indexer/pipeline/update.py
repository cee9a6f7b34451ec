"""Bring a map up to date, or make it.

Nothing of the stages is loaded before it is known that there is something to do.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from indexer.discover.location import Location, locate
from indexer.errors import CodemapError
from indexer.pipeline.report import Progress, Report
from indexer.pipeline.untouched import glance_at

if TYPE_CHECKING:
    from concurrent.futures import Executor

WAIT_SECONDS = 60.0
LOCK = "lock"
"""Name of the lock file of the writer of a map, in the map's folder."""


def update(
    folder: str,
    *,
    jobs: int | None = None,
    full: bool = False,
    progress: Progress | None = None,
    wait: float = WAIT_SECONDS,
    executor: Executor | None = None,
    submodules: bool | None = None,
) -> Report:
    """Make the map of the repository or folder that `folder` is in agree with what is on disk.

    jobs      processes; None: as many as there are processors; 1: everything in this process
    full      make map and facts from nothing, trusting neither what is stored
    wait      seconds to wait for another run
    executor  runs the extraction instead of a process pool; its workers have to see the same files
    submodules  whether those that are checked out are part of the map; None: as the last time

    Raises RepositoryError (no such folder, bare repository), BusyError (another run did not end in time), StoreError
    (the map cannot be written). Whatever is raised, the map stays as it was.
    """
    return update_at(
        locate(folder), jobs=jobs, full=full, progress=progress, wait=wait, executor=executor, submodules=submodules
    )


def update_at(
    location: Location,
    *,
    jobs: int | None = None,
    full: bool = False,
    progress: Progress | None = None,
    wait: float = WAIT_SECONDS,
    executor: Executor | None = None,
    submodules: bool | None = None,
) -> Report:
    """`update` for a place already found. The map and the facts may lie elsewhere than they usually do."""
    _refuse_in_a_starting_worker()
    glance = None
    if not full and executor is None:
        found = glance_at(location, submodules)
        if isinstance(found, Report):
            return found
        glance = found
    from indexer.pipeline.updating import bring_up_to_date

    return bring_up_to_date(
        location, LOCK, jobs=jobs, full=full, progress=progress, wait=wait, executor=executor, submodules=submodules,
        glance=glance,
    )  # fmt: skip


def _refuse_in_a_starting_worker() -> None:
    """A worker that is a new interpreter runs the caller's script first; it must not wait for its parent's lock."""
    module = sys.modules.get("multiprocessing.process")
    if module is not None and getattr(module.current_process(), "_inheriting", False):
        raise CodemapError("codemap called while a worker process starts")
