"""Edges between what changes together: `changes_with`, with how many commits say so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from indexer.store.history_reader import Unit
from queries import nodes as values
from queries.answers import Edge
from queries.session import Session
from queries.units import symbol_of

CHANGES_WITH = "changes_with"
EVIDENCE = "history"
LEAST_SUPPORT = 3  # commits that touched both
LEAST_CONFIDENCE = 0.25  # of the commits that touched the source


def all_together(session: Session) -> Iterator[Edge]:
    """Every such edge, by path and line of its source; none where the history is not known."""
    with session.read() as reader:
        kept = session.history
        if kept is None:
            return
        with kept.reading():
            often = kept.often(LEAST_SUPPORT)
            pairs = kept.together(often, LEAST_SUPPORT)
            changes = kept.changes({unit for unit, _, _ in pairs})
            strong = [
                (one, other, support, support / changes[one])
                for one, other, support in pairs
                if support >= LEAST_CONFIDENCE * changes[one]
            ]
            units = kept.named({unit for one, other, _, _ in strong for unit in (one, other)})
            symbols = symbol_of(units.values(), reader)
            nodes = {unit: values.node(row) for unit, row in symbols.items()}
        edges = []
        for one, other, support, confidence in strong:
            source, target = units[one], units[other]
            if source in nodes and target in nodes and not _nested(source, target):
                here, there = nodes[source], nodes[target]
                edges.append(
                    Edge(
                        here,
                        there,
                        CHANGES_WITH,
                        "resolved",
                        here.start_line,
                        EVIDENCE,
                        0,
                        support,
                        round(confidence, 4),
                    )
                )
        yield from sorted(edges, key=values.edge_order)


def companions(session: Session, symbols: Iterable[tuple[int, Unit]]) -> list[tuple[int, int, float]]:
    """(symbol, another one, confidence) for what changes together with some symbols, neither in the other.

    symbols   id of each, with its path and qualified name ("" for a module)
    """
    kept = session.history
    named = dict(symbols)
    wanted = {unit: symbol for symbol, unit in named.items()}
    if kept is None or not wanted:
        return []
    with session.read() as reader, kept.reading():
        numbers = kept.numbers(wanted)
        pairs = kept.together(sorted(numbers.values()), LEAST_SUPPORT)
        changes = kept.changes(numbers.values())
        by_number = {number: wanted[unit] for unit, number in numbers.items()}
        strong = [(one, other, n / changes[one]) for one, other, n in pairs if n >= LEAST_CONFIDENCE * changes[one]]
        units = kept.named({other for _, other, _ in strong})
        rows = symbol_of(units.values(), reader)
        return [
            (by_number[one], rows[units[other]].id, confidence)
            for one, other, confidence in strong
            if units[other] in rows and not _nested(named[by_number[one]], units[other])
        ]


def _nested(one: Unit, other: Unit) -> bool:
    (path, name), (there, inner) = one, other
    return path == there and (inner.startswith(f"{name}.") or name.startswith(f"{inner}."))
