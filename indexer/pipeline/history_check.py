"""Compare the history of a worktree with one read from nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace

from indexer.discover import Location
from indexer.pipeline.history import follow_at
from indexer.store.dump import Row
from indexer.store.history_dump import dump

Differences = Callable[[str, list[Row], list[Row]], Iterator[str]]


def check(
    location: Location, scratch: str, differences: Differences, *, repair: bool
) -> tuple[tuple[str, ...], dict[str, int]]:
    """Bring the history up to date, read another into the folder `scratch`, and compare; rows by table as well.

    differences   tells how the rows of a table differ
    repair        where they do, read this one anew

    While another run reads the history, nothing is compared.
    """
    followed = follow_at(location)
    if not followed.complete or not followed.window:
        return (), {}
    clean = replace(location, map_dir=scratch, facts_dir=scratch)
    follow_at(clean, commits=followed.limit)
    want = dump(scratch)
    try:
        have = dump(location.map_dir)
    except sqlite3.Error as error:
        found = [f"the history cannot be read: {error}"]
    else:
        found = [line for table in want for line in _compared(table, have.get(table, []), want[table], differences)]
    if found and repair:
        follow_at(location, anew=True)
    return tuple(found), {table: len(rows) for table, rows in want.items()}


def _compared(table: str, have: list[Row], want: list[Row], differences: Differences) -> Iterator[str]:
    if have != want:
        yield from differences(table, have, want)
