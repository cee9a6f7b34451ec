"""The class graph of a map, and which methods a call may reach in the subclasses of what it is made on.

A call on an instance of a class may run what a subclass has in its place. Which subclasses there are changes with any
edit in any file, so that this is worked out when an answer is made and never stored.

A method that a subclass inherits from another base, which may come before the receiver's class or after it, is taken
only where the receiver's class has no such member at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from indexer.evidence import AFTER, ANY
from indexer.store.held import Held
from indexer.store.order import Orders
from indexer.store.reader import Reader, listed

MAX_DISPATCH = 36
"""A call that more methods of subclasses stand in for gets no edge to each of them: it says how many there are."""

MAX_SPELLED = 120
"""A call of any of more methods than this, by a part of their name, gets no edge to them. Visitors have one for each
kind of node, and nothing else says who calls those."""

CONSTRUCTORS = frozenset({"__init__", "__new__", "constructor"})
"""The class to be made is named, not chosen by an instance."""

_OVERLOAD, _SETTER = 1 << 8, 1 << 9  # of `indexer.model.Flag`, which takes a while to load


class Classes:
    """Bases, subclasses and methods in one state of a map; read when first needed and kept."""

    def __init__(self, reader: Reader, before: Classes | None = None) -> None:
        """before: those of another state of the map; what follows from the same bases alone is taken from there."""
        self._reader = reader
        self._before: Classes | None = before._before if before is not None and before._graph is None else before
        self._graph: tuple[dict[int, list[int]], dict[int, list[int]]] | None = None
        self._names: dict[int, str] = {}
        self._methods: dict[str, dict[int, tuple[int, ...]]] = {}
        self._reachable: dict[tuple[int, bool], frozenset[int]] = {}
        self._overriding: dict[tuple[int, str], frozenset[int]] = {}
        self._standing_in: dict[tuple[int, str], frozenset[int]] = {}
        self._like: dict[str, list[str]] = {}
        self._orders: Orders | None = None
        self._held: Held | None = None

    def subclassed(self, symbol: int) -> bool:
        return symbol in self._edges()[1]

    def ancestors(self, symbol: int) -> frozenset[int]:
        """All classes that a class inherits from, itself not among them."""
        return self._closure(symbol, up=True)

    def descendants(self, symbol: int) -> frozenset[int]:
        """All classes that inherit from a class, itself not among them."""
        return self._closure(symbol, up=False)

    def load_methods(self, names: Iterable[str]) -> None:
        """Read the methods of some names at once, for the questions that follow."""
        missing = sorted({name.removeprefix(AFTER) for name in names} - self._methods.keys())
        if not missing:
            return
        sql = (
            "SELECT name, parent, id, flags FROM symbols "
            "WHERE name IN (SELECT value FROM json_each(?)) AND kind = 'method'"
        )
        found: dict[str, dict[int, list[tuple[int, int]]]] = {name: {} for name in missing}
        for name, parent, symbol, flags in self._reader.rows(sql, (listed(missing),)):
            found[name].setdefault(parent, []).append((symbol, flags))
        for name, owners in found.items():
            self._methods[name] = {owner: _called(rows) for owner, rows in owners.items()}

    def held(self) -> Held:
        """What the attributes of classes hold."""
        if self._held is None:
            self._held = Held(self._reader, self._edges()[0])
        return self._held

    def names(self, symbols: Iterable[int]) -> Mapping[int, str]:
        """Names of at least some symbols; the methods of these names are read at once."""
        missing = set(symbols) - self._names.keys()
        if missing:
            sql = "SELECT id, name FROM symbols WHERE id IN (SELECT value FROM json_each(?))"
            found: dict[int, str] = dict(self._reader.rows(sql, (listed(missing),)))
            self.load_methods(found.values())
            self._names.update(found)
        return self._names

    def methods(self, name: str) -> Mapping[int, tuple[int, ...]]:
        """Methods of a name by the class they are defined in; constructors are left out."""
        return {} if name in CONSTRUCTORS else self._named(name)

    def _named(self, name: str) -> Mapping[int, tuple[int, ...]]:
        if name not in self._methods:
            self.load_methods((name,))
        return self._methods[name]

    def overriding(self, receiver: int, name: str) -> frozenset[int]:
        """Methods of a name that strict descendants of a class define."""
        key = receiver, name
        found = self._overriding.get(key)
        if found is None:
            below = self.descendants(receiver)
            owners = self.methods(name) if below else {}
            found = frozenset(m for owner, methods in owners.items() if owner in below for m in methods)
            self._overriding[key] = found
        return found

    def replacing(self, receiver: int, name: str) -> frozenset[int]:
        """What strict descendants of a class have in place of an attribute that is called: methods, and functions and
        constructors that their own attributes of the name hold."""
        below = self.descendants(receiver)
        owners = self.held().named(name) if below else {}
        held = (symbol for owner, symbols in owners.items() if owner in below for symbol in symbols)
        return self.overriding(receiver, name).union(held)

    def following(self, receiver: int, name: str) -> frozenset[int]:
        """Methods of a name that `super()` in a class finds in objects of its descendants, by the order of bases."""
        owners = self._named(name)
        below = self.descendants(receiver) if owners else frozenset()
        found: set[int] = set()
        for symbol in self._deciding(receiver, below):
            order = self._order().of(symbol)
            after = order[order.index(receiver) + 1 :] if receiver in order else []
            found.update(next((owners[owner] for owner in after if owner in owners), ()))
        return frozenset(found)

    def _deciding(self, receiver: int, below: frozenset[int]) -> set[int]:
        """Classes whose orders say what comes after `receiver` in those of all below it.

        A class with one base is searched before that, and then as that is: so nothing but the nearest class of several
        bases is asked, or `receiver` where there is none. Orders are dear, and most classes have one base.
        """
        bases = self._edges()[0]
        found, seen = set(), set()
        for symbol in below:
            while symbol != receiver and symbol not in seen and len(bases[symbol]) == 1:
                seen.add(symbol)
                symbol = bases[symbol][0]
            if symbol not in seen:
                found.add(symbol)
        return found

    def _order(self) -> Orders:
        bases = self._edges()[0]
        if self._orders is None:
            self._orders = Orders(bases)
        return self._orders

    def standing_in(self, receiver: int, name: str) -> frozenset[int]:
        """Methods of a name that an instance of a descendant has, its own or inherited, where the class has none. Of a
        name after `AFTER`: those that `super()` finds; of a part of one, see `ANY`: its own as well."""
        key = receiver, name
        found = self._standing_in.get(key)
        if found is None and name.startswith(ANY):
            found = self._standing_in[key] = self._spelled(receiver, name)
        elif found is None and name.startswith(AFTER):
            found = self._standing_in[key] = self.following(receiver, name.removeprefix(AFTER))
        if found is None:
            below = self.descendants(receiver)
            owners = self.methods(name) if below else {}
            found = frozenset(
                m
                for owner, methods in owners.items()
                if owner in below or self._inherited(owner, below, owners)
                for m in methods
            )
            self._standing_in[key] = found
        return found

    def _spelled(self, receiver: int, pattern: str) -> frozenset[int]:
        """Methods that an object of a class, or of one below it, has under names of which a part is known."""
        family = self.descendants(receiver) | {receiver}
        names = self._names_like(pattern)
        self.load_methods(names)
        found: set[int] = set()
        for owners in map(self.methods, names):
            for owner, methods in owners.items():
                if owner in family or self._inherited(owner, family, owners):
                    found.update(methods)
        return frozenset(found)

    def _names_like(self, pattern: str) -> list[str]:
        known = self._like.get(pattern)
        if known is None:
            sql = "SELECT DISTINCT name FROM symbols WHERE name GLOB ? AND kind = 'method' AND length(name) > ?"
            rows = self._reader.rows(sql, (pattern.removeprefix(ANY), len(pattern) - 2))
            known = self._like[pattern] = sorted(name for (name,) in rows)
        return known

    def _inherited(self, owner: int, below: frozenset[int], owners: Mapping[int, object]) -> bool:
        """Whether one of some classes inherits what `owner` defines, with no other owner in between."""
        subclasses = self._edges()[1]
        seen, left = {owner}, [owner]
        while left:
            for symbol in subclasses.get(left.pop(), ()):
                if symbol in seen or symbol in owners:
                    continue
                if symbol in below:
                    return True
                seen.add(symbol)
                left.append(symbol)
        return False

    def _closure(self, symbol: int, *, up: bool) -> frozenset[int]:
        along = self._edges()[0 if up else 1]
        found = self._reachable.get((symbol, up))
        if found is None:
            seen, left = {symbol}, [symbol]
            while left:
                ahead = [each for each in along.get(left.pop(), ()) if each not in seen]
                seen.update(ahead)
                left += ahead
            found = self._reachable[symbol, up] = frozenset(seen - {symbol})
        return found

    def _edges(self) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        """Bases and subclasses of every class that has any."""
        if self._graph is None:
            bases: dict[int, list[int]] = {}
            subclasses: dict[int, list[int]] = {}
            sql = "SELECT source, target FROM edges WHERE kind = 'inherits' ORDER BY source, receiver"
            for source, target in self._reader.rows(sql):
                bases.setdefault(source, []).append(target)
                subclasses.setdefault(target, []).append(source)
            self._graph = bases, subclasses
            if self._before is not None and self._before._graph == self._graph:
                self._reachable, self._orders = self._before._reachable, self._before._orders
            self._before = None
        return self._graph


def bound(name: str) -> int:
    """How many methods a call of a name, as in `Link.pending`, may reach by dispatch."""
    return MAX_SPELLED if name.startswith(ANY) else MAX_DISPATCH


def _called(rows: list[tuple[int, int]]) -> tuple[int, ...]:
    """Those of a class's methods of one name that a call or a read runs: signatures alone and setters are none."""
    if len(rows) == 1:
        return (rows[0][0],)
    kept = [symbol for symbol, flags in rows if not flags & (_OVERLOAD | _SETTER)]
    return tuple(kept or [symbol for symbol, _ in rows])
