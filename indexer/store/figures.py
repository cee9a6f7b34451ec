"""Count what a map holds. Functions of a reader, each one statement."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from indexer.evidence import AFTER

if TYPE_CHECKING:
    from indexer.store.reader import Reader


def symbol_kinds(reader: Reader) -> Counter[str]:
    """Symbols by kind."""
    return _grouped(reader, "SELECT kind, count(*) FROM symbols GROUP BY kind")


def edge_kinds(reader: Reader) -> Counter[str]:
    """Edges by kind: those that are stored, and `contains`."""
    kinds = _grouped(reader, "SELECT kind, count(*) FROM edges GROUP BY kind")
    kinds["contains"] = int(reader.rows("SELECT count(*) FROM symbols WHERE parent <> 0")[0][0])
    return kinds


def skipped_files(reader: Reader) -> list[tuple[str, str]]:
    """Files that are not mapped, each with the reason."""
    return [(str(path), str(reason)) for path, reason in reader.rows("SELECT path, reason FROM skipped ORDER BY path")]


def link_counts(reader: Reader) -> Counter[str]:
    """References of all files by what linking them gave, in the words of `indexer.ports.Link`."""
    counts: Counter[str] = Counter()
    for (row,) in reader.rows("SELECT counts FROM links"):
        counts.update(json.loads(row))
    return counts


def bearers(reader: Reader) -> Iterator[tuple[str, str, int]]:
    """(name, language, functions and methods that bear the name)."""
    sql = (
        "SELECT s.name, f.language, count(*) FROM symbols s JOIN files f ON f.id = s.file "
        "WHERE s.kind IN ('function', 'method') GROUP BY 1, 2"
    )
    return ((str(name), str(language), int(number)) for name, language, number in reader.rows(sql))


def pending_members(reader: Reader) -> Iterator[tuple[str, str, int, int]]:
    """(name, language, receiver, references) of members that were not found; `receiver` as in `indexer.ports.Link`."""
    sql = (
        "SELECT p.name, f.language, p.receiver, count(*) FROM pending p JOIN files f ON f.id = p.file "
        f"WHERE p.name NOT LIKE '{AFTER}%' GROUP BY 1, 2, 3"
    )
    return (
        (str(name), str(language), int(receiver), int(number)) for name, language, receiver, number in reader.rows(sql)
    )


def _grouped(reader: Reader, sql: str) -> Counter[str]:
    return Counter({str(key): int(number) for key, number in reader.rows(sql)})
