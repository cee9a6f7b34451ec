"""Bringing a map up to date because something has changed: the map itself, then the commits since."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codemap.config import load
from codemap.home import find
from indexer.pipeline import WAIT_SECONDS, follow, update
from indexer.store.history_schema import HISTORY_NAME

if TYPE_CHECKING:
    from pathlib import Path

    from codemap.home import Home
    from indexer.pipeline.history import Followed
    from indexer.pipeline.report import Progress, Report


def make(
    path: str | Path,
    *,
    jobs: int | None = None,
    full: bool = False,
    submodules: bool | None = None,
    progress: Progress | None = None,
    wait: float = WAIT_SECONDS,
) -> Report:
    """See `codemap.api.CodeMap.index`, which takes much longer to load."""
    if submodules is None:
        submodules = load(find(path).root).submodules
    return update(str(path), jobs=jobs, full=full, submodules=submodules, progress=progress, wait=wait)


def make_history(
    path: str | Path, *, seconds: float | None = None, anew: bool = False, progress: Progress | None = None
) -> Followed:
    """See `codemap.api.CodeMap.index_history`."""
    commits = load(find(path).root).history
    return follow(str(path), commits=commits, anew=anew, seconds=seconds, progress=progress)


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
