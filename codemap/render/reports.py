"""What a run did, what a map holds, and how it compares with one built from nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codemap.render import escape, explain, history, hooks, tail
from codemap.render.json import dumps, sealed
from codemap.render.lists import sealed_lines
from queries.answers import Staleness
from queries.tokens import Measure

if TYPE_CHECKING:
    from pathlib import Path

    from indexer.pipeline.report import Report
    from indexer.pipeline.verification import Verification
    from queries.status import Status

SHOWN_REASONS = 12
NOT_KEPT = hooks.Kept()


class Place(NamedTuple):
    """Where a map lives."""

    root: str
    map: str
    map_bytes: int
    facts_bytes: int  # of the cache of facts, which worktrees share

    @classmethod
    def of(cls, root: Path, map_path: Path, facts_path: Path) -> Place:
        """With the sizes of the files as they are now."""
        sizes = [path.stat().st_size if path.exists() else 0 for path in (map_path, facts_path)]
        return cls(str(root), str(map_path), *sizes)


def text_report(report: Report) -> str:
    """One line: what the map holds now, and what this run did."""
    holds = ", ".join(tail.count(n, noun) for n, noun in _sizes(report))
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
    rows = f"{tail.count(sum(found.rows.values()), 'row')} compared in {found.seconds:.2f} s"
    if found.equal:
        return f"the map equals one built from nothing: {rows}\n"
    return "".join(f"{escape.line(row)}\n" for row in (f"{rows}; these differ:", *found.differences))


def json_verification(found: Verification) -> str:
    """`codemap/verification/1`."""
    body = {
        "schema": "codemap/verification/1",
        "equal": found.equal,
        "repaired": found.repaired,
        "differences": list(found.differences),
        "rows": found.rows,
        "seconds": round(found.seconds, 4),
    }
    return dumps(body) + "\n"


def text_skipped(found: Status) -> str:
    """One skipped file a line with its reason."""
    if not found.skipped:
        return "nothing was skipped\n"
    return "".join(f"{escape.line(path)}: {escape.line(reason)}\n" for path, reason in found.skipped)


def text_status(found: Status, place: Place, state: Staleness, measure: Measure, kept: hooks.Kept = NOT_KEPT) -> str:
    """A page of figures."""
    refs = found.references
    total = refs.resolved + refs.candidate + refs.external + refs.unresolved
    out = [
        f"sources: {escape.line(place.root)}",
        f"map file: {escape.line(place.map)} ({_size(place.map_bytes)}; the source is {_size(found.source_bytes)}, "
        f"the cache of facts {_size(place.facts_bytes)})",
        f"files: {found.files:,} with {found.lines:,} lines{_parts(found.languages)}",
        f"symbols: {sum(found.symbols.values()):,}{_parts(found.symbols)}",
        f"edges: {sum(found.edges.values()):,}{_parts(found.edges)}",
        f"names used: {total:,}",
        f"  resolved: {_share(refs.resolved, total)}",
        f"  candidate: {_share(refs.candidate, total)}",
        f"  external: {_share(refs.external, total)}",
        f"  unresolved: {_share(refs.unresolved, total)}",
        *_reasons(refs.reasons),
    ]
    if found.broken:
        out.append(f"with syntax errors: {tail.count(len(found.broken), 'file')}, mapped but for the broken lines")
    if found.noted:
        out.append(f"with notes: {tail.count(len({path for path, _ in found.noted}), 'file')}, in --json")
    if found.skipped:
        out.append(f"skipped: {tail.count(len(found.skipped), 'file')}; --skipped lists them")
    out.extend(hooks.kept_lines(kept, place.root))
    if (known := history.coverage(found.history)) is not None:
        out.append(known)
    return sealed_lines(out, state, measure)


def json_status(found: Status, place: Place, state: Staleness, measure: Measure, kept: hooks.Kept = NOT_KEPT) -> str:
    """`codemap/status/1`."""
    refs = found.references
    return sealed(
        {
            "schema": "codemap/status/1",
            "root": place.root,
            "map": place.map,
            "map_bytes": place.map_bytes,
            "facts_bytes": place.facts_bytes,
            "files": found.files,
            "lines": found.lines,
            "source_bytes": found.source_bytes,
            "languages": found.languages,
            "symbols": found.symbols,
            "edges": found.edges,
            "references": {
                "resolved": refs.resolved,
                "candidate": refs.candidate,
                "external": refs.external,
                "unresolved": refs.unresolved,
                "reasons": refs.reasons,
            },
            "broken": list(found.broken),
            "notes": [{"path": path, "note": note} for path, note in found.noted],
            "skipped": [{"path": path, "reason": reason} for path, reason in found.skipped],
            "history": history.json_coverage(found.history),
            "hooks": hooks.kept_object(kept, place.root),
        },
        state,
        measure,
    )


def _sizes(report: Report) -> tuple[tuple[int, str], ...]:
    return (report.files, "file"), (report.symbols, "symbol"), (report.edges, "edge")


def _reasons(reasons: dict[str, int]) -> list[str]:
    """The most frequent reasons, and how many references the others account for."""
    shown = list(reasons.items())[:SHOWN_REASONS]
    rows = [f"    {escape.line(reason)}: {number:,}" for reason, number in shown]
    rest = sum(reasons.values()) - sum(number for _, number in shown)
    if rest:
        rows.append(f"    {tail.count(len(reasons) - len(shown), 'other reason')}: {rest:,}")
    return rows


def _parts(counts: dict[str, int]) -> str:
    return f" ({', '.join(f'{key} {number:,}' for key, number in counts.items())})" if counts else ""


def _share(number: int, total: int) -> str:
    return f"{number:,} ({number / total:.1%})" if total else "0"


def _size(number: int) -> str:
    return f"{number / 1e6:.1f} MB" if number >= 1e6 else f"{number / 1e3:.1f} kB"
