"""Functions that are registered for a type with a generic one: `@g.register` under `functools.singledispatch`.

A call of the generic function may run any of them, whichever file registers it. Linking stores that each overrides the
generic one; calls are made of it when an answer is made, like those of overriding methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from indexer.evidence import DECORATOR, EVIDENCE
from indexer.store.reader import Reader

REGISTERED = f"kind = 'overrides' AND evidence = {EVIDENCE.index(DECORATOR)}"
"""Which edges lead from a registered function to the generic one."""


class Registered:
    """The registrations in one state of a map; read when first needed and kept."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: dict[int, frozenset[int]] | None = None

    def by_generic(self) -> Mapping[int, frozenset[int]]:
        """The registered functions by their generic one."""
        if self._known is None:
            found: dict[int, set[int]] = {}
            for source, target in self._reader.rows(f"SELECT source, target FROM edges WHERE {REGISTERED}"):
                found.setdefault(target, set()).add(source)
            self._known = {target: frozenset(sources) for target, sources in found.items()}
        return self._known

    def generics(self, ids: Iterable[int]) -> list[int]:
        """The generic functions that any of some functions is registered with."""
        known = self.by_generic()
        wanted = frozenset(ids) if known else frozenset()
        return [generic for generic, functions in known.items() if not wanted.isdisjoint(functions)]
