"""Read what links have asked for, found or not, and the edges at one end of a symbol, as they are stored."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from indexer.compressed import decompress
from indexer.store import lookups
from indexer.store.reader import Reader


def askers(reader: Reader, path: str, binding: str) -> list[str]:
    """Files whose links asked a file for a binding, in no particular order."""
    rows = reader.rows(
        "SELECT f.path, l.lookups FROM files t JOIN asked a ON a.target = t.id JOIN files f ON f.id = a.file "
        "JOIN links l ON l.file = a.file WHERE t.path = ?",
        (path,),
    )
    return [asker for asker, data in rows if binding in lookups.asked_of(lookups.lines(data), path)]


def unanswered(reader: Reader) -> Iterator[tuple[str, list[list[str]]]]:
    """For each file what it asked of the resolver that leads to no file of the map."""
    for path, modules in reader.rows("SELECT f.path, l.modules FROM links l JOIN files f ON f.id = l.file"):
        answers = orjson.loads(decompress(modules))
        found = [question for question, answer in answers if answer is None or answer[0] != "file"]
        if found:
            yield path, found


def unknown_calls(reader: Reader, name: str) -> list[tuple[int, int, int]]:
    """(source, line, class of the receiver or 0) of calls of a member that led to no definition."""
    return list(reader.rows("SELECT source, line, abs(receiver) FROM pending WHERE name = ?", (name,)))


def ends(reader: Reader, symbol: int) -> list[tuple[str, int, int]]:
    """(kind, source, target) of the stored edges at a symbol, each once."""
    sql = "SELECT DISTINCT kind, source, target FROM edges WHERE source = ? UNION SELECT DISTINCT kind, source, target "
    return list(reader.rows(sql + "FROM edges WHERE target = ?", (symbol, symbol)))
