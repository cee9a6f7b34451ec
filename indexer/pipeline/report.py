"""What a run tells: while it goes on, and when it has ended."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from indexer.errors import CodemapError

CRASHED = "extractor crashed"
"""Why a file is skipped that killed its worker."""


class Progress(Protocol):
    """Where a run says how far it is. Called from the thread that runs `update`."""

    def begin(self, stage: str, total: int) -> None:
        """A stage starts: discover extract link store. `total` is in files; 0: not known."""
        ...

    def advance(self, stage: str, done: int, made: int) -> None:
        """`done` files of the stage are through, which gave `made` symbols (extract) or edges (link) so far."""
        ...

    def say(self, message: str) -> None:
        """One line for a person, e.g. that another run is waited for."""
        ...


class WorkersError(CodemapError):
    """Worker processes do not start. `update` catches it, says so, and goes on in one process."""


class Silent:
    """Progress that nobody watches."""

    def begin(self, stage: str, total: int) -> None:
        pass

    def advance(self, stage: str, done: int, made: int) -> None:
        pass

    def say(self, message: str) -> None:
        pass


class Asked(NamedTuple):
    """Something that a file asked for, and that has another answer now."""

    what: str  # of a file, in words: "login", "what login() gives"; of the resolver: where it leads now
    now: str  # changed | there now | gone | not there with its file | not known; of the resolver: where it led before


class Reason(NamedTuple):
    """Why one file was parsed or linked.

    kind      of
    new map   ""                         the map is made from nothing
    new       ""                         the map did not have the file
    changed   ""                         its own content is another one
    reader    ""                         this version reads the language in another way
    lost      ""                         its facts had gone from the cache
    asked     a path                     what it `asked` of that file has another answer now
    import    an import, in words        leads elsewhere now; `asked` is one: where to, and where it led before
    """

    kind: str
    of: str = ""
    asked: tuple[Asked, ...] = ()
    omitted: int = 0  # more that it asked of that file, and has another answer
    others: int = 0  # more files of which it asked such things


@dataclass(frozen=True)
class Report:
    """What one run of `update` found and did. Counts of files, symbols and edges are those of the whole map."""

    files: int
    symbols: int
    edges: int
    skipped: int
    extracted: int  # files whose facts were not in the cache
    relinked: int
    removed: int
    seconds: float
    unchanged: bool  # the map was up to date: nothing was written
    rebuilt: bool  # the map was made from nothing
    relink_reasons: dict[str, Reason]  # path → why it was linked
    messages: tuple[str, ...]  # what a person should know, one line each
    stages: dict[str, float] = field(default_factory=dict)  # seconds
    extract_reasons: dict[str, Reason] = field(default_factory=dict)  # path → why it was parsed
    removed_files: tuple[str, ...] = ()
    restored: int = 0  # files of which something was put back as it was in a state that the map was in before


class Clock:
    """Seconds spent in each stage; a stage may be entered again."""

    def __init__(self) -> None:
        self.stages: dict[str, float] = {}
        self._start = time.perf_counter()

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.stages[name] = self.stages.get(name, 0.0) + time.perf_counter() - start

    def total(self) -> float:
        return time.perf_counter() - self._start
