"""Calls of a generic function reach what is registered with it, alike in every answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.store.classes import MAX_DISPATCH
from indexer.store.registered import REGISTERED
from indexer.store.schema import LINK_INDEXES
from tests.queries.conftest import MapBuilder
from tests.queries.test_dispatch import into, opened, out


def registered(tmp_path: Path, number: int) -> MapBuilder:
    """`use` calls `show`, with which a number of functions of another file are registered."""
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n" * 9)
    make.file("b.py", "\n" * 900)
    make.symbol("a.py:show", "function", (1, 2))
    make.symbol("a.py:use", "function", (4, 6))
    make.edge("a.py:use", "a.py:show", "calls", 5, "scope")
    for place in range(number):
        make.symbol(f"b.py:f{place}", "function", (1 + 3 * place, 2 + 3 * place))
        make.edge(f"b.py:f{place}", "a.py:show", "overrides", 1 + 3 * place, "decorator")
    return make


def test_a_call_reaches_each_of_them(tmp_path: Path) -> None:
    with opened(registered(tmp_path, 2)) as session:
        assert sorted(out(session, "use")) == [("f0", "dispatch"), ("f1", "dispatch"), ("show", "scope")]
        assert into(session, "f1") == [("use", "dispatch")]
        assert into(session, "show") == [("use", "scope")]


@pytest.mark.parametrize(("number", "shown"), [(MAX_DISPATCH, MAX_DISPATCH), (MAX_DISPATCH + 1, 0)])
def test_too_many_become_a_count(tmp_path: Path, number: int, shown: int) -> None:
    with opened(registered(tmp_path, number)) as session:
        assert len(out(session, "use")) == 1 + shown
        edges = {edge.source: edge for edge in session.neighbours.all_edges() if edge.kind == "calls"}
        assert max(edge.overrides for edge in edges.values()) == (0 if shown else number)


def test_an_overridden_method_is_no_generic_function(tmp_path: Path) -> None:
    make = registered(tmp_path, 0)
    make.symbol("b.py:f", "function", (1, 2))
    make.edge("b.py:f", "a.py:show", "overrides", 1, "inheritance")
    with opened(make) as session:
        assert out(session, "use") == [("show", "scope")]


def test_there_is_an_index_of_registrations() -> None:
    assert f"WHERE {REGISTERED};" in LINK_INDEXES
