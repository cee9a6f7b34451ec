"""What the meter takes and gives: frozen values. Unknown is None, never zero; input and output are never one figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from indexer.errors import CodemapError

Basis = Literal["reported", "estimated", "unknown"]
Outcome = Literal["ok", "failed", "cut", "open"]
State = Literal["ok", "warn", "stop"]

COUNTS = ("input", "output", "cached", "cache_write", "reasoning")
"""The counts of a call; the last three are parts of the first two, kept apart since they are priced apart."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one response, in the same terms for every provider.

    input        the whole prompt as the model read it, what came from or went into a cache included
    output       all that was generated, reasoning included
    cached       the part of input that was read from a cache
    cache_write  the part of input that was written to a cache
    reasoning    the part of output that was thought and not said
    """

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    cache_write: int | None = None
    reasoning: int | None = None
    provider: str | None = None
    model: str | None = None
    request_id: str | None = None
    basis: Basis = "reported"
    outcome: Outcome = "ok"

    @property
    def known(self) -> bool:
        """Whether anything was counted."""
        return self.input is not None or self.output is not None


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the ledger."""

    request_id: str
    time: str  # ISO 8601, UTC, to the millisecond
    task: str | None
    caller: str | None
    provider: str | None
    model: str | None
    input: int | None
    output: int | None
    cached: int | None
    cache_write: int | None
    reasoning: int | None
    cost: int | None  # billionths of the unit the prices are in
    basis: Basis
    outcome: Outcome

    @property
    def day(self) -> str:
        """The UTC day, as `2025-01-31`."""
        return self.time[:10]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of a call that was recorded."""

    entry: Entry
    new: bool  # False: the ledger had a row of this request id, and nothing was counted twice
    identified: bool  # False: the response bears no id, so that recording it again counts it again


@dataclass(frozen=True, slots=True)
class Pair:
    """Tokens of the two kinds, side by side."""

    input: int | None = None
    output: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to do about a budget that is nearly or wholly used: pause, narrow or ask for more."""

    name: Literal["pause", "narrow", "raise"]
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a call may be made within a task's budget.

    state        ok, warn (from `warn_percent` of a limit on) or stop (the call does not fit)
    limit        None where there is no limit
    spent        what the task's recorded calls took
    reserved     what calls under way may take
    estimated    what the call asked about may take
    left         of the limit, before that call; never below 0; None where there is no limit
    unknown      calls of the task whose tokens are not known, and not in `spent`
    reservation  what to hand to `record` or `release`, where tokens were set aside
    """

    task: str
    state: State
    limit: Pair
    spent: Pair
    reserved: Pair
    estimated: Pair
    left: Pair
    warn_percent: int
    unknown: int
    choices: tuple[Choice, ...] = ()
    reservation: str | None = None


class BudgetStopError(CodemapError):
    """A call that was to be made does not fit its task's budget; `verdict` says what is left."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(
            f"the budget of {verdict.task} stops this call: " + "; ".join(choice.text for choice in verdict.choices)
        )
        self.verdict = verdict
