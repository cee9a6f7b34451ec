"""What still refers to symbols and files that are gone.

A map has no edges to what is not there. But every file's link has recorded what it asked of which other file, found or
not: those files are looked into for the places.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from indexer.model import Role, line_starts
from indexer.store.leftovers import askers, unanswered, unknown_calls
from indexer.store.reader import Reader, SymbolRow
from queries.session import Session
from queries.source import normalised
from queries.touched import GoneSymbol

if TYPE_CHECKING:
    from indexer.model import FileFacts

MOST_FILES = 60
"""Files that are looked into for the places: each is parsed."""
MOST_GUESSED = 40
"""A name that more calls on unknown receivers bear says too little of what they mean."""

_MODULE = "<module>"


class Use(NamedTuple):
    """A place that refers to something gone."""

    row: SymbolRow  # what it stands in
    line: int
    kind: str  # imports calls references
    sure: bool  # False: a call on an unknown receiver, by name alone


class Leftover(NamedTuple):
    """uses: by place, for each that was asked about. unread: files that may refer to it and were not looked into."""

    uses: dict[GoneSymbol, tuple[Use, ...]]
    unread: int


def leftover(session: Session, gone: Sequence[GoneSymbol]) -> Leftover:
    """The places that still refer to each of some symbols."""
    with session.read() as reader:
        looking = _asking(reader, gone) if gone else {}
        parsed = sorted(looking)[:MOST_FILES]
        found: dict[GoneSymbol, set[Use]] = {each: set() for each in gone}
        for path in parsed:
            for each, use in _in_file(session, reader, path, looking[path]):
                found[each].add(use)
        for each in gone:
            if "." in each.qualname:
                found[each].update(_called(session, reader, each))
    ordered = {each: tuple(sorted(uses, key=_order)) for each, uses in found.items()}
    return Leftover(ordered, len(looking) - len(parsed))


def _order(use: Use) -> tuple[bool, str, int, str, str]:
    return not use.sure, use.row.path, use.line, use.kind, use.row.qualname


def _asking(reader: Reader, gone: Sequence[GoneSymbol]) -> dict[str, list[GoneSymbol]]:
    """Files whose links asked for something that is gone."""
    found: dict[str, list[GoneSymbol]] = {}
    for each in gone:
        if each.kind == "module":
            continue
        if each.now is not None and "." not in each.qualname:
            found.setdefault(each.now, []).append(each)
            for path in askers(reader, each.now, f".{each.qualname}"):
                found.setdefault(path, []).append(each)
    modules = [each for each in gone if each.kind == "module"]
    if modules:
        for path, questions in unanswered(reader):
            for each in modules:
                if any(_asks_for(question, path, each.path) for question in questions):
                    found.setdefault(path, []).append(each)
    return found


def _asks_for(question: Sequence[str], importer: str, path: str) -> bool:
    """Whether what a file asked would lead to a path, if that were there.

    question   as in `links`: ("resolve", language, importing file, specifier, level) or ("member", language, what,
               package's file or folder, name)
    """
    if len(question) < 5:
        return False
    if question[0] == "resolve":
        return question[2] == importer and _means(importer, question[3], _level(question[4]), path)
    folder, _, name = path.rpartition("/")
    package = question[3]
    return name.rpartition(".")[0] == question[4] and folder in (package, posixpath.dirname(package))


def _level(text: str) -> int:
    return int(text) if text.isdigit() else 0


def _means(importer: str, specifier: str, level: int, path: str) -> bool:
    """Whether a specifier, as written in a file, would lead to a path, if that were there."""
    whole = path.rpartition(".")[0]
    names = {whole, *(whole.removesuffix("/" + name) for name in ("__init__", "index"))}
    folder = posixpath.dirname(importer)
    if specifier.startswith((".", "/")):
        target = posixpath.normpath(posixpath.join(folder, specifier))
        return target in names or target.rpartition(".")[0] == whole
    steps = specifier.replace(".", "/")
    if level:
        for _ in range(level - 1):
            folder = posixpath.dirname(folder)
        return posixpath.join(folder, steps) in names
    return any(name == steps or name.endswith("/" + steps) for name in names)


def _in_file(
    session: Session, reader: Reader, path: str, gone: Iterable[GoneSymbol]
) -> Iterator[tuple[GoneSymbol, Use]]:
    from indexer.languages import by_name

    rows = reader.symbols_in(path)
    text = normalised(session, path)
    if not rows or text is None:
        return
    facts = by_name(rows[0].language).extract(text)
    places = _Places(facts, rows)
    for each in gone:
        yield from ((each, use) for use in _of_module(places, each) if each.kind == "module")
        yield from ((each, use) for use in _of_symbol(places, each, path) if each.kind != "module")


class _Places:
    """The facts of a file, with the rows of the map and the lines of its references."""

    def __init__(self, facts: FileFacts, rows: Sequence[SymbolRow]) -> None:
        self.facts = facts
        self.path = rows[0].path
        self._rows: Mapping[tuple[str, int], SymbolRow] = {(row.qualname, row.ordinal): row for row in rows}
        self._module = rows[0]
        self._starts = line_starts(facts.line_lengths)

    def use(self, scope: int, line: int, kind: str) -> Use:
        symbol = self.facts.symbols[self.facts.scopes[scope].symbol]
        return Use(self._rows.get((symbol.qualname, symbol.ordinal), self._module), line, kind, sure=True)

    def references(self) -> Iterator[tuple[int, list[str], str, list[int]]]:
        """(scope, chain, kind, lines) of everything that is named."""
        for scope, expression, role, positions in self.facts.references:
            if isinstance(expression, str):
                kind = "calls" if role in _CALLS else "references"
                yield scope, expression.split("."), kind, [bisect_right(self._starts, at) for at in positions]


_CALLS = frozenset({Role.CALL, Role.DECORATOR, Role.NEW, Role.RENDER})


def _of_module(places: _Places, gone: GoneSymbol) -> Iterator[Use]:
    folder, _, name = gone.path.rpartition("/")
    stem = name.rpartition(".")[0]
    for each in places.facts.imports:
        of_package = each.name == stem and _means(places.path, each.specifier, each.level, f"{folder}/__init__.py")
        if of_package or _means(places.path, each.specifier, each.level, gone.path):
            yield places.use(each.scope, each.line, "imports")


def _of_symbol(places: _Places, gone: GoneSymbol, path: str) -> Iterator[Use]:
    facts, name = places.facts, gone.qualname
    aliases = set()
    for each in facts.imports:
        if each.name == name:
            aliases.add(each.alias or name)
            yield places.use(each.scope, each.line, "imports")
    at_home = path == gone.now and not any(binding.name == name for binding in facts.bindings)
    modules = {each.alias for each in facts.imports if each.alias} - aliases
    for scope, chain, kind, lines in places.references():
        named = chain[0] in aliases or (at_home and chain[0] == name)
        if named or (path != gone.now and chain[0] in modules and name in chain[1:]):
            yield from (places.use(scope, line, kind) for line in lines)


def _called(session: Session, reader: Reader, gone: GoneSymbol) -> Iterator[Use]:
    """Calls of a method that is gone: on instances of its class, and, apart, on unknown receivers."""
    owner, _, name = gone.qualname.rpartition(".")
    rows = reader.symbols_in(gone.now) if gone.now else []
    owners = {row.id for row in rows if row.qualname == owner}
    for each in list(owners):
        owners |= session.neighbours.classes.descendants(each)
    calls = unknown_calls(reader, name)
    if sum(1 for *_, receiver in calls if not receiver) > MOST_GUESSED or reader.named([name]):
        calls = [call for call in calls if call[2]]
    sources = reader.symbols({source for source, *_ in calls})
    for source, line, receiver in calls:
        if source in sources and (not receiver or receiver in owners):
            yield Use(sources[source], line, "calls", sure=receiver in owners)
