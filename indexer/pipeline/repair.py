"""Put a map that was built from nothing in the place of one that differs from it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from indexer.errors import BusyError
from indexer.locks import writer_lock
from indexer.pipeline.report import Progress
from indexer.store.connect import FACTS_NAME, open_facts, translated


def put_map(
    clean: sqlite3.Connection,
    mine: sqlite3.Connection,
    lock: Path,
    wait: float,
    progress: Progress,
    *,
    unchanged: Callable[[], bool],
) -> None:
    """Copy `clean` over `mine` in one transaction: readers see the one or the other, and wait for nothing.

    unchanged: asked under the writer's lock whether the map is still as it was compared; BusyError where it is not.
    """
    for connection in (clean, mine):
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    path = Path(mine.execute("PRAGMA database_list").fetchone()[2])
    with writer_lock(str(lock), wait, progress.say), translated(path):
        if not unchanged():
            raise BusyError("the map was written to while it was compared: run again")
        # Page by page: rows that cannot be read need not be. In a log, as every other change.
        clean.backup(mine)


def put_facts(clean: str, facts_dir: str) -> None:
    """Put the facts in the folder `clean`, fresh from the sources, in the place of those of the same bytes."""
    with closing(open_facts(facts_dir)) as facts, translated(Path(facts_dir, FACTS_NAME)):
        facts.execute("ATTACH ? AS clean", (str(Path(clean, FACTS_NAME)),))
        facts.execute("INSERT OR REPLACE INTO main.facts SELECT * FROM clean.facts")
