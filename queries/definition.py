"""Where the names at places of files are defined: one place, or many at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, Protocol, TypeVar

from indexer.errors import BusyError, CodemapError, NotFoundError
from indexer.ports import Definition
from indexer.store.reader import FileRow, Reader, SymbolRow
from queries import nodes as values
from queries.answers import Node
from queries.names import near
from queries.relations import Defined
from queries.session import Session
from queries.source import normalised
from queries.staleness import Freshness

TOGETHER = 64
"""Places that are answered from one state of the map and of the files; more are answered in parts of that size."""

_TRIES = 10  # at finding the map as the linker has read it

_ASSIGNED = frozenset({"attribute", "variable"})

_Answer = TypeVar("_Answer")


class Place(NamedTuple):
    """A position in a file."""

    path: str  # relative to the root
    line: int  # from 1
    column: int  # from 0, in characters


class DefinitionFinder(Protocol):
    """The part of the linker that follows one name."""

    def definition(self, path: str, position: int) -> tuple[Definition, ...]: ...


class Definitions:
    """Answers of one session. What the linker has read is kept for the next question, until the map changes."""

    def __init__(self, session: Session, linker_factory: Callable[[], DefinitionFinder]) -> None:
        """linker_factory: makes the linker; called only for a mapped file, and again when the map has changed."""
        self._session = session
        self._factory = linker_factory
        self._linker: tuple[Reader, int, DefinitionFinder] | None = None  # with the state of the map it speaks of

    def one(self, place: Place) -> tuple[Node, ...]:
        """What the name at a place denotes; empty where that is not known.

        Raises NotFoundError for a file that is not mapped or not there, or a place outside it.
        """

        def ask(reading: _Reading) -> tuple[Node, ...]:
            if place.path not in reading.files:
                raise NotFoundError(_not_mapped(place.path), near(place.path, reading.reader.paths()))
            return reading.definition(place)

        return self._asked([place], ask)

    def many(self, places: Iterable[Place]) -> Iterator[Defined]:
        """An answer for each place, in order. What is wrong with a place is its answer, and ends nothing.

        Raises StoreError for a map that cannot be read.
        """
        remaining = iter(places)
        while part := list(islice(remaining, TOGETHER)):
            yield from self._together(part)

    def forget(self) -> None:
        """Let go of the linker and the files it holds open."""
        self._linker = None

    def _together(self, places: Sequence[Place]) -> list[Defined]:
        return self._asked(places, lambda reading: [reading.answer(place) for place in places])

    def _asked(self, places: Sequence[Place], ask: Callable[[_Reading], _Answer]) -> _Answer:
        """Ask one state of the map, with a linker that speaks of the same one."""
        for _ in range(_TRIES):
            with self._session.read() as reader:
                files = {row.path: row for row in reader.files_at({place.path for place in places})}
                version, known = reader.version(), self._linker
                if not files:
                    return ask(_Reading(self._session, reader, files, None))
                if known is not None and known[0] is reader and known[1] == version:
                    return ask(_Reading(self._session, reader, files, known[2]))
            self._linker = (reader, version, self._factory())
        raise BusyError("the map changes faster than it can be read: ask again")


class _Reading:
    """One state of the map and of the files; each file is read once."""

    def __init__(
        self, session: Session, reader: Reader, files: Mapping[str, FileRow], linker: DefinitionFinder | None
    ) -> None:
        """files: rows of the files asked about, as far as they are mapped; without any, there is no linker."""
        self.reader = reader
        self.files = files
        self._session = session
        self._linker = linker
        self._fresh: Freshness | None = None
        self._texts: dict[str, _Text | None] = {}
        self._symbols: dict[str, list[SymbolRow]] = {}

    def answer(self, place: Place) -> Defined:
        nodes: tuple[Node, ...] = ()
        error: CodemapError | None = None
        try:
            nodes = self.definition(place)
        except NotFoundError as wrong:
            error = wrong
        except (CodemapError, sqlite3.Error):
            raise  # of the map itself: the next place would fare no better
        except RecursionError:
            error = CodemapError("the source nests too deeply")
        except Exception as fault:  # noqa: BLE001 - one place's failure is its answer and must not end the others'
            error = CodemapError(f"internal error: {type(fault).__name__}: {fault}")
        if self._fresh is None:
            self._fresh = Freshness(self._session, known=self.files.values())
        named = {node.path for node in nodes}
        if place.path in self.files:
            named.add(place.path)
        return Defined(place.path, place.line, place.column, nodes, error, self._fresh.of(named))

    def definition(self, place: Place) -> tuple[Node, ...]:
        if self._linker is None or place.path not in self.files:
            raise NotFoundError(_not_mapped(place.path))
        text = self._text(place.path)
        if text is None:
            raise NotFoundError(f"{place.path} cannot be read any more: run `codemap update`")
        found = self._linker.definition(place.path, text.offset(place))
        return tuple([self._defined(each) for each in found])

    def _defined(self, found: Definition) -> Node:
        """The symbol, or a value of the same form for a local name or a parameter, with the column of its name."""
        text = self._text(found.path)
        line, column = (1, None) if text is None else text.place(found.position)
        rows = self._symbols.get(found.path)
        if rows is None:
            rows = self._symbols[found.path] = self.reader.symbols_in(found.path)
        if 0 <= found.symbol < len(rows):
            made = values.node(rows[found.symbol])
            start, end, name = made.start_line, made.end_line, made.name_line
            if made.kind in _ASSIGNED and line != name:  # not the first assignment, which is the symbol's place
                start = end = name = line
            return Node(
                made.id, made.path, made.qualname, made.kind, start, end, name,
                made.signature, made.doc, made.test, column=column,
            )  # fmt: skip
        test = bool(rows and values.is_test(rows[0]))
        return Node(0, found.path, found.qualname, found.kind, line, line, line, "", "", test, column=column)

    def _text(self, path: str) -> _Text | None:
        if path not in self._texts:
            data = normalised(self._session, path)
            self._texts[path] = None if data is None else _Text(data)
        return self._texts[path]


class _Text:
    """A file's normalised text; between offsets in bytes and places."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._lines = data.split(b"\n")

    def offset(self, place: Place) -> int:
        """Raises NotFoundError for a place outside of the text."""
        path, line, column = place
        lines = self._lines
        if not 1 <= line <= len(lines):
            raise NotFoundError(f"{path} has {len(lines)} lines: there is no line {line}")
        characters = lines[line - 1].decode("utf-8", "surrogateescape")
        if not 0 <= column <= len(characters):
            raise NotFoundError(f"line {line} of {path} has {len(characters)} characters: there is no column {column}")
        before = characters[:column].encode("utf-8", "surrogateescape")
        return sum(map(len, lines[: line - 1])) + line - 1 + len(before)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset; the end of the text for one beyond it."""
        line = self._data.count(b"\n", 0, offset) + 1
        start = self._data.rfind(b"\n", 0, offset) + 1
        return line, len(self._data[start:offset].decode("utf-8", "replace"))


def _not_mapped(path: str) -> str:
    return f"{path} is not in the map"
