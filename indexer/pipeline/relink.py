"""Which files have to be linked again, and why: exactly those whose link could come out differently.

A link reads its own file's facts, bindings of other files, and the resolver's answers. All three are recorded with it,
so nothing is guessed: what did not change gives the link that is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from indexer.link import LINES, Comparison, spoken
from indexer.model import FileFacts
from indexer.pipeline.report import Asked, Reason
from indexer.ports import LinkRules

NAMES_KEPT = 3
"""What a file asked for is kept of a reason, at most."""


class Difference(NamedTuple):
    """What is different between two versions of a file, of what was asked of it."""

    fates: dict[str, str]  # by name: changed, there now, gone
    moved: list[tuple[int, dict[int, int]]]  # functions, in the new facts, whose calls have but moved: lines → lines


def difference(old: FileFacts, new: FileFacts, rules: LinkRules, names: frozenset[str]) -> Difference:
    """Compare two versions. Both need their references where a name ends with `BODY` or `LINES`."""
    comparison = Comparison(old, new, rules)
    moved: list[tuple[int, dict[int, int]]] = []
    changed = comparison.changed(names)
    for name in sorted(changed):
        lines = comparison.moved(name) if name.endswith(LINES) else None
        if lines is not None:
            changed -= {name}
            moved += [(function.symbol, function.lines) for function in lines]
    return Difference({name: comparison.fates[name] for name in sorted(changed)}, moved)


def because_asked(path: str, found: Difference, askers: Mapping[str, list[str]]) -> dict[str, Reason]:
    """Those of `askers` (file → bindings asked of `path`) that asked for what is different."""
    again: dict[str, Reason] = {}
    for asker, names in askers.items():
        if not found.fates.keys().isdisjoint(names):
            again[asker] = _reason(path, [(name, found.fates[name]) for name in names if name in found.fates])
    return again


def because_gone(path: str, now: str, askers: Mapping[str, list[str]]) -> dict[str, Reason]:
    """All of `askers`, where there are no two versions of `path` to compare. `now` as in `Asked`."""
    return {asker: _reason(path, [(name, now) for name in names]) for asker, names in askers.items()}


def _reason(path: str, names: Sequence[tuple[str, str]]) -> Reason:
    """`names`: keys with what became of each. What is kept is plain names first, by name."""
    shown = sorted(names, key=lambda name: (not name[0].replace(".", "").isidentifier(), name))[:NAMES_KEPT]
    return Reason("asked", path, tuple(Asked(spoken(key), now) for key, now in shown), len(names) - len(shown))


def because_resolved(
    questions: Iterable[tuple[str, list[list[Any]]]], answer: Callable[[tuple[str, ...]], tuple[str, str] | None]
) -> Iterator[tuple[str, Reason]]:
    """The files to whose questions the resolver gives another answer now, each with the first such question.

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
                yield path, _leads(question, answers[question], answered)
                break


def _leads(question: tuple[str, ...], now: Sequence[str] | None, before: Sequence[str] | None) -> Reason:
    kind, _, *words = question
    of = f"import of {'.' * int(words[2])}{words[1]}" if kind == "resolve" else f"import of {words[2]} from {words[1]}"
    return Reason("import", of, (Asked(_place(now), _place(before)),))


def _place(target: Sequence[str] | None) -> str:
    kind, value = target or ("missing", "")
    if kind == "file":
        return value
    if kind == "folder":
        return f"the folder {value}" if value else "the root"
    return f"{value}, which is outside" if kind == "external" else "nothing here"
