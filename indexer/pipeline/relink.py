"""Which files have to be linked again, and why: exactly those whose link could come out differently.

A link reads its own file's facts, bindings of other files, and the resolver's answers. All three are recorded with it,
so nothing is guessed: what did not change gives the link that is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from indexer.link import BODY, LINES, Comparison, LinesMoved
from indexer.model import FileFacts
from indexer.ports import LinkRules


def because_asked(
    old: FileFacts | None, new: FileFacts | None, rules: LinkRules, askers: Mapping[str, list[str]]
) -> tuple[Iterable[str], list[LinesMoved]]:
    """Those of `askers` (file → bindings it asked of the file with these facts) that asked for something that changed,
    and the calls whose lines alone are other ones now: they can be put right where they are stored.

    `old` None: the old facts are lost, so that anything may have changed. `new` None: the file is gone. Both have their
    references where `asks_bodies` says so.
    """
    if old is None or new is None or old.language != new.language:
        return list(askers), []
    comparison = Comparison(old, new, rules)
    changed = comparison.changed(frozenset().union(*askers.values()))
    moved: list[LinesMoved] = []
    for name in sorted(changed):
        lines = comparison.moved(name) if name.endswith(LINES) else None
        if lines is not None:
            changed -= {name}
            moved += lines
    return [asker for asker, names in askers.items() if not changed.isdisjoint(names)], moved


def asks_bodies(askers: Mapping[str, list[str]]) -> bool:
    """Whether a file was asked for something that only its references tell."""
    return any(name.endswith((BODY, LINES)) for names in askers.values() for name in names)


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
