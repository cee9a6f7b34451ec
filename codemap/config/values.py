"""The settings and what holds where nothing is said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

OnStale = Literal["refresh", "warn", "refuse"]
ON_STALE: tuple[str, ...] = get_args(OnStale)


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of one repository. What is given on the command line, or in the environment, goes before them."""

    budget: int = 4000  # tokens of an answer about words
    hops: int = 2
    model: str | None = None  # whose tokens are counted; None: the heuristic
    max_age: int = 3600  # seconds that a map may be behind the newest commit
    on_stale: OnStale | None = None  # None: commands refresh, the Python interface warns
    submodules: bool | None = None  # are part of the map; None: as chosen on the command line
    history: int = 5000  # commits that are read, newest first

    source: str | None = None  # file the settings come from, relative to the root; None: none says anything
    notes: tuple[str, ...] = ()  # lines for a person


DEFAULT = Config()
