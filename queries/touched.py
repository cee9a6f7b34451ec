"""Changed lines → the symbols of the map that they are in, and the symbols that are gone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

from indexer.blobs import blob_id
from indexer.decode import Skip, normalise
from indexer.discover.changes import FileChange, Lines
from indexer.store.reader import Reader, SymbolRow

MOST_PARSED = 300
"""Contents that the map does not hold are parsed, to know their symbols: dear, so of no more files than that."""

_DATA = frozenset({"variable", "attribute"})
_SCOPES = frozenset({"module", "class", "interface", "enum", "namespace"})
_NO_CODE = re.compile(rb"^\s*(?:(?:#(?!!)|//|/\*|\*(?!\w)|<!--).*)?$")

Key = tuple[str, int]
"""A symbol of one file: its qualified name, and which of those of that name."""


class Symbol(Protocol):
    """What symbols of facts and of the map have in common."""

    @property
    def qualname(self) -> str: ...
    @property
    def ordinal(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def start_line(self) -> int: ...
    @property
    def end_line(self) -> int: ...


S = TypeVar("S", bound=Symbol)


class GoneSymbol(NamedTuple):
    """A symbol that the old state had and the new one has not."""

    path: str  # in the old state
    qualname: str  # `<module>`: the whole file
    kind: str
    now: str | None  # the path the file has now; None: it is gone as well


class Touched(NamedTuple):
    """What a difference touches. complete: all contents could be looked at, so that nothing gone is missed."""

    rows: tuple[SymbolRow, ...]  # in path order
    gone: tuple[GoneSymbol, ...]
    lost: tuple[str, ...]  # paths of touched files that the map does not have
    complete: bool


def touched(reader: Reader, files: Sequence[FileChange]) -> Touched:
    """The symbols that changed files touch: the innermost around each line that was added or removed.

    Blank lines and lines of comment count only inside of a function.
    """
    rows: dict[int, SymbolRow] = {}
    gone: list[GoneSymbol] = []
    lost: list[str] = []
    parsed = 0
    for change in files:
        known = {row.path: row for row in reader.files_at([change.new_path])} if change.new_path else {}
        mapped = reader.symbols_in(change.new_path) if change.new_path and known else []
        if change.new_path and not mapped:
            lost.append(change.new_path)
        same = change.new is not None and mapped and blob_id(change.new) == known[mapped[0].path].blob
        parsed += (0 if same else 1) + (1 if change.removed else 0)
        if parsed > MOST_PARSED:
            rows.update((row.id, row) for row in _in_lines(mapped, change.added, change.new))
            continue
        before = _parsed(change.old, change.old_path) if change.removed or change.new_path is None else ()
        after: Sequence[Symbol] = mapped if same else _parsed(change.new, change.new_path)
        keys = _keys(after, before, change)
        rows.update((row.id, row) for row in mapped if (row.qualname, row.ordinal) in keys)
        gone += _gone(before, after, change)
    ordered = sorted(rows.values(), key=lambda row: (row.path, row.start_line, row.qualname, row.ordinal))
    return Touched(tuple(ordered), tuple(gone), tuple(lost), parsed <= MOST_PARSED)


def _keys(after: Sequence[Symbol], before: Sequence[Symbol], change: FileChange) -> Collection[Key]:
    """Names of what the new lines are in, and of what the old ones were in."""
    new = _in_lines(after, change.added, change.new)
    old = _in_lines(before, change.removed, change.old)
    keys = {(symbol.qualname, symbol.ordinal) for symbol in (*new, *old)}
    if change.old_path and change.new_path and change.old_path != change.new_path:
        keys.add(("<module>", 0))
    return keys


def _gone(before: Sequence[Symbol], after: Sequence[Symbol], change: FileChange) -> Iterator[GoneSymbol]:
    """Symbols by the names that only the old state has; where the file is gone, all of them."""
    if change.old_path is None:
        return
    moved = change.new_path != change.old_path
    if moved:
        yield GoneSymbol(change.old_path, "<module>", "module", change.new_path)
    left = {symbol.qualname for symbol in after}
    seen: set[str] = set()
    for symbol in before:
        if symbol.qualname not in left and symbol.qualname not in seen and symbol.kind != "lambda":
            seen.add(symbol.qualname)
            yield GoneSymbol(change.old_path, symbol.qualname, symbol.kind, change.new_path)


def _parsed(raw: bytes | None, path: str | None) -> Sequence[Symbol]:
    """The symbols of a content that the map may not hold; none where it has no facts."""
    from indexer.extract import extract
    from indexer.languages import language_of

    language = language_of(path) if path else None
    facts = extract(raw, language) if raw is not None and language is not None else None
    return () if facts is None or isinstance(facts, Skip) else facts.symbols


def _in_lines(symbols: Sequence[S], ranges: Lines, raw: bytes | None) -> list[S]:
    """The innermost symbols around some lines."""
    if not ranges or not symbols:
        return []
    text = normalise(raw) if raw is not None else None
    lines = text[0].split(b"\n") if text is not None and not isinstance(text, Skip) else None
    found: dict[int, S] = {}
    for first, last in ranges:
        near = [symbol for symbol in symbols if symbol.start_line <= last and symbol.end_line >= first]
        for line in range(first, last + 1):
            empty = lines is not None and (line > len(lines) or _NO_CODE.match(lines[line - 1]) is not None)
            found.update((id(symbol), symbol) for symbol in _around(near, line, empty=empty))
    return list(found.values())


def _around(symbols: Iterable[S], line: int, *, empty: bool) -> Iterator[S]:
    """The innermost code at a line, and the variables and attributes it is of."""
    around = [symbol for symbol in symbols if symbol.start_line <= line <= symbol.end_line]
    data = [symbol for symbol in around if symbol.kind in _DATA]
    code = [symbol for symbol in around if symbol.kind not in _DATA]
    if not code:
        yield from data
        return
    inner = max(code, key=lambda symbol: (symbol.start_line, -symbol.end_line))
    if inner.kind in _SCOPES and (data or empty):
        yield from () if empty else data
        return
    yield inner
    yield from data


def outermost(gone: Iterable[GoneSymbol]) -> list[GoneSymbol]:
    """Without what was inside of something that is gone as well."""
    every = list(gone)
    names = {(each.path, each.qualname) for each in every if each.kind != "module" or each.now is None}
    return [each for each in every if not any((each.path, outer) in names for outer in _outer(each.qualname))]


def _outer(qualname: str) -> Iterator[str]:
    """What a name stands in, by name."""
    if qualname != "<module>":
        yield "<module>"
    while "." in qualname:
        qualname = qualname.rpartition(".")[0]
        yield qualname
