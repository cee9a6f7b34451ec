"""Which symbols are worth a closer look: a first choice by sums of words, among all that hold any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import repeat
from operator import add

from indexer.store.reader import Reader
from queries.terms import Term

POOL_POWER = 2.0  # strong fields first
POOL = 300  # symbols that are looked at closely
WIDE_POOL = 1000  # of which tests are told apart first
TEST_SHARE = 0.15  # of the sum of what is test code


def best_by_words(reader: Reader, terms: Iterable[Term], *, tests: bool) -> list[int]:
    """The symbols worth a closer look, by a first sum. tests: test code is asked for."""
    sums: dict[int, float] = {}
    for term in terms:
        worth = {field: term.weight * field**POOL_POWER for field in set(term.fields.values())}
        values = map(worth.__getitem__, term.fields.values())
        if sums:
            before = map(sums.get, term.fields, repeat(0.0))
            sums.update(zip(term.fields, map(add, before, values), strict=True))
        else:
            sums = dict(zip(term.fields, values, strict=True))
    if len(sums) > POOL and not tests:
        sums = _tests_last(reader, sums)
    if len(sums) <= POOL:
        return list(sums)
    least = _least(Counter(sums.values()), POOL)
    best = [(symbol, value) for symbol, value in sums.items() if value >= least]
    better = [symbol for symbol, value in best if value > least]
    equal = [symbol for symbol, value in best if value == least]
    room = POOL - len(better)
    return better + (equal if len(equal) <= room else reader.first_in_order(equal, room))


def _tests_last(reader: Reader, sums: Mapping[int, float]) -> dict[int, float]:
    """The best of some symbols, those of tests worth less: a subject that is well tested would find no room beside its
    tests."""
    least = _least(Counter(sums.values()), WIDE_POOL)
    wide = {symbol: value for symbol, value in sums.items() if value >= least}
    for symbol in reader.in_tests(wide):
        wide[symbol] *= TEST_SHARE
    return wide


def _least(times: Mapping[float, int], number: int) -> float:
    """The least of the `number` highest values, given how often each occurs: many symbols have the same sum."""
    left = number
    for value in sorted(times, reverse=True):
        left -= times[value]
        if left <= 0:
            break
    return value
