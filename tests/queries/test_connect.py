"""Chains between matches, on graphs small enough to see the cheapest one."""

from __future__ import annotations

from pathlib import Path

import pytest

from queries import connect
from queries.connect import Links, connecting
from queries.expand import expand
from queries.search import Found
from queries.session import Session
from tests.queries.conftest import MapBuilder


def _links(*edges: tuple[int, int, float]) -> Links:
    links: Links = {}
    for one, other, strength in edges:
        links.setdefault(one, {})[other] = strength
        links.setdefault(other, {})[one] = strength
    return links


FAR = list(range(1, 100))  # ranked; the ends are 1 and 2, and 30 and more are not shown anyway
SCORES = {symbol: 2.0 if symbol == 1 else 1.0 if symbol == 2 else 0.1 for symbol in FAR}


def test_the_one_in_between_is_worth_a_share_of_the_lower_end() -> None:
    found = connecting(_links((1, 50, 1.0), (50, 2, 1.0), (1, 60, 1.0)), FAR, [1, 2], SCORES)
    assert found == {50: connect.SHARE * 1.0}


def test_the_cheaper_of_two_chains() -> None:
    # Through 50, which shares its edge with many; through 60 and 61; of equals, the better ranked.
    assert list(
        connecting(_links((1, 50, 0.01), (50, 2, 1.0), (1, 60, 1.0), (60, 61, 1.0), (61, 2, 1.0)), FAR, [1, 2], SCORES)
    ) == [60, 61]
    assert list(connecting(_links((1, 51, 1.0), (51, 2, 1.0), (1, 50, 1.0), (50, 2, 1.0)), FAR, [1, 2], SCORES)) == [50]


def test_a_chain_through_what_is_shown_anyway_is_preferred() -> None:
    links = _links((1, 5, 1.0), (5, 2, 0.5), (1, 50, 1.0), (50, 2, 1.0))
    assert list(connecting(links, FAR, [1, 2], SCORES)) == [5]


def test_ends_that_touch_need_nothing() -> None:
    assert connecting(_links((1, 2, 0.3), (1, 50, 1.0), (50, 2, 1.0)), FAR, [1, 2], SCORES) == {}


@pytest.mark.parametrize(
    "links", [{}, _links((1, 50, 1.0), (50, 51, 1.0), (51, 52, 1.0), (52, 2, 1.0))], ids=["none", "long"]
)
def test_what_is_not_connected_or_far_apart(links: Links) -> None:
    assert connecting(links, FAR, [1, 2], SCORES) == {}


def test_the_third_match_is_joined_to_either() -> None:
    links = _links((1, 50, 1.0), (50, 2, 1.0), (2, 60, 1.0), (60, 3, 1.0))
    assert set(connecting(links, FAR, [1, 2, 3], {**SCORES, 3: 0.5})) == {50, 60}


def test_in_a_graph_the_connecting_symbol_comes_before_leaves(tmp_path: Path) -> None:
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n" * 90)
    for name in ("start", "goal", "between"):
        make.symbol(f"a.py:{name}", "function", (1, 1))
    for number in range(60):
        make.symbol(f"a.py:leaf{number:02}", "function", (2, 2))
        make.edge("a.py:start", f"a.py:leaf{number:02}", "calls", 1)
        make.symbol(f"a.py:user{number:02}", "function", (3, 3))
        make.edge(f"a.py:user{number:02}", "a.py:goal", "calls", 3)
    make.edge("a.py:start", "a.py:between", "calls", 1)
    make.edge("a.py:between", "a.py:goal", "references", 1)
    with Session.open(str(make.done()), str(tmp_path)) as session:
        with session.read() as reader:
            found = [
                Found(row, score) for name, score in (("start", 2.0), ("goal", 1.0)) for row in reader.named([name])
            ]
        reached = {each.row.name: each.score for each in expand(session, found, 2) if each.row.kind != "module"}
    assert list(reached)[:4] == ["start", "goal", "between", "leaf00"]
    assert reached["between"] == connect.SHARE * 1.0  # more than what spreads to it: it has no part in many leaves
    assert reached["leaf00"] < 0.2


def test_a_module_joins_nothing(tmp_path: Path) -> None:
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n" * 90)
    for name in ("start", "goal"):
        make.symbol(f"a.py:{name}", "function", (1, 1))
    with Session.open(str(make.done()), str(tmp_path)) as session:
        with session.read() as reader:
            found = [Found(row, 1.0) for name in ("goal", "start") for row in reader.named([name])]
        assert next(each.score for each in expand(session, found, 2) if each.row.kind == "module") < connect.SHARE
