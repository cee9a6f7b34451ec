"""Bringing a map up to date because something has changed: the map itself, then the commits since."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codemap.config import load
from indexer.pipeline import follow, update
from indexer.store.history_schema import HISTORY_NAME

if TYPE_CHECKING:
    from codemap.home import Home
    from indexer.pipeline.report import Progress, Report


def refresh(home: Home, *, wait: float, history: float, progress: Progress | None = None) -> Report:
    """What the update of the map did.

    wait      seconds to wait for another run
    history   seconds for commits that are not indexed yet; none are where no history was indexed so far

    Raises BusyError, StoreError, ConfigError.
    """
    root, config = home.location.root, load(home.root)
    report = update(root, submodules=config.submodules, progress=progress, wait=wait)
    if config.history and os.path.exists(os.path.join(home.location.map_dir, HISTORY_NAME)):
        follow(root, commits=config.history, seconds=history, progress=progress)
    return report
