"""Compare what others see of each file that changed, in this process or in the workers that will link."""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from indexer.pipeline.pairs import Pair, compared, read
from indexer.pipeline.relink import Difference, because_asked, because_gone
from indexer.pipeline.report import Reason
from indexer.pipeline.state import State
from indexer.store.facts import Key

LinesOf: TypeAlias = tuple[int, Mapping[int, int]]
"""The id of a function, and its lines: before → now."""


def asked_for_what_differs(
    state: State, mapped: Mapping[str, Key], *, in_pool: bool
) -> tuple[dict[str, Reason], list[LinesOf]]:
    """The files that asked a file which changed for something that is different now, and the functions whose calls have
    but moved: their lines are to be put right where they are stored. `mapped`: the files of the new map."""
    again: dict[str, dict[str, Reason]] = {}
    pairs = []
    for path, askers in sorted(state.askers.items()):
        before, now = state.known_keys[path], mapped.get(path)
        if not askers:
            continue
        if now is None:
            again[path] = because_gone(path, "not there with its file", askers)
        elif before.language != now.language:
            again[path] = because_gone(path, "in another language", askers)
        else:
            size = state.wanted.files[path].size
            pairs.append(Pair(path, size, before, now, frozenset().union(*askers.values())))
    moved: list[LinesOf] = []
    for pair, found in _in_pool(state, pairs) if in_pool else _here(state, pairs):
        askers = state.askers[pair.path]
        if found is None:
            again[pair.path] = because_gone(pair.path, "not known", askers)
        else:
            again[pair.path] = because_asked(pair.path, found, askers)
            moved += [(state.ids[pair.path][symbol], lines) for symbol, lines in found.moved]
    return _first(again), moved


def _first(again: Mapping[str, Mapping[str, Reason]]) -> dict[str, Reason]:
    """Of the reasons by changed file, the first of each file that asked, with the number of others."""
    reasons: dict[str, Reason] = {}
    for _, askers in sorted(again.items()):
        for asker, reason in askers.items():
            first = reasons.setdefault(asker, reason)
            if first is not reason:
                reasons[asker] = first._replace(others=first.others + 1)
    return reasons


def _here(state: State, pairs: Sequence[Pair]) -> Iterator[tuple[Pair, Difference | None]]:
    for pair in pairs:
        old = state.old[pair.path] or read(state.cache, pair.before)
        new = state.new.get(pair.path) or read(state.cache, pair.now)
        yield pair, compared(state.cache, pair, old, new)


def _in_pool(state: State, pairs: Sequence[Pair]) -> Iterator[tuple[Pair, Difference | None]]:
    """As `_here`, in workers, which keep the facts until they link those files. What a worker died of is done here."""
    from indexer.pipeline.tasks import comparing  # multiprocessing takes a while to load

    crew = state.crew()
    crew.prepare(comparing, state.location.facts_dir, pairs)
    for number, worker, result in crew.run([state.owners.get(pair.path, -1) for pair in pairs]):
        pair = pairs[number]
        if result is None:
            yield from _here(state, [pair])
        else:
            state.owners[pair.path] = worker
            found = marshal.loads(result)
            yield pair, None if found is None else Difference(*found)
