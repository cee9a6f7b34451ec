"""What the steps of one run share: what they were given, what the map had, and what they found out on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from indexer.discover import Discovery, Location
from indexer.model import FileFacts
from indexer.pipeline.plan import Wanted
from indexer.pipeline.report import Clock, Progress, Reason
from indexer.pipeline.workforce import Workforce
from indexer.store.connect import open_facts
from indexer.store.facts import FactsCache, Key
from indexer.store.writer import KnownFile, MapWriter

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from indexer.pipeline.workers import Crew


@dataclass(frozen=True)
class Options:
    jobs: int  # 1: everything in this process
    full: bool
    submodules: bool  # are part of the map
    executor: Executor | None
    workforce: Workforce


@dataclass
class State:
    """One run. The first fields are given; the rest is filled in by the steps, in the order of the fields."""

    location: Location
    discovery: Discovery
    options: Options
    progress: Progress
    clock: Clock
    messages: list[str]
    fingerprints: Mapping[str, str]  # of each language's extractor
    writer: MapWriter
    cache: FactsCache

    rebuild: bool  # the map is made from nothing
    wanted: Wanted
    known: Mapping[str, KnownFile]  # what the map had; empty when it is made from nothing
    known_keys: Mapping[str, Key]
    skipped: dict[str, str]  # path → reason
    unmapped: set[str]  # found by discover, and turned out to have no facts

    owners: dict[str, int] = field(default_factory=dict)  # path → the worker that extracted it
    ids: dict[str, Sequence[int]] = field(default_factory=dict)  # symbol ids of the files stored in this run
    stored: dict[str, Reason] = field(default_factory=dict)  # path → why it has to be linked
    removed: list[str] = field(default_factory=list)
    old: dict[str, FileFacts | None] = field(default_factory=dict)  # facts that were replaced or removed
    new: dict[str, FileFacts] = field(
        default_factory=dict
    )  # of the same, as they are now, where they were read already
    changing: frozenset[str] = frozenset()  # paths that come, go or have other facts: what those asked does not matter
    askers: dict[str, dict[str, list[str]]] = field(
        default_factory=dict
    )  # of `old`: file that is not changing → bindings it had asked for
    text_lost: bool = False  # old facts are gone, so that rows of the text index cannot be deleted one by one
    files_moved: bool = False  # paths or languages came or went
    extracted: dict[str, Reason] = field(default_factory=dict)  # path → why it was parsed
    symbols: int = 0  # stored in this run
    edges: int = 0
    restored: int = 0  # files of which something was put back from a state that the map was in before

    def crew(self) -> Crew:
        """The workers of the run. Facts are closed while they start: a connection must not be there twice."""
        return self.options.workforce.crew(self.cache.close, self._reopen)

    def _reopen(self) -> None:
        self.cache = FactsCache(open_facts(self.location.facts_dir))

    def mapped(self) -> dict[str, Key]:
        """Key of every file of the new map, by path."""
        return {path: key for path, key in self.wanted.keys.items() if path not in self.unmapped}
