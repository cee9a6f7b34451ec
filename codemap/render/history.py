"""The history of a symbol or file as text and JSON. Messages of commits are strangers' text, escaped like all of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from codemap.render import escape, tail
from codemap.render.json import Object, sealed, symbol
from codemap.render.lists import sealed_lines, spot
from queries.answers import Staleness
from queries.tokens import Measure

if TYPE_CHECKING:
    from queries.history import Coverage, History

_SHOWN_ID = 10


def text_history(answer: History, state: Staleness, measure: Measure) -> str:
    """How often and since when it changes, the newest commits, and what they touched as well."""
    out = [f"history of {', '.join(map(spot, answer.symbols))}: {_summary(answer)}"]
    for change in answer.commits:
        files = tail.count(change.files, "file")
        out.append(f"  {_day(change.time)} {change.commit[:_SHOWN_ID]} {escape.line(change.subject)} ({files})")
    _more(out, answer.changes - len(answer.commits), "commit")
    if answer.companions:
        out.append("changes with:")
        for each in answer.companions:
            commits = tail.count(each.support, "commit")
            out.append(f"  {spot(each.node)} {commits}, {each.confidence:.0%}")
    if (note := coverage(answer.coverage)) is not None:
        out.append(note)
    return sealed_lines(out, state, measure)


def json_history(answer: History, state: Staleness, measure: Measure) -> str:
    """`codemap/history/1`."""
    body: Object = {
        "schema": "codemap/history/1",
        "symbols": [symbol(node) for node in answer.symbols],
        "changes": answer.changes,
        "first": _moment(answer.first),
        "last": _moment(answer.last),
        "commits": [
            {
                "commit": change.commit,
                "time": _moment(change.time),
                "subject": change.subject,
                "files": change.files,
            }
            for change in answer.commits
        ],
        "changes_with": [
            {"symbol": symbol(each.node), "support": each.support, "confidence": each.confidence}
            for each in answer.companions
        ],
        "coverage": json_coverage(answer.coverage),
    }
    return sealed(body, state, measure)


def coverage(found: Coverage) -> str | None:
    """How much of the history is known, in a line; None where nothing needs to be said."""
    if not found.window and not found.indexed and not found.notes:
        return "history: not indexed"
    notes = "".join(f"; {escape.line(note)}" for note in found.notes)
    if not found.complete:
        return f"history: {found.indexed:,} of {found.window:,} commits are indexed, more with every update{notes}"
    return f"history: {tail.count(found.indexed, 'commit')} indexed{notes}"


def json_coverage(found: Coverage) -> Object:
    return {
        "indexed": found.indexed,
        "window": found.window,
        "complete": found.complete,
        "notes": list(found.notes),
    }


def _summary(answer: History) -> str:
    if not answer.changes or answer.first is None or answer.last is None:
        return "no commit that is indexed touched it"
    if answer.changes == 1:
        return f"1 commit, {_day(answer.last)}"
    return f"{answer.changes:,} commits, {_day(answer.first)} to {_day(answer.last)}"


def _more(out: list[str], number: int, noun: str) -> None:
    if number > 0:
        out.append(f"  … and {tail.count(number, noun)} more")


def _day(seconds: int) -> str:
    moment = _moment(seconds)
    return moment[:10] if moment is not None else "unknown"


def _moment(seconds: int | None) -> str | None:
    """ISO 8601, UTC; None for no time, or one that no calendar has."""
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return None
