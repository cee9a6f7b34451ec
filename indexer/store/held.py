"""What the attributes of classes are bound to in their bodies, and what calling that runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from indexer.store.reader import Reader, listed

_HELD = """
SELECT a.name, a.parent, t.id, t.kind FROM symbols a
JOIN edges e ON e.source = a.id AND e.kind = 'references' JOIN symbols t ON t.id = e.target
WHERE a.kind = 'attribute' AND a.name IN (SELECT value FROM json_each(?))"""
_CONSTRUCTORS = """
SELECT parent, id FROM symbols
WHERE name = '__init__' AND kind = 'method' AND parent IN (SELECT value FROM json_each(?))"""


class Held:
    """Functions and constructors behind attributes, by name; read when first needed and kept."""

    def __init__(self, reader: Reader, bases: Mapping[int, list[int]]) -> None:
        self._reader = reader
        self._bases = bases
        self._known: dict[str, dict[int, tuple[int, ...]]] = {}

    def load(self, names: Iterable[str]) -> None:
        """Read the attributes of some names at once, for the questions that follow."""
        missing = sorted(set(names) - self._known.keys())
        if not missing:
            return
        found: dict[str, dict[int, list[int]]] = {name: {} for name in missing}
        rows = self._reader.rows(_HELD, (listed(missing),))
        made = self._constructors({target for _, _, target, kind in rows if kind == "class"})
        for name, owner, target, _ in rows:
            found[name].setdefault(owner, []).append(made.get(target, target))
        for name, owners in found.items():
            self._known[name] = {owner: tuple(targets) for owner, targets in owners.items()}

    def named(self, name: str) -> Mapping[int, tuple[int, ...]]:
        """What calling the attributes of a name runs, by the class they stand in."""
        if name not in self._known:
            self.load((name,))
        return self._known[name]

    def _constructors(self, classes: set[int]) -> dict[int, int]:
        """The constructor of each class that has one in the repository, its own or that of the only nearest base."""
        found: dict[int, int] = {}
        ahead = {symbol: [symbol] for symbol in classes}
        while ahead:
            own: dict[int, int] = dict(
                self._reader.rows(_CONSTRUCTORS, (listed({c for cs in ahead.values() for c in cs}),))
            )
            left: dict[int, list[int]] = {}
            for symbol, level in ahead.items():
                having = [own[each] for each in level if each in own]
                if len(having) == 1:
                    found[symbol] = having[0]
                elif not having:
                    above = [base for each in level for base in self._bases.get(each, ()) if base != symbol]
                    if above and len(above) < 50:
                        left[symbol] = above
            ahead = left
        return found
