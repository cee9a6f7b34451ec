"""Compare a map with one built from nothing: the second promise, checked on the user's own repository."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from indexer.compressed import DamagedBytesError
from indexer.discover import Location, locate
from indexer.errors import CodemapError, StoreError
from indexer.pipeline.history_check import check
from indexer.pipeline.report import Clock, Progress, Report, Silent
from indexer.pipeline.update import LOCK, WAIT_SECONDS, update_at
from indexer.store.connect import MAP_NAME, remembered
from indexer.store.dump import Row, tables

SHOWN = 20
"""Differing rows shown of each table."""

_LONGEST = 300
"""Characters shown of a row."""

_UNREADABLE = (sqlite3.DatabaseError, DamagedBytesError, ValueError, TypeError)
"""What comes of reading rows that no version wrote. TypeError: of sorting them."""


@dataclass(frozen=True)
class Verification:
    """How a map compares with one built from nothing from the same files."""

    differences: tuple[str, ...]  # "table: only in the map: row", at most `SHOWN` a table, then how many more
    rows: dict[str, int]  # rows compared, by table
    report: Report  # of the update that went before
    seconds: float
    repaired: bool = False  # it differed, and the clean one is in its place

    @property
    def equal(self) -> bool:
        return not self.differences


def verify(
    folder: str,
    *,
    repair: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
    wait: float = WAIT_SECONDS,
) -> Verification:
    """Bring the map up to date, build another from nothing, facts included, and compare them row by row.

    repair   where they differ, put the clean map and its facts in the place of the others; readers go on meanwhile
    wait     seconds to wait for another run

    Files that change in between count as differences. Raises what `update` raises, and BusyError where the map was
    changed by another run between comparison and repair.
    """
    clock = Clock()
    location = locate(folder)
    build = partial(update_at, jobs=jobs, progress=progress, wait=wait)
    report, failure = _updated(location, build, repair)
    if failure:
        return Verification((failure,), {}, report, clock.total(), repaired=True)
    mine = Path(location.map_dir, MAP_NAME)
    try:
        scratch = tempfile.mkdtemp(prefix="verify-", dir=location.map_dir)
    except OSError as error:
        raise StoreError(f"cannot write {location.map_dir}: {error.strerror}") from error
    try:
        submodules = remembered(location.map_dir, "submodules") == "yes"
        build(replace(location, map_dir=scratch, facts_dir=scratch), submodules=submodules)
        with _opened(mine) as one, _opened(Path(scratch, MAP_NAME)) as other:
            state = _state(one, mine)
            differences, rows = _compared(one, other)
            if differences and repair:
                from indexer.pipeline.repair import put_facts, put_map

                lock = Path(location.map_dir, LOCK)
                put_map(other, one, lock, wait, progress or Silent(), unchanged=lambda: _state(one, mine) == state)
                put_facts(scratch, location.facts_dir)
        of_history, history_rows = check(location, scratch, _differences, repair=repair)
        differences, rows = differences + of_history, rows | history_rows
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return Verification(differences, rows, report, clock.total(), repair and bool(differences))


def _updated(location: Location, build: Callable[..., Report], repair: bool) -> tuple[Report, str]:
    """The update that goes before, and why it was made from the sources instead, "" where it was not.

    What is stored may be such that nothing can be made of it, and then any error may come of it.
    """
    try:
        return build(location), ""
    except (CodemapError, OSError, MemoryError):
        raise
    except Exception as error:
        if not repair:
            raise
        return build(location, full=True), f"the map could not be updated: {type(error).__name__}: {error}"


def compare(mine: Path, clean: Path) -> tuple[tuple[str, ...], dict[str, int]]:
    """Differences between two maps, and the rows compared by table."""
    with _opened(mine) as one, _opened(clean) as other:
        return _compared(one, other)


def _opened(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(path, isolation_level=None))


def _state(connection: sqlite3.Connection, path: Path) -> tuple[int, int, int]:
    """Another one as soon as anybody else has written to the map of this connection, or put another in its place."""
    status = path.stat()
    return connection.execute("PRAGMA data_version").fetchone()[0], status.st_dev, status.st_ino


def _compared(one: sqlite3.Connection, other: sqlite3.Connection) -> tuple[tuple[str, ...], dict[str, int]]:
    differences: list[str] = []
    rows: dict[str, int] = {}
    # Each map stays at one state while it is read.
    for connection in (one, other):
        connection.execute("BEGIN")
    try:
        of_one = tables(one)
    except _UNREADABLE as error:
        return (f"the map cannot be read: {error}",), rows
    for table, read in tables(other).items():
        want = read(other)
        rows[table] = len(want)
        try:
            have = of_one[table](one)
        except _UNREADABLE as error:
            differences.append(f"{table}: cannot be read: {error}")
        else:
            differences += _differences(table, have, want) if have != want else ()
    return tuple(differences), rows


def _differences(table: str, have: list[Row], want: list[Row]) -> Iterator[str]:
    ours, theirs = Counter(have), Counter(want)
    surplus = [("only in the map", repr(row)) for row in (ours - theirs).elements()]
    lacking = [("only in a clean map", repr(row)) for row in (theirs - ours).elements()]
    both = sorted(surplus + lacking, key=lambda pair: pair[1])
    for where, text in both[:SHOWN]:
        yield f"{table}: {where}: {text if len(text) <= _LONGEST else text[:_LONGEST] + '…'}"
    if len(both) > SHOWN:
        yield f"{table}: and {len(both) - SHOWN} more"
