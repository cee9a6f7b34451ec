"""Which bindings of a name reach a place."""

from __future__ import annotations

import time

from indexer.languages import by_name
from indexer.link.index import FileIndex


def selected(source: str, place: str) -> list[int]:
    """Lines of the bindings of `x` that may hold where `place` stands, in the scope of the first function."""
    python = by_name("python")
    index = FileIndex("a.py", python.extract(source.encode()), python)
    scope = next(n for n, row in enumerate(index.scopes) if row.kind == "function")
    numbers = index.names[scope]["x"]
    chosen = index.select(scope, scope, numbers, source.index(place))
    return [source[: index.bindings[n].position].count("\n") + 1 for n in chosen]


def test_the_nearest_that_always_runs_hides_those_before() -> None:
    assert selected("def f():\n x = 1\n x = 2\n use(x)\n x = 3\n", "use") == [3]


def test_a_branch_adds_to_what_was_before_it() -> None:
    source = "def f(c):\n x = 1\n if c:\n  x = 2\n  inner(x)\n outer(x)\n"
    assert selected(source, "inner") == [4]
    assert selected(source, "outer") == [2, 4]


def test_a_loop_brings_later_ones_back() -> None:
    source = "def f(c):\n x = 1\n before(x)\n while c:\n  use(x)\n  x = 2\n"
    assert selected(source, "before") == [2]
    assert selected(source, "use") == [2, 6]


def test_a_value_is_read_before_it_is_bound() -> None:
    assert selected("def f():\n x = 1\n x = (\n  g(x)\n )\n", "g(") == [2]


def test_thousands_of_bindings_take_no_time() -> None:
    source = "def f():\n" + " x = 1\n use(x)\n" * 5000
    python = by_name("python")
    index = FileIndex("a.py", python.extract(source.encode()), python)
    numbers = index.names[1]["x"]
    start = time.process_time()
    assert all(len(index.select(1, 1, numbers, position)) == 1 for position in range(100, len(source), 10))
    assert time.process_time() - start < 2
