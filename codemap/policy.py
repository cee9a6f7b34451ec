"""What becomes of a question to a map that is not what it should be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemap.config.values import OnStale
    from queries.answers import Staleness


@dataclass(frozen=True, slots=True)
class Policy:
    """When an answer is not good enough, and what then."""

    on_stale: OnStale
    max_age: int  # seconds the map may be behind the newest commit

    def complaint(self, state: Staleness) -> str | None:
        """Why an answer of this state is not good enough; None where it is.

        A file of the answer that differs from disk never is, nor a map that another version of codemap made. Commits
        that the map lacks are let pass while the map is not further than `max_age` behind them, measured from when it
        was made or, where it is said to be younger than they are, from its own commit. A map with commits that the head
        lacks speaks of another branch.
        """
        if state.fresh:
            return None
        behind = state.commits_behind is not None and state.commits_ahead == 0
        bad = state.differing or state.other_version
        if not bad and behind and state.lag_seconds is not None and state.lag_seconds <= self.max_age:
            return None
        return state.reason
