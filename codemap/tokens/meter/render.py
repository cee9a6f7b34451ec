"""What the meter says: tables for people, JSON after `docs/schema/`, CSV for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from codemap.render import escape, tail
from codemap.render.json import dumps
from codemap.tokens.meter.report import SUMMED, MapReport, Report, Row
from codemap.tokens.meter.sessions import Session
from codemap.tokens.meter.values import COUNTS, Recorded

NOBODY = "(none)"
_HEADS = ("calls", "input", "output", "cached", "cache write", "reasoning", "cost")


def money(billionths: int) -> str:
    """An exact amount, without trailing zeros beyond the second decimal."""
    value = Decimal(billionths).scaleb(-9)
    text = f"{value:.9f}".rstrip("0")
    whole, _, decimals = text.partition(".")
    return f"{whole}.{decimals:0<2}"


def text_report(report: Report) -> str:
    """A table of sums; `?` stands for what no call tells, `+?` behind a sum that some of its calls do not add to."""
    if not report.total.calls:
        return f"no calls are recorded since {report.since}\n"
    rows = [(report.by, *_HEADS), *(_cells(row, row.key or NOBODY) for row in report.rows)]
    if len(report.rows) > 1:
        rows.append(_cells(report.total, "all"))
    out = table(rows)
    out.append("cached and cache write are parts of input, reasoning of output; since " + report.since)
    if report.total.estimated:
        out.append(f"estimated and not reported: {tail.count(report.total.estimated, 'call')}")
    if report.total.unfinished:
        out.append(f"failed, cut short or still open: {tail.count(report.total.unfinished, 'call')}")
    if any(report.total.unknown[name] for name in ("input", "output")):
        out.append("+? marks sums that lack calls whose tokens are not known")
    if report.unpriced:
        out.append(
            f"no price is set for: {', '.join(map(escape.line, report.unpriced))}; calls recorded without one cost zero"
        )
    return "".join(row + "\n" for row in out)


def json_report(report: Report) -> str:
    """`codemap/meter-report/1`."""
    body = {
        "schema": "codemap/meter-report/1",
        "by": report.by,
        "since": report.since,
        "rows": [_object(row) for row in report.rows],
        "total": _object(report.total),
        "unpriced": list(report.unpriced),
    }
    return dumps(body) + "\n"


def csv_report(report: Report) -> str:
    """A line for each row, with a head; empty where not known (RFC 4180, but lines end with a line feed alone)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    lacking = [f"{name}_unknown" for name in SUMMED]
    writer.writerow([report.by, "calls", "estimated", "unfinished", *SUMMED, *lacking])
    for row in report.rows:
        sums = [row.sums[name] for name in COUNTS]
        cost = row.sums["cost"]
        paid = None if cost is None else money(cost)
        unknown = [row.unknown[name] for name in SUMMED]
        writer.writerow([_safe(row.key), row.calls, row.estimated, row.unfinished, *sums, paid, *unknown])
    return out.getvalue()


def text_map(report: MapReport) -> str:
    """What answers cost and what the files they stand for would have."""
    if not report.rows:
        return f"no answers of the map are recorded since {report.since}: set CODEMAP_METER=1 to meter them\n"
    rows = [(report.by, "answers", "answer tokens", "files", "file tokens", "saved", "measure")]
    for row in report.rows:
        rows.append(
            (
                row.key or NOBODY,
                f"{row.answers:,}",
                f"{row.answer_tokens:,}",
                f"{row.files:,}",
                f"{row.file_tokens:,}",
                f"{row.saved:,}",
                row.method,
            )
        )
    out = table(rows)
    out.append(f"saved: tokens of the files less those of the answers; since {report.since}")
    missing = sum(row.missing for row in report.rows)
    if missing:
        out.append(f"{tail.count(missing, 'file')} could not be read and stand in no sum")
    return "".join(row + "\n" for row in out)


def json_map(report: MapReport) -> str:
    """`codemap/meter-map/1`."""
    body = {
        "schema": "codemap/meter-map/1",
        "by": report.by,
        "since": report.since,
        "rows": [
            {
                "key": row.key,
                "method": row.method,
                "answers": row.answers,
                "answer_tokens": row.answer_tokens,
                "files": row.files,
                "file_tokens": row.file_tokens,
                "missing": row.missing,
                "saved": row.saved,
            }
            for row in report.rows
        ],
    }
    return dumps(body) + "\n"


def csv_map(report: MapReport) -> str:
    """A line for each row, with a head."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([report.by, "method", "answers", "answer_tokens", "files", "file_tokens", "missing", "saved"])
    for row in report.rows:
        numbers = (row.answers, row.answer_tokens, row.files, row.file_tokens, row.missing, row.saved)
        writer.writerow([_safe(row.key), row.method, *numbers])
    return out.getvalue()


def text_recorded(recorded: Recorded) -> str:
    """One line: what was recorded, or that it was before."""
    entry = recorded.entry
    counts = [f"{_name(name)} {shown(getattr(entry, name))}" for name in COUNTS]
    cost = f", cost {money(entry.cost)}" if entry.cost else ""
    model = f" of {escape.line(entry.model)}" if entry.model else ""
    verb = "recorded" if recorded.new else "known already, nothing was added"
    return f"{verb}: {escape.line(entry.request_id)}{model}: {', '.join(counts)}{cost} ({entry.basis})\n"


def json_recorded(recorded: Recorded) -> str:
    """`codemap/meter-record/1`."""
    entry = recorded.entry
    body = {
        "schema": "codemap/meter-record/1",
        "new": recorded.new,
        "identified": recorded.identified,
        "request_id": entry.request_id,
        "time": entry.time,
        "task": entry.task,
        "caller": entry.caller,
        "provider": entry.provider,
        "model": entry.model,
        **{name: getattr(entry, name) for name in COUNTS},
        "cost": None if entry.cost is None else money(entry.cost),
        "basis": entry.basis,
        "outcome": entry.outcome,
    }
    return dumps(body) + "\n"


def text_import(session: Session, new: int, known: int, old: int) -> str:
    """What an import added, and what the file did not tell."""
    out = [f"{tail.count(new, 'call')} of session {escape.line(session.session)} recorded, {known:,} known already"]
    out.extend(f"incomplete: {escape.line(note)}" for note in import_notes(session, old))
    return "".join(row + "\n" for row in out)


def json_import(session: Session, new: int, known: int, old: int) -> str:
    """`codemap/meter-import/1`."""
    body = {
        "schema": "codemap/meter-import/1",
        "agent": session.agent,
        "session": session.session,
        "new": new,
        "known": known,
        "too_old": old,
        "incomplete": import_notes(session, old),
    }
    return dumps(body) + "\n"


def import_notes(session: Session, old: int) -> list[str]:
    """What an import lacks."""
    notes = list(session.notes)
    if old:
        notes.append(f"{tail.count(old, 'call')} older than the 90 days that are kept left out")
    if not session.calls:
        notes.append("no call in the file tells its usage")
    return notes


def _object(row: Row) -> dict[str, Any]:
    cost = row.sums["cost"]
    return {
        "key": row.key,
        "calls": row.calls,
        "estimated": row.estimated,
        "unfinished": row.unfinished,
        **{name: row.sums[name] for name in COUNTS},
        "cost": None if cost is None else money(cost),
        "unknown": dict(row.unknown),
    }


def _cells(row: Row, key: str) -> tuple[str, ...]:
    def cell(name: str) -> str:
        value = row.sums[name]
        if value is None:
            return "?" if row.calls else "-"
        shown = money(value) if name == "cost" else f"{value:,}"
        return shown + ("+?" if row.unknown[name] else "")

    return (key, f"{row.calls:,}", *(cell(name) for name in SUMMED))


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns under their heads, the first to the left, numbers to the right."""
    lines = [[escape.line(cell) for cell in row] for row in rows]
    widths = [max(len(row[index]) for row in lines) for index in range(len(lines[0]))]
    out = []
    for row in lines:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        out.append("  ".join(cells).rstrip())
    return out


def _safe(key: str | None) -> str | None:
    """A name that no spreadsheet takes for a formula (OWASP, CSV injection)."""
    if key is None:
        return None
    shown = escape.line(key)
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@")) else shown


def _name(count: str) -> str:
    return count.replace("_", " ")


def shown(number: int | None) -> str:
    """A count for people."""
    return "?" if number is None else f"{number:,}"
