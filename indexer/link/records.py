"""Classes of named tuples that a call makes, and their objects: `P = NamedTuple("P", [("x", Foo)])`.

Such a class is a group "record class" of what its fields are declared to be, an object of it a group "record".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from indexer.link.arguments import CallSite, Given, Passed
from indexer.link.containers import Entry
from indexer.link.index import FileIndex
from indexer.link.stubs import Stubs
from indexer.link.values import CONTAINERS, Site, Sites, Value, Values, external, known, union
from indexer.model import Expression

RECORD: Final = "record"
RECORD_CLASS: Final = "record class"
RECORD_METHODS: Final = frozenset({"_make", "_replace"})
_TYPED: Final = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
_NAMED: Final = frozenset({"collections.namedtuple"})
RECORD_MAKERS: Final = _TYPED | _NAMED


class Records(Stubs):
    """Named tuples without a class of the repository."""

    def record_class(self, maker: str, given: CallSite) -> Values:
        """The class that a call of `maker` gives; `()` where its fields are not written there."""
        if maker in _NAMED:
            slots: list[Entry] = [(("str", name), ()) for name in self._field_names(given)]
        else:
            slots = [(("str", name), known(values)) for name, values in self._declared_fields(given)]
        return self.group(RECORD_CLASS, slots) if slots else ()

    def _field_names(self, given: CallSite) -> tuple[str, ...]:
        """The fields of `namedtuple("P", "x y")` or `namedtuple("P", ["x", "y"])`."""
        index, row = given.file, _second(given, "field_names")
        if row[0] == "literal" and row[1] == "str" and len(row) > 2:
            return tuple(str(row[2]).replace(",", " ").split())
        names = [_text(index, part) for part in row[1]] if row[0] in ("list", "tuple") else []
        return tuple(names) if all(names) else ()

    def _declared_fields(self, given: CallSite) -> Iterator[tuple[str, Values]]:
        index, row = given.file, _second(given, "fields")
        for part in row[1] if row[0] in ("list", "tuple") else ():
            field = index.facts.expressions[part] if isinstance(part, int) else ("",)
            if field[0] != "tuple" or len(field[1]) != 2:
                return
            yield _text(index, field[1][0]), self.instances(index, given.scope, field[1][1])

    # -- objects

    def record_of(self, value: Value, given: Given = None) -> Values:
        """An object of such a class: a field is what it is declared to be, else what is given for it."""
        passed = self.passed(given)
        keywords = dict(passed.keywords)
        slots: list[Entry] = []
        for place, (key, declared) in enumerate(self.groups[value.number].items):
            at = passed.positional[place] if place < len(passed.positional) else ()
            held = at or keywords.get(str(key and key[1]), ()) or self._spread(passed, place)
            slots.append((key, _first_followed(declared, known(held))))
        return self.group(RECORD, slots)

    def _spread(self, passed: Passed, place: int) -> Values:
        """What `P(*items)` gives for the field at a place."""
        place -= len(passed.positional)
        if place < 0:
            return ()
        return union(
            [self.items(each, (("int", place),)) for each in passed.starred if each.kind in CONTAINERS] or [()]
        )

    def record_method(self, value: Value, method: str, passed: Passed) -> Values:
        """What `_replace` of an object or `_make` of a class gives."""
        if (value.path, method) == (RECORD_CLASS, "_make"):
            return self.record_of(value, Passed(starred=passed.positional[0] if passed.positional else ()))
        if (value.path, method) != (RECORD, "_replace"):
            return ()
        new = dict(passed.keywords)
        held = [(key, known(new.get(str(key and key[1]), values))) for key, values in self.groups[value.number].items]
        return self.group(RECORD, held)

    def record_fields(self, value: Value) -> tuple[str, ...]:
        """The names of the fields of such a class or object, in order."""
        return tuple([str(key[1]) for key, _ in self.groups[value.number].items if key is not None])

    def record_sites(self, value: Value, name: str) -> Sites:
        """Where a field is found of such an object; `()` if it has none of that name."""
        for key, values in self.groups[value.number].items:
            if key == ("str", name):
                found = values or (external(f"builtins.tuple.{name}"),)
                return tuple([Site("value", "", 0, "type", held) for held in found])
        return ()


def _second(given: CallSite, name: str) -> tuple[Any, ...]:
    """The row of the second argument of a call, or of the one of a name."""
    part: Any = given.arguments[1] if len(given.arguments) > 1 else None
    for other in given.arguments:
        if isinstance(other, (list, tuple)) and other[0] == "=" and other[1] == name:
            part = other[2]
    return given.file.facts.expressions[part] if isinstance(part, int) else ("",)


def _text(index: FileIndex, part: Expression) -> str:
    row = index.facts.expressions[part] if isinstance(part, int) else ("",)
    return str(row[2]) if row[0] == "literal" and row[1] == "str" and len(row) > 2 else ""


def _first_followed(declared: Values, held: Values) -> Values:
    """Declared values, unless they are of the library alone and something else is given."""
    if declared and any(value.kind != "external" for value in declared):
        return declared
    return held or declared
