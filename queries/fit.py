"""How much of a ranked list fits a limit, with few exact measurements."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate


def longest(
    cost: Callable[[int], int], sizes: Sequence[int], *, limit: int, least: int = 0, start: int | None = None
) -> int:
    """The most items of a list, from its beginning, whose exact cost is within `limit`; at least `least`.

    cost    exact cost of a number of items; measuring is dear, so that guesses are made by
    sizes   the rough size of each item
    start   what `least` items cost, about; None: it is measured
    """
    ends = list(accumulate(sizes, initial=0))
    low, low_cost = least, cost(least) if start is None else start
    high, high_cost = len(sizes) + 1, 0
    rate = 0.31  # cost of a unit of size, as measured last
    while low + 1 < high:
        room = ends[low] + max(0.0, limit - low_cost) / rate
        probe = bisect_right(ends, room) - 1
        if high_cost:
            # Between two measured counts: where the straight line between them meets the limit.
            slope = (high_cost - low_cost) / max(1, ends[high] - ends[low])
            probe = bisect_right(ends, ends[low] + (limit - low_cost) / slope) - 1 if slope > 0 else (low + high) // 2
        probe = min(max(probe, low + 1), high - 1)
        found = cost(probe)
        if found <= limit:
            if ends[probe] > ends[low] and found > low_cost:
                rate = (found - low_cost) / (ends[probe] - ends[low])
            low, low_cost = probe, found
        else:
            high, high_cost = probe, found
    return low
