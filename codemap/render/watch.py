"""What a watch tells, a line an event."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from codemap.render import escape
from codemap.render.json import dumps

if TYPE_CHECKING:
    from codemap.watch.events import Event
    from indexer.pipeline.report import Report


def text(event: Event) -> str:
    """`14:03:12 2 parsed, 5 linked in 0.21 s`, in the local time."""
    clock = time.strftime("%H:%M:%S", time.localtime(event.at))
    if event.report is not None:
        return f"{clock} {did(event.report)}\n"
    failed = "could not update: " if event.kind == "failed" else ""
    return f"{clock} {failed}{escape.line(event.message or event.kind)}\n"


def json(event: Event) -> str:
    """`docs/schema/watch-line.json`."""
    report = event.report
    return (
        dumps(
            {
                "event": event.kind,
                "at": datetime.fromtimestamp(event.at, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
                "message": event.message,
                "report": None
                if report is None
                else {
                    "files": report.files,
                    "symbols": report.symbols,
                    "edges": report.edges,
                    "extracted": report.extracted,
                    "relinked": report.relinked,
                    "removed": report.removed,
                    "seconds": round(report.seconds, 4),
                },
            }
        )
        + "\n"
    )


def did(report: Report) -> str:
    """`2 parsed, 5 linked in 0.21 s`."""
    removed = f", {report.removed:,} removed" if report.removed else ""
    restored = f", {report.restored:,} as they were before" if report.restored else ""
    return f"{report.extracted:,} parsed, {report.relinked:,} linked{restored}{removed} in {report.seconds:.2f} s"
