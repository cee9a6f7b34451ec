"""The arguments of a call: as they are written, or as values."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from indexer.link.index import FileIndex
from indexer.link.values import Values


class CallSite(NamedTuple):
    """A call as it is written: its arguments are read where it stands, if they are needed."""

    file: FileIndex
    scope: int
    arguments: Any
    position: int
    context: int


class Passed(NamedTuple):
    """What a call passes."""

    positional: tuple[Values, ...] = ()
    keywords: tuple[tuple[str, Values], ...] = ()
    starred: Values = ()  # containers given as `*x`, after the positional ones
    doubled: Values = ()  # given as `**x`


Given: TypeAlias = CallSite | Passed | None


def left_out(part: Any) -> Any:
    """An argument that is not to be read."""
    return None if not isinstance(part, (list, tuple)) else (*part[:-1], None)


_PLAIN: Final = frozenset({"str", "int", "bytes", "float", "bool", "complex", "regex", "none", "affix"})


def is_plain(index: FileIndex, part: Any) -> bool:
    """Whether an argument is a literal that is no container: nothing of the repository."""
    value = part[-1] if isinstance(part, (list, tuple)) else part
    row = index.facts.expressions[value] if value.__class__ is int else ("",)
    return row[0] == "literal" and row[1] in _PLAIN
