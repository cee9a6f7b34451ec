"""When, how often and with what a symbol or file changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from indexer.store.history_reader import MOST_FILES, MOST_NAMES, CommitRow, HistoryReader, Unit
from indexer.store.reader import Reader, SymbolRow
from queries import find
from queries import nodes as values
from queries.answers import Node
from queries.session import Session
from queries.units import symbol_of

SHOWN = 10
LEAST_SUPPORT = 2
_TOLD_BY_OWNER = ("variable", "attribute", "lambda")


@dataclass(frozen=True, slots=True)
class Change:
    """A commit that touched what was asked about."""

    commit: str
    time: int  # seconds since 1970 UTC
    subject: str
    files: int  # source files it touched


@dataclass(frozen=True, slots=True)
class Companion:
    """What changes in the same commits."""

    node: Node  # of a file, its module
    support: int  # commits that touched both; those that touch very much are not counted
    confidence: float  # of the commits that touched what was asked about, the share that touched this as well


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the history is known."""

    indexed: int  # commits that answers draw on
    window: int  # commits that count: the newest ones that HEAD reaches, up to the limit
    notes: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return self.indexed == self.window


NO_HISTORY = Coverage(0, 0, ())


@dataclass(frozen=True, slots=True)
class History:
    """The history of one symbol or file."""

    symbols: tuple[Node, ...]
    changes: int  # commits that touched it
    first: int | None  # time of the oldest of them, seconds since 1970 UTC
    last: int | None
    commits: tuple[Change, ...]  # newest first, as many as asked for
    companions: tuple[Companion, ...]  # symbols beside a symbol, files beside a file; most often first
    coverage: Coverage


def history(session: Session, name: str, *, limit: int = SHOWN) -> History:
    """The commits that touched a symbol or file, and what else they touched.

    What is defined inside of a symbol belongs to it. Raises as `one_symbol` does.
    """
    with session.read() as reader:
        rows = find.rows(reader, name)
        nodes = tuple(values.node(row) for row in rows)
        kept = session.history
        known = coverage(session)
        if kept is None:
            return History(nodes, 0, None, None, (), (), known)
        owners = _owners(reader, rows)
        if owners != rows:
            known = replace(known, notes=(*known.notes, f"changes of a {rows[0].kind} are those of what it is in"))
        rows = owners
        with kept.reading():
            units = [unit for row in rows for unit in kept.units(*_unit(row), inside=True)]
            commits = kept.commits_of(units)
            companions = _companions(reader, kept, rows, commits, limit)
            return History(
                symbols=nodes,
                changes=len(commits),
                first=commits[-1].time if commits else None,
                last=commits[0].time if commits else None,
                commits=tuple(Change(row.id, row.time, row.subject, row.files) for row in commits[:limit]),
                companions=companions,
                coverage=known,
            )


def coverage(session: Session) -> Coverage:
    """How many commits answers draw on, and why there are not more."""
    kept = session.history
    meta = kept.meta() if kept is not None else {}
    if "window" not in meta:
        return NO_HISTORY
    notes = []
    if meta["cut"] == "1":
        notes.append("older commits are not in this clone")
    if meta["lacking"] != "0":
        notes.append(f"what {meta['lacking']} commits touched is not in this clone")
    if meta["files_only"] == "1":
        notes.append("a partial clone: changes are known by file alone")
    return Coverage(int(meta["indexed"]), int(meta["window"]), tuple(notes))


def _unit(row: SymbolRow) -> Unit:
    return row.path, "" if row.parent == 0 else row.qualname


def _owners(reader: Reader, rows: list[SymbolRow]) -> list[SymbolRow]:
    """What commits are told of: of a variable, what it is in."""
    owners = []
    for row in rows:
        while row.parent and row.kind in _TOLD_BY_OWNER:
            row = reader.symbols([row.parent])[row.parent]
        owners.append(row)
    return owners


def _companions(
    reader: Reader, kept: HistoryReader, rows: list[SymbolRow], commits: list[CommitRow], limit: int
) -> tuple[Companion, ...]:
    telling = [row.number for row in commits if row.files <= MOST_FILES and row.names <= MOST_NAMES]
    names = rows[0].parent != 0
    counts = Counter(unit for _, unit in kept.touched_by(telling, names=names))
    often = {unit: number for unit, number in counts.items() if number >= LEAST_SUPPORT}
    units = kept.named(often)
    own = {_unit(row) for row in rows}
    known = symbol_of((unit for unit in units.values() if not _related(unit, own)), reader)
    found = [
        Companion(values.node(known[units[unit]]), number, round(number / len(telling), 4))
        for unit, number in often.items()
        if units[unit] in known
    ]
    found.sort(key=lambda each: (-each.support, each.node.path, each.node.start_line, each.node.qualname))
    return tuple(found[:limit])


def _related(unit: Unit, own: Iterable[Unit]) -> bool:
    """Whether a unit is what was asked about, is inside of it or around it."""
    path, name = unit
    return any(
        path == other and (name == mine or name.startswith(f"{mine}.") or mine.startswith(f"{name}."))
        for other, mine in own
    )
