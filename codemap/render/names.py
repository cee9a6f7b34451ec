"""What to call a symbol in an answer: as short as it can be without being mistaken for another."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from codemap.render import escape
from queries.answers import Node

MODULE = "<module>"


class Names:
    """Short names for the symbols of one answer.

    A symbol goes by its qualified name where only one file of the answer has it, else by path suffix and qualified
    name; a module goes by the shortest suffix of its path that no other file of the answer shares.
    """

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._homes: dict[str, set[str]] = {}
        self._paths: set[str] = set()
        for node in nodes:
            self._paths.add(node.path)
            self._homes.setdefault(node.qualname, set()).add(node.path)

    @cached_property
    def _suffixes(self) -> dict[str, str]:
        return shortest_suffixes(self._paths)

    def of(self, node: Node) -> str:
        """The name to print for `node`, safe for a terminal."""
        if node.qualname == MODULE:
            return escape.line(self._suffixes.get(node.path, node.path))
        if self._homes.get(node.qualname) == {node.path}:
            return escape.line(node.qualname)
        return escape.line(f"{self._suffixes.get(node.path, node.path)}:{node.qualname}")


def shortest_suffixes(paths: Iterable[str]) -> dict[str, str]:
    """Each path's shortest run of last parts that no other path ends in."""
    ends: dict[str, int] = {}
    all_paths = sorted(set(paths))
    for path in all_paths:
        for suffix in _suffixes(path):
            ends[suffix] = ends.get(suffix, 0) + 1
    return {path: next((s for s in _suffixes(path) if ends[s] == 1), path) for path in all_paths}


def _suffixes(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[index:]) for index in range(len(parts) - 1, -1, -1)]


def located(node: Node) -> str:
    """`path:qualname`, which every command accepts as a name; the path alone for a module."""
    return escape.line(node.path if node.qualname == MODULE else f"{node.path}:{node.qualname}")


def lines(node: Node) -> str:
    """The line range of a symbol: `12-30`, or `12`."""
    return str(node.start_line) if node.start_line >= node.end_line else f"{node.start_line}-{node.end_line}"
