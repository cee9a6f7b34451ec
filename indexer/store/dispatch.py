"""Edges that a map does not store: calls that reach a method of a subclass of the receiver's class."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from indexer.evidence import AFTER, ANY, DISPATCH, EVIDENCE
from indexer.store.classes import MAX_DISPATCH, Classes, bound
from indexer.store.reader import Reader, listed
from indexer.store.registered import Registered


class EdgeRow(NamedTuple):
    """An edge between two symbol ids; the line is in the source's file."""

    source: int
    target: int
    kind: str
    line: int
    evidence: str
    overrides: int = 0  # methods of subclasses that may run instead, where there are too many for an edge to each


Stored: TypeAlias = tuple[int, int, str, int, str, int]
"""A row of `edges` with its line in the source's file: source, target, kind, line, evidence, receiver."""

Typed: TypeAlias = tuple[int, str, int, int]
"""A row of `pending` whose receiver has a class, which lacks the member: source, name, line, receiver."""

LINE = "iif(e.line > 0, e.line, coalesce((SELECT s.start_line FROM symbols s WHERE s.id = e.source), 0) - e.line)"
"""The line of an edge `e` in the file of its source, whichever file's link made it."""

_CASES = " ".join(f"WHEN {number} THEN '{word}'" for number, word in enumerate(EVIDENCE))
WORD = f"CASE e.evidence {_CASES} END"
"""How an edge `e` is known, as a word."""

STORED = f"SELECT e.source, e.target, e.kind, {LINE} AS line, {WORD}, e.receiver FROM edges e"
TYPED = "SELECT p.source, p.name, p.line, abs(p.receiver) FROM pending p WHERE p.receiver <> 0"
_IDS = "(SELECT value FROM json_each(?))"
_BEARING = f"""
SELECT s.name, s.parent FROM edges e JOIN symbols s ON s.id = e.source
WHERE e.target IN {_IDS} AND e.kind = 'references' AND s.kind = 'attribute'
UNION SELECT name, parent FROM symbols WHERE id IN {_IDS} AND kind = 'method'"""
"""The names of some methods, and of attributes that hold some symbols, with the class each is in."""

_ATTRIBUTES = f"SELECT name, id, parent FROM symbols WHERE name IN {_IDS} AND kind = 'attribute'"


class Dispatch:
    """Derives edges from rows whose receiver is known to be of a class."""

    def __init__(self, reader: Reader, classes: Classes) -> None:
        self._reader = reader
        self._classes = classes
        self._registered = Registered(reader)
        self._known_spelled: list[Typed] | None = None
        self._known_attributes: dict[str, list[tuple[int, int]]] = {}

    def registered(self, rows: Iterable[Stored]) -> Iterator[EdgeRow]:
        """Calls of generic functions, among some edges, as calls of the functions that are registered with them."""
        known = self._registered.by_generic()
        if known:
            for source, target, kind, line, _, _ in rows:
                if target in known and kind == "calls":
                    for function in bounded(known[target]):
                        yield EdgeRow(source, function, kind, line, DISPATCH)

    def registering(self) -> Mapping[int, int]:
        """Generic functions with which too many functions are registered for an edge to each, and how many."""
        known = self._registered.by_generic().items()
        return {generic: len(functions) for generic, functions in known if len(functions) > MAX_DISPATCH}

    def generic_calls(self, ids: Iterable[int] | None = None) -> list[Stored]:
        """Stored calls of generic functions, of those with which some functions are registered."""
        wanted = self._registered.by_generic() if ids is None else self._registered.generics(ids)
        if not wanted:
            return []
        rows: list[Stored] = self._reader.rows(
            f"{STORED} WHERE e.target IN {_IDS} AND e.kind = 'calls'", (listed(wanted),)
        )
        return rows

    def declared(self, rows: Iterable[Stored]) -> Iterator[EdgeRow]:
        """Stored edges as they are shown: with the number of methods that stand in where there are too many."""
        called = list(rows)
        names = self._names(called)
        for source, target, kind, line, evidence, receiver in called:
            found = self._classes.overriding(receiver, names[target]) if target in names else ()
            many = len(found) if len(found) > MAX_DISPATCH and kind == "calls" else 0
            yield EdgeRow(source, target, kind, line, evidence, many)

    def out_of(self, called: Sequence[Stored], typed: Sequence[Typed]) -> set[EdgeRow]:
        """What stands in for the targets of some edges, and for the members that a receiver's class lacks."""
        names = self._names(called)
        found = {
            EdgeRow(source, method, kind, line, DISPATCH)
            for source, target, kind, line, _, receiver in called
            if kind == "calls" and target in names
            for method in bounded(self._classes.overriding(receiver, names[target]))
        }
        attributes = [row for row in called if row[2] == "references" and row[1] in names]
        self._classes.held().load({names[row[1]] for row in attributes})
        found.update(
            EdgeRow(source, symbol, "calls", line, DISPATCH)
            for source, target, _, line, _, receiver in attributes
            for symbol in bounded(self._classes.replacing(receiver, names[target]))
        )
        self._classes.load_methods(name for _, name, _, receiver in typed if self._classes.subclassed(receiver))
        found.update(
            EdgeRow(source, method, "calls", line, DISPATCH)
            for source, name, line, receiver in typed
            for method in bounded(self._classes.standing_in(receiver, name), name)
        )
        return found

    def into(self, ids: Iterable[int], limit: int | None) -> set[EdgeRow]:
        """Calls that some symbols stand in for. limit: methods with more edges into them are not looked at."""
        sql = f"SELECT id, name, parent FROM symbols WHERE kind = 'method' AND id IN {_IDS}"
        ids = list(ids)
        methods = self._reader.rows(sql, (listed(ids),))
        held = self._into_attributes(ids)
        if not methods:
            return held
        classes = self._classes
        above = {symbol: classes.ancestors(parent) for symbol, _, parent in methods}
        classes.load_methods(name for symbol, name, _ in methods if above[symbol])
        instead: dict[int, list[tuple[int, str]]] = {}  # method of an ancestor → those of `ids` that stand in for it
        for symbol, name, _ in methods:
            owners = classes.methods(name) if above[symbol] else {}
            for target in chain.from_iterable(owners.get(owner, ()) for owner in above[symbol]):
                instead.setdefault(target, []).append((symbol, name))
        found = {
            EdgeRow(source, symbol, kind, line, DISPATCH)
            for source, target, kind, line, _, receiver in self._called(instead, limit)
            for symbol, name in instead[target]
            if receiver in above[symbol] and symbol in bounded(classes.overriding(receiver, name))
        }
        return found | held | self._into_typed([(symbol, name) for symbol, name, _ in methods])

    def _into_attributes(self, ids: Iterable[int]) -> set[EdgeRow]:
        """Calls of attributes in whose place subclasses have some symbols."""
        wanted, classes = frozenset(ids), self._classes
        above: dict[str, set[int]] = {}
        for name, below in self._reader.rows(_BEARING, (listed(self._held_as(wanted)), listed(wanted))):
            if ancestors := classes.ancestors(below):
                above.setdefault(name, set()).update(ancestors)
        attributes = self._attributes(above)
        names = {
            attribute: name
            for name, owners in above.items()
            for attribute, owner in attributes[name]
            if owner in owners
        }
        sql = f"{STORED} WHERE e.target IN {_IDS} AND e.receiver <> 0 AND e.kind = 'references'"
        rows: list[Stored] = self._reader.rows(sql, (listed(names),)) if names else []
        return {
            EdgeRow(source, symbol, "calls", line, DISPATCH)
            for source, target, _, line, _, receiver in rows
            for symbol in bounded(classes.replacing(receiver, names[target])) & wanted
        }

    def _attributes(self, names: Collection[str]) -> Mapping[str, Sequence[tuple[int, int]]]:
        """Attributes by name, each with its class; read once."""
        known = self._known_attributes
        missing = [name for name in names if name not in known]
        if missing:
            found: dict[str, list[tuple[int, int]]] = {name: [] for name in missing}
            for name, attribute, owner in self._reader.rows(_ATTRIBUTES, (listed(missing),)):
                found[name].append((attribute, owner))
            known.update(found)
        return known

    def _held_as(self, ids: frozenset[int]) -> frozenset[int]:
        """Some symbols, and the classes that they may be the constructors of: what attributes hold that run them."""
        sql = f"SELECT parent FROM symbols WHERE id IN {_IDS} AND name = '__init__' AND kind = 'method'"
        made = {parent for (parent,) in self._reader.rows(sql, (listed(ids),))}
        return ids.union(made, *(self._classes.descendants(parent) for parent in made))

    def _into_typed(self, methods: Sequence[tuple[int, str]]) -> set[EdgeRow]:
        bearers: dict[str, list[int]] = {}
        for symbol, name in methods:
            bearers.setdefault(name, []).append(symbol)
            bearers.setdefault(f"{AFTER}{name}", []).append(symbol)
        rows: list[Typed] = self._reader.rows(f"{TYPED} AND p.name IN {_IDS}", (listed(bearers),))
        rows += self._calls_spelled()
        everyone = [symbol for symbol, _ in methods]
        return {
            EdgeRow(source, symbol, "calls", line, DISPATCH)
            for source, name, line, receiver in rows
            for symbol in bearers.get(name, everyone)
            if symbol in bounded(self._classes.standing_in(receiver, name), name)
        }

    def _calls_spelled(self) -> list[Typed]:
        """The calls of members of whose names a part is known; read once."""
        if self._known_spelled is None:
            self._known_spelled = self._reader.rows(f"{TYPED} AND p.name >= ? AND p.name < ?", (ANY, chr(ord(ANY) + 1)))
        return self._known_spelled

    def _called(self, targets: Iterable[int], limit: int | None) -> list[Stored]:
        """Calls of some methods on receivers whose subclasses may stand in."""
        wanted = listed(targets)
        if wanted == "[]":
            return []
        if limit is not None:
            few = "(SELECT count(*) FROM (SELECT 1 FROM edges WHERE target = j.value LIMIT ?)) <= ?"
            sql = f"SELECT j.value FROM json_each(?) j WHERE {few}"
            wanted = listed(target for (target,) in self._reader.rows(sql, (wanted, limit + 1, limit)))
        sql = f"{STORED} WHERE e.target IN {_IDS} AND e.receiver <> 0 AND e.kind = 'calls'"
        return self._reader.rows(sql, (wanted,))

    def _names(self, called: Iterable[Stored]) -> Mapping[int, str]:
        """Names of the targets that something may stand in for."""
        subclassed = self._classes.subclassed
        return self._classes.names([row[1] for row in called if subclassed(row[5])])


def bounded(methods: frozenset[int], name: str = "") -> frozenset[int]:
    """Some methods that stand in for one; none where they are too many. name: what is called, as in `Link.pending`."""
    return methods if len(methods) <= bound(name) else frozenset()
