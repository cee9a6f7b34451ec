"""Which commits count."""

from __future__ import annotations

from indexer.history.window import Visited, window

# a ← b ← d ← e, a ← c ← d: d merges
GRAPH = {
    "a": Visited("a", 10, ()),
    "b": Visited("b", 20, ("a",)),
    "c": Visited("c", 30, ("a",)),
    "d": Visited("d", 40, ("b", "c")),
    "e": Visited("e", 50, ("d",)),
}


def ids(head: str, limit: int, shallow: frozenset[str] = frozenset(), lacking: str = "") -> tuple[str, bool]:
    found = window(head, limit, lambda id: None if id in lacking else GRAPH.get(id), shallow)
    return "".join(commit.id for commit in found.commits), found.cut


def test_newest_first_each_once() -> None:
    assert ids("e", 10) == ("edcba", False)
    assert ids("e", 3) == ("edc", False)
    assert ids("b", 10) == ("ba", False)


def test_a_commit_whose_parents_were_not_fetched_is_left_out() -> None:
    assert ids("e", 10, shallow=frozenset("b")) == ("edca", True)
    assert ids("e", 10, shallow=frozenset("e")) == ("", True)


def test_a_commit_that_is_not_there() -> None:
    assert ids("e", 10, lacking="c") == ("edba", True)
    assert ids("z", 10) == ("", True)


def test_equal_times_are_ordered_by_id() -> None:
    graph = {"h": Visited("h", 5, ("y", "x")), "x": Visited("x", 5, ()), "y": Visited("y", 5, ())}
    assert [commit.id for commit in window("h", 9, graph.get, frozenset()).commits] == ["h", "x", "y"]
