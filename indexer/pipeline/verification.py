"""Compare a map with one built from nothing: the second promise, checked on the user's own repository."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from indexer.discover import locate
from indexer.errors import StoreError
from indexer.pipeline.report import Clock, Progress, Report
from indexer.pipeline.update import WAIT_SECONDS, update_at
from indexer.store.connect import MAP_NAME, remembered
from indexer.store.dump import Row, tables

SHOWN = 20
"""Differing rows shown of each table."""

_LONGEST = 300
"""Characters shown of a row."""


@dataclass(frozen=True)
class Verification:
    """How a map compares with one built from nothing from the same files."""

    differences: tuple[str, ...]  # "table: only in the map: row", at most `SHOWN` a table, then how many more
    rows: dict[str, int]  # rows compared, by table
    report: Report  # of the update that went before
    seconds: float

    @property
    def equal(self) -> bool:
        return not self.differences


def verify(
    folder: str, *, jobs: int | None = None, progress: Progress | None = None, wait: float = WAIT_SECONDS
) -> Verification:
    """Bring the map up to date, build another from nothing, facts included, and compare them row by row.

    Files that change in between count as differences. Raises what `update` raises.
    """
    clock = Clock()
    location = locate(folder)
    report = update_at(location, jobs=jobs, progress=progress, wait=wait)
    try:
        scratch = tempfile.mkdtemp(prefix="verify-", dir=location.map_dir)
    except OSError as error:
        raise StoreError(f"cannot write {location.map_dir}: {error.strerror}") from error
    try:
        apart = replace(location, map_dir=scratch, facts_dir=scratch)
        submodules = remembered(location.map_dir, "submodules") == "yes"
        update_at(apart, jobs=jobs, progress=progress, wait=wait, submodules=submodules)
        differences, rows = compare(Path(location.map_dir, MAP_NAME), Path(scratch, MAP_NAME))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return Verification(differences, rows, report, clock.total())


def compare(mine: Path, clean: Path) -> tuple[tuple[str, ...], dict[str, int]]:
    """Differences between two maps, and the rows compared by table."""
    differences: list[str] = []
    rows: dict[str, int] = {}
    with closing(sqlite3.connect(mine)) as one, closing(sqlite3.connect(clean)) as other:
        # Each map stays at one state while it is read.
        one.execute("BEGIN")
        other.execute("BEGIN")
        of_one, of_other = tables(one), tables(other)
        for table, read in of_one.items():
            have, want = read(one), of_other[table](other)
            rows[table] = len(want)
            if have != want:
                differences += _differences(table, have, want)
    return tuple(differences), rows


def _differences(table: str, have: list[Row], want: list[Row]) -> Iterator[str]:
    ours, theirs = Counter(have), Counter(want)
    surplus = [("only in the map", row) for row in sorted((ours - theirs).elements())]
    lacking = [("only in a clean map", row) for row in sorted((theirs - ours).elements())]
    both = sorted(surplus + lacking, key=lambda pair: pair[1])
    for where, row in both[:SHOWN]:
        text = repr(row)
        yield f"{table}: {where}: {text if len(text) <= _LONGEST else text[:_LONGEST] + '…'}"
    if len(both) > SHOWN:
        yield f"{table}: and {len(both) - SHOWN} more"
