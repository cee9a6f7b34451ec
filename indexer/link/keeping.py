"""Which answers stay when there are too many: those about the files that most others ask about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from indexer.link.values import Value


def files_to_keep(
    tables: Mapping[str, Collection[tuple[Any, ...]]], asked: Mapping[str, int], room: int
) -> frozenset[str]:
    """The files about which answers stay.

    tables: arguments of the questions that have answers, by the question's name. asked: how many files have asked
    something of a file. room: number of answers that may stay.
    """
    about = Counter(file_of(arguments) for table in tables.values() for arguments in table)
    files: list[str] = []
    for path in sorted(about.keys() & asked.keys(), key=lambda path: (-asked[path], path)):
        room -= about[path]
        if room < 0:
            break
        files.append(path)
    return frozenset(files)


def file_of(arguments: tuple[Any, ...]) -> str:
    """The file that a question is about: its first argument is a path, a value or some values."""
    first = arguments[0]
    if type(first) is tuple:
        first = first[0] if first else ""
    return str(first[1] if isinstance(first, Value) else first)
