"""What questions along edges answer with, ready to render. Orders are part of the answer: best or nearest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from queries.answers import Edge, Node, Staleness

if TYPE_CHECKING:
    from indexer.errors import CodemapError


@dataclass(frozen=True, slots=True)
class Relations:
    """What stands on one side of a symbol: its callers, its callees, or everything that names it."""

    symbols: tuple[Node, ...]  # the symbol asked about; several where one file defines the name several times
    edges: tuple[Edge, ...]  # resolved
    candidates: tuple[Edge, ...]  # receiver unknown: possible, not known


@dataclass(frozen=True, slots=True)
class FileEdge:
    """Everything by which one file depends on another."""

    source: str
    target: str
    kinds: tuple[tuple[str, int], ...]  # (edge kind, number of places), most frequent first
    lines: tuple[int, ...]  # in the source, ascending, each once; of its imports where it has any


@dataclass(frozen=True, slots=True)
class FileRelations:
    """The files a file depends on, or that depend on it, strongest first."""

    path: str
    edges: tuple[FileEdge, ...]


@dataclass(frozen=True, slots=True)
class Route:
    """A shortest chain of edges between two symbols: `edges[i]` joins `nodes[i]` and `nodes[i + 1]`."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    direction: str  # forward | reverse (from b to a; nodes still start at a) | undirected


@dataclass(frozen=True, slots=True)
class Defined:
    """What the name at one of many places denotes."""

    path: str  # the place that was asked about: relative to the root,
    line: int  # from 1,
    column: int  # from 0, in characters
    nodes: tuple[Node, ...]  # empty where nothing is known
    error: CodemapError | None  # why the place could not be asked about
    staleness: Staleness  # of the map, the file asked about and those of `nodes`
