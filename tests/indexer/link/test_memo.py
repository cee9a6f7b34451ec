from __future__ import annotations

from indexer.link.memo import MAX_DEPTH, Memo, question


class Graph:
    """Reachability over a graph given by hand: cyclic on purpose."""

    def __init__(self, edges: dict[str, list[str]]) -> None:
        self.memo = Memo()
        self.edges = edges
        self.computed: list[str] = []

    @question
    def reachable(self, node: str) -> tuple[str, ...]:
        self.computed.append(node)
        self.memo.lookups.add(("g", node))
        found = {node}
        for following in self.edges[node]:
            found |= set(self.reachable(following))
        return tuple(sorted(found))


def test_answers_are_kept() -> None:
    graph = Graph({"a": ["b"], "b": []})
    assert graph.reachable("a") == ("a", "b")
    assert graph.reachable("a") == ("a", "b")
    assert graph.computed == ["a", "b"]


def test_an_answer_inside_a_cycle_does_not_depend_on_who_asked_first() -> None:
    edges = {"a": ["b"], "b": ["c"], "c": ["a", "d"], "d": []}
    for first in "abcd":
        graph = Graph(edges)
        graph.reachable(first)
        assert {node: graph.reachable(node) for node in "abc"} == dict.fromkeys("abc", ("a", "b", "c", "d"))
        assert graph.reachable("d") == ("d",)


def test_a_kept_answer_brings_its_look_ups() -> None:
    graph = Graph({"a": ["b"], "b": []})
    graph.reachable("a")
    graph.memo.begin()
    assert graph.memo.lookups == set()
    graph.reachable("a")
    assert graph.memo.lookups == {("g", "a"), ("g", "b")}


def test_a_chain_without_end_is_cut() -> None:
    graph = Graph({str(n): [str(n + 1)] for n in range(2000)} | {"2000": []})
    assert len(graph.reachable("0")) == MAX_DEPTH
    assert len(graph.reachable("1990")) == 11
