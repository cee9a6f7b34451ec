"""What is put into containers: where they are written, and later."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from indexer.link.additions import Addition
from indexer.link.containers import Constant, Containers, Entry, Reader
from indexer.link.index import END_OF_FILE, FileIndex
from indexer.link.memo import question
from indexer.link.values import CONTAINERS, INSTANCES, Place, Value, Values, known, union

_DEFAULTING: Final = "collections.defaultdict"
_SEQUENCES: Final = frozenset({"list", "tuple"})
_FUNCTIONS: Final = frozenset({"function", "method", "lambda"})
CALLABLE_KINDS: Final = _FUNCTIONS | {"class"}
_OBJECTS: Final = INSTANCES | {"typed", "generator"}
MAX_ENTRIES: Final = 100
"""Items of one container that are followed, counting what an item may be apart."""


Replacement: TypeAlias = tuple[Constant | None, Values, int]
"""Key and values of an item, and the position from which it replaces what was under the key; -1: it may not."""


class Filling(Containers):
    """Contents of displays."""

    def contents(self, value: Value, reader: Reader = None) -> tuple[Entry, ...]:
        """Key and values of each item of a display: those written in it, and those put into it later.

        reader: where the display is read; an item that was certainly replaced before is left out.
        """
        asked = self.filled(value)
        if not asked:  # it is being found out
            return ()
        rows, final, replaced = asked
        if not replaced or reader is None or reader[0].path != value.path:
            return final
        index, scope, position = reader
        if index.function_scope(scope) != index.function_scope(Place.unpack(value.number).scope):
            return final
        return _remaining(rows, position)

    @question
    def filled(self, value: Value) -> tuple[tuple[Replacement, ...], tuple[Entry, ...], bool] | tuple[()]:
        """All items that a display ever has, those that are left at the end, and whether any is replaced."""
        rows = self._replacements(value)
        if any(replaces >= 0 for _, _, replaces in rows):
            return rows, _remaining(rows, END_OF_FILE), True
        return (), tuple([(key, values) for key, values, _ in rows]), False

    def _replacements(self, value: Value) -> tuple[Replacement, ...]:
        """Key, values and the position from which it replaces what was under the key (-1: may not) of each item."""
        index = self.indexes[value.path]
        place = Place.unpack(value.number)
        row = index.facts.expressions[place.row]
        memo = self.memo
        memo.context = value.context
        found = {(key, values, -1): None for key, values in self._written(index, place, row) if values}
        self.look_up_name(value.path, "[]")
        memo.context = 0
        if index.stores or index.facts.calls:
            put = self.put(value.path, value.context)
            for addition in put.get(value, ()):
                sure = addition.sure and index.function_scope(addition.scope) == index.function_scope(place.scope)
                added = self._added(index, value.context, addition)
                if addition.spread and not self.is_mapping(value):
                    added = _behind(found, added, sure)
                for key, values in added:
                    if values and len(found) < MAX_ENTRIES:
                        found[key, values, addition.position if sure and key is not None else -1] = None
        return tuple(found)[:MAX_ENTRIES]

    def _written(self, index: FileIndex, place: Place, row: tuple[Any, ...]) -> Iterable[Entry]:
        kind = row[0]
        if kind in ("list", "tuple", "set"):
            counted = kind in _SEQUENCES
            for number, part in enumerate(row[1]):
                if isinstance(part, (list, tuple)):  # `*x`
                    counted = False
                    yield None, self._all_items(self.evaluate(index, place.scope, part[-1], place.position))
                else:
                    values = known(self.evaluate(index, place.scope, part, place.position))
                    yield ("int", number) if counted else None, values
        elif kind == "dict":
            for key, held in row[1]:
                values = self.evaluate(index, place.scope, held, place.position)
                if key is None:
                    for container in values:
                        yield from self._entries(container)
                else:
                    keys = self.keys_of(self.evaluate(index, place.scope, key, place.position))
                    for one in keys or (None,):
                        yield one, known(values)
        elif kind == "each":
            yield None, known(self.evaluate(index, row[3], row[2], END_OF_FILE))
        elif kind == "call":
            yield from self._constructed(index, place, row)

    def _constructed(self, index: FileIndex, place: Place, row: tuple[Any, ...]) -> Iterable[Entry]:
        """`list(x)`, `dict(x, key=value)`, `defaultdict(f)`."""
        named = self.evaluate(index, place.scope, row[1], place.position)
        factory = any(v.path == _DEFAULTING for v in named)
        for part in row[2]:
            if isinstance(part, (list, tuple)):
                values = known(self.evaluate(index, place.scope, part[-1], place.position))
                if part[0] == "=":
                    yield ("str", part[1]), values
                    continue
            else:
                values = self.evaluate(index, place.scope, part, place.position)
            if factory:
                factory = False
                yield None, union([self.call(v) for v in known(values)] or [()])
                continue
            for container in values:
                yield from self._entries(container)

    def may_make(self, value: Value, method: str = "__getitem__") -> bool:
        """Whether reading an item of a display may run code of the repository, see `factories`: cheap to ask."""
        if method != "__getitem__" or value.kind != "display":
            return False
        return bool(self.indexes[value.path].facts.expressions[value.number >> 64][0] == "call")

    def matters(self, values: Values, objects: bool, classes: bool = False) -> bool:
        """Whether passing these values can make a difference to what the called code calls.

        objects, classes: whether those count beside functions.
        """
        kinds = CALLABLE_KINDS if classes else _FUNCTIONS
        for value in values:
            kind = value.kind
            if not objects and kind in _OBJECTS and not value.context:
                continue
            if kind in INSTANCES or kind in ("bound", "typed", "generator"):
                return True
            if kind in ("display", "group") and self.holds_functions(value, kinds):
                return True
            if kind == "symbol" and self.indexes[value.path].symbols[value.number].kind in kinds:
                return True
        return False

    def holds_functions(self, container: Value, kinds: frozenset[str]) -> bool:
        """Whether there is something in a container to be called; a container of objects is data."""
        if self.may_make(container) and self.factories(container.path, container.number, container.context):
            return True
        entries = self.groups[container.number].items if container.kind == "group" else self.contents(container)
        return any(
            value.kind == "bound"
            or (value.kind == "symbol" and self.indexes[value.path].symbols[value.number].kind in kinds)
            for _, values in entries
            for value in values
        )

    @question
    def factories(self, path: str, number: int, context: int) -> Values:
        """What a `defaultdict` calls that is written at a place, where it lacks a key."""
        index, place = self.indexes[path], Place.unpack(number)
        row = index.facts.expressions[place.row]
        self.look_up_name(path, "[]")
        if row[0] != "call" or not row[2] or isinstance(row[2][0], (list, tuple)):
            return ()
        self.memo.context = context
        named = self.evaluate(index, place.scope, row[1], place.position)
        if all(v.path != _DEFAULTING for v in named):
            return ()
        given = self.evaluate(index, place.scope, row[2][0], place.position)
        return tuple([v for v in given if v.kind in ("symbol", "bound")])

    def _entries(self, value: Value) -> Iterable[Entry]:
        """Key and values of what a container gives to another."""
        if value.kind == "group":
            return self.groups[value.number].items
        if value.kind == "display":
            return self.contents(value)
        return [(None, self.items(value))] if value.kind in CONTAINERS else self._iterable(value)

    def _iterable(self, value: Value) -> Iterable[Entry]:
        return [(None, known(self.iterate((value,))))] if value.kind in INSTANCES else []

    def iterate(self, values: Values) -> Values:
        raise NotImplementedError

    def _all_items(self, values: Values) -> Values:
        return union([known(self.iterate((value,))) for value in values] or [()])

    @question
    def put(self, path: str, context: int) -> dict[Value, list[Addition]]:
        """What the code of a file, or of the function of a context, puts into each display that is known there."""
        index = self.indexes[path]
        around = self.contexts[context].scope if context else 0
        found: defaultdict[Value, list[Addition]] = defaultdict(list)
        for target, addition in index.additions():
            if context and not index.within(addition.scope, around):
                continue
            inside = context and self.contexts.around(context, index, addition.scope)
            held = self.read(index, addition.scope, target, addition.position, inside)
            displays = [value for value in held if value.kind == "display"]
            for value in displays:
                found[value].append(addition if len(displays) == 1 else addition._replace(sure=False))
        return dict(found)

    def _added(self, index: FileIndex, context: int, addition: Addition) -> Iterable[Entry]:
        scope, position = addition.scope, addition.position
        inside = context and self.contexts.around(context, index, scope)
        values = self.read(index, scope, addition.value, position, inside)
        if addition.spread:
            return [entry for container in values for entry in self._entries(container)]
        if addition.name is not None:
            return [(("str", addition.name), known(values))]
        if addition.key is None:
            return [(None, known(values))]
        keys = self.keys_of(self.read(index, scope, addition.key, position, inside))
        return [(one, known(values)) for one in keys or (None,)]


def _behind(found: Iterable[tuple[Constant | None, Values, int]], added: Iterable[Entry], sure: bool) -> list[Entry]:
    """What a sequence is extended with: at places behind its items, under no key where those are not known."""
    places = [key[1] if key is not None and key[0] == "int" else None for key, _, _ in found]
    counted = [place for place in places if place is not None]
    if not sure or len(counted) != len(places):
        return [(None, values) for _, values in added]
    size = 1 + max(counted, default=-1)
    return [(key and ("int", key[1] + size) if key and key[0] == "int" else None, values) for key, values in added]


def _remaining(rows: Iterable[Replacement], until: int) -> tuple[Entry, ...]:
    """The items that are there at a position."""
    kept: list[Entry] = []
    for key, values, replaces in rows:
        if 0 <= replaces < until:
            kept = [entry for entry in kept if entry[0] != key]
        kept.append((key, values))
    return tuple(kept)
