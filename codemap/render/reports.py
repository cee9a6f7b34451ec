"""What a map holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codemap.render import escape, history, hooks, tail
from codemap.render.json import sealed
from codemap.render.lists import sealed_lines
from queries.answers import Staleness
from queries.tokens import Measure

if TYPE_CHECKING:
    from pathlib import Path

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
