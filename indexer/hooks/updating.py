"""An update that nobody watches: whatever becomes of it is noted beside the map."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from indexer.discover.location import Location
from indexer.errors import CodemapError
from indexer.hooks.record import Entry, note
from indexer.pipeline.report import Report
from indexer.pipeline.update import update_at

WAIT_SECONDS = 600.0
"""For an update that a person started: nobody waits for this one."""


def update_noting(location: Location, hook: str) -> None:
    """Update the map of `location` for `hook`, and note how it went."""
    ok, text = _update(location)
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if os.path.isdir(location.map_dir):  # else the worktree was removed, and its map with it
        note(location.map_dir, Entry(at, hook, ok, text))


def _update(location: Location) -> tuple[bool, str]:
    try:
        return True, _done(update_at(location, wait=WAIT_SECONDS))
    except CodemapError as error:
        return False, str(error)
    except MemoryError:
        return False, "not enough memory"
    except Exception as error:  # noqa: BLE001 - the outermost boundary of this process; it is noted
        return False, f"{type(error).__name__}: {error}"


def _done(report: Report) -> str:
    if report.unchanged:
        return f"nothing changed, {report.seconds:.2f} s"
    removed = f", {report.removed} removed" if report.removed else ""
    return f"{report.extracted} parsed, {report.relinked} linked{removed} in {report.seconds:.2f} s"
