"""The linker: one file at a time, and what each file's link asked of others."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Final

from indexer.link.lookup import definitions_at
from indexer.link.outcomes import Outcomes
from indexer.link.run import Run
from indexer.link.surface import BODY
from indexer.ports import Definition, FactsSource, Link, LinkRules, Resolver, Target

MAX_ANSWERS: Final = 150_000
"""Answers that are kept from file to file: about 150 MB with what they rest on. Two thirds stay when there are more."""

MOST_ANSWERS: Final = 4 * MAX_ANSWERS
"""As many may stay where they are needed again and again, as in a library of mathematics whose files all use all."""

OFTEN: Final = 100
"""Files between which answers are dropped, on the whole: where it would be fewer, more may stay."""

_FRAMES: Final = 20_000
"""Python frames that `memo.MAX_DEPTH` open questions may take."""


class Linker:
    """Links files one at a time; answers that several files need are found once and kept."""

    def __init__(
        self, sources: FactsSource, resolvers: Mapping[str, Resolver], languages: Mapping[str, LinkRules]
    ) -> None:
        self._sources = sources
        self._resolvers = resolvers
        self._engine = Outcomes(sources, resolvers, languages)
        self._asked: Counter[str] = Counter()  # of each file: how many others' links have asked something of it
        self._answers: dict[str, tuple[tuple[str, ...], tuple[str, str] | None]] = {}
        self.room = MAX_ANSWERS
        """How many answers may stay."""
        self._linked = 0  # files, since answers were dropped

    def link(self, path: str) -> Link:
        """Every reference, import, base and override of one mapped file. KeyError if the file is not mapped."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _FRAMES))
        self._make_room()
        self._engine.memo.begin()
        run = Run(self._engine, self._sources, self._engine.indexes[path])
        run.link_references(self._sources.references(path))
        run.link_arguments()
        run.link_imports()
        run.link_classes()
        run.link_registered()
        run.count()
        lookups, modules = self.looked_up(path)
        self._asked.update(lookups.keys())
        return Link(
            edges=tuple(sorted(run.edges)),
            pending=tuple(sorted(run.pending)),
            counts=dict(sorted(run.counts.items())),
            lookups=lookups,
            modules=modules,
        )

    def _make_room(self) -> None:
        """Drop answers where there are too many. Those that are needed again are found again, so that where that comes
        often more of them may stay."""
        self._linked += 1
        if self._engine.memo.size() <= self.room:
            return
        if self._linked < OFTEN and self.room < MOST_ANSWERS:
            self.room = min(self.room * 2, MOST_ANSWERS)
        else:
            self._engine.memo.forget(self._asked, self.room * 2 // 3)
            self._linked = 0

    def answer(self, question: tuple[str, ...]) -> tuple[str, str] | None:
        """What the resolver says now to a question recorded in `Link.modules`."""
        kind, family, *words = question
        resolver = self._resolvers[family]
        if kind == "resolve":
            importer, specifier, level = words
            target: Target | None = resolver.resolve(importer, specifier, int(level))
        else:
            target = resolver.member(Target(words[0], words[1]), words[2])
        return None if target is None else (target.kind, target.value)

    def definition(self, path: str, position: int) -> tuple[Definition, ...]:
        """The definitions of the name at a byte offset of the normalised text; empty where there is none."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _FRAMES))
        return definitions_at(self._engine, self._sources, path, position)

    def looked_up(
        self, path: str
    ) -> tuple[dict[str, tuple[str, ...]], tuple[tuple[tuple[str, ...], tuple[str, str] | None], ...]]:
        """What the last link asked of other files and of the resolver, also where it failed half way."""
        others: defaultdict[str, list[str]] = defaultdict(list)
        for file, name in self._engine.memo.gathered():
            if file != path:
                others[file].append(name)
        modules = [self._answered(text) for text in sorted(others.pop("", ()))]
        lookups = {file: tuple(sorted(_needed(names))) for file, names in sorted(others.items())}
        return lookups, tuple(modules)

    def _answered(self, text: str) -> tuple[tuple[str, ...], tuple[str, str] | None]:
        """A question to the resolver and its answer; many files ask the same, and answers do not change."""
        found = self._answers.get(text)
        if found is None:
            question = tuple(text.split("\0"))
            found = self._answers[text] = question, self.answer(question)
        return found


def _needed(names: list[str]) -> list[str]:
    """The look-ups without those that others cover: what is told of a body tells of the call, too (see `surface`)."""
    covered = {f"{name.removesuffix(BODY)}()" for name in names if name.endswith(BODY)}
    return [name for name in names if name not in covered] if covered else names
