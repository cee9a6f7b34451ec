"""What a map holds: files, symbols, edges, and the state every reference ended in."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indexer.store import figures
from indexer.store.classes import Classes, bound
from indexer.store.neighbours import CANDIDATE_LIMIT, family
from queries.history import NO_HISTORY, Coverage, coverage

if TYPE_CHECKING:
    from indexer.store.reader import Reader
    from queries.session import Session

PENDING = "pending"
UNRESOLVED = "unresolved: "


@dataclass(frozen=True, slots=True)
class References:
    """References by the state each ended in; the four add up to all there are."""

    resolved: int
    candidate: int
    external: int
    unresolved: int
    reasons: dict[str, int]  # of the unresolved ones, most frequent first; adds up to `unresolved`


@dataclass(frozen=True, slots=True)
class Status:
    """The figures of a map."""

    languages: dict[str, int]  # files by language, most first
    files: int
    lines: int
    source_bytes: int
    symbols: dict[str, int]  # by kind, most first
    edges: dict[str, int]  # by kind, most first; `contains` included, what dispatch adds not: those stored
    references: References
    broken: tuple[str, ...]  # files with syntax errors: what stands outside of those is in the map
    noted: tuple[tuple[str, str], ...]  # (path, note), e.g. how a file was decoded
    skipped: tuple[tuple[str, str], ...]  # (path, reason)
    history: Coverage = NO_HISTORY


def status(session: Session) -> Status:
    """Count what the map of `session` holds."""
    with session.read() as reader:
        files = reader.files()
        languages = Counter(file.language for file in files)
        return Status(
            languages=_most_first(languages),
            files=len(files),
            lines=sum(file.lines for file in files),
            source_bytes=sum(file.size for file in files),
            symbols=_most_first(figures.symbol_kinds(reader)),
            edges=_most_first(figures.edge_kinds(reader)),
            references=_references(reader),
            broken=tuple(file.path for file in files if file.errors != "[]"),
            noted=tuple((file.path, str(note)) for file in files for note in json.loads(file.notes)),
            skipped=tuple(figures.skipped_files(reader)),
            history=coverage(session),
        )


def _references(reader: Reader) -> References:
    counts = figures.link_counts(reader)
    candidate, many, dispatched, unbounded, lacking = _candidates(reader)
    reasons = Counter({key.removeprefix(UNRESOLVED): n for key, n in counts.items() if key.startswith(UNRESOLVED)})
    # One reference may be pending at several names of a chain; whatever is over the rows counts as not found.
    left = counts[PENDING]
    dispatched = min(dispatched, left)
    candidate = min(candidate, left := left - dispatched)
    unbounded = min(unbounded, left := left - candidate)
    lacking = min(lacking, left := left - unbounded)
    many = min(many, left := left - lacking)
    reasons["no such member"] += lacking
    reasons["too many subclasses of the receiver's class have a method of the name"] += unbounded
    reasons["receiver unknown, too many definitions bear the name"] += many
    reasons["receiver unknown, no definition bears the name"] += left - many
    reasons = +reasons
    return References(
        resolved=counts["resolved"] + dispatched,
        candidate=candidate,
        external=counts["external"],
        unresolved=sum(reasons.values()),
        reasons=_most_first(reasons),
    )


def _candidates(reader: Reader) -> tuple[int, int, int, int, int]:
    """Calls of members that are not found: (few enough symbols bear the name, too many do, few enough methods of
    subclasses of the receiver's class do, too many do, none does and the class surely lacks the member)."""
    known: Counter[tuple[str, str]] = Counter()
    for name, language, number in figures.bearers(reader):
        known[name, family(language)] += number
    few = many = dispatched = unbounded = lacking = 0
    classes = Classes(reader)
    for name, language, receiver, number in figures.pending_members(reader):
        instead = len(classes.standing_in(abs(receiver), name)) if receiver else 0
        if instead:
            dispatched += number if instead <= bound(name) else 0
            unbounded += number if instead > bound(name) else 0
            continue
        if receiver < 0:
            lacking += number
            continue
        found = known[name, family(language)]
        if 0 < found <= CANDIDATE_LIMIT:
            few += number
        elif found:
            many += number
    return few, many, dispatched, unbounded, lacking


def _most_first(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
