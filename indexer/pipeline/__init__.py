"""The pipeline: joins the stages, and is the only part of the indexer that knows them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.pipeline.report import Progress, Report
from indexer.pipeline.update import WAIT_SECONDS, update

if TYPE_CHECKING:
    from indexer.link import Linker
    from indexer.pipeline.history import Followed
    from indexer.pipeline.verification import Verification

__all__ = [
    "WAIT_SECONDS",
    "Followed",
    "Progress",
    "Report",
    "Verification",
    "follow",
    "open_linker",
    "update",
    "verify",
]


def open_linker(folder: str) -> Linker:
    """See `indexer.pipeline.reading.open_linker`, which is loaded when it is called: updates do not need it."""
    from indexer.pipeline.reading import open_linker

    return open_linker(folder)


def follow(
    folder: str,
    *,
    commits: int | None = None,
    anew: bool = False,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Followed:
    """See `indexer.pipeline.history.follow`, which is loaded when it is called."""
    from indexer.pipeline.history import follow

    return follow(folder, commits=commits, anew=anew, seconds=seconds, progress=progress)


def verify(
    folder: str,
    *,
    repair: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
    wait: float = WAIT_SECONDS,
) -> Verification:
    """See `indexer.pipeline.verification.verify`, which is loaded when it is called."""
    from indexer.pipeline.verification import verify

    return verify(folder, repair=repair, jobs=jobs, progress=progress, wait=wait)
