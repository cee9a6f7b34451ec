"""Bring a map up to date, or make it: the stages in their order, in one transaction of the map.

A death at any moment leaves the old map or the new one; facts are committed before, since they stay true.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.discover import Discovery, Location, discover, seen
from indexer.discover.again import discover_again
from indexer.discover.finding import Kinds
from indexer.discover.found import unpack
from indexer.discover.seen import Glance
from indexer.errors import StoreError
from indexer.languages import language_of
from indexer.locks import writer_lock
from indexer.pipeline.pruning import prune
from indexer.pipeline.report import Clock, Progress, Report, Silent, WorkersError
from indexer.pipeline.run import run
from indexer.pipeline.state import Options
from indexer.pipeline.workforce import Workforce
from indexer.program import installation
from indexer.resolve import is_configuration
from indexer.store.connect import MAP_NAME, DamagedError, put_away, remembered

if TYPE_CHECKING:
    from concurrent.futures import Executor


def bring_up_to_date(
    location: Location,
    lock_name: str,
    *,
    jobs: int | None,
    full: bool,
    progress: Progress | None,
    wait: float,
    executor: Executor | None,
    submodules: bool | None,
    glance: Glance | None = None,
) -> Report:
    """See `indexer.pipeline.update.update`. lock_name: of the file of the writer's lock, in the map's folder. glance:
    what has just been seen of what is there."""
    told = progress or Silent()
    clock = Clock()
    _make_folders(location)
    jobs = jobs or _processors()
    with (
        writer_lock(os.path.join(location.map_dir, lock_name), wait, told.say) as lock,
        _uncollected(),
        Workforce(jobs, lock) as workforce,
    ):
        options = Options(jobs, full, submodules is True, executor, workforce)
        report = _brought(location, options, told, clock, submodules is None, glance)
        if problem := prune(location, lock_name):
            report = replace(report, messages=(*report.messages, problem))
    return replace(report, seconds=clock.total(), stages=dict(clock.stages))


def _brought(
    location: Location, options: Options, told: Progress, clock: Clock, as_before: bool, glance: Glance | None
) -> Report:
    """The run itself, under the lock. What it has in memory is freed with it: the collector need not look at that.

    as_before: submodules are part of the map as the last time
    """
    messages: list[str] = []
    earlier = None if options.full else _earlier(location.map_dir, glance)
    with suppress(PermissionError):  # a map that cannot be written is told of where it is written
        seen.forget(location.map_dir)
    workforce = options.workforce
    if options.executor is None and (options.full or not Path(location.map_dir, MAP_NAME).exists()):
        workforce.start_early()
    with clock.stage("discover"):
        told.begin("discover", 0)
        if as_before:
            options = replace(options, submodules=remembered(location.map_dir, "submodules") == "yes")
        discovery = _discover(location, earlier, options.submodules)

    def attempt() -> Report:
        try:
            return run(location, discovery, options, told, clock, messages)
        except WorkersError as error:
            messages.append(f"{error}; working in one process")
            told.say(messages[-1])
            return run(location, discovery, replace(options, jobs=1), told, clock, messages)
        finally:
            workforce.dismiss()

    return _setting_aside(attempt, told.say, messages)


def _earlier(map_dir: str, glance: Glance | None) -> Glance | None:
    """What an earlier look saw, and what has changed since: the glance, if nobody has looked since then."""
    if glance is not None and glance.mark == seen.mark(map_dir):
        return glance
    known = seen.read(map_dir)
    return None if known is None else Glance(known, None, "")


def _discover(location: Location, earlier: Glance | None, submodules: bool) -> Discovery:
    """What is there now, from what was seen `earlier` where that is enough."""
    found = None if earlier is None else unpack(earlier.seen.found, installation())
    again = None
    if earlier is not None and found is not None:
        kinds = Kinds(is_configuration, language_of)
        again = discover_again(location, earlier.seen, found, kinds, earlier.changed)
    return again or discover(location, is_configuration, language_of, submodules=submodules)


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
