"""What text answers have in common: how edges are marked, and the last lines: notes, what was left out, what it costs,
and which state it speaks of."""

from __future__ import annotations

from collections.abc import Iterable

from codemap.render import escape
from codemap.render.counted import count as count
from indexer.evidence import MARKED
from queries.answers import Edge, Omitted, Staleness, Tokens

SHOWN_DIFFERING = 5


def kind(edge: Edge) -> str:
    """`calls`, `calls?` for a candidate, `calls(dispatch)` where nothing in the source names the target."""
    if edge.resolution != "resolved":
        return f"{edge.kind}?"
    return f"{edge.kind}({edge.evidence})" if edge.evidence in MARKED else edge.kind


def overrides(edge: Edge) -> str:
    """` (+40 overrides)`: methods that may run instead, where there are too many for an edge to each; else nothing."""
    return f" (+{count(edge.overrides, 'override')})" if edge.overrides else ""


def support(edge: Edge) -> str:
    """` (4 commits, 80%)`: of what changes together; else nothing."""
    return f" ({count(edge.support, 'commit')}, {edge.confidence:.0%})" if edge.support else ""


def notes(out: list[str], texts: Iterable[str]) -> None:
    out.extend(f"note: {escape.line(text)}" for text in texts)


def omitted(out: list[str], what: Omitted) -> None:
    parts = [count(number, noun) for number, noun in ((what.symbols, "symbol"), (what.files, "file")) if number]
    edges = {kind: number for kind, number in what.edges.items() if number}
    if edges:
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(edges.items()))
        parts.append(f"{count(sum(edges.values()), 'edge')} ({kinds})")
    if parts:
        after = f"; --after {what.after}" if what.after else ""
        out.append("omitted: " + ", ".join(parts) + after)
    if what.around:
        found = [
            f"{', '.join(_several(number, relation) for relation, number in each.neighbours.items())} of "
            f"{escape.line(each.symbol.qualname)}"
            for each in what.around
        ]
        out.append(f"not shown: {'; '.join(found)} (--expand)")


def _several(number: int, relation: str) -> str:
    """`1 caller`, `2 callers`, `1 subclass`."""
    one = relation.removesuffix("es") if relation == "subclasses" else relation.removesuffix("s")
    return f"{number:,} {one if number == 1 else relation}"


def tokens(out: list[str], cost: Tokens) -> None:
    budget = f" of {cost.budget}" if cost.budget is not None else ""
    model = f" for {escape.line(cost.model)}" if cost.model else ""
    out.append(f"tokens: {cost.estimate}{budget} ({escape.line(cost.method)}{model})")


def staleness(out: list[str], state: Staleness) -> None:
    """One line: the commit, uncommitted files, and the reason when the map is not fresh."""
    commit = state.map_commit[:10] if state.map_commit else "no commit"
    in_git = state.map_commit is not None or state.head_commit is not None
    dirty = f" + {count(state.dirty_files, 'uncommitted file')}" if in_git and state.dirty_files else ""
    if dirty and state.untracked_files:
        dirty += f" ({state.untracked_files:,} untracked)"
    if state.fresh:
        out.append(f"map: {commit}{dirty}, fresh")
        return
    reason = escape.line(state.reason or "unknown")
    names = [escape.line(path) for path in state.differing[:SHOWN_DIFFERING]]
    more = len(state.differing) - len(names)
    if more:
        names.append(f"{more} more")
    # A single one is named by the reason itself.
    changed = f"; changed on disk: {', '.join(names)}" if len(names) > 1 else ""
    out.append(f"map: {commit}{dirty}, NOT FRESH: {reason}{changed}")
