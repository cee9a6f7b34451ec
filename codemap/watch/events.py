"""What a watch tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from indexer.pipeline.report import Report

Kind = Literal["started", "refreshed", "failed", "polling", "waiting", "stopped"]


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a watch's output."""

    kind: Kind
    at: float  # seconds since the epoch
    message: str | None = None  # for a person; None for a refresh, whose report says all
    report: Report | None = None  # of a refresh
