"""Errors on their way between processes: what a person is told, and the names and figures that come with it."""

from __future__ import annotations

from typing import Any, NamedTuple

from indexer import errors
from indexer.errors import AmbiguousError, BudgetTooSmallError, CodemapError, NotFoundError


class Failure(NamedTuple):
    """An error as plain values."""

    kind: str  # its class in `indexer.errors`
    message: str
    names: tuple[str, ...] = ()  # suggestions or choices
    smallest: int = 0  # budget that works


def told(error: CodemapError) -> Failure:
    """An error, to be sent."""
    names = getattr(error, "suggestions", ()) or getattr(error, "choices", ())
    return Failure(type(error).__name__, str(error), tuple(names), getattr(error, "smallest", 0))


def raised(failure: Failure) -> CodemapError:
    """The error that was sent; one of a class that is not known here is a plain CodemapError."""
    found: Any = getattr(errors, failure.kind, None)
    known = isinstance(found, type) and issubclass(found, CodemapError)
    kind: type[CodemapError] = found if known else CodemapError
    if issubclass(kind, NotFoundError | AmbiguousError):
        return kind(failure.message, failure.names)
    if issubclass(kind, BudgetTooSmallError):
        return kind(failure.message, failure.smallest)
    return kind(failure.message)
