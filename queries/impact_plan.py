"""Which part of a change's impact is shown first, and the answer that a beginning of it makes.

All that could be shown stands in one list. What is certain and near comes first, but from the start a share goes to the
files of tests and to what is gone, so that they are named in small answers too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from indexer.store.reader import SymbolRow
from queries.answers import Edge, Staleness, Tokens
from queries.dependents import Dependent
from queries.effects import Effect, EffectsOmitted, Gone, Impact, Mention, TestFile
from queries.nodes import node

if TYPE_CHECKING:
    from queries.leftover import Use
    from queries.touched import GoneSymbol

# (symbols before the first one, symbols between two)
_PLACES = {
    "changed": (0.0, 1.5),
    "gone": (0.5, 1.5),
    "mention": (1.0, 2.0),
    "dependent": (1.0, 1.0),
    "test_file": (3.0, 3.0),
    "hub": (6.0, 6.0),
    "candidate": (8.0, 3.0),
    "test": (12.0, 2.0),
}


class Stock(NamedTuple):
    """All there is to show, each part best first."""

    of: str
    changed: tuple[SymbolRow, ...]
    known: Mapping[int, SymbolRow]  # all that edges lead to
    gone: tuple[tuple[GoneSymbol, tuple[Use, ...]], ...]
    dependents: tuple[Dependent, ...]
    candidates: tuple[Dependent, ...]
    tests: tuple[tuple[str, tuple[Dependent, ...]], ...]  # by file
    hubs: tuple[tuple[SymbolRow, int], ...]
    notes: tuple[str, ...]


class Item(NamedTuple):
    """Something that can be shown. first, second: where it stands in its part."""

    place: float
    kind: str
    first: int
    second: int
    size: int  # characters, roughly


def plan(stock: Stock) -> list[Item]:
    """All that could be shown, in the order in which it is."""
    items: list[Item] = []
    places = {row.id: _place("changed", rank) for rank, row in enumerate(stock.changed)}
    items += [Item(_place("changed", rank), "changed", rank, 0, _size(row)) for rank, row in enumerate(stock.changed)]
    items += _of_gone(stock)
    for rank, each in enumerate(stock.dependents):
        # A chain is shown from the change on, so that its edges lead to what is there.
        place = max(_place("dependent", rank), places.get(each.edge.target, 0.0))
        places[each.row.id] = place
        items.append(Item(place, "dependent", rank, 0, _size(each.row) + 16))
    items += [Item(_place("hub", i), "hub", i, 0, len(row.qualname) + 8) for i, (row, _) in enumerate(stock.hubs)]
    items += [
        Item(_place("candidate", i), "candidate", i, 0, _size(each.row) + 16) for i, each in enumerate(stock.candidates)
    ]
    rank = 0
    for file, (path, tests) in enumerate(stock.tests):
        items.append(Item(_place("test_file", file), "test_file", file, 0, len(path) + 6))
        for number, each in enumerate(tests):
            place = max(_place("test", rank), _place("test_file", file))
            items.append(Item(place, "test", file, number, len(each.row.qualname) + 24))
            rank += 1
    items.sort(key=lambda item: (item.place, _ORDER[item.kind], item.first, item.second))
    return items


_ORDER = {kind: rank for rank, kind in enumerate(_PLACES)}


def _place(kind: str, rank: int) -> float:
    lag, pace = _PLACES[kind]
    return lag + pace * rank


def _size(row: SymbolRow) -> int:
    return len(row.qualname) + len(row.path) // 2 + 10


def _of_gone(stock: Stock) -> Iterator[Item]:
    rank = 0
    for number, (each, uses) in enumerate(stock.gone):
        place = _place("gone", number)
        yield Item(place, "gone", number, 0, len(each.path) + len(each.qualname) + 4)
        for second, use in enumerate(uses):
            yield Item(max(place, _place("mention", rank)), "mention", number, second, len(use.row.path) + 20)
            rank += 1


def answer_of(
    stock: Stock, items: Sequence[Item], tokens: Tokens, staleness: Callable[[frozenset[str]], Staleness]
) -> Impact:
    """The answer that shows some items."""
    shown: dict[str, list[Item]] = {kind: [] for kind in _PLACES}
    for item in items:
        shown[item.kind].append(item)
    tests = _tests(stock, shown["test_file"], shown["test"])
    gone = _gone(stock, shown["gone"], shown["mention"])
    effects = [_effect(stock, stock.dependents[item.first]) for item in sorted(shown["dependent"], key=_rank)]
    maybe = [_effect(stock, stock.candidates[item.first], "candidate") for item in shown["candidate"]]
    changed = tuple(node(stock.changed[item.first]) for item in shown["changed"])
    paths = {made.path for made in changed} | {each.node.path for each in (*effects, *maybe)}
    paths |= {each.path for each in tests} | {mention.path for each in gone for mention in each.mentions}
    distances = Counter(each.distance for each in stock.dependents)
    distances.subtract(each.node.hop for each in effects)
    totals = _totals(stock)
    return Impact(
        of=stock.of,
        changed=changed,
        gone=gone,
        dependents=tuple(effects),
        candidates=tuple(maybe),
        tests=tests,
        hubs=tuple((node(row), number) for row, number in (stock.hubs[item.first] for item in shown["hub"])),
        totals=totals,
        omitted=EffectsOmitted(
            changed=totals["changed"] - len(changed),
            gone=totals["gone"] - len(gone),
            dependents={distance: number for distance, number in sorted(distances.items()) if number},
            candidates=totals["candidates"] - len(maybe),
            tests=totals["tests"] - len(shown["test"]),
            test_files=totals["test_files"] - len(tests),
            hubs=totals["hubs"] - len(shown["hub"]),
        ),
        tokens=tokens,
        staleness=staleness(frozenset(paths)),
        notes=stock.notes,
    )


def _rank(item: Item) -> int:
    return item.first


def _totals(stock: Stock) -> dict[str, int]:
    return {
        "changed": len(stock.changed),
        "gone": len(stock.gone),
        "dependents": len(stock.dependents),
        "candidates": len(stock.candidates),
        "tests": sum(len(tests) for _, tests in stock.tests),
        "test_files": len(stock.tests),
        "hubs": len(stock.hubs),
    }


def _effect(stock: Stock, each: Dependent, resolution: str = "resolved") -> Effect:
    made = node(each.row, hop=each.distance)
    edge = each.edge
    target = node(stock.known[edge.target])
    return Effect(made, Edge(made, target, edge.kind, resolution, edge.line, edge.evidence, edge.overrides))


def _tests(stock: Stock, files: Sequence[Item], tests: Sequence[Item]) -> tuple[TestFile, ...]:
    inside: dict[int, list[Effect]] = {}
    for item in sorted(tests, key=lambda item: (item.first, item.second)):
        inside.setdefault(item.first, []).append(_effect(stock, stock.tests[item.first][1][item.second]))
    return tuple(
        TestFile(path, len(group), group[0].distance, tuple(inside.get(item.first, ())))
        for item in sorted(files, key=_rank)
        for path, group in (stock.tests[item.first],)
    )


def _gone(stock: Stock, gone: Sequence[Item], mentions: Sequence[Item]) -> tuple[Gone, ...]:
    inside: dict[int, list[Mention]] = {}
    for item in sorted(mentions, key=lambda item: (item.first, item.second)):
        row, line, kind, sure = stock.gone[item.first][1][item.second]
        resolution = "resolved" if sure else "candidate"
        inside.setdefault(item.first, []).append(Mention(row.path, row.qualname, line, kind, resolution))
    found = []
    for item in sorted(gone, key=_rank):
        each, uses = stock.gone[item.first]
        shown = inside.get(item.first, [])
        now = each.now if each.now != each.path else None
        found.append(Gone(each.path, each.qualname, each.kind, now, tuple(shown), len(uses) - len(shown)))
    return tuple(found)
