"""What the functions give and run that `operator` makes: `attrgetter`, `itemgetter`, `methodcaller`.

Such a function is a group of the constants that it was made with.
"""

from __future__ import annotations

from typing import Final

from indexer.link.arguments import Given, Passed
from indexer.link.containers import Entry
from indexer.link.spelled import Spelled
from indexer.link.values import CONTAINERS, INSTANCES, Value, Values, known, union

ATTRIBUTE: Final = "attrgetter"
ITEM: Final = "itemgetter"
METHOD: Final = "methodcaller"
GETTERS: Final = frozenset({ATTRIBUTE, ITEM, METHOD})


class Getters(Spelled):
    """Functions that read members or items of what they are given, or call its methods."""

    def call(self, value: Value, given: Given = None) -> Values:
        raise NotImplementedError

    def rest_values(self, values: Values, rest: str) -> Values:
        raise NotImplementedError

    def getter(self, kind: str, passed: Passed) -> Values:
        """The function that a call of one of `GETTERS` gives; `()` where it is not made with constants."""
        wanted = passed.positional[:1] if kind == METHOD else passed.positional
        keys = [self.keys_of(values) for values in wanted]
        if not all(keys) or passed.starred or passed.doubled:
            return ()
        slots: list[Entry] = [(("int", place), values) for place, values in enumerate(passed.positional)]
        slots += [(("str", name), values) for name, values in passed.keywords]
        return self.group(kind, slots) if slots else ()

    def got(self, value: Value, given: Given) -> Values:
        """What calling such a function gives."""
        objects = self.got_of(given)
        if not objects:
            return ()
        if value.path == METHOD:
            name, passed = self.called_method(value)
            return union([known(self.call(method, passed)) for method in self.members(objects, name)] or [()])
        parts = [self._part(objects, value.path, key) for key in self._constants(value)]
        if len(parts) == 1:
            return parts[0]
        return self.group("tuple", [(("int", place), part) for place, part in enumerate(parts)])

    def got_of(self, given: Given) -> Values:
        """What such a function is called with."""
        passed = self.passed(given)
        return known(passed.positional[0]) if passed.positional else ()

    def _part(self, objects: Values, kind: str, key: tuple[str, object]) -> Values:
        if kind == ATTRIBUTE:
            return known(self.rest_values(objects, str(key[1])))
        found: list[Values] = []
        for held in objects:
            if held.kind in CONTAINERS:
                found.append(known(self.items(held, (key,))))
            elif held.kind in INSTANCES:
                found += [known(self.call(method)) for method in self.members((held,), "__getitem__")]
        return union(found or [()])

    def chains(self, value: Value) -> list[str]:
        """The chains of members that an `attrgetter` reads."""
        return [str(content) for _, content in self._constants(value)]

    def called_method(self, value: Value) -> tuple[str, Passed]:
        """The name of the method that a `methodcaller` calls, and what with."""
        items = self.groups[value.number].items
        positional = tuple([values for key, values in items[1:] if key is not None and key[0] == "int"])
        keywords = tuple([(str(key[1]), values) for key, values in items if key is not None and key[0] == "str"])
        return self.chains(value)[0], Passed(positional, keywords)

    def _constants(self, value: Value) -> list[tuple[str, object]]:
        items = self.groups[value.number].items
        rows = items[:1] if value.path == METHOD else items
        return [key for _, values in rows for key in self.keys_of(values) or ()]
