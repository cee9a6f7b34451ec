"""What a run did, and how a map compares with one built from nothing. Loads little: an update waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemap.render import escape
from codemap.render.counted import count

if TYPE_CHECKING:
    from indexer.pipeline.report import Report
    from indexer.pipeline.verification import Verification


def text_report(report: Report) -> str:
    """One line: what the map holds now, and what this run did."""
    holds = ", ".join(count(n, noun) for n, noun in _sizes(report))
    skipped = f"; {report.skipped:,} skipped" if report.skipped else ""
    if report.unchanged:
        return f"{holds}{skipped}; nothing changed, {report.seconds:.2f} s\n"
    removed = f", {report.removed:,} removed" if report.removed else ""
    restored = f", {report.restored:,} as they were before" if report.restored else ""
    did = f"{report.extracted:,} parsed, {report.relinked:,} linked{restored}{removed}"
    rate = f", {report.extracted / report.seconds:,.0f} files/s" if report.extracted and report.seconds else ""
    return f"{holds}{skipped}; {did} in {report.seconds:.2f} s{rate}\n"


def json_report(report: Report, explained: int = 0) -> str:
    """`codemap/report/1`; with at most `explained` files of each list of the explanation, where not 0."""
    from codemap.render import explain
    from codemap.render.json import dumps

    return (
        dumps(
            {
                "schema": "codemap/report/1",
                "files": report.files,
                "symbols": report.symbols,
                "edges": report.edges,
                "skipped": report.skipped,
                "extracted": report.extracted,
                "relinked": report.relinked,
                "restored": report.restored,
                "removed": report.removed,
                "seconds": round(report.seconds, 4),
                "stages": {stage: round(seconds, 4) for stage, seconds in report.stages.items()},
                "unchanged": report.unchanged,
                "rebuilt": report.rebuilt,
                "messages": list(report.messages),
                **({"explanation": explain.json_explanation(report, explained)} if explained else {}),
            }
        )
        + "\n"
    )


def text_verification(found: Verification) -> str:
    """The differing rows, or that there are none."""
    rows = f"{count(sum(found.rows.values()), 'row')} compared in {found.seconds:.2f} s"
    if found.equal:
        return f"the map equals one built from nothing: {rows}\n"
    return "".join(f"{escape.line(row)}\n" for row in (f"{rows}; these differ:", *found.differences))


def json_verification(found: Verification) -> str:
    """`codemap/verification/1`."""
    from codemap.render.json import dumps

    body = {
        "schema": "codemap/verification/1",
        "equal": found.equal,
        "repaired": found.repaired,
        "differences": list(found.differences),
        "rows": found.rows,
        "seconds": round(found.seconds, 4),
    }
    return dumps(body) + "\n"


def _sizes(report: Report) -> tuple[tuple[int, str], ...]:
    return (report.files, "file"), (report.symbols, "symbol"), (report.edges, "edge")
