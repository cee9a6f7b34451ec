"""What a map holds: files, symbols, edges, and the state every reference ended in."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indexer.ports import AFTER
from indexer.store.classes import MAX_DISPATCH, Classes
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
        edges = _grouped(reader, "SELECT kind, count(*) FROM edges GROUP BY kind")
        edges["contains"] = _number(reader, "SELECT count(*) FROM symbols WHERE parent <> 0")
        return Status(
            languages=_most_first(languages),
            files=len(files),
            lines=sum(file.lines for file in files),
            source_bytes=sum(file.size for file in files),
            symbols=_most_first(_grouped(reader, "SELECT kind, count(*) FROM symbols GROUP BY kind")),
            edges=_most_first(edges),
            references=_references(reader),
            broken=tuple(file.path for file in files if file.errors != "[]"),
            noted=tuple((file.path, str(note)) for file in files for note in json.loads(file.notes)),
            skipped=tuple((str(p), str(r)) for p, r in reader.rows("SELECT path, reason FROM skipped ORDER BY path")),
            history=coverage(session),
        )


def _references(reader: Reader) -> References:
    counts: Counter[str] = Counter()
    for (row,) in reader.rows("SELECT counts FROM links"):
        counts.update(json.loads(row))
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
    bearers: Counter[tuple[str, str]] = Counter()
    sql = (
        "SELECT s.name, f.language, count(*) FROM symbols s JOIN files f ON f.id = s.file "
        "WHERE s.kind IN ('function', 'method') GROUP BY 1, 2"
    )
    for name, language, number in reader.rows(sql):
        bearers[str(name), family(str(language))] += number
    few = many = dispatched = unbounded = lacking = 0
    classes = Classes(reader)
    sql = (
        "SELECT p.name, f.language, p.receiver, count(*) FROM pending p JOIN files f ON f.id = p.file "
        f"WHERE p.name NOT LIKE '{AFTER}%' GROUP BY 1, 2, 3"
    )
    for name, language, receiver, number in reader.rows(sql):
        instead = len(classes.standing_in(abs(receiver), name)) if receiver else 0
        if instead:
            dispatched += number if instead <= MAX_DISPATCH else 0
            unbounded += number if instead > MAX_DISPATCH else 0
            continue
        if receiver < 0:
            lacking += number
            continue
        found = bearers[str(name), family(str(language))]
        if 0 < found <= CANDIDATE_LIMIT:
            few += number
        elif found:
            many += number
    return few, many, dispatched, unbounded, lacking


def _grouped(reader: Reader, sql: str) -> Counter[str]:
    return Counter({str(key): int(number) for key, number in reader.rows(sql)})


def _number(reader: Reader, sql: str) -> int:
    return int(reader.rows(sql)[0][0])


def _most_first(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
