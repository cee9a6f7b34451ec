"""What queries answer with: frozen values, ready to render. Orders are part of the answer: best or nearest first.

Those of questions along edges are in `queries.relations`: a class takes a millisecond to make.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Passage(NamedTuple):
    """Lines of a symbol's source that follow each other."""

    line: int  # of the first
    text: str


@dataclass(frozen=True, slots=True)
class Node:
    """A symbol in an answer."""

    id: int  # internal, never rendered
    path: str
    qualname: str
    kind: str
    start_line: int
    end_line: int
    name_line: int
    signature: str
    doc: str
    test: bool
    hop: int = 0  # distance from the nearest seed
    score: float = 0.0
    body: str | None = None
    column: int | None = None  # 0-based, of the name, in characters; only in answers to `definition`
    passages: tuple[Passage, ...] = ()  # of the body where a part of it is shown, in order
    why: tuple[str, ...] = ()  # what brought it in, as `queries.explain` says it; only when asked for


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two symbols, at a line of the source's file.

    A call on an instance has an edge to the method of the class that is known, and one with the evidence `dispatch` to
    each method that a subclass has in its place.
    """

    source: Node
    target: Node
    kind: str  # contains imports calls inherits overrides references changes_with
    resolution: str  # resolved | candidate
    line: int
    evidence: str  # one of `indexer.evidence`
    overrides: int = 0  # methods of subclasses that may run instead, where there are too many for an edge to each
    support: int = 0  # of what changes together: commits that touched both,
    confidence: float = 0.0  # and their share of those that touched the source


@dataclass(frozen=True, slots=True)
class FileCard:
    """A file in an answer, with the first lines that say what it is for."""

    path: str
    language: str
    header: str
    state: str  # committed | modified | untracked


@dataclass(frozen=True, slots=True)
class Tokens:
    """What the whole answer, as serialised, costs. Unknown is None, never zero."""

    estimate: int
    budget: int | None
    method: str  # e.g. "heuristic utf16/4"
    model: str | None
    characters_per_token: float | None
    calibrated_at: str | None
    calibrated_on: str | None


@dataclass(frozen=True, slots=True)
class Staleness:
    """Which state of the repository the answer speaks of, and whether that is the present one."""

    map_commit: str | None
    head_commit: str | None
    commits_behind: int | None
    dirty_files: int  # files of the map whose content is not committed
    differing: tuple[str, ...]  # files named in the answer that differ from disk now
    built_at: str  # ISO 8601, UTC
    age_seconds: int  # newest commit's time − map's time, never negative
    fresh: bool
    reason: str | None  # why not fresh
    head_time: str | None = None  # of the head commit, ISO 8601, UTC
    commits_ahead: int | None = None  # that the map's commit has and the head has not
    untracked_files: int = 0  # those of `dirty_files` that git does not track
    other_version: bool = False  # the map was made by another version of codemap
    lag_seconds: int | None = (
        None  # how far behind the newest commit, for a policy; None: not known, or not behind alone
    )


@dataclass(frozen=True, slots=True)
class Around:
    """Neighbours of a shown symbol that are not shown themselves."""

    symbol: Node
    neighbours: dict[str, int]  # by what they are to it: callers, callees, subclasses, …


@dataclass(frozen=True, slots=True)
class Omitted:
    """What a smaller budget left out."""

    symbols: int
    files: int
    edges: dict[str, int]  # by kind
    after: str | None = None  # the cursor with which the symbols are asked for
    around: tuple[Around, ...] = ()


@dataclass(frozen=True, slots=True)
class Subgraph:
    """The part of the repository that matters for some words."""

    query: str
    seeds: tuple[Node, ...]
    files: tuple[FileCard, ...]  # best first
    nodes: tuple[Node, ...]  # best first, seeds included
    edges: tuple[Edge, ...]
    omitted: Omitted
    tokens: Tokens
    staleness: Staleness
    notes: tuple[str, ...] = ()  # e.g. "no symbol matches «foo»; near: …"
