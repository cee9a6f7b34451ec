"""Every error codemap raises on purpose, and the exit code each one ends a command with.

CodemapError                1   something failed; the message says what to do
├── UsageError              2   the command was called wrongly
│   └── ConfigError         2   a configuration file says what is not allowed
├── NotFoundError           3   no such symbol, file or edge; near names are suggested
├── AmbiguousError          4   the name fits several symbols; the choices are listed
├── BudgetTooSmallError     5   no answer fits the budget; the smallest that works is named
├── StaleMapError           6   the map is older than the caller allows
├── RepositoryError         7   the folder cannot be mapped (not there, bare, unreadable)
├── StoreError              8   the map cannot be read or written (disk full, read-only, damaged)
├── BusyError               9   another run holds the lock for longer than the wait allows
└── VerificationError      10   the map differs from one built from nothing
    └── RepairedError      11   … and was replaced by that one
"""

from __future__ import annotations


class CodemapError(Exception):
    """Base of all errors meant for a person; `str(error)` is one line."""

    exit_code = 1


class UsageError(CodemapError):
    exit_code = 2


class ConfigError(UsageError):
    pass


class NotFoundError(CodemapError):
    """Nothing bears the name; `suggestions` holds near names, best first."""

    exit_code = 3

    def __init__(self, message: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.suggestions = suggestions


class AmbiguousError(CodemapError):
    """Several symbols bear the name; `choices` holds what to type for each, in path order."""

    exit_code = 4

    def __init__(self, message: str, choices: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.choices = choices


class BudgetTooSmallError(CodemapError):
    """No answer fits; `smallest` is the least budget, in tokens, that holds one."""

    exit_code = 5

    def __init__(self, message: str, smallest: int) -> None:
        super().__init__(message)
        self.smallest = smallest


class StaleMapError(CodemapError):
    """The map is older than the caller allows; `staleness`, where known, says what it speaks of."""

    exit_code = 6

    def __init__(self, message: str, staleness: object = None) -> None:
        super().__init__(message)
        self.staleness = staleness


class RepositoryError(CodemapError):
    exit_code = 7


class StoreError(CodemapError):
    exit_code = 8


class BusyError(CodemapError):
    exit_code = 9


class VerificationError(CodemapError):
    exit_code = 10


class RepairedError(VerificationError):
    """Nothing is wrong any more; a program that calls has to hear that something was."""

    exit_code = 11
