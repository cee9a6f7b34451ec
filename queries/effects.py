"""What `impact` and `context` answer with: frozen values, ready to render."""

from __future__ import annotations

from dataclasses import dataclass

from queries.answers import Edge, Node, Staleness, Tokens


@dataclass(frozen=True, slots=True)
class Effect:
    """A symbol that depends on the change. Its node's hop is its distance in edges."""

    node: Node
    edge: Edge  # its own first edge on the way to the change; the target is the change, or depends on it as well


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that still refers to something gone."""

    path: str
    qualname: str  # of the symbol that the place is in
    line: int
    kind: str  # imports calls references
    resolution: str  # resolved; candidate: a call on an unknown receiver


@dataclass(frozen=True, slots=True)
class Gone:
    """A symbol, or with the name `<module>` a file, that was there before the change."""

    path: str
    qualname: str
    kind: str
    now: str | None  # where the file is now, if that is elsewhere
    mentions: tuple[Mention, ...]
    omitted: int  # mentions that are not shown


@dataclass(frozen=True, slots=True)
class TestFile:
    """Tests of one file that reach the change."""

    __test__ = False

    path: str
    total: int  # symbols
    distance: int  # of the nearest
    shown: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class EffectsOmitted:
    """What a smaller budget left out."""

    changed: int
    gone: int
    dependents: dict[int, int]  # by distance
    candidates: int
    tests: int
    test_files: int
    hubs: int


@dataclass(frozen=True, slots=True)
class Impact:
    """What depends on a change, nearest first; tests apart."""

    of: str  # e.g. "uncommitted changes"
    changed: tuple[Node, ...]
    gone: tuple[Gone, ...]
    dependents: tuple[Effect, ...]
    candidates: tuple[Effect, ...]  # receiver unknown: possible, not known
    tests: tuple[TestFile, ...]
    hubs: tuple[tuple[Node, int], ...]  # dependents that so many others depend on that these were not followed
    totals: dict[str, int]  # changed, gone, dependents, candidates, tests, test_files, hubs: shown or not
    omitted: EffectsOmitted
    tokens: Tokens
    staleness: Staleness
    notes: tuple[str, ...] = ()


RELATIONS = ("calls", "callers", "types", "overrides", "tests", "uses", "candidates")
"""How a symbol has to do with the one at a cursor: what that calls; who calls, imports or names it; classes and other
types it uses; what it overrides or inherits from, and what overrides it; tests that reach it; constants and other names
it uses; calls on unknown receivers either way."""


@dataclass(frozen=True, slots=True)
class Context:
    """The symbol at a line, and what has to do with it. Each symbol stands in one relation."""

    line: int
    symbol: Node
    around: tuple[Node, ...]  # what it is in, innermost first, without the module
    related: dict[str, tuple[Effect, ...]]  # by relation, all of `RELATIONS`; the edge is the one that brought it in
    omitted: dict[str, int]  # by relation, where a smaller budget left something out
    tokens: Tokens
    staleness: Staleness
    notes: tuple[str, ...] = ()
