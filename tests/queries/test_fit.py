from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from queries.fit import longest


@given(costs=st.lists(st.integers(1, 40), max_size=80), limit=st.integers(0, 900), sizes=st.data())
def test_the_most_that_fits_is_found_whatever_the_guesses(costs: list[int], limit: int, sizes: st.DataObject) -> None:
    guesses = sizes.draw(st.lists(st.integers(0, 200), min_size=len(costs), max_size=len(costs)))
    totals = [5 + sum(costs[:count]) for count in range(len(costs) + 1)]
    expected = max((count for count, total in enumerate(totals) if total <= limit), default=0)
    assert longest(lambda count: totals[count], guesses, least=0, limit=limit) == expected
    for start in (0, 30, 2000):
        assert longest(lambda count: totals[count], guesses, limit=limit, start=start) == expected


def test_good_guesses_need_few_measurements() -> None:
    asked: list[int] = []

    def cost(count: int) -> int:
        asked.append(count)
        return 20 + 7 * count

    assert longest(cost, [21] * 1000, least=0, limit=3000) == 425
    assert len(asked) <= 5
