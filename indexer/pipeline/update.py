"""Bring a map up to date, or make it: the stages in their order, in one transaction of the map.

A death at any moment leaves the old map or the new one; facts are committed before, since they stay true.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.discover import Discovery, Location, discover, locate, seen
from indexer.errors import CodemapError, StoreError
from indexer.languages import language_of
from indexer.locks import writer_lock
from indexer.pipeline.report import Clock, Progress, Report, Silent, WorkersError
from indexer.pipeline.run import run
from indexer.pipeline.state import Options
from indexer.pipeline.workforce import Workforce
from indexer.resolve import is_configuration
from indexer.store.connect import MAP_NAME, DamagedError, put_away, remembered

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
    told = progress or Silent()
    clock = Clock()
    messages: list[str] = []
    _make_folders(location)
    jobs = jobs or _processors()
    with (
        writer_lock(os.path.join(location.map_dir, LOCK), wait, told.say) as lock,
        _uncollected(),
        Workforce(jobs, lock) as workforce,
    ):
        with suppress(PermissionError):  # a map that cannot be written is told of where it is written
            seen.forget(location.map_dir)
        if executor is None and (full or not Path(location.map_dir, MAP_NAME).exists()):
            workforce.start_early()
        with clock.stage("discover"):
            told.begin("discover", 0)
            if submodules is None:
                submodules = remembered(location.map_dir, "submodules") == "yes"
            discovery: Discovery = discover(location, is_configuration, language_of, submodules=submodules)
        options = Options(jobs=jobs, full=full, submodules=submodules, executor=executor, workforce=workforce)

        def attempt() -> Report:
            try:
                return run(location, discovery, options, told, clock, messages)
            except WorkersError as error:
                messages.append(f"{error}; working in one process")
                told.say(messages[-1])
                return run(location, discovery, replace(options, jobs=1), told, clock, messages)
            finally:
                workforce.dismiss()

        report = _setting_aside(attempt, told.say, messages)
    return replace(report, seconds=clock.total(), stages=dict(clock.stages))


def _refuse_in_a_starting_worker() -> None:
    """A worker that is a new interpreter runs the caller's script first; it must not wait for its parent's lock."""
    module = sys.modules.get("multiprocessing.process")
    if module is not None and getattr(module.current_process(), "_inheriting", False):
        raise CodemapError("codemap called while a worker process starts")


def _setting_aside(attempt: Callable[[], Report], say: Callable[[str], None], messages: list[str]) -> Report:
    """Run `attempt`, again for each of the two databases that turns out to be damaged."""
    for _ in range(3):
        try:
            return attempt()
        except DamagedError as damaged:
            messages.append(f"{damaged}: {put_away(damaged)}, and made anew")
            say(messages[-1])
    raise StoreError(f"{messages[-1]}, again and again: check the disk")


def _make_folders(location: Location) -> None:
    for folder in {location.map_dir, location.facts_dir}:
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot make {folder}: {error.strerror}") from error


def _processors() -> int:
    """Number of processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector of cycles: a run makes millions of tuples and hardly a cycle."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
