"""A bounded count of explicitly chosen text, offline: what one call costs, and what many do.

Nothing is discovered, written or sent, and nothing of the text is shown: neither content, nor names, nor hashes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from codemap.tokens.encodings import (
    Estimator,
    TokenizationLimitError,
    units,
)
from codemap.tokens.estimate_inputs import RefusedError, read

INPUTS = 64
ROWS, ROWS_LIMIT = 20, 64
CALLS_LIMIT = 1_000_000
OUTPUT_LIMIT = 1_000_000_000  # tokens of one call


@dataclass(frozen=True, slots=True)
class Request:
    """What to count.

    inputs          paths relative to `root`, None for standard input; in the order that gives them their ordinals
    calls           how often the text is sent
    output_budget   tokens set aside for each answer; None where that is not known
    limit           rows of contributors to show; sums are of all
    """

    inputs: Sequence[str | None]
    root: str = "."
    calls: int = 1
    output_budget: int | None = None
    limit: int = ROWS

    def __post_init__(self) -> None:
        if not 1 <= len(self.inputs) <= INPUTS:
            raise ValueError(f"from 1 to {INPUTS} inputs")
        if self.inputs.count(None) > 1:
            raise ValueError("standard input is read once")
        if not 1 <= self.calls <= CALLS_LIMIT:
            raise ValueError(f"from 1 to {CALLS_LIMIT:,} calls")
        if self.output_budget is not None and not 0 <= self.output_budget <= OUTPUT_LIMIT:
            raise ValueError(f"an output budget from 0 to {OUTPUT_LIMIT:,}")
        if not 0 <= self.limit <= ROWS_LIMIT:
            raise ValueError(f"from 0 to {ROWS_LIMIT} rows")


@dataclass(frozen=True, slots=True)
class Contributor:
    """What one input adds."""

    ordinal: int
    source: str  # file | stdin
    size: int  # bytes
    units: int  # UTF-16
    tokens: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """Tokens of all calls. All None where the output budget is not known: unknown is not zero."""

    input: int | None
    output: int | None
    total: int | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A complete estimate; there is no partial one."""

    estimator: Estimator
    contributors: tuple[Contributor, ...]  # all, dearest first
    limit: int
    scenario: Scenario

    @property
    def tokens(self) -> int:
        """Of one call."""
        return sum(each.tokens for each in self.contributors)

    @property
    def shown(self) -> tuple[Contributor, ...]:
        return self.contributors[: self.limit]

    @property
    def hidden(self) -> tuple[Contributor, ...]:
        return self.contributors[self.limit :]


def estimate(request: Request, estimator: Estimator, stream: BinaryIO | None = None) -> Estimate:
    """Count the inputs of `request`.

    stream   standard input, where that is an input and redirected

    Raises RefusedError, which says which input was refused and why.
    """
    found = [
        Contributor(
            text.ordinal, text.source, text.size, units(text.text), _counted(estimator, text.text, text.ordinal)
        )
        for text in read(request.root, request.inputs, stream)
    ]
    found.sort(key=lambda each: (-each.tokens, -each.units, each.ordinal))
    tokens = sum(each.tokens for each in found)
    return Estimate(estimator, tuple(found), request.limit, _scenario(request, tokens))


def _counted(estimator: Estimator, text: str, ordinal: int) -> int:
    try:
        return estimator.count(text)
    except TokenizationLimitError as error:
        raise RefusedError("tokenization_limit", ordinal) from error


def _scenario(request: Request, tokens: int) -> Scenario:
    if request.output_budget is None:
        return Scenario(None, None, None)
    sent = request.calls * tokens
    received = request.calls * request.output_budget
    return Scenario(sent, received, sent + received)
