"""Answers that are held to a budget, from a real map."""

from __future__ import annotations

from pathlib import Path

from codemap import CodeMap
from queries.tokens import Measure


def test_a_subgraph_costs_what_it_says(shop_map: CodeMap) -> None:
    answer = shop_map.subgraph("login timeout", budget=300)
    text = shop_map.render(answer)
    assert shop_map.measure.count(text) <= answer.tokens.estimate <= 300
    assert {"login", "Session.is_expired"} <= {node.qualname for node in answer.nodes[:4]}
    assert answer.staleness.fresh
    in_json = shop_map.subgraph("login timeout", budget=600, form="json")
    assert shop_map.measure.count(shop_map.render(in_json, "json")) <= in_json.tokens.estimate <= 600


def test_bodies_and_hops(shop_map: CodeMap) -> None:
    with_bodies = shop_map.subgraph("Session.flush", include_bodies=True)
    assert any(node.body and "self.data.clear()" in node.body for node in with_bodies.nodes)
    hops = {
        number: {node.qualname: node.hop for node in shop_map.subgraph("expires_at", hops=number).nodes}
        for number in (0, 1, 2)
    }
    assert {reached["Session.expires_at"] for reached in hops.values()} == {0}
    assert hops[0].keys() <= hops[1].keys() <= hops[2].keys()
    assert hops[0].keys() < hops[2].keys()


def test_another_measure(shop: Path) -> None:
    letters = Measure(method="letters", characters_per_token=1.0)
    with CodeMap.open(shop, build=False, measure=letters) as code_map:
        answer = code_map.subgraph("login", budget=900)
        assert len(code_map.render(answer)) <= 900
        assert answer.tokens.method == "letters"
