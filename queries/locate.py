"""Names, paths and lines → symbols, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from indexer.store.reader import Reader, SymbolRow
from queries.words import Place, Question

NAMED = 4.0  # beside a match of all the words, which comes to about 2
NAMED_IN_TEXT = 1.0
FRAME = 2.5  # the innermost of a trace that is in the repository
FURTHER_OUT = 0.6
FILE = 0.5
SHORTEST_PART = 3
MANY = 12
"""A name that more symbols bear than this is worth less than the other words of a question."""

_DEMOTED = ("variable", "attribute")


def named_in(reader: Reader, question: Question) -> dict[int, float]:
    """Symbols that the question names outright → how sure that is; 1.0 and more: the question is about them."""
    found: dict[int, float] = {}
    qualified = _qualified(question.whole)
    known = reader.paths() if qualified or question.frames or question.paths else []
    if question.whole is not None:
        rows = exactly(reader, question.whole)
        _add(found, rows, NAMED if len(rows) <= MANY else NAMED_IN_TEXT)
    for path, name in qualified:
        _add(found, [row for row in _in_place(reader, known, path) if _bears(row, name)], NAMED)
    if question.names:
        lasts = {name.rpartition(".")[2] for name in question.names}
        rows = reader.named(sorted(lasts | {part for name in question.names for part in name.split(".")}))
        for name in question.names:
            borne = [row for row in rows if _bears(row, name)] or [
                row for row in rows if row.name in _parts(name) and row.kind not in _DEMOTED
            ]
            if borne:
                _add(found, borne, NAMED_IN_TEXT / max(1.0, len(borne) / 3))
    inside = [rows for place in question.frames[:60] if (rows := innermost(reader, place, known))]
    for index, rows in enumerate(inside[:20]):
        _add(found, rows, FRAME * FURTHER_OUT**index)
    for place in question.paths[:20]:
        content = _in_place(reader, known, place.path)
        _add(found, [row for row in content if row.parent == 0], FILE * 2)
        _add(found, content, FILE * 0.3)
    return found


def _parts(name: str) -> list[str]:
    """Those of a dotted name that may be a symbol's: what is very short is `x` of x.rst."""
    return [part for part in name.split(".") if len(part) >= SHORTEST_PART]


def exactly(reader: Reader, name: str) -> list[SymbolRow]:
    """Symbols that a bare or dotted name denotes, in path order."""
    last = name.rpartition(".")[2]
    if not last:
        return []
    return [row for row in reader.named([last]) if _bears(row, name)]


def innermost(reader: Reader, place: Place, known: Sequence[str] | None = None) -> list[SymbolRow]:
    """The smallest symbol around a line, for each file that the path may mean; known: the mapped paths, if at hand."""
    found = []
    for path in matching_paths(reader.paths() if known is None else known, place.path):
        around = [row for row in reader.symbols_in(path) if row.start_line <= place.line <= row.end_line]
        code = [row for row in around if row.kind not in _DEMOTED] or around
        if code:
            found.append(min(code, key=lambda row: (row.end_line - row.start_line, -row.start_line, row.parent == 0)))
    return found


def matching_paths(paths: Sequence[str], wanted: str) -> list[str]:
    """Mapped files that a path means: itself, else those it ends (absolute and foreign roots included)."""
    wanted = wanted.removeprefix("./")
    if wanted in paths:
        return [wanted]
    ends = [path for path in paths if path.endswith("/" + wanted)]
    if ends:
        return ends
    # A path from another machine: the mapped file that shares the longest end of it, at least folder and name.
    inside = [path for path in paths if wanted.endswith("/" + path)]
    if inside:
        longest = max(map(len, inside))
        return [path for path in inside if len(path) == longest]
    return []


def _in_place(reader: Reader, known: Sequence[str], path: str) -> list[SymbolRow]:
    return [row for each in matching_paths(known, path)[:5] for row in reader.symbols_in(each)]


def _qualified(whole: str | None) -> list[tuple[str, str]]:
    """`path:qualname` → its halves."""
    if whole is None or ":" not in whole:
        return []
    path, _, name = whole.rpartition(":")
    return [(path.rstrip(":"), name)] if path and name and not name.isdigit() else []


def _bears(row: SymbolRow, name: str) -> bool:
    return row.qualname == name or row.qualname.endswith("." + name)


def _add(found: dict[int, float], rows: Iterable[SymbolRow], certainty: float) -> None:
    for row in rows:
        weight = certainty * (0.6 if row.kind in _DEMOTED else 1.0) * (0.5 if row.test_file else 1.0)
        found[row.id] = max(found.get(row.id, 0.0), weight)
