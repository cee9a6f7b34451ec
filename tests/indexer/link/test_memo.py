from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from textwrap import dedent

import pytest

from indexer.link.memo import LARGE, MAX_DEPTH, Memo, question
from indexer.link.values import Value, external
from tests.indexer.link.trees import Tree


@pytest.fixture(autouse=True)
def _deep() -> Iterator[None]:
    """As deep as linking may go."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 20_000))
    yield
    sys.setrecursionlimit(before)


class Graph:
    """Reachability over a graph given by hand: cyclic on purpose."""

    def __init__(self, edges: dict[str, list[str]]) -> None:
        self.memo = Memo()
        self.edges = edges
        self.computed: list[str] = []

    @question
    def reachable(self, node: str) -> tuple[str, ...]:
        self.computed.append(node)
        self.memo.lookups.append(("g", node))
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


@pytest.mark.parametrize("seed", range(40))
def test_cycles_within_cycles_are_answered_alike_whoever_asks_first(seed: int) -> None:
    chance = random.Random(seed)
    nodes = "abcdefghij"
    edges = {node: chance.sample(nodes, chance.choice((1, 1, 2, 3))) for node in nodes}
    expected = {node: Graph(edges).reachable(node) for node in nodes}
    for first in nodes:
        graph = Graph(edges)
        graph.reachable(first)
        for node in nodes:
            graph.memo.begin()
            assert graph.reachable(node) == expected[node], (first, node)
            assert graph.memo.gathered() == {("g", other) for other in expected[node]}


@pytest.mark.parametrize("first", ["0", "50", "99"])
def test_cycles_within_cycles_are_not_settled_one_within_the_other(first: str) -> None:
    """Each is answered about three times; answers that travel a step in each pass, or cycles that are settled anew for
    each around them, would take thousands."""
    edges = {str(n): [str(other) for other in (n + 1, n - 1, n // 2) if 0 <= other < 100] for n in range(100)}
    graph = Graph(edges)
    assert set(graph.reachable(first)) == edges.keys()
    assert len(graph.computed) <= 310
    assert all(set(graph.reachable(node)) == edges.keys() for node in edges)


def test_answers_that_grow_are_followed_to_the_end() -> None:
    """Around a ring against the order in which it is asked, twice: what is known grows in small steps."""
    edges = {str(n): [str((n - 1) % 60), str((n + 7) % 60)] for n in range(60)}
    graph = Graph(edges)
    assert all(set(graph.reachable(node)) == edges.keys() for node in edges)


def test_answers_of_a_large_cycle_stay_and_take_no_room() -> None:
    edges = {str(n): [str((n + 1) % LARGE)] for n in range(LARGE)} | {"x": [], "y": []}
    graph = Graph(edges)
    for node in ("0", "x", "y"):
        graph.reachable(node)
    assert graph.memo.size() == 2
    graph.memo.forget({"0": 3, "x": 2, "y": 1}, 1)
    assert graph.memo.size() == 1
    del graph.computed[:]
    for node in ("7", "x", "y"):
        graph.reachable(node)
    assert graph.computed == ["y"]


def test_a_kept_answer_brings_its_look_ups() -> None:
    graph = Graph({"a": ["b"], "b": []})
    graph.reachable("a")
    graph.memo.begin()
    assert graph.memo.gathered() == set()
    graph.reachable("a")
    assert graph.memo.gathered() == {("g", "a"), ("g", "b")}


def test_what_lies_deep_is_answered_whoever_asks_first() -> None:
    long = {str(n): [str(n + 1)] for n in range(2000)} | {"2000": []}
    for first in ("0", "700", "1990"):
        graph = Graph(long)
        graph.reachable(first)
        assert len(graph.reachable("0")) == 2001
        assert len(graph.reachable("1990")) == 11


def test_a_chain_without_end_is_cut() -> None:
    graph = Graph({str(n): [str(n + 1)] for n in range(2000)} | {"2000": []})
    graph.memo = Memo(starts=2)
    assert MAX_DEPTH <= len(graph.reachable("0")) <= 2 * MAX_DEPTH
    assert len(graph.reachable("1990")) == 11


class Conditions:
    """Answers that ask whether others are empty: what is asked first must not decide."""

    def __init__(self) -> None:
        self.memo = Memo()

    @question
    def a(self) -> tuple[str, ...]:
        return ("a",) if self.b() else ("a", "alone")

    @question
    def b(self) -> tuple[str, ...]:
        return tuple(sorted({"b", *self.a()}))


def test_a_cycle_is_gone_through_until_nothing_changes() -> None:
    for first in ("a", "b"):
        asked = Conditions()
        getattr(asked, first)()
        assert (asked.a(), asked.b()) == (("a",), ("a", "b"))


class Growth:
    """`x = x.strip()`: an answer that would grow with every pass."""

    def __init__(self) -> None:
        self.memo = Memo()

    @question
    def x(self) -> tuple[Value, ...]:
        return (external("str"), *(external(f"{value.path}.strip") for value in self.x()))


def test_what_lies_outside_the_repository_does_not_grow() -> None:
    assert len(Growth().x()) <= 2


class Shortened:
    """An answer that is another one as it is in a cycle."""

    def __init__(self) -> None:
        self.memo = Memo()

    @question
    def kept(self) -> tuple[Value, ...]:
        return (external("here"), *(external("called") if v.path == "a.Map.get" else v for v in self.got()))

    @question
    def got(self) -> tuple[Value, ...]:
        return (external("a.Map.get"), *self.kept())


def test_answers_in_a_cycle_are_shortened_whoever_asks_first() -> None:
    answers = []
    for first in ("kept", "got"):
        asked = Shortened()
        getattr(asked, first)()
        answers.append((set(asked.kept()), set(asked.got())))
    assert answers[0] == answers[1]


class Crowd:
    """Many values in a cycle, found from either end."""

    def __init__(self) -> None:
        self.memo = Memo()

    @question
    def left(self) -> tuple[Value, ...]:
        return (*(Value("made", "l.py", number) for number in range(6)), *self.right())

    @question
    def right(self) -> tuple[Value, ...]:
        return (*self.left(), *(Value("made", "r.py", number) for number in range(6)))


def test_many_values_of_a_cycle_are_in_one_order_whoever_asks_first() -> None:
    first, second = Crowd(), Crowd()
    assert (first.left(), first.right()) == (second.right(), second.left())
    assert first.left() == tuple(sorted(first.left()))


def test_containers_in_a_cycle_do_not_grow_and_settle() -> None:
    source = """
        class A:
            def go(self): pass

        def nested(n):
            parts = [A()]
            for k in range(n):
                parts.append(list(nested(n - 1)))
            return list(parts)

        def joined(n):
            return [A()] + list(joined(n - 1)) if n else [A()]

        def run():
            nested(1)[0].go()
            joined(1)[0].go()
    """
    tree = Tree({"a.py": dedent(source)})
    assert {"run → A.go"} <= tree.edges("a.py")
    assert len(tree.linker._engine.groups) <= 4
