"""A short name never denotes two things."""

from __future__ import annotations

from codemap.render.names import Names, lines, located, shortest_suffixes
from queries.answers import Node


def _node(path: str, qualname: str, start: int = 1, end: int = 1) -> Node:
    return Node(1, path, qualname, "function", start, end, start, "", "", test=False)


def test_a_qualified_name_is_enough_where_one_file_has_it() -> None:
    here, there = _node("a/x.py", "f"), _node("b/x.py", "g")
    names = Names([here, there])
    assert (names.of(here), names.of(there)) == ("f", "g")


def test_the_same_name_in_two_files_gets_as_much_path_as_needed() -> None:
    nodes = [_node("a/x.py", "f"), _node("b/x.py", "f"), _node("b/y.py", "f")]
    names = Names(nodes)
    assert [names.of(node) for node in nodes] == ["a/x.py:f", "b/x.py:f", "y.py:f"]


def test_a_module_goes_by_its_path() -> None:
    nodes = [_node("a/x.py", "<module>"), _node("b/y.py", "<module>")]
    names = Names(nodes)
    assert [names.of(node) for node in nodes] == ["x.py", "y.py"]
    assert located(nodes[0]) == "a/x.py"


def test_a_path_that_ends_another_stays_whole() -> None:
    assert shortest_suffixes(["x.py", "a/x.py"]) == {"x.py": "x.py", "a/x.py": "a/x.py"}


def test_line_ranges() -> None:
    assert lines(_node("a", "f", 3, 3)) == "3"
    assert lines(_node("a", "f", 3, 9)) == "3-9"


def test_names_are_safe_to_print() -> None:
    assert Names([_node("a\x1b.py", "<module>")]).of(_node("a\x1b.py", "<module>")) == "a\\x1b.py"
