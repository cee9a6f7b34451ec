"""Which commits count: the newest ones that HEAD reaches, in an order that depends on the commits alone."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import NamedTuple


class Visited(NamedTuple):
    """A commit of the window."""

    id: str
    time: int  # of the commit, seconds since 1970 UTC
    parents: tuple[str, ...]


class Window(NamedTuple):
    """The commits that count, newest first, and whether the repository lacks some that would."""

    commits: tuple[Visited, ...]
    cut: bool


def window(
    head: str,
    limit: int,
    lookup: Callable[[str], Visited | None],
    shallow: frozenset[str],
) -> Window:
    """The first `limit` commits from `head` on, always taking the newest whose child was taken; ties by id.

    lookup    a commit by its id; None where its object is not there
    shallow   commits whose parents were not fetched; what they changed is not known, so they are left out
    """
    first = None if head in shallow else lookup(head)
    if first is None:
        return Window((), True)
    heap = [(-first.time, first.id, first)]
    seen = {head}
    taken: list[Visited] = []
    cut = False
    while heap and len(taken) < limit:
        commit = heapq.heappop(heap)[2]
        taken.append(commit)
        for parent in commit.parents:
            if parent in seen:
                continue
            seen.add(parent)
            visited = None if parent in shallow else lookup(parent)
            if visited is None:
                cut = True
            else:
                heapq.heappush(heap, (-visited.time, visited.id, visited))
    return Window(tuple(taken), cut)
