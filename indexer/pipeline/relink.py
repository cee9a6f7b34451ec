"""Which files have to be linked again, and why: exactly those whose link could come out differently.

A link reads its own file's facts, bindings of other files, and the resolver's answers. All three are recorded with it,
so nothing is guessed: what did not change gives the link that is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from indexer.link import changed_bindings
from indexer.model import FileFacts


def because_asked(
    path: str, old: FileFacts | None, new: FileFacts | None, askers: Mapping[str, list[str]]
) -> Iterable[str]:
    """Those of `askers` (file → bindings it asked of `path`) that asked for something that changed.

    `old` None: the old facts are lost, so that anything may have changed. `new` None: the file is gone.
    """
    if old is None or new is None:
        return list(askers)
    changed = changed_bindings(old, new)
    return [asker for asker, names in askers.items() if not changed.isdisjoint(names)]


def because_resolved(
    questions: Iterable[tuple[str, list[list[Any]]]], answer: Callable[[tuple[str, ...]], tuple[str, str] | None]
) -> Iterable[str]:
    """The files to whose questions the resolver gives another answer now.

    `questions`: (file, its questions, each with the answer it was given).
    """
    answers: dict[tuple[str, ...], list[str] | None] = {}
    for path, recorded in questions:
        for asked, answered in recorded:
            question = tuple(asked)
            if question not in answers:
                now = answer(question)
                answers[question] = None if now is None else list(now)
            if answers[question] != answered:
                yield path
                break
