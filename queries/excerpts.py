"""How much of a symbol's source is shown as room grows: its first lines and those with words of the question, then more
around them, in the end all of it.

Each step adds some lines to those of the step before, so that more room never takes a line away. A body is not shown in
parts that is as short as one step, nor with a hole that is as short as the mark of one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from indexer.store.reader import SymbolRow
from queries.answers import Passage
from queries.session import Session
from queries.source import normalised
from queries.words import Question

STEP = 8  # lines that a step adds, at least
BEFORE, BEHIND = 1, 2  # lines shown around one that has words
HOLE = 2  # lines that are rather shown than marked as left out
MOST_LINES = 200  # of a body that are shown
OPENING = 6  # lines of decorators and of a signature, at most
STEM = 4  # letters of a word of which a longer one may begin with them
NO_SOURCE = ("module", "variable", "attribute")


class _Steps(NamedTuple):
    lines: Sequence[str]
    shown: tuple[tuple[int, ...], ...]  # after each step, indexes in `lines`
    sizes: tuple[int, ...]  # characters, likewise


_NOTHING = _Steps((), (), ())


class Excerpts:
    """The source of symbols, read from disk when it is asked for.

    question   whose words choose the lines that are shown first
    """

    def __init__(self, session: Session, question: Question) -> None:
        self._session = session
        self._words = _pattern(question.words)
        self._weights = question.words
        self._files: dict[str, list[str] | None] = {}
        self._known: dict[int, _Steps] = {}

    def sizes(self, row: SymbolRow) -> tuple[int, ...]:
        """Characters of a symbol's source after each step; none where it has none."""
        return self._steps(row).sizes

    def shown(self, row: SymbolRow, steps: int) -> tuple[str | None, tuple[Passage, ...]]:
        """The whole source, or what is shown of it after some steps: runs of lines, none of which ends blank."""
        found = self._steps(row)
        kept = found.shown[steps - 1]
        if len(kept) == len(found.lines):
            return "\n".join(found.lines), ()
        return None, tuple(
            Passage(row.start_line + run[0], "\n".join(found.lines[run[0] : run[-1] + 1]))
            for run in _runs(kept, found.lines)
        )

    def _steps(self, row: SymbolRow) -> _Steps:
        found = self._known.get(row.id)
        if found is None:
            found = self._known[row.id] = self._worked_out(row)
        return found

    def _worked_out(self, row: SymbolRow) -> _Steps:
        if row.kind in NO_SOURCE:
            return _NOTHING
        if row.path not in self._files:
            text = normalised(self._session, row.path)
            self._files[row.path] = None if text is None else text.decode("utf-8", "replace").split("\n")
        whole = self._files[row.path]
        if whole is None or row.end_line > len(whole):
            return _NOTHING
        lines = whole[row.start_line - 1 : row.end_line]
        opening = min(OPENING, max(1, row.name_line - row.start_line + 1))
        hidden = self._inside(row) if len(lines) > STEP else frozenset()
        if hidden and not any(lines[line].strip() for line in range(opening, len(lines)) if line not in hidden):
            return _NOTHING  # its signature says as much
        shown = tuple(_nested(lines, opening, self._scores(lines), hidden))
        return _Steps(lines, shown, tuple(_size(lines, each) for each in shown))

    def _scores(self, lines: Sequence[str]) -> dict[int, float]:
        """Lines that have words of the question → the sum of the words' weights, each once."""
        if self._words is None:
            return {}
        found: dict[int, set[str]] = {}
        lowered = [line.lower() for line in lines]
        starts = list(accumulate([len(line) + 1 for line in lowered[:-1]], initial=0))
        for match in self._words.finditer("\n".join(lowered)):
            found.setdefault(bisect_right(starts, match.start()) - 1, set()).add(match.group())
        return {line: sum(sorted(self._weights[word] for word in words)) for line, words in found.items()}

    def _inside(self, row: SymbolRow) -> frozenset[int]:
        """Lines of what is defined in a class, which is shown for itself."""
        if row.kind in ("function", "method", "lambda"):
            return frozenset()
        with self._session.read() as reader:
            children = [child for child in reader.children([row]) if child.kind not in NO_SOURCE]
        ranges = [range(child.start_line - row.start_line, child.end_line - row.start_line + 1) for child in children]
        return frozenset(line for each in ranges for line in each)


def _pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    """What finds the words, and what begins with a longer one, in text of lower case."""
    known = sorted(words, key=lambda word: (-len(word), word))
    spelt = [re.escape(w) if len(w) >= STEM else rf"(?<![a-z]){re.escape(w)}(?![a-z])" for w in known]
    return re.compile("|".join(spelt)) if spelt else None


def _nested(
    lines: Sequence[str], opening: int, scores: Mapping[int, float], hidden: frozenset[int]
) -> Iterator[tuple[int, ...]]:
    """The lines that are shown after each step, the last time all that ever are."""
    number = len(lines)
    if number <= STEP:
        yield tuple(range(number))
        return
    most = min(number, MOST_LINES)
    shown = set(range(min(opening, number)))
    before = 0
    for line in _in_turn(number, scores, hidden):
        if line in shown:
            continue
        shown.add(line)
        if len(shown) - before >= STEP:
            filled = _filled(shown, number, hidden)
            if len(filled) > most:
                break
            shown |= filled
            before = len(shown)
            yield tuple(sorted(shown))
    rest = _filled(shown, number, hidden)
    if before < len(rest) <= most:
        yield tuple(sorted(rest))
    elif not before:
        yield tuple(sorted(rest))[:most]


def _in_turn(number: int, scores: Mapping[int, float], hidden: frozenset[int]) -> Iterator[int]:
    """Lines in the order in which they are added: around those that say most, then from the top."""
    for line in sorted(scores, key=lambda line: (-scores[line], line)):
        if line not in hidden:
            yield line
            for near in range(max(0, line - BEFORE), min(number, line + BEHIND + 1)):
                if near not in hidden:
                    yield near
    yield from (line for line in range(number) if line not in hidden)


def _filled(shown: set[int], number: int, hidden: frozenset[int]) -> set[int]:
    """The same without holes too short for a mark."""
    filled = set(shown)
    last = -1
    for line in [*sorted(shown), number]:
        if 0 < line - last - 1 <= HOLE:
            filled.update(each for each in range(last + 1, line) if each not in hidden)
        last = line
    return filled


def _runs(kept: Sequence[int], lines: Sequence[str]) -> Iterator[list[int]]:
    """Lines that follow each other, without blank ones at either end."""
    run: list[int] = []
    for line in (*kept, -2):
        if run and line != run[-1] + 1:
            while run and not lines[run[-1]].strip():
                run.pop()
            while run and not lines[run[0]].strip():
                run.pop(0)
            if run:
                yield run
            run = []
        run.append(line)


def _size(lines: Sequence[str], kept: Sequence[int]) -> int:
    marks = sum(1 for line, following in pairwise(kept) if following != line + 1)
    return sum(len(lines[line].strip()) + 3 for line in kept) + 9 * marks
